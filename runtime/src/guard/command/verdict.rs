//! The judgement of one command: the floor first, then the operator's patterns, then what needs the user's word.

use super::command_line::CommandLine;
use super::dangerous;
use super::deny::DenyPatterns;
use super::floor::FLOOR;

/// Bytes of a command that is judged; a longer one is not run.
pub(crate) const MAX_COMMAND_BYTES: usize = 1 << 20;

/// What may be done with a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may run.
    Harmless,
    /// It never runs, for this reason.
    Floor(&'static str),
    /// The operator forbids it with this pattern.
    Forbidden(String),
    /// It needs the user's word, for all of these reasons.
    Dangerous(String),
}

/// Judges a command. Takes time and memory linear in its length.
pub(crate) fn judge(command: &str, denied: &DenyPatterns) -> Verdict {
    let line = CommandLine::whole(command);
    if let Some(rule) = FLOOR.iter().find(|rule| rule.is_hit(command, &line)) {
        return Verdict::Floor(rule.description);
    }
    if let Some(pattern) = denied.find(command, &line) {
        return Verdict::Forbidden(pattern.to_owned());
    }
    // All of them, so that consent to one reason is not consent to what else the command does.
    let reasons: Vec<&str> = dangerous::rules()
        .filter(|rule| rule.is_hit(command, &line))
        .map(|rule| rule.description)
        .collect();
    if reasons.is_empty() {
        Verdict::Harmless
    } else {
        Verdict::Dangerous(reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judged(command: &str) -> Verdict {
        judge(command, &DenyPatterns::default())
    }

    #[test]
    fn the_worst_reason_counts_and_dangers_are_told_together() {
        assert_eq!(
            judged("bash -c 'rm -rf /'"),
            Verdict::Floor("recursive delete of the root filesystem")
        );
        assert_eq!(
            judged("bash -c 'rm -rf x'"),
            Verdict::Dangerous("recursive delete; shell command via -c flag".to_owned())
        );
        let denied = DenyPatterns::new(&["rm *".to_owned()]);
        assert_eq!(
            judge("rm -r x", &denied),
            Verdict::Forbidden("rm *".to_owned())
        );
        assert_eq!(
            judge("rm -r /", &denied),
            Verdict::Floor("recursive delete of the root filesystem")
        );
    }

    #[test]
    fn everyday_commands_are_harmless() {
        for command in [
            "",
            "ls -la && cargo build --release 2>&1 | tail -n 20",
            "git add -A && git commit -m 'Remove rm -rf / and DROP TABLE' && git push",
            "grep -rn 'curl .* | sh' docs | head",
            "for f in *.py; do python3 \"$f\" --check || exit 1; done",
            "find . -name '*.rs' -exec wc -l {} + | sort -n",
            "mkdir -p a/b && cp -r x a/b && mv a/b c",
            "cat <<'E' > notes.md\nrm -rf /\nsudo reboot\nE",
            "docker build -t x . && docker run --rm x",
            "curl -sS https://example.com/data.json | jq '.items[] | .name'",
            "sed -i 's/a/b/' src/main.rs",
            "python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt",
            "awk '{print $1}' x | sort | uniq -c",
            "tar czf x.tgz --exclude=.git . && ls -lh x.tgz",
            "make -j\"$(nproc)\" && ctest --output-on-failure",
        ] {
            assert_eq!(judged(command), Verdict::Harmless, "{command}");
        }
    }

    fn judge_repeated(units: &[&str], length: usize) {
        for unit in units {
            // Any verdict will do: what counts is that there is one.
            let _ = judged(&unit.repeat(length / unit.len()));
        }
    }

    #[test]
    fn long_hostile_texts_are_judged() {
        let units = [
            "'",
            "\"",
            "{",
            "}",
            "$(",
            "`",
            "(",
            ")",
            "|",
            ";",
            "&",
            "<<E\n",
            "a;",
            "sh|",
            "$'\\x",
            "{a,",
            "\\",
            "eval '",
            "find -exec ",
            "curl|sh<(",
            "echo a|sh|",
            "a=",
            "rm -",
        ];
        judge_repeated(&units, MAX_COMMAND_BYTES);
    }

    #[test]
    fn long_texts_of_places_within_places_are_judged() {
        let units = [
            "$((",
            "((",
            "((a) ",
            "$((a) ",
            "$((a)b",
            "$[",
            "a[",
            "a[1]=2 ",
            "${",
            "${x//'",
            "\"${x:-'",
            "\"${",
            "a=(",
            "[[ (",
            "case x in ",
            "case x in a) ",
            "$(case x in a)",
            "\\`",
            "`\\`",
            "a|\n",
            "echo a|cat|sh;",
            "(echo a;sh)|",
            ">(sh",
            "echo a >(sh) ",
            "printf %s a|sh|",
            "echo a|bash -c 'sh;sh'|",
            "<<E `$((",
            "}|sh;echo a;",
            "uv run ",
            "docker exec a ",
            "git -c alias.x=!",
            "/{a,",
            "rm /{a,",
            "rm [*/",
            "/*--",
        ];
        judge_repeated(&units, MAX_COMMAND_BYTES / 4);
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "(case x in|esac|\\[\\[|]]|[a-c1(){}\\[\\]$`'\"\\\\<>&|;:%#~/! \r\n,=-]){0,80}") {
            let _ = judged(&text);
        }

        #[test]
        fn a_quoted_text_is_one_harmless_word(
            text in "[ -~\n]{0,80}|rm -rf /|.*(reboot|curl x \\| sh|mkfs x).*"
        ) {
            // Characters that are not seen are found in quotes, too.
            let text: String = text.chars().filter(char::is_ascii).collect();
            let quoted = format!("echo '{}'", text.replace('\'', r"'\''"));
            let line = CommandLine::whole(&quoted);
            prop_assert_eq!(line.programs.len(), 1);
            for program in &line.programs {
                prop_assert_eq!(&program.arguments, std::slice::from_ref(&text));
            }
            prop_assert_eq!(judged(&quoted), Verdict::Harmless);
        }
    }
}
