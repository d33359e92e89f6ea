//! Owns secrets in HTTP headers, as they stand in a request, in a command line, and in a map of a program: passes 4, 5.
//!
//! The name and the scheme stay, and so do quotes. A value that is an expression or a placeholder is code and stays.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::boundary::ends_in_word;
use super::mask::{Mask, is_masked};
use super::rewrite::replace_each;
use crate::text::pattern::compiled;

/// Schemes that are followed by one credential, in lower case.
const SCHEMES: [&str; 12] = [
    "bearer",
    "basic",
    "token",
    "apikey",
    "api-key",
    "key",
    "bot",
    "jwt",
    "negotiate",
    "ntlm",
    "oauth2",
    "splunk",
];
/// Schemes that are followed by parameters, all of which are hidden, in lower case.
const PARAMETER_SCHEMES: [&str; 5] = ["digest", "oauth", "hawk", "aws4-hmac-sha256", "sharedkey"];

/// A word of letters up to this length is read as a word of a text or a program.
const LONGEST_WORD: usize = 14;
/// So many bytes of a word are judged: a text full of names would otherwise be read to its end for each of them.
const LONGEST_JUDGED: usize = 256;
/// A credential of a scheme that is not in the table has at least so many characters.
const SHORTEST_OPAQUE: usize = 8;

/// Masks the credential of `Authorization` and `Proxy-Authorization`.
pub(super) fn authorization(text: &str, mask: Mask) -> Option<String> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"(?i-u:(?:proxy-)?authorization)(?P<name_quote>\\?["'])?[ \t]*:[ \t]*(?P<value_quote>\\?["'])?"#,
        )
    });
    replace_each(text, &NAME, |found| {
        // `HTTP_AUTHORIZATION` is the header too, `EndpointAuthorization` is not.
        if ends_in_word(text.get(..found.get_match().start())?, b".:") {
            return None;
        }
        let span = Value::after(text, found)?.credential()?;
        mask.secret(text.get(span.clone())?)
            .map(|shown| (span, shown))
    })
}

/// Masks the values of headers that carry nothing but a secret.
pub(super) fn secret_headers(text: &str, mask: Mask) -> Option<String> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"(?i-u:(x-api-key|x-goog-api-key|api-key|apikey|x-api-token|x-auth-token|x-access-token))(?P<name_quote>\\?["'])?[ \t]*:[ \t]*(?P<value_quote>\\?["'])?"#,
        )
    });
    replace_each(text, &NAME, |found| {
        let name = found.get(1)?;
        let longer_name = ends_in_word(text.get(..name.start())?, b"_-$.:");
        // `apiKey` is how programs spell a field; a header has one case, or capital words.
        if longer_name || name.as_str() == "apiKey" {
            return None;
        }
        let value = Value::after(text, found)?;
        let first = value.words().next()?;
        let identifier = name.as_str().eq_ignore_ascii_case("apikey") && is_plain(first.text);
        let span = value.lone(first).filter(|_| !identifier)?;
        mask.secret(text.get(span.clone())?)
            .map(|shown| (span, shown))
    })
}

/// What stands behind the colon of a header: the rest of the text, read word by word to the end of the line or a quote.
struct Value<'t> {
    start: usize,
    rest: &'t str,
    quoted: bool,
}

/// The judged part of a word of a value, and its place in the value.
#[derive(Clone, Copy)]
struct Word<'t> {
    start: usize,
    text: &'t str,
}

impl<'t> Value<'t> {
    /// Returns the value behind the match of a name; `None` for a quoted name before an expression.
    fn after(text: &'t str, found: &Captures<'_>) -> Option<Self> {
        let start = found.get_match().end();
        let (name_quote, value_quote) = (found.name("name_quote"), found.name("value_quote"));
        if name_quote.is_some() && value_quote.is_none() {
            return None;
        }
        Some(Self {
            start,
            rest: text.get(start..)?,
            quoted: value_quote.is_some(),
        })
    }

    /// Returns the place of what follows the scheme, or of a credential without one.
    fn credential(&self) -> Option<Range<usize>> {
        let mut words = self.words();
        let first = words.next()?;
        let second = words.next();
        let scheme = first.text.to_ascii_lowercase();
        if PARAMETER_SCHEMES.contains(&scheme.as_str()) {
            return second.and_then(|second| self.parameters(second));
        }
        match second {
            Some(second) if SCHEMES.contains(&scheme.as_str()) => self.place(second),
            None if SCHEMES.contains(&scheme.as_str()) => None,
            Some(_) if is_opaque(first.text) => self.place(first),
            Some(second) => self
                .place(second)
                .filter(|_| is_scheme(first.text) && is_opaque(second.text)),
            None => self.lone(first).filter(|_| !is_plain(first.text)),
        }
    }

