//! The commands that the documents name.

use super::markdown::document;

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
