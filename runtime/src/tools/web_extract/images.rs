//! Images that are inside of a text: nobody reads them, and one of them is longer than the text around it.
//!
//! A page can hold any number of starts without an end, so what is looked at around each start is bounded.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Longest media type with its parameters, and longest text of an image, in bytes.
const MAX_LOOK: usize = 300;
const BASE64: &str = ";base64";

/// An image: where it stands, and its text.
struct Image<'t> {
    range: Range<usize>,
    alt: &'t str,
}

/// Replaces inline images by `[IMAGE: alt]`, or `[IMAGE]` where they have no text.
pub(super) fn replace(text: &str) -> Cow<'_, str> {
    static START: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("(?i-u)data:image/").ok());
    // The pattern is fixed; without it the text is only longer.
    let Some(start) = START.as_ref() else {
        return Cow::Borrowed(text);
    };
    let mut out = String::new();
    let mut done = 0;
    for found in start.find_iter(text) {
        // A start inside of what was replaced is a part of it.
        if found.start() < done {
            continue;
        }
        let Some(image) = image_at(text, done, found.range()) else {
            continue;
        };
        out.push_str(text.get(done..image.range.start).unwrap_or_default());
        if image.alt.is_empty() {
            out.push_str("[IMAGE]");
        } else {
            out.push_str("[IMAGE: ");
            out.push_str(image.alt);
            out.push(']');
        }
        done = image.range.end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// Reads the image whose address begins at `start`; nothing before `from` belongs to it.
fn image_at(text: &str, from: usize, start: Range<usize>) -> Option<Image<'_>> {
    let data = end_of_data(text, start.end)?;
    let bare = Image {
        range: start.start..data,
        alt: "",
    };
    let before = text.get(from..start.start)?.trim_end_matches([' ', '\t']);
    let Some(label) = before.strip_suffix('(') else {
        return Some(bare);
    };
    // A title may stand between the address and the bracket.
    let after = text.as_bytes().get(data..)?.iter().take(MAX_LOOK);
    let closing = after
        .take_while(|byte| **byte != b'\n')
        .position(|byte| *byte == b')');
    let Some(closing) = closing else {
        return Some(bare);
    };
    let end = data + closing + 1;
    let Some((opening, alt)) = label.strip_suffix(']').and_then(alt_before) else {
        return Some(Image {
            range: from + label.len()..end,
            alt: "",
        });
    };
    Some(Image {
        range: from + opening..end,
        alt: alt.trim(),
    })
}

/// Returns where the data behind a media type ends; `None` if it is not in base64.
fn end_of_data(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let head = bytes.get(from..)?.iter().take(MAX_LOOK);
    let comma = from
        + head
            .take_while(|byte| !byte.is_ascii_whitespace())
            .position(|byte| *byte == b',')?;
    let kind = bytes.get(from..comma)?;
    let ending = kind.get(kind.len().checked_sub(BASE64.len())?..)?;
    if !ending.eq_ignore_ascii_case(BASE64.as_bytes()) {
        return None;
    }
    let is_data = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/=_%-".contains(byte);
    let data = bytes.get(comma + 1..)?.iter().take_while(is_data).count();
    Some(comma + 1 + data)
}

/// Returns the text of an image whose `![text` ends here, and where it begins.
fn alt_before(label: &str) -> Option<(usize, &str)> {
    let near = label.get(label.ceil_char_boundary(label.len().saturating_sub(MAX_LOOK))..)?;
    let at = label.len() - near.len() + near.rfind(['[', ']', '\n'])?;
    let alt = label.get(at..)?.strip_prefix('[')?;
    let opening = at.checked_sub(1)?;
    label.get(opening..at).filter(|mark| *mark == "!")?;
    Some((opening, alt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_images_are_named_only() {
        let rows = [
            (
                "a ![dots](data:image/png;base64,iVBOR+/w==) b",
                "a [IMAGE: dots] b",
            ),
            ("![ ](data:image/png;base64,AA==)", "[IMAGE]"),
            (
                "![x](data:image/svg+xml;charset=utf-8;base64,AA== \"title\")",
                "[IMAGE: x]",
            ),
            ("(data:image/gif;base64,AA==)", "[IMAGE]"),
            ("src=\"DATA:image/jpeg;base64,AA==\"", "src=\"[IMAGE]\""),
            (
                "![x](https://e.example/a.png)",
                "![x](https://e.example/a.png)",
            ),
            ("data:text/plain;base64,AA==", "data:text/plain;base64,AA=="),
            ("![x](data:image/png;base64,AA==", "![x]([IMAGE]"),
            ("[x](data:image/png;base64,AA==)", "[x][IMAGE]"),
            ("é![é](data:image/png;base64,AA==)é", "é[IMAGE: é]é"),
            (
                "![a](data:image/png;base64,AA==)![b](data:image/png;base64,BB==)",
                "[IMAGE: a][IMAGE: b]",
            ),
            (
                "![a data:image/png;base64,AA==](data:image/png;base64,BB==)",
                "![a [IMAGE]][IMAGE]",
            ),
            ("none", "none"),
        ];
        for (text, expected) in rows {
            assert_eq!(replace(text), expected, "{text}");
        }
        for hostile in [
            "![",
            "![x](data:image/",
            "(data:image/a;base64,",
            "data:image/a,",
            "![x](",
        ] {
            let text = hostile.repeat(200_000);
            assert!(replace(&text).len() <= text.len(), "{hostile}");
        }
        let large = format!("![x](data:image/png;base64,{})", "A".repeat(3_000_000));
        assert_eq!(replace(&large), "[IMAGE: x]");
    }
}
