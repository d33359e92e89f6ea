//! The programs that a command line starts, with the text that it hands to other shells taken in.
//!
//! A program is what stands in command position: after assignments, keywords of the shell and wrappers such as `sudo`.

use std::sync::Arc;

use super::flow::programs;
use super::lexer::lex;
use super::program::Program;

/// Texts for inner shells that are looked at; each may hand over more.
const MAX_PAYLOADS: usize = 1_000;
/// Bytes of such texts that are looked at.
const MAX_PAYLOAD_BYTES: usize = 4 << 20;

/// The programs of a command line, and the text of it that is not quoted.
#[derive(Debug)]
pub(crate) struct CommandLine {
    pub(crate) programs: Vec<Program>,
    /// Unquoted text, payloads included as lines of their own.
    pub(super) unquoted: String,
    /// Whether there is more in it than was looked at.
    pub(super) is_too_deep: bool,
}

impl CommandLine {
    /// Reads the command line itself.
    pub(crate) fn outer(text: &str) -> Self {
        let lexed = lex(text);
        let (programs, has_more) = programs(lexed.commands);
        Self {
            programs,
            unquoted: lexed.unquoted,
            is_too_deep: lexed.is_too_deep || has_more,
        }
    }

    /// Reads the command line and everything in it that an inner shell would run.
    pub(crate) fn whole(text: &str) -> Self {
        let mut whole = Self::outer(text);
        let (mut at, mut payloads, mut bytes) = (0, 0, 0);
        while let Some(program) = whole.programs.get(at) {
            let (is_piped, upstream) = (program.stage.is_piped, program.upstream);
            let fed = Arc::clone(&program.fed);
            let is_elsewhere = program.runs_elsewhere();
            let input = program.input.clone();
            let texts = program.payloads();
            for payload in texts {
                payloads += 1;
                bytes += payload.len();
                if payloads > MAX_PAYLOADS || bytes > MAX_PAYLOAD_BYTES {
                    whole.is_too_deep = true;
                    return whole;
                }
                let mut inner = Self::outer(&payload);
                if let Some(first) = inner.programs.first_mut()
                    && first.input.is_empty()
                    && first.reads_program()
                {
                    first.input.clone_from(&input);
                }
                for program in &mut inner.programs {
                    // An inner shell passes its own input on.
                    if is_piped && !program.stage.is_piped {
                        program.stage.is_piped = true;
                        if !fed.is_empty() && program.reads_program() {
                            program.fed = Arc::clone(&fed);
                        }
                    }
                    program.upstream |= upstream;
                    program.is_elsewhere |= is_elsewhere;
                }
                whole.programs.extend(inner.programs);
                whole.unquoted.push('\n');
                whole.unquoted.push_str(&inner.unquoted);
                whole.is_too_deep |= inner.is_too_deep;
            }
            at += 1;
        }
        whole
    }

