//! What a destructive command is aimed at: the root of the file system, a system directory, home, a disk, a file that
//! holds secrets or configures what runs.

/// Directories whose loss breaks the host.
const SYSTEM_DIRECTORIES: [&str; 15] = [
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "proc", "root", "run", "sbin",
    "sys", "usr", "var",
];
/// Names of the home directory before the shell expands them.
const HOME_NAMES: [&str; 3] = ["~", "$HOME", "${HOME}"];
const DISK_PREFIXES: [&str; 6] = ["sd", "nvme", "hd", "mmcblk", "vd", "xvd"];

const CREDENTIAL_FILES: [&str; 9] = [
    ".git-credentials",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    "_netrc",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
];
const STARTUP_FILES: [&str; 12] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".kshrc",
    ".profile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
];

/// A place that must not be deleted as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vital {
    Root,
    SystemDirectory,
    Home,
}

impl Vital {
    /// Judges an operand of a delete command; a directory and all that is in it (`/*`) are the same.
    pub(super) fn of(operand: &str) -> Option<Self> {
        let directory = operand
            .strip_suffix('*')
            .filter(|rest| rest.ends_with('/'))
            .unwrap_or(operand);
        let named = directory.trim_end_matches("/.").trim_end_matches('/');
        let is_user = named
            .strip_prefix('~')
            .is_some_and(|user| !user.contains('/'));
        if is_user || HOME_NAMES.contains(&named) {
            return Some(Self::Home);
        }
        match absolute(directory)?.as_slice() {
            [] => Some(Self::Root),
            [name] if SYSTEM_DIRECTORIES.contains(name) => Some(Self::SystemDirectory),
            _ => None,
        }
    }
}

/// A kind of file that a command should not write without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sensitive {
    /// Configuration of the system.
    System,
    /// Keys and passwords of the user.
    Credentials,
    /// What every shell of the user runs.
    ShellStartup,
    /// Configuration and secrets of the agent or of a project.
    Project,
}

impl Sensitive {
    /// Judges a path as it stands in a command.
    pub(super) fn of(path: &str) -> Option<Self> {
        if let Some(["etc", ..] | ["private", "etc", ..]) = absolute(path).as_deref() {
            return Some(Self::System);
        }
        let name = base_name(path);
        let is_in = |directory: &str| {
            path.strip_prefix(directory)
                .is_some_and(|rest| rest.starts_with('/'))
                || path.contains(&format!("/{directory}/"))
        };
        if CREDENTIAL_FILES.contains(&name) || is_in(".ssh") || is_in(".aws") || is_in(".gnupg") {
            return Some(Self::Credentials);
        }
        if STARTUP_FILES.contains(&name) {
            return Some(Self::ShellStartup);
        }
        let is_environment = name == ".env" || name == ".envrc" || name.starts_with(".env.");
        let is_template = [".example", ".sample", ".template"]
            .iter()
            .any(|end| name.ends_with(end));
        let is_config = ["config.yaml", "config.yml", "auth.json"].contains(&name);
        (is_config || is_environment && !is_template).then_some(Self::Project)
    }
}

/// Tells whether a path is that of something directly below the root or in a system directory.
pub(super) fn is_in_root(path: &str) -> bool {
    const OTHERS: [&str; 5] = ["home", "run", "dev", "root", "var"];
    match absolute(path).as_deref() {
        Some([_]) => true,
        Some([first, ..]) => SYSTEM_DIRECTORIES.contains(first) && !OTHERS.contains(first),
        _ => false,
    }
}

/// Returns the last name of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the names of an absolute path, `.` and `..` resolved; `None` for any other path.
fn absolute(path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for name in path.strip_prefix('/')?.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    Some(names)
}

/// Tells whether a path is that of a block device; other devices take what is written to them.
pub(super) fn is_block_device(path: &str) -> bool {
    const PREFIXES: [&str; 7] = ["dm-", "disk/", "loop", "mapper/", "md", "nbd", "zram"];
    is_disk(path)
        || path
            .strip_prefix("/dev/")
            .is_some_and(|name| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Tells whether a path is that of a device, or of another file below `/dev`.
pub(super) fn is_device(path: &str) -> bool {
    match absolute(path).as_deref() {
        // Ordinary files, in memory and in messages between processes.
        Some(["dev", "shm" | "mqueue", _, ..]) => false,
        Some(["dev", ..]) => true,
        _ => false,
    }
}

/// Tells whether a path is that of a device which may be written to, but not replaced.
pub(super) fn is_harmless_device(path: &str) -> bool {
    const HARMLESS: [&str; 6] = ["full", "null", "stderr", "stdout", "tty", "zero"];
    match absolute(path).as_deref() {
        Some(["dev", name]) => HARMLESS.contains(name),
        Some(["dev", "fd", _]) => true,
        _ => false,
    }
}

/// Tells whether a path is that of a disk or a part of one.
pub(super) fn is_disk(path: &str) -> bool {
    path.strip_prefix("/dev/").is_some_and(|name| {
        DISK_PREFIXES.iter().any(|prefix| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vital_places_are_known_by_every_spelling() {
        for operand in ["/", "//", "/*", "/.", "/tmp/..", "/./"] {
            assert_eq!(Vital::of(operand), Some(Vital::Root), "{operand}");
        }
        for operand in ["/etc", "/etc/", "/usr/*", "//var//", "/tmp/../home"] {
            assert_eq!(
                Vital::of(operand),
                Some(Vital::SystemDirectory),
                "{operand}"
            );
        }
        for operand in [
            "~", "~/", "~/*", "$HOME", "${HOME}/", "$HOME/*", "~root", "~/.",
        ] {
            assert_eq!(Vital::of(operand), Some(Vital::Home), "{operand}");
        }
        for operand in [
            "/tmp",
            "/tmp/*",
            "/etc/x",
            "etc",
            "*",
            ".",
            "~/x",
            "/home/u/x",
            "",
        ] {
            assert_eq!(Vital::of(operand), None, "{operand}");
        }
    }

    #[test]
    fn disks_are_no_other_devices() {
        for path in [
            "/dev/sda",
            "/dev/sdb1",
            "/dev/nvme0n1",
            "/dev/vda",
            "/dev/mmcblk0",
        ] {
            assert!(is_disk(path), "{path}");
        }
        for path in [
            "/dev/null",
            "/dev/stdout",
            "/dev/sd",
            "/dev/shm/x",
            "/tmp/dev/sda",
        ] {
            assert!(!is_disk(path), "{path}");
        }
    }
}
