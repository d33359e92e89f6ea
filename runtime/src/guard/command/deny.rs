//! The commands that the operator forbids, by patterns in which `*` stands for any text and `?` for one character.
//!
//! A pattern is held against the whole command and against each program in it, its words joined by spaces, wrappers
//! left out. Case does not matter.

use super::command_line::CommandLine;

/// The operator's patterns.
#[derive(Debug, Clone, Default)]
pub(crate) struct DenyPatterns {
    patterns: Vec<String>,
}

impl DenyPatterns {
    pub(crate) fn new(patterns: &[String]) -> Self {
        let patterns = patterns.iter().map(|pattern| pattern.trim());
        Self {
            patterns: patterns
                .filter(|pattern| !pattern.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Returns the first pattern that forbids something in the command.
    pub(super) fn find(&self, text: &str, line: &CommandLine) -> Option<&str> {
        if self.patterns.is_empty() {
            return None;
        }
        let mut texts = vec![text.trim().to_lowercase()];
        texts.extend(line.programs.iter().flat_map(|program| {
            let words: Vec<&str> = [program.path.as_str()]
                .into_iter()
                .chain(program.arguments.iter().map(String::as_str))
                .collect();
            let words = words.join(" ").to_lowercase();
            // `/usr/bin/git push` is `git push`, too.
            let plain = words.replacen(program.path.to_lowercase().as_str(), &program.name, 1);
            [words, plain]
        }));
        let forbids = |pattern: &&String| {
            let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
            texts.iter().any(|text| matches(&pattern, text))
        };
        self.patterns.iter().find(forbids).map(String::as_str)
    }
}

/// Tells whether a text as a whole is like the pattern.
///
/// When it fails behind a `*`, that star takes one character more; earlier stars never have to be tried again.
fn matches(pattern: &[char], text: &str) -> bool {
    let mut rest = text.chars();
    let mut at = 0;
    let mut star: Option<(usize, std::str::Chars<'_>)> = None;
    loop {
        let mut ahead = rest.clone();
        match (pattern.get(at), ahead.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                at += 1;
                star = Some((at, rest.clone()));
            }
            (Some(expected), Some(letter)) if *expected == '?' || *expected == letter => {
                at += 1;
                rest = ahead;
            }
            _ => {
                let Some((behind, from)) = &mut star else {
                    return false;
                };
                if from.next().is_none() {
                    return false;
                }
                at = *behind;
                rest = from.clone();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(patterns: &[&str], command: &str) -> Option<String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let line = CommandLine::whole(command);
        DenyPatterns::new(&patterns)
            .find(command, &line)
            .map(str::to_owned)
    }

    #[test]
    fn patterns_are_held_against_every_program() {
        let patterns = ["git push*", "*terraform apply*", "kubectl delete ?d"];
        let hits = [
            ("git push origin", "git push*"),
            ("cd x && sudo /usr/bin/GIT push", "git push*"),
            ("sh -c 'git push'", "git push*"),
            ("g''it push", "git push*"),
            ("echo terraform apply", "*terraform apply*"),
            ("kubectl delete xd", "kubectl delete ?d"),
        ];
        for (command, pattern) in hits {
            assert_eq!(
                found(&patterns, command).as_deref(),
                Some(pattern),
                "{command}"
            );
        }
        for command in [
            "git pull",
            "echo git push",
            "kubectl delete d",
            "kubectl delete xyd",
        ] {
            assert_eq!(found(&patterns, command), None, "{command}");
        }
        assert_eq!(found(&["", " "], "ls"), None);
        assert_eq!(found(&["*"], "ls").as_deref(), Some("*"));
    }

    #[test]
    fn stars_take_as_much_as_is_needed() {
        let rows = [
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXbXbd", false),
            ("*", "", true),
            ("?", "", false),
            ("**a", "xa", true),
            ("a", "ab", false),
        ];
        for (pattern, text, expected) in rows {
            let pattern: Vec<char> = pattern.chars().collect();
            assert_eq!(matches(&pattern, text), expected, "{pattern:?} {text}");
        }
    }
}
