//! JSON-RPC 2.0 messages: the envelope of a call, and the lines that answer one.
//!
//! It owns what a valid envelope is and the error codes, not which methods there are. An id is echoed byte for byte:
//! no number loses digits on its way.

use serde::{Deserialize, Deserializer};
use serde_json::json;
use serde_json::value::RawValue;

/// The line is not JSON.
const PARSE_ERROR: i32 = -32700;
/// The line is JSON, and no call.
const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
const METHOD_NOT_FOUND: i32 = -32601;
/// The method cannot be called with these parameters.
const INVALID_PARAMS: i32 = -32602;
/// The runtime failed, or has too much to do.
const SERVER_ERROR: i32 = -32000;

/// A call as it came: the method and its parameters are still to be understood.
#[derive(Debug)]
pub(super) struct Message {
    /// `None` in a notification, which gets no answer.
    pub(super) id: Option<Id>,
    pub(super) method: String,
    pub(super) params: Option<Box<RawValue>>,
}

/// A line that is no call, and the id to answer with: that of the line where it has one, else `null`.
#[derive(Debug)]
pub(super) struct Rejection {
    pub(super) id: Id,
    pub(super) error: RpcError,
}

/// What a call is answered with: the JSON text of its result, or an error.
pub(super) type Reply = Result<String, RpcError>;

/// The id of a call: a string, a number or `null`.
#[derive(Debug, Clone)]
pub(super) struct Id(Box<RawValue>);

/// An error as the protocol knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RpcError {
    code: i32,
    message: String,
}

impl Message {
    /// Reads the envelope of a call.
    pub(super) fn parse(line: &str) -> Result<Self, Rejection> {
        let json: &RawValue = serde_json::from_str(line).map_err(|error| {
            Rejection::of_unknown(PARSE_ERROR, &format!("the line is not JSON: {error}"))
        })?;
        let envelope = match json.get().as_bytes().first() {
            Some(b'{') => serde_json::from_str::<Envelope<'_>>(json.get()),
            Some(b'[') => {
                return Err(Rejection::of_unknown(
                    INVALID_REQUEST,
                    "batches are not supported",
                ));
            }
            _ => {
                return Err(Rejection::of_unknown(
                    INVALID_REQUEST,
                    "a call is an object",
                ));
            }
        };
        // The text is JSON: what can be wrong here is a key that comes twice.
        let envelope =
            envelope.map_err(|error| Rejection::of_unknown(INVALID_REQUEST, &error.to_string()))?;
        let id = match envelope.id.map(Id::read) {
            Some(None) => {
                let message = "`id` must be a string, a number or null";
                return Err(Rejection::of_unknown(INVALID_REQUEST, message));
            }
            Some(id) => id,
            None => None,
        };
        let invalid = |message: &str| Rejection {
            id: id.clone().unwrap_or_else(Id::null),
            error: RpcError::new(INVALID_REQUEST, message),
        };
        if envelope
            .jsonrpc
            .is_none_or(|version| version.get() != "\"2.0\"")
        {
            return Err(invalid("`jsonrpc` must be \"2.0\""));
        }
        let method = envelope
            .method
            .and_then(|method| serde_json::from_str(method.get()).ok());
        let method = method.ok_or_else(|| invalid("`method` must be a string"))?;
        Ok(Self {
            id,
            method,
            params: envelope.params.map(ToOwned::to_owned),
        })
    }
}

/// The keys of a call, each as its text; other keys are ignored.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "given")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    params: Option<&'a RawValue>,
}

/// Reads a value that is there; a `null` is there, and a call with such an id is answered.
fn given<'de, D: Deserializer<'de>>(input: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(input).map(Some)
}

impl Rejection {
    /// Rejects a line that does not say which call it is.
    pub(super) fn unreadable(message: &str) -> Self {
        Self::of_unknown(PARSE_ERROR, message)
    }

