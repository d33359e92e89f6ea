//! The parts of the host's file system that no search walks into: what the kernel makes up.

use std::path::Path;

/// Parts of the file system that the kernel makes up, some of it without an end.
const PSEUDO_FILE_SYSTEMS: [&str; 3] = ["/dev", "/proc", "/sys"];

/// Tells whether a walk leaves out the directory at an absolute path of the host.
pub(super) fn is_pseudo_file_system(path: &Path) -> bool {
    PSEUDO_FILE_SYSTEMS
        .iter()
        .any(|pseudo| path == Path::new(pseudo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_roots_of_pseudo_file_systems_are_left_out() {
        for (path, expected) in [("/proc", true), ("/proc/1", false), ("/w/proc", false)] {
            assert_eq!(is_pseudo_file_system(Path::new(path)), expected, "{path}");
        }
    }
}
