//! The forms in which a script names a page: a text, or a dict such as a search result.

use serde_json::Value;

use crate::guard::python_type;
use crate::text::redact::Redactor;

/// Keys of a dict that may hold the URL, the first one that does counts.
const URL_KEYS: [&str; 3] = ["url", "href", "link"];
/// Layers of percent encoding that are taken off in the search for secrets.
const MAX_LAYERS: usize = 3;

/// Returns the URL that an item names.
///
/// # Errors
/// Fails with the message of the entry if there is none.
pub(super) fn url_of(item: &Value) -> Result<&str, String> {
    let url = match item {
        Value::String(url) => Some(url.as_str()),
        Value::Object(fields) => URL_KEYS.iter().find_map(|key| fields.get(*key)?.as_str()),
        other => {
            let got = python_type(other);
            return Err(format!(
                "Invalid URL entry: expected a string or a dict with 'url', got {got}"
            ));
        }
    };
    url.filter(|url| !url.trim().is_empty())
        .ok_or_else(|| "Invalid URL entry: it has no URL".to_owned())
}

/// Tells whether a URL holds a secret, as it stands or behind percent encoding.
pub(super) fn holds_secret(url: &str, redactor: &Redactor) -> bool {
    let mut text = url.to_owned();
    for _ in 0..MAX_LAYERS {
        if redactor.holds_secret(&text) {
            return true;
        }
        let decoded = percent_decoded(&text);
        if decoded == text {
            return false;
        }
        text = decoded;
    }
    redactor.holds_secret(&text)
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = byte {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_is_a_text_or_a_dict() {
        let rows = [
            (json!("http://a"), Ok("http://a")),
            (json!({"title": "x", "url": "http://a"}), Ok("http://a")),
            (json!({"href": "http://a"}), Ok("http://a")),
            (json!({"url": null, "link": "http://a"}), Ok("http://a")),
            (
                json!({"title": "x"}),
                Err("Invalid URL entry: it has no URL"),
            ),
            (json!("  "), Err("Invalid URL entry: it has no URL")),
            (
                json!(7),
                Err("Invalid URL entry: expected a string or a dict with 'url', got int"),
            ),
            (
                json!(null),
                Err("Invalid URL entry: expected a string or a dict with 'url', got NoneType"),
            ),
            (
                json!(["http://a"]),
                Err("Invalid URL entry: expected a string or a dict with 'url', got list"),
            ),
        ];
        for (item, expected) in rows {
            assert_eq!(url_of(&item), expected.map_err(str::to_owned), "{item}");
        }
    }

    #[test]
    fn secrets_are_found_behind_percent_encoding() {
        let redactor = Redactor::new(true, vec!["correct horse".to_owned()]);
        let off = Redactor::new(false, vec!["correct horse".to_owned()]);
        for (url, expected) in [
            ("https://e.example/?k=ghp_abcdefghijklmnopqrst", true),
            ("https://e.example/?k=ghp%5Fabcdefghijklmnopqrst", true),
            ("https://e.example/?k=%67hp%255Fabcdefghijklmnopqrst", true),
            ("https://e.example/AKIAABCDEFGHIJKLMNOP/x", true),
            ("https://e.example/?q=correct%20horse", true),
            ("https://e.example/?q=correct+horse%", false),
            ("https://e.example/?q=%zz%", false),
        ] {
            assert_eq!(holds_secret(url, &redactor), expected, "{url}");
            assert_eq!(holds_secret(url, &off), expected, "{url}");
        }
    }
}
