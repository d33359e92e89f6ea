//! One row of the guard's tables: what makes a command dangerous, and commands that show it.

use super::command_line::CommandLine;
use super::program::Program;

/// A reason to stop a command.
#[derive(Debug)]
pub(super) struct Rule {
    /// What the user is told; an approval for longer holds for this text.
    pub(super) description: &'static str,
    pub(super) finds: Finds,
    /// Commands that the rule finds.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    pub(super) hits: &'static [&'static str],
    /// Commands that look alike, and that it does not find.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    pub(super) misses: &'static [&'static str],
}

/// How a rule looks at a command line.
#[derive(Debug)]
pub(super) enum Finds {
    /// At one program at a time.
    Program(fn(&Program) -> bool),
    /// At one program at a time, those in containers left out.
    OwnProgram(fn(&Program) -> bool),
    /// At all programs together.
    Line(fn(&CommandLine) -> bool),
    /// At the text as it was written, quoted or not.
    Text(fn(&str) -> bool),
}

impl Rule {
    /// Tells whether the rule finds something in a command, which is given as text and as read.
    pub(super) fn is_hit(&self, text: &str, line: &CommandLine) -> bool {
        match self.finds {
            Finds::Program(is_such) => line.any(is_such),
            Finds::OwnProgram(is_such) => {
                line.any(|program| !program.is_elsewhere && is_such(program))
            }
            Finds::Line(is_such) => is_such(line),
            Finds::Text(is_such) => is_such(text),
        }
    }
}

/// Runs the commands of every row; a row without both kinds fails.
#[cfg(test)]
pub(super) fn check_rows<'a>(rules: impl Iterator<Item = &'a Rule>) {
    for rule in rules {
        let description = rule.description;
        assert!(
            !rule.hits.is_empty() && !rule.misses.is_empty(),
            "`{description}` needs commands that it finds and commands that it does not"
        );
        for command in rule.hits {
            let line = CommandLine::whole(command);
            assert!(rule.is_hit(command, &line), "`{description}`: {command}");
        }
        for command in rule.misses {
            let line = CommandLine::whole(command);
            assert!(
                !rule.is_hit(command, &line),
                "not `{description}`: {command}"
            );
        }
    }
}
