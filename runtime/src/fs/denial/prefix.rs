//! Beginnings of paths, with letters compared without case: not every file system tells them apart.

use std::path::{Component, Path};

/// Returns what comes after a prefix.
pub(super) fn strip_prefix<'p>(path: &'p Path, prefix: &Path) -> Option<&'p Path> {
    if let Ok(rest) = path.strip_prefix(prefix) {
        return Some(rest);
    }
    let mut rest = path.components();
    for expected in prefix.components() {
        if !is_same(rest.next()?, expected) {
            return None;
        }
    }
    Some(rest.as_path())
}

/// Tells whether a path is, or lies below, one of these.
pub(super) fn is_in(rows: &[&str], path: &Path) -> bool {
    rows.iter()
        .any(|row| strip_prefix(path, Path::new(row)).is_some())
}

fn is_same(left: Component<'_>, right: Component<'_>) -> bool {
    left.as_os_str().eq_ignore_ascii_case(right.as_os_str())
}