    fn of_unknown(code: i32, message: &str) -> Self {
        Self {
            id: Id::null(),
            error: RpcError::new(code, message),
        }
    }
}

impl Id {
    fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    fn read(json: &RawValue) -> Option<Self> {
        let is_id = matches!(
            json.get().as_bytes(),
            [b'"' | b'-' | b'0'..=b'9' | b'n', ..]
        );
        is_id.then(|| Self(json.to_owned()))
    }

    /// Returns the answer to the call of this id, as one line without its line feed.
    pub(super) fn answer(&self, reply: &Reply) -> String {
        let id = self.0.get();
        match reply {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(RpcError { code, message }) => {
                let error = json!({ "code": code, "message": message });
                format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
            }
        }
    }
}

impl RpcError {
    /// Returns the error of a method that there is not.
    pub(super) fn unknown_method(message: &str) -> Self {
        Self::new(METHOD_NOT_FOUND, message)
    }

    /// Returns the error of parameters with which the method cannot be called.
    pub(super) fn invalid_params(message: &str) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// Returns the error of a server that cannot do what it should.
    pub(super) fn server(message: &str) -> Self {
        Self::new(SERVER_ERROR, message)
    }

    fn new(code: i32, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn rejection(line: &str) -> String {
        let Rejection { id, error } = Message::parse(line).unwrap_err();
        id.answer(&Err(error))
    }

    #[test]
    fn a_call_is_read_and_other_keys_are_ignored() {
        let line = r#" {"extra":1,"params":{"code": "1"},"method":"execute_code","id":7,"jsonrpc":"2.0"} "#;
        let message = Message::parse(line).unwrap();
        assert_eq!(message.method, "execute_code");
        assert_eq!(message.params.unwrap().get(), r#"{"code": "1"}"#);
        let answer = message.id.unwrap().answer(&Ok("{}".to_owned()));
        assert_eq!(answer, r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    }

    #[test]
    fn an_id_is_echoed_byte_for_byte() {
        for id in [
            r#""a\u00e4\n""#,
            "123456789012345678901234567890",
            "-1.50e3",
            "null",
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#);
            let answer = Message::parse(&line)
                .unwrap()
                .id
                .unwrap()
                .answer(&Ok("1".to_owned()));
            assert_eq!(
                answer,
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#)
            );
        }
    }

    #[test]
    fn a_call_without_id_is_a_notification() {
        assert!(
            Message::parse(r#"{"jsonrpc":"2.0","method":"m"}"#)
                .unwrap()
                .id
                .is_none()
        );
    }

    #[test]
    fn a_line_that_is_not_json_is_a_parse_error() {
        for line in ["{", "print(1)", "", r#"{"jsonrpc":"2.0"} x"#, "{'a': 1}"] {
            let start = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON: "#;
            assert!(rejection(line).starts_with(start), "{line}");
        }
    }

    #[test]
    fn json_that_is_no_call_is_an_invalid_request() {
        for (line, id, message) in [
            ("[]", "null", "batches are not supported"),
            ("3", "null", "a call is an object"),
            ("{}", "null", "`jsonrpc` must be \\\"2.0\\\""),
            (
                r#"{"jsonrpc":2.0,"id":1}"#,
                "1",
                "`jsonrpc` must be \\\"2.0\\\"",
            ),
            (
                r#"{"jsonrpc":"2.0","id":"x"}"#,
                "\"x\"",
                "`method` must be a string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":null}"#,
                "1",
                "`method` must be a string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#,
                "null",
                "`id` must be a string, a number or null",
            ),
            (
                r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#,
                "null",
                "`id` must be a string, a number or null",
            ),
        ] {
            let expected = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"message":"{message}"}}}}"#
            );
            assert_eq!(rejection(line), expected, "{line}");
        }
    }

    #[test]
    fn a_key_that_comes_twice_is_an_invalid_request() {
        let answer = rejection(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#);
        let start =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"duplicate field `id`"#;
        assert!(answer.starts_with(start), "{answer}");
    }
}
