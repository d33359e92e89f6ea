//! What a destructive command is aimed at: the root of the file system, a system directory, home, a disk.

use std::path::{Component, Path};

/// Directories whose loss breaks the host.
const SYSTEM_DIRECTORIES: [&str; 15] = [
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "proc", "root", "run", "sbin",
    "sys", "usr", "var",
];
/// Names of the home directory before the shell expands them.
const HOME_NAMES: [&str; 3] = ["~", "$HOME", "${HOME}"];
const DISK_PREFIXES: [&str; 6] = ["sd", "nvme", "hd", "mmcblk", "vd", "xvd"];

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
        if HOME_NAMES.contains(&directory.trim_end_matches('/')) {
            return Some(Self::Home);
        }
        if !directory.starts_with('/') {
            return None;
        }
        let mut names = Vec::new();
        for component in Path::new(directory).components() {
            match component {
                Component::Normal(name) => names.push(name),
                Component::ParentDir => drop(names.pop()),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        match names.as_slice() {
            [] => Some(Self::Root),
            [name] if SYSTEM_DIRECTORIES.iter().any(|system| name == system) => {
                Some(Self::SystemDirectory)
            }
            _ => None,
        }
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
        for operand in ["~", "~/", "~/*", "$HOME", "${HOME}/", "$HOME/*"] {
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
