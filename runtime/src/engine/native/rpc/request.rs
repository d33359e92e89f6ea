//! What a script's side sends: a call as one line of JSON, its arguments in the line or behind it.
//!
//! The plain form is `{"tool", "args", "token"}`. A request with an `id` may be answered out of turn; one with `bytes` has its arguments
//! behind the line, so many bytes of JSON, which spares both sides a second look at them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A line, read but not yet believed.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    tool: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
    #[serde(borrow)]
    token: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    bytes: Option<u64>,
}

impl<'a> Line<'a> {
    /// Parses a line.
    pub(super) fn parse(line: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// Returns the token; anything but a text is none.
    pub(super) fn token(&self) -> Cow<'a, str> {
        text(self.token)
    }

    /// Returns the name of the tool; anything but a text is the name of none.
    pub(super) fn tool(&self) -> Cow<'a, str> {
        text(self.tool)
    }

    /// Returns the arguments that are in the line; a call without any has none.
    pub(super) fn arguments(&self) -> &'a str {
        self.args.map_or("{}", RawValue::get)
    }

    /// Returns the id as it was sent, where the answer is to carry it.
    pub(super) fn id(&self) -> Option<&'a str> {
        self.id.map(RawValue::get).filter(|id| *id != "null")
    }

    /// Returns how many bytes of arguments follow the line.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}

fn text(value: Option<&RawValue>) -> Cow<'_, str> {
    let Some(json) = value.map(RawValue::get) else {
        return Cow::Borrowed("");
    };
    // Most names and tokens have nothing escaped in them.
    let plain = json
        .strip_prefix('"')
        .and_then(|json| json.strip_suffix('"'))
        .filter(|text| !text.contains('\\'));
    plain.map_or_else(
        || Cow::Owned(serde_json::from_str(json).unwrap_or_default()),
        Cow::Borrowed,
    )
}

/// Writes an answer in the form that belongs to the request.
pub(super) fn answer(id: Option<&str>, reply: String) -> Vec<u8> {
    let mut bytes = match id {
        Some(id) => {
            let mut bytes = format!("{{\"id\":{id},\"bytes\":{}}}\n", reply.len()).into_bytes();
            bytes.extend_from_slice(reply.as_bytes());
            return bytes;
        }
        // A line end inside of the text would be read as its end. As a JSON text it is parsed once more by the other side.
        None if reply.contains('\n') => serde_json::to_vec(&reply).unwrap_or_default(),
        None => reply.into_bytes(),
    };
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_line_is_read_whatever_its_values_are() {
        let line =
            Line::parse(br#"{"tool":"a\u0062","args":{"x":1},"token":"t","id":7,"more":[]}"#)
                .unwrap();
        assert_eq!((line.tool(), line.token()), ("ab".into(), "t".into()));
        assert_eq!((line.arguments(), line.id()), (r#"{"x":1}"#, Some("7")));
        let odd = Line::parse(br#"{"tool":7,"token":["t"],"id":null}"#).unwrap();
        assert_eq!((odd.tool(), odd.token()), ("".into(), "".into()));
        assert_eq!((odd.arguments(), odd.id()), ("{}", None));
        for line in [&b""[..], b"[]", b"{", b"\xff", b"{\"bytes\":-1}", b"7"] {
            assert!(Line::parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn an_answer_is_one_line_or_has_its_length() {
        let plain = |reply: &str| String::from_utf8(answer(None, reply.to_owned())).unwrap();
        assert_eq!(plain(r#"{"a":1}"#), "{\"a\":1}\n");
        assert_eq!(plain("not\njson"), "\"not\\njson\"\n");
        let framed = answer(Some("\"x\""), "é\n".to_owned());
        assert_eq!(framed, "{\"id\":\"x\",\"bytes\":3}\né\n".as_bytes());
    }
}
