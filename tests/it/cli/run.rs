//! `hermes-exec run`: plain and JSON output, and every option.

use hermes_tests::{Cli, EndlessLine};

#[test]
fn what_a_script_prints_goes_where_the_script_sent_it() {
    Cli::new([
        "run",
        "-c",
        "import sys; print('out'); print('err', file=sys.stderr)",
    ])
    .run()
    .exits(0)
    .prints("out\n")
    .reports("err\n");
}

#[test]
fn a_traceback_goes_to_stderr() {
    Cli::new(["run", "-c", "print('before'); 1/0"]).run().exits(1).prints("before\n").reports(
        "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    print('before'); 1/0\n                     ~^~\nZeroDivisionError: division by zero\n",
    );
}

#[test]
fn a_hint_follows_the_traceback() {
    let ended = Cli::new(["run", "-c", "import requests"]).run();
    ended
        .exits(1)
        .prints("")
        .reports_line_with("hint: 'requests' is not installed in the sandbox interpreter.");
}

#[test]
fn json_is_one_line_on_stdout_and_nothing_on_stderr() {
    let ended = Cli::new([
        "run",
        "--json",
        "-c",
        "import sys; print('out'); print('err', file=sys.stderr)",
    ])
    .run();
    ended.exits(0).reports("");
    assert_eq!(ended.json()["output"], "out\n\n--- stderr ---\nerr\n");
    let failed = Cli::new(["run", "--json", "-c", "1/0"]).run();
    failed.exits(1).reports("");
    assert_eq!(failed.json()["status"], "error");
}

#[test]
fn the_script_comes_from_a_file_from_stdin_or_from_the_command_line() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("script.py");
    std::fs::write(&path, "print('from a file')").unwrap();
    Cli::new(["run".as_ref(), path.as_os_str()])
        .run()
        .exits(0)
        .prints("from a file\n");
    Cli::new(["run", "-"])
        .stdin("print('from stdin')")
        .run()
        .exits(0)
        .prints("from stdin\n");
    Cli::new(["run"])
        .stdin("print('from stdin too')")
        .run()
        .exits(0)
        .prints("from stdin too\n");
    Cli::new(["run", "-c", "print('given')"])
        .stdin("print('not read')")
        .run()
        .exits(0)
        .prints("given\n");
}

#[test]
fn a_script_cannot_read_the_programs_stdin() {
    Cli::new(["run", "-c", "import sys; print(repr(sys.stdin.read()))"])
        .stdin("secret")
        .run()
        .exits(0)
        .prints("''\n");
}

#[test]
fn the_enabled_tools_are_the_named_ones() {
    let code = "import hermes_tools; print(hermes_tools.__all__)";
    let helpers = "'json_parse', 'retry', 'shell_quote'";
    Cli::new(["run", "--tools", "terminal, read_file", "-c", code])
        .run()
        .exits(0)
        .prints("['json_parse', 'read_file', 'retry', 'shell_quote', 'terminal']\n");
    Cli::new(["run", "--tools", "", "-c", code])
        .run()
        .exits(0)
        .prints(&format!("[{helpers}]\n"));
}

#[test]
fn tools_work_in_the_granted_directory() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("data.txt"), "one\ntwo\n").unwrap();
    let workdir = place.path().to_str().unwrap();
    let code = "from hermes_tools import read_file, terminal\nprint(read_file('data.txt')['content'])\nprint(terminal('wc -l < data.txt')['output'])";
    Cli::new([
        "run",
        "--tools",
        "read_file,terminal",
        "--workdir",
        workdir,
        "-c",
        code,
    ])
    .run()
    .exits(0)
    .prints("1|one\n2|two\n2\n");
    Cli::new([
        "run",
        "--workdir",
        ".",
        "-c",
        "from hermes_tools import read_file; print(read_file('data.txt')['total_lines'])",
    ])
    .current_dir(place.path())
    .run()
    .exits(0)
    .prints("2\n");
}

#[test]
fn without_a_directory_a_tool_says_what_to_do() {
    let ended = Cli::new([
        "run",
        "-c",
        "from hermes_tools import read_file; read_file('x')",
    ])
    .run();
    ended.exits(0).prints("").reports(
        "warning: tool `read_file` failed: No working directory was granted to this script. Start the runtime with --workdir DIR (or RuntimeBuilder::workdir) to enable file tools.\n",
    );
}

