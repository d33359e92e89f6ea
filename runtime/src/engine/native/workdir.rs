//! The directory in which a session's scripts start: the first rung of a ladder that is there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the directory for sessions that have none of their own.
const VARIABLE: &str = "TERMINAL_CWD";

/// Returns the first of the rungs that is a directory: what `cd` in `terminal` left, what the request or the host set for it, the
/// configuration, this process. Without any, a kernel starts in its private directory.
pub(super) fn find<'a>(
    recorded: Option<&'a Path>,
    requested: Option<&'a Path>,
    configured: Option<&'a Path>,
) -> Option<PathBuf> {
    let given = [recorded, requested, configured];
    let given = given.into_iter().flatten().map(Path::to_path_buf);
    // Names of variables are looked for in text only.
    let variable = std::env::var_os(VARIABLE).map(|value| match value.to_str() {
        Some(text) => expand(text),
        None => value.into(),
    });
    given
        .chain(variable)
        .chain(std::env::current_dir())
        .filter(|path| path.is_dir())
        .find_map(|path| std::path::absolute(path).ok())
}

/// Puts the home directory in the place of a leading `~`, and the values of variables in the place of `$NAME` and `${NAME}`.
pub(crate) fn expand(text: &str) -> PathBuf {
    expand_with(text, |name| match name {
        "~" => std::env::home_dir().map(PathBuf::into_os_string),
        name => std::env::var_os(name),
    })
}

fn expand_with(text: &str, value: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let mut expanded = OsString::new();
    let mut rest = text;
    if let Some(after) = text.strip_prefix('~')
        && (after.is_empty() || after.starts_with('/'))
        && let Some(home) = value("~")
    {
        expanded.push(home);
        rest = after;
    }
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push(before);
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let (name, after_name) = match after
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            Some(braced) => braced,
            None => after.split_at(after.find(|letter| !is_part(letter)).unwrap_or(after.len())),
        };
        if let Some(value) = value(name).filter(|_| !name.is_empty()) {
            expanded.push(value);
            rest = after_name;
        } else {
            // A name that is not set stays as it is.
            expanded.push("$");
            rest = after;
        }
    }
    expanded.push(rest);
    expanded.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_directory_that_is_there_is_taken() {
        let gone = Path::new("/no/such/directory");
        let (root, tmp) = (Path::new("/"), Path::new("/tmp"));
        for (rungs, expected) in [
            ([Some(root), Some(tmp), None], root),
            ([Some(gone), Some(tmp), Some(root)], tmp),
            ([None, Some(gone), Some(root)], root),
        ] {
            let [recorded, requested, configured] = rungs;
            let found = find(recorded, requested, configured);
            assert_eq!(found.as_deref(), Some(expected));
        }
    }

    #[test]
    fn home_and_variables_are_put_in() {
        let value = |name: &str| match name {
            "~" => Some("/home/u".into()),
            "A" => Some("a".into()),
            _ => None,
        };
        for (text, expected) in [
            ("~", "/home/u"),
            ("~/x", "/home/u/x"),
            ("~other/x", "~other/x"),
            ("/$A/${A}b/$B/$", "/a/ab/$B/$"),
            ("${A", "${A"),
            ("", ""),
        ] {
            assert_eq!(expand_with(text, value), Path::new(expected), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_put_in_need_not_be_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let value = |_: &str| Some(OsStr::from_bytes(b"/u\xff").to_owned());
        for text in ["~/x", "$A/x", "${A}/x"] {
            let expected = Path::new(OsStr::from_bytes(b"/u\xff/x"));
            assert_eq!(expand_with(text, value), expected, "{text}");
        }
    }
}
