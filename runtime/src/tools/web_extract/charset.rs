//! Which characters the bytes of a page are: what the page says, in the order in which browsers believe it.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use regex::bytes::Regex;

/// Bytes at the start of a page in which it can name its encoding.
const PRESCAN_BYTES: usize = 1_024;

/// Returns the text of a body. Bytes that are no characters become replacement characters.
pub(super) fn decode(body: &[u8], content_type: Option<&str>) -> String {
    // A byte order mark is believed before everything else; the decoder looks for it.
    let (text, _, _) = encoding(body, content_type).decode(body);
    text.into_owned()
}

fn encoding(body: &[u8], content_type: Option<&str>) -> &'static Encoding {
    let from_header = content_type.and_then(|value| declared(value.as_bytes()));
    let start = body.get(..PRESCAN_BYTES).unwrap_or(body);
    from_header
        // What could be read as ASCII is no UTF-16, whatever it says about itself.
        .or_else(|| {
            declared(start).map(|encoding| {
                if encoding.is_ascii_compatible() {
                    encoding
                } else {
                    UTF_8
                }
            })
        })
        .unwrap_or_else(|| {
            if std::str::from_utf8(body).is_ok() {
                UTF_8
            } else {
                WINDOWS_1252
            }
        })
}

/// Finds `charset=name`, as it stands in a header field and in `<meta>`, or `encoding="name"` of XML.
fn declared(text: &[u8]) -> Option<&'static Encoding> {
    static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?i-u)(?:charset|<\?xml[^>]{0,100}encoding)[ \t\r\n]*=[ \t\r\n]*["']?([a-z0-9_:.+-]{1,40})"#).ok()
    });
    let found = NAME.as_ref()?.captures(text)?;
    Encoding::for_label(found.get(1)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_believed_before_the_page_and_a_mark_before_both() {
        let rows: [(&[u8], Option<&str>, &str); 14] = [
            (b"\xe9", Some("text/html; charset=iso-8859-1"), "é"),
            (b"\xe9", Some("text/html; charset=\"ISO-8859-1\""), "é"),
            (b"\xce\xb1", Some("text/html"), "α"),
            (b"\xe1", Some("text/html; Charset = ISO-8859-7"), "α"),
            (
                b"<meta charset=koi8-r>\xc1",
                Some("text/html"),
                "<meta charset=koi8-r>а",
            ),
            (
                b"<meta charset=koi8-r>\xc3\xa9",
                Some("text/html; charset=utf-8"),
                "<meta charset=koi8-r>é",
            ),
            (
                b"<?xml version='1.0' encoding='shift_jis'?>\x82\xa0",
                None,
                "<?xml version='1.0' encoding='shift_jis'?>あ",
            ),
            (
                b"\xef\xbb\xbf\xc3\xa9",
                Some("text/plain; charset=latin1"),
                "é",
            ),
            (b"\xff\xfea\0", Some("text/plain; charset=latin1"), "a"),
            (b"\xfe\xff\0a", None, "a"),
            (
                b"<meta charset=utf-16>\xc3\xa9",
                None,
                "<meta charset=utf-16>é",
            ),
            (b"\x80\xe9", None, "€é"),
            (b"caf\xe9", Some("text/plain; charset=utf-8"), "caf\u{fffd}"),
            (b"a", Some("text/plain; charset=no-such"), "a"),
        ];
        for (body, content_type, expected) in rows {
            assert_eq!(
                decode(body, content_type),
                expected,
                "{content_type:?} {expected}"
            );
        }
    }

    #[test]
    fn what_the_page_says_late_is_not_heard() {
        let mut body = vec![b' '; 1_024];
        body.extend(b"<meta charset=koi8-r>\xc1");
        assert!(decode(&body, None).ends_with("Á"));
    }
}
