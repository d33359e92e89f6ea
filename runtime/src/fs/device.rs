//! Paths of devices and of files that the kernel makes up, which block, never end, or show what a process holds in memory.
//!
//! A path is known by its name. What is a device by its kind alone is noticed when it is opened.

use std::path::{Component, Path, PathBuf};

use super::lexically_normal;
use crate::system;

/// Symbolic links that are followed one after the other, as many as the reference follows.
const MAX_HOPS: usize = 20;

/// Names in `/dev`.
const DEVICES: [&str; 10] = [
    "zero", "random", "urandom", "full", "stdin", "tty", "console", "stdout", "stderr", "kmsg",
];

/// Names in the directory of a process in `/proc`, or of a thread of it.
const PROCESS_FILES: [&str; 11] = [
    "environ",
    "cmdline",
    "maps",
    "smaps",
    "smaps_rollup",
    "numa_maps",
    "mem",
    "auxv",
    "pagemap",
    "syscall",
    "stack",
];

/// Names in `/proc` itself.
const KERNEL_FILES: [&str; 2] = ["kcore", "kmsg"];

const STANDARD_STREAMS: [&str; 3] = ["0", "1", "2"];

/// Returns what to tell a script about a path that is one of them.
pub(super) fn refusal(path: &str) -> String {
    format!(
        "Cannot read '{path}': this is a device file that would block or produce infinite output."
    )
}

/// Tells whether an absolute path without `..` is one of them by its text.
pub(super) fn is_device(path: &Path) -> bool {
    // Every path of a script comes here, and nearly none begins like this.
    if !path.starts_with("/dev") && !path.starts_with("/proc") {
        return false;
    }
    let mut names = path.components().filter_map(|component| match component {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let root = names.next();
    let names: Vec<&str> = names.collect();
    match (root, names.as_slice()) {
        (Some("dev"), [name]) => DEVICES.contains(name),
        (Some("dev"), ["fd", stream]) => STANDARD_STREAMS.contains(stream),
        (Some("proc"), [name]) => KERNEL_FILES.contains(name),
        (Some("proc"), [_, name] | [_, "task", _, name]) => PROCESS_FILES.contains(name),
        (Some("proc"), [_, "fd", stream] | [_, "task", _, "fd", stream]) => {
            STANDARD_STREAMS.contains(stream)
        }
        _ => false,
    }
}

/// Tells whether an absolute path is one of them or a symbolic link that leads to one.
///
/// The links are followed one by one, for `/dev/stdin` is known by its name and not by the pipe at its end.
pub(super) fn leads_to_device(path: &Path) -> bool {
    let mut path = path.to_owned();
    for _ in 0..=MAX_HOPS {
        if is_device(&path) {
            return true;
        }
        path = with_real_parent(path);
        if is_device(&path) {
            return true;
        }
        let Ok(target) = path.read_link() else {
            return false;
        };
        let parent = path.parent().unwrap_or(Path::new("/"));
        path = lexically_normal(&parent.join(target));
    }
    false
}

/// Resolves the links in the directory part of a path, as far as it exists.
fn with_real_parent(path: PathBuf) -> PathBuf {
    let real = path
        .parent()
        .and_then(|parent| system::canonicalize(parent).ok());
    match real.zip(path.file_name()) {
        Some((parent, name)) => parent.join(name),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn devices_and_process_files_are_known_by_their_names() {
        for name in DEVICES {
            assert!(is_device(&Path::new("/dev").join(name)), "{name}");
        }
        for name in PROCESS_FILES {
            for process in ["self", "1", "thread-self", "7/task/8"] {
                let path = Path::new("/proc").join(process).join(name);
                assert!(is_device(&path), "{}", path.display());
            }
        }
        for path in [
            "/dev/fd/0",
            "/proc/self/fd/2",
            "/proc/1/task/1/fd/1",
            "/proc/kcore",
        ] {
            assert!(is_device(Path::new(path)), "{path}");
        }
        for path in [
            "/proc/cpuinfo",
            "/proc/self/status",
            "/dev/shm/zero",
            "/dev/fd/3",
            "/home/dev/zero",
            "dev/zero",
            "/device/zero",
        ] {
            assert!(!is_device(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_chain_of_links_leads_to_a_device() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        symlink("/dev/stdin", root.join("0")).unwrap();
        for number in 1..30 {
            symlink((number - 1).to_string(), root.join(number.to_string())).unwrap();
        }
        symlink("/dev", root.join("devices")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("/etc/hostname", root.join("file")).unwrap();
        for (name, expected) in [
            ("0", true),
            ("19", true),
            ("devices/full", true),
            ("loop", false),
            ("file", false),
            ("missing/file", false),
        ] {
            assert_eq!(leads_to_device(&root.join(name)), expected, "{name}");
        }
    }
}
