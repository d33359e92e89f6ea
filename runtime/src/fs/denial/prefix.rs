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

/// Does the same for paths without needless separators and dots. There may be many prefixes, of which few are ones.
pub(super) fn strip_plain_prefix<'p>(path: &'p Path, prefix: &Path) -> Option<&'p Path> {
    let prefix_bytes = prefix.as_os_str().as_encoded_bytes();
    let path_bytes = path.as_os_str().as_encoded_bytes();
    let start = path_bytes.get(..prefix_bytes.len())?;
    let may_be = start.eq_ignore_ascii_case(prefix_bytes);
    may_be.then(|| strip_prefix(path, prefix))?
}

/// Tells whether a path is, or lies below, one of these.
pub(super) fn is_in(rows: &[&str], path: &Path) -> bool {
    rows.iter()
        .any(|row| strip_prefix(path, Path::new(row)).is_some())
}

fn is_same(left: Component<'_>, right: Component<'_>) -> bool {
    left.as_os_str().eq_ignore_ascii_case(right.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_compared_without_case() {
        for (path, prefix, expected) in [
            ("/a/b/c", "/a", Some("b/c")),
            ("/A/b/C", "/a/B", Some("C")),
            ("/a/b", "/a/b", Some("")),
            ("/ab", "/a", None),
            ("/a", "/a/b", None),
            ("/a/b", "/", Some("a/b")),
            ("/x/b", "/a", None),
        ] {
            let (path, prefix) = (Path::new(path), Path::new(prefix));
            let expected = expected.map(Path::new);
            assert_eq!(strip_prefix(path, prefix), expected);
            assert_eq!(strip_plain_prefix(path, prefix), expected);
        }
        assert!(is_in(&["vault"], Path::new("Vault/x")));
        assert!(!is_in(&["vault"], Path::new("vaults")));
    }
}