    /// Returns the place of everything from `word` to the end of the line, without quotes at the end.
    fn parameters(&self, word: Word<'_>) -> Option<Range<usize>> {
        self.place(word)?;
        let line = self.rest.split(['\n', '\r']).next()?;
        let end = line
            .trim_end_matches(['"', '\'', '\\', ' ', '\t', ','])
            .len();
        (end > word.start).then(|| self.start + word.start..self.start + end)
    }

    /// Returns the place of a word that stands alone, unless it is an expression.
    fn lone(&self, word: Word<'_>) -> Option<Range<usize>> {
        let after = self
            .rest
            .get(word.start + word.text.len()..)?
            .chars()
            .next();
        let expression = !self.quoted
            && after.is_some_and(|c| ",;)}]([.".contains(c))
            && is_identifier(word.text);
        self.place(word).filter(|_| !expression)
    }

    /// Returns the place of a whole word in the whole text, unless it is a placeholder, syntax or masked.
    fn place(&self, word: Word<'_>) -> Option<Range<usize>> {
        // `Authorization::Basic` is a path of a program, and `Bearer ...` an omission.
        let syntax = word.text.starts_with(['$', '{', '<', '%', ':', '='])
            || !word.text.contains(char::is_alphanumeric);
        if syntax || is_masked(word.text) {
            return None;
        }
        let rest = self.rest.get(word.start..)?;
        let len = rest.find(ends_word).unwrap_or(rest.len());
        let start = self.start + word.start;
        Some(start..start + len)
    }

