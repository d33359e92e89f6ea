//! The thread that reads stdin and understands it, so that a huge line keeps no cell waiting.

use std::io;
use std::thread;

use tokio::sync::mpsc::{self, Receiver};

use super::call::Call;
use super::lines::{Line, Lines};
use super::message::{Id, Message, Rejection, RpcError};

/// Bytes of a line at most: the largest script or argument that makes sense, and a bound for memory.
const MAX_LINE: usize = 64 << 20;
const TOO_LONG: &str = "the line is longer than 67108864 bytes (64 MiB)";
const NOT_UTF8: &str = "the line is not UTF-8";

/// Calls that are read ahead. A few keep the server busy; each may hold a line of the longest length.
const READ_AHEAD: usize = 4;

/// What a line turned out to be.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A call of a method; without an id it wants no answer.
    Call {
        id: Option<Id>,
        call: Result<Call, RpcError>,
    },
    /// Not a call.
    Rejected(Rejection),
}

/// Starts the thread; the channel ends with stdin.
///
/// The thread may be in the middle of a read for ever. It is left alone and ends with the process.
pub(super) fn start() -> io::Result<Receiver<Incoming>> {
    let (calls, receiver) = mpsc::channel(READ_AHEAD);
    let read = move || {
        let mut lines = Lines::new(io::stdin().lock(), MAX_LINE);
        loop {
            match lines.next() {
                Ok(Some(line)) => {
                    let Some(incoming) = understand(line) else {
                        continue;
                    };
                    if calls.blocking_send(incoming).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::error!(%error, "cannot read stdin; no more calls are taken");
                    break;
                }
            }
        }
    };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(read)?;
    Ok(receiver)
}

/// Returns what a line is; a blank one is nothing.
fn understand(line: Line) -> Option<Incoming> {
    let text = match line {
        Line::Text(text) if text.trim_ascii().is_empty() => return None,
        Line::Text(text) => text,
        Line::TooLong => return Some(Incoming::Rejected(Rejection::unreadable(TOO_LONG))),
        Line::NotUtf8 => return Some(Incoming::Rejected(Rejection::unreadable(NOT_UTF8))),
    };
    Some(match Message::parse(&text) {
        Ok(Message { id, method, params }) => {
            drop(text);
            Incoming::Call {
                id,
                call: Call::new(&method, params.as_deref()),
            }
        }
        Err(rejection) => Incoming::Rejected(rejection),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: Line) -> Option<String> {
        match understand(line)? {
            Incoming::Rejected(Rejection { id, error }) => Some(id.answer(&Err(error))),
            Incoming::Call { .. } => None,
        }
    }

    #[test]
    fn a_line_without_text_is_answered_as_unreadable() {
        for (line, message) in [
            (
                Line::TooLong,
                "the line is longer than 67108864 bytes (64 MiB)",
            ),
            (Line::NotUtf8, "the line is not UTF-8"),
        ] {
            let expected = format!(
                r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":-32700,"message":"{message}"}}}}"#
            );
            assert_eq!(answer(line), Some(expected));
        }
        assert_eq!(MAX_LINE, 67_108_864);
    }

    #[test]
    fn a_blank_line_is_ignored() {
        for line in ["", " \t", "\r"] {
            assert!(
                understand(Line::Text(line.to_owned())).is_none(),
                "{line:?}"
            );
        }
    }

    #[test]
    fn an_unknown_method_is_a_call_that_fails() {
        let line = r#"{"jsonrpc":"2.0","method":"m"}"#.to_owned();
        let incoming = understand(Line::Text(line));
        assert!(matches!(
            incoming,
            Some(Incoming::Call {
                id: None,
                call: Err(_)
            })
        ));
    }
}
