//! The helpers that `hermes_tools` has whichever tools are enabled.

use hermes_tests::Case;

#[tokio::test]
async fn json_parse_forgives_what_strict_json_does_not() {
    Case::new("from hermes_tools import json_parse\nprint(json_parse('\\ufeff{\"a\":1}'), json_parse('{\"a\": \"x\\ny\\t\"}'), json_parse('[1, 2.5, null]'), json_parse(b'{}'))")
        .run()
        .await
        .succeeds()
        .output("{'a': 1} {'a': 'x\\ny\\t'} [1, 2.5, None] {}\n");
    Case::new("from hermes_tools import json_parse\njson_parse('')")
        .run()
        .await
        .raises("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)");
}

#[tokio::test]
async fn shell_quote_makes_one_word() {
    Case::new(
        r#"from hermes_tools import shell_quote
for text in ("it's", 'plain', '', 'a b', '$HOME', '"; rm -rf /'): print(shell_quote(text))"#,
    )
    .run()
    .await
    .succeeds()
    .output("'it'\"'\"'s'\nplain\n''\n'a b'\n'$HOME'\n'\"; rm -rf /'\n");
}

#[tokio::test]
async fn retry_calls_until_nothing_is_raised() {
    Case::new("from hermes_tools import retry\ncalls = []\ndef flaky():\n    calls.append(1)\n    if len(calls) < 3: raise OSError('not yet')\n    return 'ok'\nprint(retry(flaky, delay=0), len(calls))")
        .run()
        .await
        .succeeds()
        .output("ok 3\n");
}

#[tokio::test]
async fn retry_raises_the_last_exception_after_three_attempts() {
    let finished = Case::new("from hermes_tools import retry\ncalls = []\ndef broken():\n    calls.append(1)\n    print('attempt', len(calls))\n    raise OSError(len(calls))\nretry(broken, delay=0)").run().await;
    finished.raises("OSError: 3");
    assert!(
        finished
            .outcome()
            .output
            .starts_with("attempt 1\nattempt 2\nattempt 3\n\n--- stderr ---\n"),
        "{finished}"
    );
}

#[tokio::test]
async fn retry_does_not_swallow_an_exit() {
    Case::new("from hermes_tools import retry\nimport sys\nretry(sys.exit, delay=0)")
        .run()
        .await
        .succeeds()
        .ended(true);
}

#[tokio::test]
async fn the_module_is_the_same_however_it_is_imported() {
    Case::new(
        "open('hermes_tools.py', 'w').write('raise ValueError')\nimport hermes_tools, importlib, sys\nfrom hermes_tools import retry as first\n\
         print(first is importlib.import_module('hermes_tools').retry, hermes_tools.__name__, sys.modules['hermes_tools'] is hermes_tools)\n\
         from hermes_tools import *\nprint(read_file is hermes_tools.read_file)",
    )
    .run()
    .await
    .succeeds()
    .output("True hermes_tools True\nTrue\n");
}
