//! Which provider searches: the one that the host names, else the first one that has a credential.
//!
//! A name that nobody has is an error, and so is a provider without its credential: nothing is searched elsewhere than where it was said.

use std::sync::Arc;

use super::credentials::{Credentials, Secret};
use super::provider::SearchProvider;
use super::providers::{Brave, Exa, Searxng, Tavily};
use crate::tools::web_options::WebOptions;

/// The built-in providers in the order in which they are tried, and what each one needs.
const BUILTIN: [(&str, &str); 4] = [
    (Tavily::NAME, "TAVILY_API_KEY"),
    (Exa::NAME, "EXA_API_KEY"),
    (Searxng::NAME, "SEARXNG_URL"),
    (Brave::NAME, "BRAVE_SEARCH_API_KEY"),
];
const NONE_CONFIGURED: &str =
    "No web search provider configured. Run `hermes tools` to set one up.";

/// Chooses the provider; the error is the message for the script.
pub(super) fn select(
    options: &WebOptions,
    credentials: &Credentials,
) -> Result<Arc<dyn SearchProvider>, String> {
    let named = [&options.search_backend, &options.backend];
    let named = named
        .into_iter()
        .flatten()
        .map(|name| name.trim())
        .find(|name| !name.is_empty());
    let Some(name) = named else {
        let mut builtin = BUILTIN
            .iter()
            .filter_map(|(name, _)| built_in(name, options, credentials));
        return builtin
            .next()
            .or_else(|| options.search_providers.first().cloned())
            .ok_or_else(|| NONE_CONFIGURED.to_owned());
    };
    let own = options
        .search_providers
        .iter()
        .find(|provider| provider.name() == name);
    if let Some(own) = own {
        return Ok(Arc::clone(own));
    }
    if let Some((_, variable)) = BUILTIN.iter().find(|(builtin, _)| *builtin == name) {
        return built_in(name, options, credentials).ok_or_else(|| {
            format!("Web search backend '{name}' is not configured: {variable} is not set.")
        });
    }
    let own = options
        .search_providers
        .iter()
        .map(|provider| provider.name());
    let known: Vec<&str> = BUILTIN.iter().map(|(name, _)| *name).chain(own).collect();
    let known = known.join(", ");
    Err(format!(
        "Unknown web search backend '{name}'. Available: {known}."
    ))
}

/// Makes a built-in provider if it has what it needs.
fn built_in(
    name: &str,
    options: &WebOptions,
    credentials: &Credentials,
) -> Option<Arc<dyn SearchProvider>> {
    let (endpoints, timeout) = (&options.search_endpoints, options.search_timeout);
    Some(match name {
        Tavily::NAME => Arc::new(Tavily::new(
            credentials.tavily.clone()?,
            endpoints.tavily.as_deref(),
            timeout,
        )),
        Exa::NAME => Arc::new(Exa::new(
            credentials.exa.clone()?,
            endpoints.exa.as_deref(),
            timeout,
        )),
        Searxng::NAME => {
            let configured = endpoints.searxng.as_deref().map(Secret::from);
            Arc::new(Searxng::new(
                configured.or_else(|| credentials.searxng.clone())?,
                timeout,
            ))
        }
        Brave::NAME => Arc::new(Brave::new(
            credentials.brave.clone()?,
            endpoints.brave.as_deref(),
            timeout,
        )),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::tools::ToolError;
    use crate::tools::web_search::SearchHit;

    #[derive(Debug)]
    struct Own(&'static str);

    #[async_trait]
    impl SearchProvider for Own {
        fn name(&self) -> &str {
            self.0
        }
        async fn search(&self, _: &str, _: usize) -> Result<Vec<SearchHit>, ToolError> {
            Ok(Vec::new())
        }
    }

    fn all() -> Credentials {
        Credentials {
            tavily: Some("k".into()),
            exa: Some("k".into()),
            searxng: Some("http://s".into()),
            brave: Some("k".into()),
        }
    }

    fn selected(options: &WebOptions, credentials: &Credentials) -> Result<String, String> {
        select(options, credentials).map(|provider| provider.name().to_owned())
    }

    #[test]
    fn without_a_name_the_first_one_with_a_credential_searches() {
        let mut options = WebOptions::default();
        let mut credentials = all();
        assert_eq!(selected(&options, &credentials).as_deref(), Ok("tavily"));
        credentials.tavily = None;
        assert_eq!(selected(&options, &credentials).as_deref(), Ok("exa"));
        credentials.exa = None;
        assert_eq!(selected(&options, &credentials).as_deref(), Ok("searxng"));
        credentials.searxng = None;
        options.search_providers = vec![Arc::new(Own("mine"))];
        assert_eq!(
            selected(&options, &credentials).as_deref(),
            Ok("brave-free")
        );
        credentials.brave = None;
        assert_eq!(selected(&options, &credentials).as_deref(), Ok("mine"));
        options.search_providers.clear();
        assert_eq!(
            selected(&options, &credentials),
            Err("No web search provider configured. Run `hermes tools` to set one up.".to_owned())
        );
    }

    #[test]
    fn a_name_decides_and_the_narrower_one_first() {
        let mut options = WebOptions {
            backend: Some("exa".to_owned()),
            ..WebOptions::default()
        };
        assert_eq!(selected(&options, &all()).as_deref(), Ok("exa"));
        options.search_backend = Some(" brave-free ".to_owned());
        assert_eq!(selected(&options, &all()).as_deref(), Ok("brave-free"));
        options.search_backend = Some(String::new());
        assert_eq!(selected(&options, &all()).as_deref(), Ok("exa"));
    }

    #[test]
    fn a_name_that_leads_nowhere_is_an_error() {
        let mut options = WebOptions {
            search_backend: Some("bing".to_owned()),
            search_providers: vec![Arc::new(Own("mine"))],
            ..WebOptions::default()
        };
        assert_eq!(
            selected(&options, &all()),
            Err("Unknown web search backend 'bing'. Available: tavily, exa, searxng, brave-free, mine.".to_owned())
        );
        options.search_backend = Some("exa".to_owned());
        assert_eq!(
            selected(&options, &Credentials::default()),
            Err("Web search backend 'exa' is not configured: EXA_API_KEY is not set.".to_owned())
        );
    }
}
