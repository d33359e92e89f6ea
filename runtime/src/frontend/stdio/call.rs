//! The methods of the server and their parameters.
//!
//! It reads a call; it does not make it. Arguments of `execute_code` are the library's to judge: what it refuses is a
//! result like any other, since the model that wrote the call should read it.

use hermes_runtime::{Request, RuntimeError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::message::RpcError;

const EXECUTE_CODE: &str = "execute_code";
const INTERRUPT: &str = "interrupt";
const CLOSE_SESSION: &str = "close_session";

/// A call that can be made.
#[derive(Debug)]
pub(super) enum Call {
    /// Run code; `session` is the name in the request.
    Execute {
        request: Box<Request>,
        session: Option<String>,
    },
    /// Answer with the envelope of a refusal.
    Refused { envelope: String },
    /// End the running cell of a session.
    Interrupt {
        session: String,
        reason: Option<String>,
    },
    /// End a session with all its cells.
    CloseSession { session: String },
}

impl Call {
    /// Reads the call of a method.
    pub(super) fn new(method: &str, params: Option<&RawValue>) -> Result<Self, RpcError> {
        match method {
            EXECUTE_CODE => Ok(execute(&read(method, params)?)),
            INTERRUPT => {
                let Interrupt { session, reason } = read(method, params)?;
                Ok(Self::Interrupt { session, reason })
            }
            CLOSE_SESSION => {
                let CloseSession { session } = read(method, params)?;
                Ok(Self::CloseSession { session })
            }
            _ => Err(RpcError::unknown_method(&format!(
                "no such method; hint: use `{EXECUTE_CODE}`, `{INTERRUPT}` or `{CLOSE_SESSION}`"
            ))),
        }
    }
}

#[derive(Deserialize)]
struct Interrupt {
    session: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct CloseSession {
    session: String,
}

fn execute(arguments: &Value) -> Call {
    match Request::from_arguments(arguments) {
        Ok(request) => Call::Execute {
            request: Box::new(request),
            session: arguments
                .get("session")
                .and_then(Value::as_str)
                .map(str::to_owned),
        },
        Err(refusal) => Call::Refused {
            envelope: RuntimeError::from(refusal).to_json(),
        },
    }
}

/// Reads named parameters; none at all are the same as an empty object.
fn read<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T, RpcError> {
    let json = params.map_or("{}", RawValue::get);
    if !json.starts_with('{') {
        let message = format!("`params` of `{method}` must be an object");
        return Err(RpcError::invalid_params(&message));
    }
    serde_json::from_str(json).map_err(|error| {
        RpcError::invalid_params(&format!("cannot read `params` of `{method}`: {error}"))
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::super::message::Message;
    use super::*;

    fn call(method: &str, params: &str) -> Result<Call, RpcError> {
        let params = RawValue::from_string(params.to_owned()).unwrap();
        Call::new(method, Some(&params))
    }

    /// Returns the error of a call as the answer to it shows it.
    fn error(method: &str, params: &str) -> String {
        let id = Message::parse(r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#)
            .unwrap()
            .id
            .unwrap();
        let answer = id.answer(&Err(call(method, params).unwrap_err()));
        let start = r#"{"jsonrpc":"2.0","id":1,"error":"#;
        answer
            .strip_prefix(start)
            .unwrap()
            .strip_suffix('}')
            .unwrap()
            .to_owned()
    }

    #[test]
    fn execute_code_knows_its_session() {
        let Call::Execute { session, .. } =
            call(EXECUTE_CODE, r#"{"code":"1","session":"a"}"#).unwrap()
        else {
            panic!("not a call to execute")
        };
        assert_eq!(session.as_deref(), Some("a"));
    }

    #[test]
    fn arguments_that_the_library_refuses_are_a_result() {
        let Call::Refused { envelope } =
            call(EXECUTE_CODE, r#"{"code":"1","timeout":-1}"#).unwrap()
        else {
            panic!("not a refusal")
        };
        let expected = r#"{"error":"execute_code received a negative number in 'timeout', but it requires a positive number of seconds."}"#;
        assert_eq!(envelope, expected);
    }

    #[test]
    fn interrupt_and_close_session_read_their_session() {
        let Call::Interrupt { session, reason } =
            call(INTERRUPT, r#"{"session":"a","reason":null}"#).unwrap()
        else {
            panic!("not an interrupt")
        };
        assert_eq!((session.as_str(), reason), ("a", None));
        let Call::CloseSession { session } = call(CLOSE_SESSION, r#"{"session":""}"#).unwrap()
        else {
            panic!("not a close")
        };
        assert_eq!(session, "");
    }

    #[test]
    fn an_unknown_method_names_the_known_ones() {
        let expected = r#"{"code":-32601,"message":"no such method; hint: use `execute_code`, `interrupt` or `close_session`"}"#;
        assert_eq!(error("exec", "{}"), expected);
    }

    #[test]
    fn parameters_by_position_are_refused() {
        for method in [EXECUTE_CODE, INTERRUPT, CLOSE_SESSION] {
            let expected = format!(
                r#"{{"code":-32602,"message":"`params` of `{method}` must be an object"}}"#
            );
            assert_eq!(error(method, r#"["a"]"#), expected);
            assert_eq!(error(method, "null"), expected);
        }
    }

    #[test]
    fn parameters_of_a_wrong_type_are_refused() {
        for (method, params, reason) in [
            (INTERRUPT, "{}", "missing field `session`"),
            (
                CLOSE_SESSION,
                r#"{"session":1}"#,
                "invalid type: integer `1`",
            ),
            (EXECUTE_CODE, r#"{"code":"\ud800"}"#, ""),
        ] {
            let start = format!(
                r#"{{"code":-32602,"message":"cannot read `params` of `{method}`: {reason}"#
            );
            let error = error(method, params);
            assert!(error.starts_with(&start), "{error}");
        }
    }
}