    /// Returns the words of the value; the last one ends where a quote or a bracket closes.
    fn words(&self) -> impl Iterator<Item = Word<'t>> + use<'t> {
        let mut unread = self.rest;
        let whole = self.rest.len();
        std::iter::from_fn(move || {
            let rest = unread.trim_start_matches([' ', '\t']);
            let start = whole - rest.len();
            let judged = rest.get(..rest.floor_char_boundary(LONGEST_JUDGED))?;
            let text = judged.get(..judged.find(ends_word).unwrap_or(judged.len()))?;
            let after = rest.get(text.len()..)?;
            unread = if after.starts_with([' ', '\t']) {
                after
            } else {
                ""
            };
            (!text.is_empty()).then_some(Word { start, text })
        })
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "\"'`\\,;()[]}>".contains(c)
}

/// Returns whether a word may name a scheme.
fn is_scheme(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Returns whether a word is no word of a sentence.
fn is_opaque(word: &str) -> bool {
    word.len() >= SHORTEST_OPAQUE
        && (word.contains(|c: char| c.is_ascii_digit()) || word.len() > LONGEST_WORD)
}

/// Returns whether a word may be one of a sentence, or the name of a type.
fn is_plain(word: &str) -> bool {
    word.len() <= LONGEST_WORD
        && word
            .chars()
            .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '.')
}

fn is_identifier(word: &str) -> bool {
    !word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pass = fn(&str, Mask) -> Option<String>;

    fn check(pass: Pass, rows: &[(&str, &str)]) {
        for (text, expected) in rows {
            let shown = pass(text, Mask::Shortened).unwrap_or_else(|| (*text).to_owned());
            assert_eq!(shown, *expected, "{text}");
        }
    }

    #[test]
    fn the_scheme_stays_and_the_credential_is_masked() {
        check(
            authorization,
            &[
                (
                    "Authorization: Bearer abcdefghijklmnopqrst",
                    "Authorization: Bearer abcdef...qrst",
                ),
                ("authorization: basic dTpw", "authorization: basic ***"),
                (
                    "Proxy-Authorization: Basic dXNlcjpwYXNz\r\nHost: h",
                    "Proxy-Authorization: Basic ***\r\nHost: h",
                ),
                (
                    "curl -H \"Authorization: Bearer abc.def-123\" h",
                    "curl -H \"Authorization: Bearer ***\" h",
                ),
                (
                    "{\"Authorization\": \"Bearer abc123\", \"a\": 1}",
                    "{\"Authorization\": \"Bearer ***\", \"a\": 1}",
                ),
                (
                    "{'Authorization': 'token abc123'}",
                    "{'Authorization': 'token ***'}",
                ),
                (
                    r#"{\"Authorization\": \"Bearer abc123\"}"#,
                    r#"{\"Authorization\": \"Bearer ***\"}"#,
                ),
                (
                    "Authorization: Bearer abc123\\r\\nHost: h",
                    "Authorization: Bearer ***\\r\\nHost: h",
                ),
                (
                    "> Authorization: Weird-1 abcdefgh1234567890",
                    "> Authorization: Weird-1 abcdef...7890",
                ),
                (
                    "Authorization: abcdefgh1234567890",
                    "Authorization: abcdef...7890",
                ),
            ],
        );
    }

    #[test]
    fn an_escape_or_a_prefix_may_stand_before_authorization() {
        check(
            authorization,
            &[
                (
                    r"b'GET / HTTP/1.1\r\nAuthorization: Bearer abc123'",
                    r"b'GET / HTTP/1.1\r\nAuthorization: Bearer ***'",
                ),
                (
                    "'HTTP_AUTHORIZATION': 'Bearer abc123'",
                    "'HTTP_AUTHORIZATION': 'Bearer ***'",
                ),
            ],
        );
    }

    #[test]
    fn the_parameters_of_a_scheme_are_hidden_together() {
        check(
            authorization,
            &[
                (
                    "Authorization: Digest username=\"u\", response=\"0123\"\nHost: h",
                    "Authorization: Digest userna...0123\"\nHost: h",
                ),
                (
                    "Authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=0123abcd",
                    "Authorization: AWS4-HMAC-SHA256 Creden...abcd",
                ),
            ],
        );
    }

    #[test]
    fn code_and_prose_about_authorization_stay() {
        for text in [
            "headers = {\"Authorization\": f\"Bearer {token}\"}",
            "{\"Authorization\": \"Bearer \" + token}",
            "{\"Authorization\": auth_header1}",
            "Authorization: Bearer $TOKEN",
            "Authorization: Bearer <token>",
            "Authorization: Bearer %s",
            "Authorization: Bearer ***",
            "Authorization: Bearer abcdef...qrst",
            "Authorization: Bearer",
            "Authorization: Basic ...",
            "\"AWS::Redshift::EndpointAuthorization\": \"e72be424d109da1d\"",
            "use Security::Authorization::{SetSecurityInfo};",
            "the Authorization: header is required",
            "authorization: str = Header(None)",
            "authorization: Optional[str]",
            "Authorization: authHeader1, next",
        ] {
            assert_eq!(authorization(text, Mask::Shortened), None, "{text}");
        }
    }

    #[test]
    fn the_value_of_a_secret_header_is_masked() {
        for name in [
            "x-api-key",
            "X-Goog-Api-Key",
            "api-key",
            "apikey",
            "ApiKey",
            "x-api-token",
            "X-Auth-Token",
            "x-access-token",
        ] {
            check(
                secret_headers,
                &[(&format!("{name}: abc123"), &format!("{name}: ***"))],
            );
        }
        check(
            secret_headers,
            &[
                (
                    "X-API-Key: abcdefghijklmnopqrst\n",
                    "X-API-Key: abcdef...qrst\n",
                ),
                ("-H 'x-api-key: secret'", "-H 'x-api-key: ***'"),
                ("{\"x-api-key\": \"secret\"}", "{\"x-api-key\": \"***\"}"),
            ],
        );
    }

    #[test]
    fn fields_of_a_program_are_no_headers() {
        for text in [
            "apiKey: \"x\"",
            "{\"apiKey\": \"abcdefgh1234\"}",
            "apikey: str",
            "APIKey::AZ => 1",
            "\"AWS::ApiGateway::ApiKey\": \"48205d4ffd7feba3\"",
            "{\"x-api-key\": api_key}",
            "x-api-key: ${API_KEY}",
            "my-x-api-key: abc123",
            "x-api-key: ***",
            "x-api-key-name: abc123",
        ] {
            assert_eq!(secret_headers(text, Mask::Shortened), None, "{text}");
        }
    }

    #[test]
    fn a_credential_has_a_sentinel() {
        assert_eq!(
            authorization("Authorization: Bearer abc", Mask::Sentinel).as_deref(),
            Some("Authorization: Bearer «redacted-secret»")
        );
    }

    #[test]
    fn many_names_on_one_long_line_are_walked_once() {
        // A quadratic walk over these would not end within the patience of any test run.
        for unit in [
            "authorization: x y ",
            "authorization:$",
            "authorization:«redacted",
        ] {
            let text = unit.repeat(20_000);
            assert_eq!(authorization(&text, Mask::Shortened), None, "{unit}");
        }
        let text = "authorization: digest x ".repeat(20_000);
        assert_eq!(
            authorization(&text, Mask::Shortened).as_deref(),
            Some("authorization: digest x auth...st x ")
        );
    }
}
