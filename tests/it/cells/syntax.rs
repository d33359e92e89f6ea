//! The shape of errors in the source: the line, the mark under it, and no header.

use hermes_tests::{Case, every_row, is_for_newer_python};

#[tokio::test]
async fn an_error_in_the_source_shows_the_line_and_the_place() {
    if is_for_newer_python("older versions use other words") {
        return;
    }
    every_row([
        ("def f(:", "  File \"<cell>\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n"),
        ("x = 1\nif x\n    print(x)\n", "  File \"<cell>\", line 2\n    if x\n        ^\nSyntaxError: expected ':'\n"),
        (
            "def f():\nreturn 1\n",
            "  File \"<cell>\", line 2\n    return 1\n    ^^^^^^\nIndentationError: expected an indented block after function definition on line 1\n",
        ),
        (
            "print('abc\n",
            "  File \"<cell>\", line 1\n    print('abc\n          ^\nSyntaxError: unterminated string literal (detected at line 1)\n",
        ),
        ("print 'x'", "  File \"<cell>\", line 1\n    print 'x'\n    ^^^^^^^^^\nSyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?\n"),
        ("x = (1,\n", "  File \"<cell>\", line 1\n    x = (1,\n        ^\nSyntaxError: '(' was never closed\n"),
        ("%matplotlib inline", "  File \"<cell>\", line 1\n    %matplotlib inline\n    ^\nSyntaxError: invalid syntax\n"),
        ("!pip install x", "  File \"<cell>\", line 1\n    !pip install x\n    ^\nSyntaxError: invalid syntax\n"),
    ], async |(code, expected)| {
        let finished = Case::new(code).run().await;
        finished.traceback(expected).output(&format!("\n--- stderr ---\n{expected}")).bytes(0, 0, 0);
    })
    .await;
}

#[tokio::test]
async fn there_is_no_await_or_return_outside_of_a_function() {
    Case::new("await x")
        .run()
        .await
        .raises("SyntaxError: 'await' outside function");
    Case::new("return 1")
        .run()
        .await
        .raises("SyntaxError: 'return' outside function");
}

#[tokio::test]
async fn an_error_in_evaluated_source_has_its_own_place_below_the_cell() {
    if is_for_newer_python("older versions use other words") {
        return;
    }
    Case::new("eval('1 +')").run().await.traceback(
        "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\n    eval('1 +')\n    ~~~~^^^^^^^\n  File \"<string>\", line 1\n    1 +\nSyntaxError: invalid syntax\n",
    );
}

#[tokio::test]
async fn a_warning_of_the_compiler_is_no_failure() {
    if is_for_newer_python("older versions use other words") {
        return;
    }
    Case::new(r"print('\d')")
        .run()
        .await
        .succeeds()
        .output("\\d\n\n--- stderr ---\n<cell>:1: SyntaxWarning: invalid escape sequence '\\d'\n");
}
