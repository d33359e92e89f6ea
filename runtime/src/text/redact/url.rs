//! Owns the secrets inside URLs and forms: passes 8, 9 and 11.
//!
//! Parameters of a URL in ordinary text are left alone; a form is only looked at when it is the whole text. A
//! placeholder (`{pw}`, `${PW}`) is code and stays.

use std::sync::LazyLock;

use regex::Regex;

use super::mask::Mask;
use super::rewrite::{Rewrite, replace_each};
use crate::text::pattern::compiled;

/// The fields of a form whose values are secrets, in lower case.
const FORM_SECRETS: [&str; 19] = [
    "access_token",
    "refresh_token",
    "id_token",
    "token",
    "api_key",
    "apikey",
    "client_secret",
    "password",
    "auth",
    "jwt",
    "session",
    "secret",
    "key",
    "code",
    "signature",
    "x-amz-signature",
    "x-goog-signature",
    "sig",
    "passwd",
];

/// Hides the password of database URLs.
pub(super) fn database_passwords(text: &str, mask: Mask) -> Option<String> {
    static URL: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"(?i-u:(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?)(?:\+[a-z0-9_]+)?)://[^\s:@/"'`<>]*:([^\s@"'`<>]+)@"#,
        )
    });
    if !text.contains("://") {
        return None;
    }
    replace_each(text, &URL, |found| {
        let password = found.get(1)?;
        let code = is_placeholder(password.as_str()) || is_port_and_path(password.as_str());
        let shown = if code {
            None
        } else {
            mask.hidden(password.as_str())
        };
        shown.map(|shown| (password.range(), shown))
    })
}

/// Returns whether this is no password but the port of a URL without one: `5432/app?owner=a@b`.
fn is_port_and_path(text: &str) -> bool {
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    after_digits.len() < text.len() && after_digits.starts_with('/')
}

/// Masks a token that stands alone before the host of a URL.
pub(super) fn bare_userinfo(text: &str, mask: Mask) -> Option<String> {
    static URL: LazyLock<Regex> = LazyLock::new(|| {
        compiled(r#"(?i-u:https?|wss?|git|ssh|ftps?|sftp)://([^\s:/@?#"'`<>\\]{8,})@"#)
    });
    if !text.contains("://") {
        return None;
    }
    replace_each(text, &URL, |found| {
        let token = found.get(1)?;
        let shown = if is_placeholder(token.as_str()) {
            None
        } else {
            mask.secret(token.as_str())
        };
        shown.map(|shown| (token.range(), shown))
    })
}

/// Returns whether a whole value is `{name}`, `${name}` or `$name`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let name = value.strip_prefix('$').unwrap_or(value);
    let braced = name
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'));
    match braced {
        Some(name) => !name.contains(['{', '}']),
        None => {
            name.len() < value.len() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        }
    }
}

/// Hides the secret fields of a form, when the whole text is one.
pub(super) fn form_body(text: &str, mask: Mask) -> Option<String> {
    let body = text.trim();
    // The lengths of what was trimmed place the fields in the text.
    let mut start = text.len() - text.trim_start().len();
    if !is_form(body) {
        return None;
    }
    let mut rewrite = Rewrite::new(text);
    for field in body.split('&') {
        if let Some((name, value)) = field.split_once('=')
            && FORM_SECRETS.contains(&name.to_ascii_lowercase().as_str())
            && !value.is_empty()
            && let Some(shown) = mask.hidden(value)
        {
            let value_start = start + name.len() + 1;
            rewrite.replace(value_start..value_start + value.len(), &shown);
        }
        start += field.len() + 1;
    }
    rewrite.finish()
}

/// Returns whether a text has the form `k=v&k=v…`: at least two fields, and no white space.
fn is_form(body: &str) -> bool {
    body.contains('&')
        && !body.contains(char::is_whitespace)
        && body.split('&').all(|field| {
            field
                .split_once('=')
                .is_some_and(|(name, _)| is_form_name(name))
        })
}

fn is_form_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-.[]%".contains(&b))
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
    fn passwords_of_database_urls_are_hidden() {
        check(
            database_passwords,
            &[
                ("postgresql://u:secret@h/db", "postgresql://u:***@h/db"),
                ("postgres://u:secret@h/db", "postgres://u:***@h/db"),
                ("MySQL://u:p@h", "MySQL://u:***@h"),
                (
                    "mongodb+srv://u:a-long-password-of-many@h",
                    "mongodb+srv://u:***@h",
                ),
                ("redis://:secret@h:6379/0", "redis://:***@h:6379/0"),
                ("amqp://u:a/b+c=@h", "amqp://u:***@h"),
                (
                    "postgresql+psycopg2://u:secret@h",
                    "postgresql+psycopg2://u:***@h",
                ),
                (
                    "a postgres://u:1@h and redis://u:2@h",
                    "a postgres://u:***@h and redis://u:***@h",
                ),
            ],
        );
    }

    #[test]
    fn database_urls_without_a_written_password_stay() {
        for text in [
            "postgresql://{user}:{pw}@{host}",
            "postgresql://u:${DB_PASSWORD}@h",
            "postgresql://u:***@h/db",
            "postgresql://h:5432/app?owner=a@b",
            "postgresql://u@h/db",
            "sqlite:///file.db",
        ] {
            assert_eq!(database_passwords(text, Mask::Shortened), None, "{text}");
        }
    }

    #[test]
    fn a_lone_token_before_a_host_is_masked() {
        check(
            bare_userinfo,
            &[
                ("https://abcdefghijklmnop@h/x", "https://***@h/x"),
                (
                    "git+https://abcdefghijklmnopqrst@h/x",
                    "git+https://abcdef...qrst@h/x",
                ),
                ("ssh://abcdefgh@h", "ssh://***@h"),
                (
                    "wss://abcdefgh@h sftp://abcdefgh@h",
                    "wss://***@h sftp://***@h",
                ),
            ],
        );
    }

    #[test]
    fn other_userinfo_of_web_urls_stays() {
        for text in [
            "https://user:password@h/x",
            "https://abcdefg@h/x",
            "ssh://git@github.com/a/b",
            "https://{github_token}@h/x",
            "https://$GITHUB_TOKEN@h/x",
            "https://h/a?mail=someone@h",
            "https://h/path/someone@h",
            "mailto://abcdefghijkl@h",
        ] {
            assert_eq!(bare_userinfo(text, Mask::Shortened), None, "{text}");
        }
    }

    #[test]
    fn secret_fields_of_a_form_are_hidden() {
        check(
            form_body,
            &[
                ("token=abc&x=1", "token=***&x=1"),
                ("token=abc&x=1\n", "token=***&x=1\n"),
                (
                    " a=1&Password=p%20q&sig=&KEY=k ",
                    " a=1&Password=***&sig=&KEY=*** ",
                ),
                ("x-amz-signature=s&code=c", "x-amz-signature=***&code=***"),
            ],
        );
        for name in FORM_SECRETS {
            let hidden = form_body(&format!("a=1&{name}=v"), Mask::Sentinel);
            assert_eq!(hidden, Some(format!("a=1&{name}=«redacted-secret»")));
        }
    }

    #[test]
    fn what_is_no_form_as_a_whole_stays() {
        for text in [
            "token=abc",
            "see token=abc&x=1",
            "https://h/?token=abc&x=1",
            "token=abc&x",
            "tokens=abc&x=1",
            "a && b",
            "",
        ] {
            assert_eq!(form_body(text, Mask::Shortened), None, "{text}");
        }
    }
}
