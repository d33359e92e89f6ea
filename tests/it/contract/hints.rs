//! Advice for recognised mistakes.

use hermes_tests::{Case, Scripted, builder, every_row, is_for_strict_only};
use serde_json::json;

const DICTS: &str = "Tool functions in the sandbox return DICTS (already parsed) — do not json.loads() them or index them like strings. Example: read_file(path)['content'].";

#[tokio::test]
async fn each_known_mistake_has_its_advice() {
    if is_for_strict_only("in project mode `terminal` is among the tools that the advice lists") {
        return;
    }
    every_row([
        (
            "from hermes_tools import json_pars",
            Some(
                "'json_pars' is not available inside the execute_code sandbox. Importable tools here: patch, read_file, search_files, web_extract, web_search, write_file. For anything else, use the normal tool call instead of execute_code.",
            ),
        ),
        ("json_parse('{}')", Some("Import json_parse before calling it: from hermes_tools import json_parse")),
        ("shell_quote('x')", Some("Import shell_quote before calling it: from hermes_tools import shell_quote")),
        (
            "import requests",
            Some(
                "'requests' is not installed in the sandbox interpreter. Use Python stdlib inside execute_code, or run the code via terminal() with the project venv's python instead.",
            ),
        ),
        (
            "from bs4.element import Tag",
            Some(
                "'bs4' is not installed in the sandbox interpreter. Use Python stdlib inside execute_code, or run the code via terminal() with the project venv's python instead.",
            ),
        ),
        ("'text'['key']", Some(DICTS)),
        ("'text'.get('key')", Some(DICTS)),
        ("print(undefined)", None),
        ("1/0", None),
    ], async |(code, hint)| {
        let finished = Case::new(code).run().await;
        finished.hint(hint);
        assert_eq!(finished.outcome().exit_code, 1, "{finished}");
    })
    .await;
}

#[tokio::test]
async fn a_result_that_is_used_like_a_text_has_its_advice() {
    let page = Scripted::new("page", |_, _| {
        hermes_runtime::ToolReply::json(&json!({"content": "text"}))
    });
    let runtime = builder().tool(page).build().unwrap();
    Case::new("from hermes_tools import page\npage()['content']['a']")
        .on(&runtime)
        .run()
        .await
        .hint(Some(DICTS));
}

#[tokio::test]
async fn a_cell_that_succeeds_has_no_advice() {
    Case::new("try:\n    import no_such_package\nexcept ImportError:\n    print('none')")
        .run()
        .await
        .succeeds()
        .output("none\n")
        .hint(None);
}
