//! Finds the file that a path means whose letters are the right ones, only encoded in another way.
//!
//! A name that was typed or generated has plain spaces and quotes and composed letters; the one on disk may have the
//! narrow space of a screenshot's time, curly quotes, or letters in two parts. Only a unique match counts.

use std::ffi::OsString;

use unicode_normalization::UnicodeNormalization as _;

use crate::fs::{Kind, Place};

/// Directory entries that are compared; in a larger directory no match can be called unique.
const MAX_ENTRIES: usize = 10_000;
/// Names of a path that may differ from those on disk.
const MAX_NAMES: usize = 16;

/// Returns the place of the only file whose path is equivalent to that of a missing one.
pub(super) fn equivalent_file(missing: &Place) -> Option<Place> {
    let mut names = Vec::new();
    let mut found = missing.clone();
    // Up to the directory that is there, and down again along what is equivalent to the missing names.
    while !is_directory(&found) {
        if names.len() >= MAX_NAMES {
            return None;
        }
        names.push(found.name()?.to_str()?.to_owned());
        found = found.parent()?;
    }
    while let Some(name) = names.pop() {
        let exact = found.below(name.as_ref())?;
        found = if exact.has_entry() {
            exact
        } else {
            found.below(equivalent_entry(&found, &name)?.as_ref())?
        };
    }
    Some(found)
}

fn is_directory(place: &Place) -> bool {
    let kind = place
        .metadata()
        .map(|metadata| Kind::of(metadata.file_type()));
    kind.is_ok_and(|kind| kind == Kind::Directory)
}

/// Returns the only entry of a directory that is equivalent to a name.
fn equivalent_entry(directory: &Place, name: &str) -> Option<OsString> {
    let wanted = plain(name);
    let entries = directory.dir().read_dir(directory.path()).ok()?;
    let mut found = None;
    for (number, entry) in entries.enumerate() {
        let entry = entry.ok()?.file_name();
        if number >= MAX_ENTRIES {
            return None;
        }
        if entry.to_str().is_some_and(|entry| plain(entry) == wanted)
            && found.replace(entry).is_some()
        {
            return None;
        }
    }
    found
}

/// Returns a name with composed letters, plain spaces and plain quotes.
fn plain(name: &str) -> String {
    let plain_letter = |letter| match letter {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            ' '
        }
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2bc}' | '\u{b4}' | '`' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
        other => other,
    };
    if name.is_ascii() {
        name.chars().map(plain_letter).collect()
    } else {
        name.nfc().map(plain_letter).collect()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;
    use crate::fs::Access;
    use crate::tools::granted::Granted;

    fn find(granted: &Granted, path: &str) -> Option<String> {
        let missing = granted.context.grants().place(path, Access::Read).unwrap();
        equivalent_file(&missing).map(|place| place.display())
    }

    #[test]
    fn spaces_quotes_and_composed_letters_do_not_matter() {
        let granted = Granted::new();
        for (wanted, actual) in [
            ("Shot 1.00 PM.txt", "Shot 1.00\u{202f}PM.txt"),
            ("it's.txt", "it\u{2019}s.txt"),
            ("say \u{201c}x\u{201d}.txt", "say \"x\".txt"),
            ("caf\u{e9}.txt", "cafe\u{301}.txt"),
            ("u\u{308}ber/de\u{301}ja.txt", "\u{fc}ber/d\u{e9}ja.txt"),
        ] {
            granted.put(actual, "x");
            assert_eq!(
                find(&granted, wanted),
                Some(granted.shown(actual)),
                "{wanted}"
            );
        }
        assert_eq!(find(&granted, "cafe.txt"), None);
        assert_eq!(find(&granted, "nowhere/cafe.txt"), None);
        assert_eq!(find(&granted, &"x/".repeat(MAX_NAMES + 1)), None);
    }

    #[test]
    fn two_equivalent_names_are_none() {
        let granted = Granted::new();
        granted.put("a\u{a0}b", "x");
        assert_eq!(find(&granted, "a b"), Some(granted.shown("a\u{a0}b")));
        granted.put("a\u{2009}b", "x");
        assert_eq!(find(&granted, "a b"), None);
    }
}
