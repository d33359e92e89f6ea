//! Owns the question whether a name says that its value is a secret.
//!
//! A name is a row of words (`OPENAI_API_KEY`, `client-secret`, `accessToken`), and its last word decides: words that
//! merely contain KEY or TOKEN (`KEYBOARD`, `MAX_TOKENS`) and names of something about a secret (`TOKEN_URL`) say nothing.

/// Words that name a secret wherever a name ends with them.
const SECRET: [&str; 13] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "credentials",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authtoken",
    "accesstoken",
];
/// Words that say of a `key` that it is a secret.
const KEY_OF: [&str; 19] = [
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "signing",
    "master",
    "service",
    "account",
    "shared",
    "subscription",
    "client",
    "deploy",
    "license",
    "webhook",
    "ssh",
    "hmac",
    "rsa",
];
/// Words that say of a `KEY` that it is none, although the name of a variable is in capitals.
const HARMLESS_KEY_OF: [&str; 19] = [
    "public",
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "index",
    "map",
    "dict",
    "group",
    "order",
    "hot",
    "routing",
    "object",
    "row",
    "lookup",
    "unique",
    "registry",
    "idempotency",
];
/// Words behind the deciding one that do not change what it names.
const QUALIFIERS: [&str; 12] = [
    "base",
    "prod",
    "production",
    "dev",
    "staging",
    "test",
    "live",
    "old",
    "new",
    "primary",
    "secondary",
    "default",
];

/// Returns whether a field of this name holds a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let words = words(name);
    let deciding = words.iter().rposition(|word| !is_qualifier(word));
    let Some((last, before)) = deciding
        .and_then(|at| words.get(..=at))
        .and_then(<[String]>::split_last)
    else {
        return false;
    };
    let previous = before.last().map(String::as_str);
    let capitals = !name.bytes().any(|b| b.is_ascii_lowercase());
    match (last.as_str(), previous) {
        ("key", Some(of)) if capitals => !HARMLESS_KEY_OF.contains(&of),
        ("key", Some(of)) => KEY_OF.contains(&of),
        // Alone, `PWD` is the working directory and `PASS` a verdict.
        ("pwd" | "pass", Some(of)) => of != "old",
        ("auth" | "bearer", Some(_)) => capitals,
        // `AWS_ACCESS_KEY_ID`.
        ("id", Some("key")) => before.iter().any(|word| word == "access"),
        (word, _) => SECRET.contains(&word),
    }
}

fn is_qualifier(word: &str) -> bool {
    QUALIFIERS.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
}

/// Splits a name at `_`, `-`, `.`, spaces and humps, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    let mut rest = name.chars();
    while let Some(c) = rest.next() {
        let lower_next = rest
            .clone()
            .next()
            .is_some_and(|next| next.is_ascii_lowercase());
        // `accessToken` and `APIKey` have a hump before the last word.
        let hump = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && lower_next));
        if hump || !c.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_recognised() {
        for name in [
            "OPENAI_API_KEY",
            "STRIPE_KEY",
            "GITHUB_TOKEN",
            "DB_PASSWORD",
            "DB_PASS",
            "MYSQL_PWD",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "SECRET_KEY_BASE",
            "API_KEY_2",
            "REDIS_AUTH",
            "apiKey",
            "api_key",
            "api-key",
            "accessToken",
            "client_secret",
            "clientSecret",
            "spring.datasource.password",
            "password",
            "SSHPassphrase",
            "token",
            "X_TOKEN_OLD",
            "GOOGLE_CREDENTIALS",
            "privateKey",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in [
            "MAX_TOKENS",
            "KEYBOARD",
            "KEYBOARD_LAYOUT",
            "TOKENIZER",
            "MONKEY",
            "PWD",
            "OLD_PWD",
            "OLDPWD",
            "PASS",
            "KEY",
            "key",
            "PRIMARY_KEY",
            "sort_key",
            "SSH_AUTH_SOCK",
            "TOKEN_URL",
            "PASSWORD_FILE",
            "secret_name",
            "author",
            "AUTH",
            "public_key",
            "PUBLIC_KEY",
            "compass",
            "2",
            "",
            "auth",
            "key_id",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
