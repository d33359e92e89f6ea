//! The documents say what is so: their examples run, and the commands that they name exist.

use std::fs;

use hermes_tests::{Case, workspace};

/// Returns the fenced blocks of a language in a Markdown text.
fn blocks(text: &str, language: &str) -> Vec<String> {
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

fn document(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn blocks_are_found_by_their_language() {
    let text =
        "a\n```python\nx\ny\n```\n```console\n$ z\n```\n```\nplain\n```\n```python\nw\n```\n";
    assert_eq!(blocks(text, "python"), ["x\ny\n", "w\n"]);
    assert_eq!(blocks(text, "console"), ["$ z\n"]);
}

#[tokio::test]
async fn the_python_examples_of_the_readme_run() {
    let place = workspace();
    let examples = blocks(&document("README.md"), "python");
    assert!(!examples.is_empty(), "README.md has no Python example");
    for example in examples {
        Case::new(example).workdir(place).run().await.succeeds();
    }
}

#[test]
fn the_targets_that_the_documents_name_are_in_the_makefile() {
    let makefile = document("Makefile");
    let targets: Vec<_> = makefile
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(target, _)| target.trim())
        .collect();
    for name in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = document(name);
        let named = text.split("make ").skip(1).filter_map(|rest| {
            rest.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-')
                .next()
        });
        // Only what stands in code is a target: "make sure" is prose.
        let in_code = named.filter(|target| {
            text.contains(&format!("`make {target}"))
                || text.contains(&format!("\nmake {target}"))
                || text.contains(&format!("$ make {target}"))
        });
        for target in in_code {
            assert!(
                targets.contains(&target),
                "{name} names `make {target}`, which the Makefile does not have"
            );
        }
    }
}

#[test]
fn the_readme_names_the_two_commands_that_do_everything() {
    let text = document("README.md");
    for command in ["make run", "make test"] {
        assert!(
            text.contains(command),
            "README.md does not name `{command}`"
        );
    }
}