    /// Tells whether one of the programs is such a one.
    pub(super) fn any(&self, is_such: impl Fn(&Program) -> bool) -> bool {
        self.programs.iter().any(is_such)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::Sources;
    use super::*;

    fn names(text: &str) -> Vec<String> {
        CommandLine::whole(text)
            .programs
            .into_iter()
            .map(|program| program.name)
            .collect()
    }

    #[test]
    fn wrappers_assignments_and_keywords_are_passed() {
        let rows = [
            ("A=1 B+=2 /bin/rm x", vec!["rm"]),
            ("sudo -u root -E rm x", vec!["rm"]),
            ("sudo -nu root --group wheel --chdir=/ rm x", vec!["rm"]),
            ("timeout -k 5 10s rm", vec!["rm"]),
            ("env -u X A=1 nice -n 5 rm", vec!["rm"]),
            ("if true; then rm x; fi", vec!["true", "rm", "fi"]),
            ("find . | xargs -n 1 rm", vec!["find", "rm"]),
            ("echo rm", vec!["echo"]),
            ("sudo nohup --version", vec!["nohup"]),
            ("RM.EXE x", vec!["rm"]),
            ("time -p rm x", vec!["rm"]),
            ("time rm x", vec!["rm"]),
            ("flock -w 5 lock rm x", vec!["rm"]),
            ("flock 9", vec!["flock"]),
            ("setarch x86_64 rm x", vec!["rm"]),
            ("linux32 rm x", vec!["rm"]),
            ("linux64 rm x", vec!["rm"]),
            ("i386 rm x", vec!["rm"]),
            ("x86_64 -R rm x", vec!["rm"]),
            ("setpriv --reuid 1 --clear-groups rm x", vec!["rm"]),
            ("prlimit --nofile=10 rm x", vec!["rm"]),
            ("ltrace -e malloc rm x", vec!["rm"]),
            ("nsenter --target 1 rm x", vec!["rm"]),
            ("systemd-run --unit u rm x", vec!["rm"]),
            ("pkexec --user u rm x", vec!["rm"]),
            ("sudo --use u rm x", vec!["rm"]),
            ("coproc NAME { rm x; }", vec!["rm", ""]),
            ("coproc echo rm", vec!["echo"]),
            ("{fd}>file rm x", vec!["rm"]),
            ("echo flock f rm; echo time -p rm", vec!["echo", "echo"]),
            ("A=1", vec![""]),
        ];
        for (text, expected) in rows {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_for_inner_shells_are_taken_in() {
        let rows = [
            ("bash -lc 'a; b'", vec!["bash", "a", "b"]),
            ("eval \"a b\" c", vec!["eval", "a"]),
            ("sh -c \"sh -c 'a b'\"", vec!["sh", "sh", "a"]),
            ("bash <<E\na\nE", vec!["bash", "a"]),
            ("echo 'a b' | sudo sh", vec!["echo", "sh", "a"]),
            ("cat <<E | sh\na\nE", vec!["cat", "sh", "a"]),
            ("su -c 'a b' root", vec!["su", "a"]),
            ("watch -n 5 'a b'", vec!["watch", "a"]),
            ("trap 'a; b' EXIT", vec!["trap", "a", "b"]),
            ("alias x='a b'", vec!["alias", "a"]),
            ("find . -exec a {} ; -execdir b +", vec!["find", "a"]),
            ("find . -exec a {} \\; -execdir b +", vec!["find", "a", "b"]),
            ("env -S 'a b'", vec!["env", "a"]),
            ("ssh -p 22 host 'a b'", vec!["ssh", "a"]),
            ("cmd.exe /c a b", vec!["cmd", "a"]),
            ("bash script.sh", vec!["bash"]),
            ("python -c 'a'", vec!["python"]),
            ("flock f -c 'a b'", vec!["-c", "a"]),
            ("runuser -u u -- a b", vec!["runuser", "a"]),
            ("runuser u -c 'a b'", vec!["runuser", "a"]),
            ("runuser u", vec!["runuser"]),
            ("su --comm='a b'", vec!["su", "a"]),
            ("capsh -- -c 'a b'", vec!["capsh", "a"]),
            ("capsh --print", vec!["capsh"]),
            ("docker exec -i x sh <<< 'a b'", vec!["docker", "sh", "a"]),
            ("ssh h sh -s <<E\na b\nE", vec!["ssh", "sh", "a"]),
            ("ssh h <<E\na b\nE", vec!["ssh", "a"]),
            ("ssh h cat <<E\na b\nE", vec!["ssh", "cat"]),
            ("echo 'a b' | cat | sh", vec!["echo", "cat", "sh", "a"]),
            ("echo ${ a b; }", vec!["a", "echo"]),
            ("script -qc 'a b' f", vec!["script", "a"]),
            (". /dev/stdin <<< 'a b'", vec![".", "a"]),
            ("source /dev/stdin <<E\na b\nE", vec!["source", "a"]),
            ("source x <<< 'a b'", vec!["source"]),
            ("mapfile -C 'a b' x", vec!["mapfile", "a"]),
            ("readarray -t x", vec!["readarray"]),
            ("PROMPT_COMMAND='a b'", vec!["", "a"]),
            ("export PROMPT_COMMAND='a b'", vec!["export", "a"]),
            ("export PROMPT='a b'", vec!["export"]),
            ("echo PROMPT_COMMAND='a b'", vec!["echo"]),
        ];
        for (text, expected) in rows {
            let mut found = names(text);
            found.retain(|name| name != "-execdir");
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_feeds_a_program_is_known_through_groups_and_substitutions() {
        let fed = |text: &str, name: &str| {
            let line = CommandLine::whole(text);
            let found = line.programs.iter().rfind(|program| program.name == name);
            found.is_some_and(|program| {
                program.stage.is_piped && program.upstream.has(Sources::FETCHES)
                    || program.inner.has(Sources::FETCHES)
            })
        };
        for text in [
            "curl x | sh",
            "curl x | tee y | sh",
            "curl x | tac $(date) | sh",
            "(true; curl x) | sh",
            "{ true; curl x; } | sh",
            "curl x | (cd y; sh)",
            "curl x | bash -c sh",
            "sh <(curl x)",
            "sh -c \"$(curl x | tr a b)\"",
            "sh `curl x`",
            "for i in 1; do curl x; done | sh",
        ] {
            assert!(fed(text, "sh"), "{text}");
        }
        for text in [
            "curl x; sh y",
            "curl x || sh y",
            "sh y | curl x",
            "curl x\nsh y",
            "(curl x); sh y",
            "echo $(curl x); sh y",
        ] {
            assert!(!fed(text, "sh"), "{text}");
        }
    }

    #[test]
    fn endless_nesting_ends_and_is_told() {
        for text in [
            "eval ".repeat(10_000),
            "$(".repeat(100_000),
            "(".repeat(1_000_000),
            "\"$(\"`".repeat(100_000),
            "$(<<E\n".repeat(100_000),
        ] {
            assert!(CommandLine::whole(&text).is_too_deep);
        }
        assert!(!CommandLine::whole(&"a $(b) ".repeat(10_000)).is_too_deep);
    }

    #[test]
    fn wrappers_are_kept_with_their_options() {
        let line = CommandLine::outer("sudo -n nohup server --port 1 &");
        assert_eq!(line.programs.len(), 1);
        for program in line.programs {
            let wrappers: Vec<_> = program
                .wrappers
                .iter()
                .map(|wrapper| (wrapper.name.as_str(), wrapper.options.len()))
                .collect();
            assert_eq!(wrappers, [("sudo", 1), ("nohup", 0)]);
            assert_eq!(program.arguments, ["--port", "1"]);
            assert!(program.is_background);
        }
    }
}
