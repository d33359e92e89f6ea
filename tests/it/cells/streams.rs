//! Standard output, error and input, and what a script may do to them.

use hermes_tests::{Case, Session, by_engine, every_row, is_for_newer_python, is_for_strict_only};

#[tokio::test]
async fn stderr_comes_in_a_block_of_its_own() {
    Case::new("import sys\nprint('o')\nprint('e', file=sys.stderr)")
        .run()
        .await
        .succeeds()
        .output("o\n\n--- stderr ---\ne\n")
        .bytes(2, 2, 0);
}

#[tokio::test]
async fn the_stderr_block_stands_alone_where_nothing_was_printed() {
    Case::new("import sys\nprint('e', file=sys.stderr)")
        .run()
        .await
        .succeeds()
        .output("\n--- stderr ---\ne\n")
        .bytes(0, 0, 0);
}

#[tokio::test]
async fn stderr_comes_before_the_traceback_in_the_same_block() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    let finished = Case::new("import sys\nprint('o')\nprint('e', file=sys.stderr)\n1/0")
        .run()
        .await;
    finished.raises("ZeroDivisionError: division by zero").output(
        "o\n\n--- stderr ---\ne\nTraceback (most recent call last):\n  File \"<cell>\", line 4, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero\n",
    );
}

#[tokio::test]
async fn every_way_of_writing_is_captured_in_order() {
    if is_for_strict_only("what goes to the descriptor itself comes after what was captured") {
        return;
    }
    Case::new(
        "import os, sys\nprint('a')\nsys.stdout.write('b\\n')\nsys.stdout.buffer.write(b'c\\n')\nos.write(1, b'd\\n')\n\
         print('e', end='')\nos.writev(1, [b'\\n', b'f\\n']) if hasattr(os, 'writev') else os.write(1, b'\\nf\\n')\n\
         with open(1, 'w', closefd=False) as stream: stream.write('g\\n')\nsys.__stdout__.write('h\\n')",
    )
    .run()
    .await
    .succeeds()
    .output("a\nb\nc\nd\ne\nf\ng\nh\n");
}

#[tokio::test]
async fn warnings_and_logs_go_to_stderr() {
    Case::new("import logging, warnings\nwarnings.warn('careful')\nlogging.warning('noted')")
        .run()
        .await
        .succeeds()
        .output(by_engine(
            "\n--- stderr ---\n<cell>:2: UserWarning: careful\nWARNING:root:noted\n",
            "\n--- stderr ---\n<cell>:2: UserWarning: careful\n  warnings.warn('careful')\nWARNING:root:noted\n",
        ));
}

#[tokio::test]
async fn input_is_at_its_end_at_once() {
    if is_for_newer_python("older versions mark the place of an error otherwise") {
        return;
    }
    let finished = Case::new("input('name? ')").run().await;
    finished.raises("EOFError: EOF when reading a line");
    finished.output(
        "name? \n--- stderr ---\nTraceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    input('name? ')\n    ~~~~~^^^^^^^^^^\nEOFError: EOF when reading a line\n",
    );
    Case::new("import os, sys\nprint(repr(sys.stdin.read()), sys.stdin.readlines(), repr(os.read(0, 10)), sys.stdin.isatty())")
        .run()
        .await
        .succeeds()
        .output("'' [] b'' False\n");
}

#[tokio::test]
async fn lone_surrogates_are_shown_as_escapes() {
    Case::new(r"import sys; print('a\udc80b\ud800'); print('\udfff', file=sys.stderr)")
        .run()
        .await
        .succeeds()
        .output("a\\udc80b\\ud800\n\n--- stderr ---\n\\udfff\n");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    Case::new(r"import sys; sys.stdout.buffer.write(b'a\xff\xfeb\xc3\n')")
        .run()
        .await
        .succeeds()
        .output("a\u{fffd}\u{fffd}b\u{fffd}\n")
        .bytes(12, 12, 0);
}

#[tokio::test]
async fn a_character_may_be_written_in_pieces() {
    Case::new(r"import os; os.write(1, b'\xf0\x9f'); os.write(1, b'\x90\x8d\n')")
        .run()
        .await
        .succeeds()
        .output("🐍\n");
}

#[tokio::test]
async fn every_letter_of_unicode_is_kept() {
    Case::new("print('äß€漢🐍 \\x00\\x07|\\r|')")
        .run()
        .await
        .succeeds()
        .output("äß€漢🐍 \0\u{7}|\r|\n");
}

#[tokio::test]
async fn redirected_output_goes_where_the_script_sends_it() {
    Case::new("import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as text:\n    print('inside')\nprint(repr(text.getvalue()))")
        .run()
        .await
        .succeeds()
        .output("'inside\\n'\n");
}

#[tokio::test]
async fn streams_that_a_script_ruined_are_whole_in_the_next_cell() {
    every_row([
        "sys.stdout.close()",
        "sys.stdout = None; sys.stderr = None; sys.stdin = None",
        "import io; sys.stdout = io.StringIO(); print('lost')",
        "del sys.stdout, sys.stderr",
        "sys.stdout = object()",
        "sys.stdout.detach()",
        "import os; os.close(1)",
        "import os; os.close(0); os.close(1); os.close(2)",
        "import os; os.dup2(os.open('out', os.O_CREAT | os.O_WRONLY), 1)",
        "sys.stdout.reconfigure(encoding='utf-16', errors='strict')",
        "sys.stdout.buffer.close()",
        "sys.stdout.buffer.raw.close() if hasattr(sys.stdout.buffer, 'raw') else sys.stdout.buffer.close()",
        "sys.stdout.write = None",
        "sys.__stdout__ = sys.__stderr__ = None",
    ], async |ruin| {
        let session = Session::fresh();
        let ruined = session.run(format!("import sys\n{ruin}")).await;
        ruined.shows_no_frame_of_the_runtime();
        session.is_healthy().await;
        session.run("import sys; print('e', file=sys.stderr)").await.succeeds().output("\n--- stderr ---\ne\n");
        session.run("1/0").await.raises("ZeroDivisionError: division by zero");
    })
    .await;
}

#[tokio::test]
async fn what_a_cell_leaves_in_its_streams_is_its_own_output() {
    let session = Session::fresh();
    session
        .run("import io, sys\nstream = sys.stdout\nstream.reconfigure(write_through=False)\nstream.write('mine\\n')\nsys.stdout = io.StringIO()")
        .await
        .succeeds()
        .output("mine\n");
    session
        .run("print('next')")
        .await
        .succeeds()
        .output("next\n");
}

#[tokio::test]
async fn what_traces_a_script_sees_only_where_its_cells_begin_and_end_besides() {
    let session = Session::fresh();
    session
        .run("import sys\nseen = []\ndef note(frame, event, argument): seen.append((event, frame.f_code.co_name))\nsys.settrace(note)\nsys.setprofile(note)")
        .await
        .succeeds();
    session.run("def f(): pass\nf()").await.succeeds();
    session
        .run("sys.setprofile(None)\nsys.settrace(None)\nprint(('call', 'f') in seen, {name for _, name in seen} - {'f', '<module>', 'begin', 'end', '_run'})")
        .await
        .succeeds()
        .output("True set()\n");
}