#[test]
fn limits_are_taken_from_the_command_line() {
    let ended = Cli::new([
        "run",
        "--json",
        "--max-tool-calls",
        "1",
        "-c",
        "from hermes_tools import web_extract as w; w([]); print(w([]))",
    ])
    .run();
    assert_eq!(
        ended.json()["output"],
        "{'error': 'Tool call limit reached (1). No more tool calls allowed in this execution.'}\n"
    );
    Cli::new([
        "run",
        "--memory-limit",
        "96MiB",
        "-c",
        "bytearray(100 << 20)",
    ])
    .run()
    .exits(1)
    .reports_line_with("MemoryError");
    Cli::new([
        "run",
        "--memory-limit",
        "1GiB",
        "-c",
        "print(len(bytearray(600 << 20)))",
    ])
    .run()
    .exits(0)
    .prints("629145600\n");
}

#[test]
fn fuel_is_counted_and_its_end_is_an_error() {
    let counted = Cli::new(["run", "--json", "--fuel", "1000000000", "-c", "print(1)"]).run();
    counted.exits(0);
    assert!(
        counted.json()["usage"]["fuel"]
            .as_u64()
            .is_some_and(|fuel| fuel > 0),
        "{counted:?}"
    );
    Cli::new(["run", "--fuel", "100000000", "-c", "print('start')\nwhile True: pass"]).run().exits(1).prints("start\n").reports(
        "error: Cell used up its fuel limit of 100,000,000 units; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.\n",
    );
}

#[test]
fn long_output_is_cut_and_the_file_lies_in_the_users_directory() {
    let ended = Cli::new(["run", "--json", "-c", "print('a' * 60_000)"]).run();
    ended.exits(0);
    let json = ended.json();
    let path = std::path::Path::new(json["stdout_spill_path"].as_str().unwrap());
    assert_eq!(path.parent().unwrap(), ended.home().join("cache/exec"));
    assert_eq!(std::fs::read_to_string(path).unwrap().len(), 60_001);
}

#[test]
fn redaction_is_switched_by_the_environment_of_the_host() {
    let code = "print('ghp_abcdefghijklmnopqrst')";
    Cli::new(["run", "-c", code])
        .run()
        .exits(0)
        .prints("ghp_ab...qrst\n");
    Cli::new(["run", "-c", code])
        .env("HERMES_REDACT_SECRETS", "false")
        .run()
        .exits(0)
        .prints("ghp_abcdefghijklmnopqrst\n");
}

#[test]
fn the_mode_of_a_configuration_is_never_less_safe_by_mistake() {
    let ended = Cli::new(["run", "-c", "print('ran')"])
        .env("HERMES_EXEC_MODE", "bogus")
        .run();
    ended
        .exits(0)
        .prints("ran\n")
        .reports_line_with("`HERMES_EXEC_MODE` for `code_execution.mode` is a text; expected one of `strict`, `project`; using strict");
    Cli::new(["run", "-c", "print('ran')"])
        .env("HERMES_EXEC_MODE", " Strict ")
        .run()
        .exits(0)
        .prints("ran\n")
        .reports("");
    Cli::new(["run", "-c", "print('ran')"])
        .env("HERMES_EXEC_MODE", "project")
        .run()
        .exits(0)
        .prints("ran\n");
}

#[test]
fn the_environment_of_the_host_is_not_the_scripts() {
    Cli::new([
        "run",
        "-c",
        "import os; print('OPENAI_API_KEY' in os.environ, 'PLAIN' in os.environ)",
    ])
    .env("OPENAI_API_KEY", "x")
    .env("PLAIN", "y")
    .run()
    .exits(0)
    .prints("False False\n");
}

#[test]
fn a_search_in_one_long_line_ends_with_its_cell() {
    let line = EndlessLine::write();
    let ended = Cli::new([
        "run",
        "--json",
        "--timeout",
        "2",
        "--workdir",
        line.workdir(),
    ])
    .stdin(EndlessLine::SEARCH)
    .run();
    assert_eq!(ended.json()["status"], "timeout");
    assert_eq!(ended.json()["tool_calls_made"], 1);
}
