//! Sources that are unusual: odd bytes, odd sizes, odd line ends.

use hermes_tests::{Case, Session, is_for_newer_python};

#[tokio::test]
async fn a_nul_in_the_source_is_a_syntax_error() {
    if is_for_newer_python("older versions use other words") {
        return;
    }
    let session = Session::fresh();
    session
        .run("x = 1\0")
        .await
        .traceback("SyntaxError: source code string cannot contain null bytes\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn a_source_of_ten_megabytes_runs() {
    let mut code = String::from("total = 0\n");
    while code.len() < 10_000_000 {
        code.push_str("# a line of comment that only takes up room in the source of the cell\n");
    }
    code.push_str("print(total + 1)\n");
    let session = Session::fresh();
    session.run(code).await.succeeds().output("1\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn a_text_of_ten_megabytes_is_kept_whole() {
    let session = Session::fresh();
    session
        .run(format!("text = '{}'", "é".repeat(5_000_000)))
        .await
        .succeeds();
    session
        .run("print(len(text), set(text))")
        .await
        .succeeds()
        .output("5000000 {'é'}\n");
}

#[tokio::test]
async fn line_ends_of_other_systems_are_line_ends() {
    Case::new("for i in range(2):\r\n    print(i)\r\nprint('end')\r\n")
        .run()
        .await
        .succeeds()
        .output("0\n1\nend\n");
    Case::new("print(1)\rprint(2)\r")
        .run()
        .await
        .succeeds()
        .output("1\n2\n");
}

#[tokio::test]
async fn a_source_needs_no_last_line_end_and_may_begin_with_blanks() {
    Case::new("\n\n  \n# comment\nprint('x')")
        .run()
        .await
        .succeeds()
        .output("x\n");
}

#[tokio::test]
async fn only_a_comment_is_a_cell() {
    Case::new("# nothing to do")
        .run()
        .await
        .succeeds()
        .output("")
        .kernel(false, 1);
}

#[tokio::test]
async fn a_byte_order_mark_in_a_text_is_a_letter_that_python_refuses() {
    Case::new("\u{feff}print('x')")
        .run()
        .await
        .raises("SyntaxError: invalid non-printable character U+FEFF");
}

#[tokio::test]
async fn a_declared_encoding_changes_nothing() {
    Case::new("# -*- coding: latin-1 -*-\nprint('é')")
        .run()
        .await
        .succeeds()
        .output("é\n");
}

#[tokio::test]
async fn names_may_be_of_any_script() {
    Case::new("größe, 長さ = 1, 2\nprint(größe + 長さ)")
        .run()
        .await
        .succeeds()
        .output("3\n");
}
