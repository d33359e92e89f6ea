//! The keys of the search providers. They come from the host's environment, and nothing shows them.

use std::env;
use std::fmt;

/// Text that is not to be shown.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(String);

impl Secret {
    /// Returns the text, for the one header that carries it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

/// Keys and addresses that the environment names.
#[derive(Debug, Clone, Default)]
pub(super) struct Credentials {
    pub(super) tavily: Option<Secret>,
    pub(super) exa: Option<Secret>,
    /// Address of an instance, which may hold a password.
    pub(super) searxng: Option<Secret>,
    pub(super) brave: Option<Secret>,
}

impl Credentials {
    /// Reads the environment.
    pub(super) fn from_environment() -> Self {
        Self::from_variables(|name| env::var(name).ok())
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let secret = |name| {
            let value = variable(name)?;
            Some(Secret::from(value.trim())).filter(|secret| !secret.expose().is_empty())
        };
        Self {
            tavily: secret("TAVILY_API_KEY"),
            exa: secret("EXA_API_KEY"),
            searxng: secret("SEARXNG_URL"),
            // The second name is the one in Brave's own examples of older days.
            brave: secret("BRAVE_SEARCH_API_KEY").or_else(|| secret("BRAVE_API_KEY")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_variables_and_are_never_shown() {
        let credentials = Credentials::from_variables(|name| match name {
            "TAVILY_API_KEY" => Some(" t ".to_owned()),
            "EXA_API_KEY" => Some("  ".to_owned()),
            "BRAVE_API_KEY" => Some("b".to_owned()),
            _ => None,
        });
        assert_eq!(credentials.tavily, Some(Secret::from("t")));
        assert_eq!(credentials.exa, None);
        assert_eq!(credentials.searxng, None);
        assert_eq!(credentials.brave, Some(Secret::from("b")));
        assert_eq!(
            format!("{credentials:?}"),
            "Credentials { tavily: Some([redacted]), exa: None, searxng: None, brave: Some([redacted]) }"
        );
        let both = Credentials::from_variables(|name| Some(name.to_owned()));
        assert_eq!(both.brave, Some(Secret::from("BRAVE_SEARCH_API_KEY")));
    }
}
