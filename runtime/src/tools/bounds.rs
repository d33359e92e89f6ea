//! How large a call from a sandbox may be, before anything of it is copied or parsed.
//!
//! A script chooses what it sends, and what it sends costs the host memory that no limit of the sandbox counts. Parsed JSON takes many
//! times the room of its text: a hundred bytes for each `[0],`. So both the text and the number of values in it are bounded.

use memchr::memchr3_iter;

use super::ToolReply;

/// Bytes of a tool's name that are looked at; no tool has a longer one.
pub(crate) const MAX_NAME: usize = 256;

/// Bytes of a call's arguments.
pub(crate) const MAX_ARGUMENTS: usize = 64 << 20;

/// Values in a call's arguments, counted by the commas, brackets and braces of the text, those inside of strings included where there
/// are few of them.
const MAX_VALUES: usize = 200_000;

/// Returns the reply to arguments that are too large; `None` when they are not.
pub(crate) fn refuse(arguments: &[u8]) -> Option<String> {
    if arguments.len() > MAX_ARGUMENTS {
        return Some(too_large(arguments.len()));
    }
    // Few separators at all is the usual case, and quicker to find out than where the strings are.
    memchr3_iter(b',', b'[', b'{', arguments).nth(MAX_VALUES)?;
    (count_values(arguments) > MAX_VALUES).then(|| {
        ToolReply::error(&format!(
            "Invalid RPC request: the arguments have more than {MAX_VALUES} values; send a text instead"
        ))
    })
}

/// Returns the reply to arguments of that many bytes, more than are allowed.
pub(crate) fn too_large(size: impl std::fmt::Display) -> String {
    ToolReply::error(&format!(
        "Invalid RPC request: the arguments have {size} bytes; at most {MAX_ARGUMENTS} are allowed"
    ))
}

/// Counts the separators outside of strings.
fn count_values(json: &[u8]) -> usize {
    let (mut count, mut in_string, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_are_refused_however_they_are_nested() {
        for item in ["0,", "[0],", "[[", "{\"a\":0},"] {
            let text = format!("{{\"a\":[{}", item.repeat(MAX_VALUES + 1));
            let reply = refuse(text.as_bytes());
            assert_eq!(
                reply.as_deref(),
                Some(
                    r#"{"error":"Invalid RPC request: the arguments have more than 200000 values; send a text instead"}"#
                ),
                "{item}"
            );
        }
    }

    #[test]
    fn a_text_may_hold_any_number_of_separators() {
        let text = format!(r#"{{"content":"{}\"[{{,"}}"#, "a,[{".repeat(MAX_VALUES));
        assert_eq!(refuse(text.as_bytes()), None);
    }

    #[test]
    fn a_text_beyond_the_limit_is_refused() {
        assert_eq!(refuse(&vec![b' '; MAX_ARGUMENTS]), None);
        assert_eq!(
            refuse(&vec![b' '; MAX_ARGUMENTS + 1]).as_deref(),
            Some(
                r#"{"error":"Invalid RPC request: the arguments have 67108865 bytes; at most 67108864 are allowed"}"#
            )
        );
    }
}
