//! Programs that start another program, which stands behind their options.

use std::iter::Peekable;

use super::program::is_long_option;

/// How the words of a wrapper are laid out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WrapperKind {
    name: &'static str,
    /// Letters of options that take the next word as value.
    valued: &'static str,
    /// Long options that take the next word as value.
    valued_names: &'static [&'static str],
    /// Words between the options and the program.
    positions: usize,
}

const fn kind(name: &'static str, valued: &'static str, positions: usize) -> WrapperKind {
    WrapperKind {
        name,
        valued,
        valued_names: &[],
        positions,
    }
}

const WRAPPERS: [WrapperKind; 40] = [
    kind("builtin", "", 0),
    kind("bunx", "", 0),
    kind("busybox", "", 0),
    kind("chroot", "", 1),
    kind("chrt", "", 1),
    kind("command", "", 0),
    kind("doas", "Cu", 0),
    WrapperKind {
        name: "env",
        valued: "uCS",
        valued_names: &["--unset", "--chdir", "--split-string"],
        positions: 0,
    },
    kind("exec", "a", 0),
    kind("fakeroot", "", 0),
    kind("flock", "wE", 1),
    // Not a program: the name of a shell function stands between it and the first command of its body.
    kind("function", "", 1),
    kind("i386", "", 0),
    kind("ionice", "cnpPu", 0),
    kind("linux32", "", 0),
    kind("linux64", "", 0),
    kind("ltrace", "aADeFlnopsuwx", 0),
    WrapperKind {
        name: "nice",
        valued: "n",
        valued_names: &["--adjustment"],
        positions: 0,
    },
    kind("nohup", "", 0),
    kind("npx", "p", 0),
    WrapperKind {
        name: "nsenter",
        valued: "tSG",
        valued_names: &["--target"],
        positions: 0,
    },
    WrapperKind {
        name: "pkexec",
        valued: "",
        valued_names: &["--user"],
        positions: 0,
    },
    kind("prlimit", "po", 0),
    kind("setarch", "", 1),
    WrapperKind {
        name: "setpriv",
        valued: "",
        valued_names: &[
            "--ambient-caps",
            "--apparmor-profile",
            "--bounding-set",
            "--egid",
            "--euid",
            "--groups",
            "--inh-caps",
            "--pdeathsig",
            "--regid",
            "--reuid",
            "--rgid",
            "--ruid",
            "--securebits",
            "--selinux-label",
        ],
        positions: 0,
    },
    kind("setsid", "", 0),
    WrapperKind {
        name: "stdbuf",
        valued: "ioe",
        valued_names: &["--input", "--output", "--error"],
        positions: 0,
    },
    kind("strace", "eopPu", 0),
    WrapperKind {
        name: "sudo",
        valued: "CDghpRrTtUu",
        valued_names: &[
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--chdir",
            "--chroot",
            "--role",
            "--type",
            "--other-user",
            "--close-from",
            "--command-timeout",
        ],
        positions: 0,
    },
    WrapperKind {
        name: "systemd-run",
        valued: "pEuHM",
        valued_names: &[
            "--property",
            "--setenv",
            "--slice",
            "--unit",
            "--uid",
            "--gid",
        ],
        positions: 0,
    },
    kind("taskset", "", 1),
    kind("time", "fo", 0),
    WrapperKind {
        name: "timeout",
        valued: "ks",
        valued_names: &["--signal", "--kill-after"],
        positions: 1,
    },
    kind("toybox", "", 0),
    kind("unbuffer", "", 0),
    kind("unshare", "SG", 0),
    kind("uvx", "", 0),
    kind("winpty", "", 0),
    kind("x86_64", "", 0),
    WrapperKind {
        name: "xargs",
        valued: "adEIiLlnPs",
        valued_names: &["--arg-file", "--delimiter", "--max-args", "--max-procs"],
        positions: 0,
    },
];

/// Returns what is known of a wrapper of this name.
pub(super) fn wrapper_named(name: &str) -> Option<&'static WrapperKind> {
    WRAPPERS.iter().find(|kind| kind.name == name)
}

/// A wrapper in front of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrapper {
    pub(crate) name: String,
    /// The name as it was written.
    pub(super) path: String,
    /// Its options with their values.
    pub(super) options: Vec<String>,
}

impl Wrapper {
    /// Takes the words of a wrapper, up to the program behind it.
    pub(super) fn read(
        kind: &WrapperKind,
        path: String,
        words: &mut Peekable<impl Iterator<Item = String>>,
    ) -> Self {
        let mut options = Vec::new();
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            let takes_value = match option.strip_prefix('-') {
                Some(flags) if !flags.starts_with('-') => {
                    // In a cluster only the last letter can take the next word.
                    flags.ends_with(|last| kind.valued.contains(last))
                        && !flags
                            .starts_with(|first| flags.len() > 1 && kind.valued.contains(first))
                }
                _ => !option.contains('=') && is_long_option(&option, kind.valued_names),
            };
            let is_end = option == "--";
            options.push(option);
            if is_end {
                break;
            }
            options.extend(words.next_if(|_| takes_value));
        }
        options.extend(words.by_ref().take(kind.positions));
        Self {
            name: kind.name.to_owned(),
            path,
            options,
        }
    }

    /// Returns the text among the options that runs as a command.
    pub(super) fn payload(&self) -> Option<String> {
        (self.name == "env")
            .then(|| Self::split_string(&self.options))
            .flatten()
    }

    /// Returns the text that `env` splits into a command.
    pub(super) fn split_string(options: &[String]) -> Option<String> {
        let at = options
            .iter()
            .position(|word| word == "-S" || is_long_option(word, &["--split-string"]))?;
        match options.get(at)?.split_once('=') {
            Some((_, text)) => Some(text.to_owned()),
            None => options.get(at + 1).cloned(),
        }
    }
}
