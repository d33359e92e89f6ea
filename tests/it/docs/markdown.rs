//! Markdown as far as the tests of the documents read it: fenced blocks and their language.

use std::fs;

use hermes_tests::workspace;

/// Returns the fenced blocks of a language in a Markdown text.
pub(super) fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: String = lines
            .by_ref()
            .take_while(|line| !line.starts_with("```"))
            .flat_map(|line| [line, "\n"])
            .collect();
        if info.trim() == language {
            found.push(block);
        }
    }
    found
}

/// Returns the text of a file of the project.
pub(super) fn document(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn blocks_are_found_by_their_language() {
    let text =
        "a\n```python\nx\ny\n```\n```console\n$ z\n```\n```\nplain\n```\n```python\nw\n```\n";
    assert_eq!(blocks(text, "python"), ["x\ny\n", "w\n"]);
    assert_eq!(blocks(text, "console"), ["$ z\n"]);
}
