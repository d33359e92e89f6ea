//! Programs that start another program, which stands behind their options.

use super::option::{Options, Part};

/// How the words of a wrapper are laid out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WrapperKind {
    name: &'static str,
    options: Options,
    /// Words between the options and the program.
    positions: usize,
}

const fn kind(name: &'static str, valued: &'static str, positions: usize) -> WrapperKind {
    named(name, valued, &[], positions)
}

const fn named(
    name: &'static str,
    valued: &'static str,
    names: &'static [&'static str],
    positions: usize,
) -> WrapperKind {
    WrapperKind {
        name,
        options: Options::new(valued, "", names),
        positions,
    }
}

/// The option of `env` whose value is a command with its words.
const SPLIT: (char, &[&str]) = ('S', &["--split-string"]);
/// The option of `npx` whose value is a text for a shell.
const CALL: (char, &[&str]) = ('c', &["--call"]);

const WRAPPERS: [WrapperKind; 48] = [
    kind("builtin", "", 0),
    kind("bunx", "", 0),
    kind("busybox", "", 0),
    kind("catchsegv", "", 0),
    kind("chpst", "uUbenlLmdopfcrt/", 0),
    named("chroot", "", &["--groups", "--userspec"], 1),
    named(
        "chrt",
        "TPD",
        &["--sched-deadline", "--sched-period", "--sched-runtime"],
        1,
    ),
    kind("command", "", 0),
    kind("doas", "Cu", 0),
    named(
        "env",
        "uCS",
        &["--argv0", "--chdir", "--split-string", "--unset"],
        0,
    ),
    kind("exec", "a", 0),
    named("fakeroot", "lsib", &["--faked", "--lib"], 0),
    named(
        "flock",
        "wE",
        &["--conflict-exit-code", "--timeout", "--wait"],
        1,
    ),
    // Not a program: the name of a shell function stands between it and the first command of its body.
    kind("function", "", 1),
    kind("gosu", "", 1),
    kind("i386", "", 0),
    named(
        "ionice",
        "cnpPu",
        &["--class", "--classdata", "--pgid", "--pid", "--uid"],
        0,
    ),
    kind("linux32", "", 0),
    kind("linux64", "", 0),
    named(
        "ltrace",
        "aADeFlnopsuwx",
        &["--library", "--output", "--where"],
        0,
    ),
    named("nice", "n", &["--adjustment"], 0),
    kind("nohup", "", 0),
    named("npx", "pcw", &["--call", "--package", "--workspace"], 0),
    named("nsenter", "tSG", &["--setgid", "--setuid", "--target"], 0),
    named("pkexec", "", &["--user"], 0),
    named("prlimit", "po", &["--output", "--pid"], 0),
    kind("proot", "rbqwk", 0),
    kind("setarch", "", 1),
    named(
        "setpriv",
        "",
        &[
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
        0,
    ),
    kind("setsid", "", 0),
    kind("setuidgid", "", 1),
    named("stdbuf", "ioe", &["--error", "--input", "--output"], 0),
    named(
        "strace",
        "abeEIoOpPsSuUX",
        &["--attach", "--env", "--output", "--string-limit", "--user"],
        0,
    ),
    kind("su-exec", "", 1),
    named(
        "sudo",
        "CDghpRrTtUu",
        &[
            "--chdir",
            "--chroot",
            "--close-from",
            "--command-timeout",
            "--group",
            "--host",
            "--other-user",
            "--prompt",
            "--role",
            "--type",
            "--user",
        ],
        0,
    ),
    named(
        "systemd-run",
        "pEuHM",
        &[
            "--description",
            "--gid",
            "--host",
            "--machine",
            "--property",
            "--setenv",
            "--slice",
            "--uid",
            "--unit",
            "--working-directory",
        ],
        0,
    ),
    kind("taskset", "", 1),
    named("time", "fo", &["--format", "--output"], 0),
    named("timeout", "ks", &["--kill-after", "--signal"], 1),
    kind("toybox", "", 0),
    kind("unbuffer", "", 0),
    named(
        "unshare",
        "RwSG",
        &[
            "--map-group",
            "--map-groups",
            "--map-user",
            "--map-users",
            "--propagation",
            "--root",
            "--setgid",
            "--setgroups",
            "--setuid",
            "--wd",
        ],
        0,
    ),
    named("uvx", "p", &["--from", "--python", "--with"], 0),
    kind("valgrind", "", 0),
    kind("winpty", "", 0),
    kind("x86_64", "", 0),
    WrapperKind {
        name: "xargs",
        options: Options::new(
            "adEILnPs",
            "eil",
            &[
                "--arg-file",
                "--delimiter",
                "--max-args",
                "--max-chars",
                "--max-procs",
                "--process-slot-var",
            ],
        ),
        positions: 0,
    },
    named(
        "xvfb-run",
        "efnpsw",
        &[
            "--auth-file",
            "--error-file",
            "--server-args",
            "--server-num",
            "--wait",
            "--xauth-protocol",
        ],
        0,
    ),
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
    kind: &'static WrapperKind,
}

impl Wrapper {
    /// Takes what belongs to a wrapper from the words behind its name.
    pub(super) fn read(kind: &'static WrapperKind, path: String, words: &[String]) -> Self {
        let length = kind.options.span(words) + kind.positions;
        let options = words.get(..length).unwrap_or(words);
        Self {
            name: kind.name.to_owned(),
            path,
            options: options.to_vec(),
            kind,
        }
    }

    /// Tells whether it only says what a program is and starts none, as `command -v` does.
    pub(super) fn only_tells(&self) -> bool {
        let parts = self.kind.options.parts(&self.options);
        self.name == "command"
            && (parts.contains(&Part::Flag('v')) || parts.contains(&Part::Flag('V')))
    }

    /// Returns the texts among the options that run as commands.
    pub(super) fn payloads(&self) -> Vec<String> {
        payloads(&self.name, &self.options)
    }
}

/// Returns the texts among the words of a wrapper that run as commands.
pub(super) fn payloads(name: &str, words: &[String]) -> Vec<String> {
    let (letter, names) = match name {
        "env" => SPLIT,
        "npx" => CALL,
        _ => return Vec::new(),
    };
    let values = wrapper_named(name).map(|kind| kind.options.values(words, letter, names));
    values.into_iter().flatten().map(str::to_owned).collect()
}
