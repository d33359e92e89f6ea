//! What a host can set about the web tools. A script can set none of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::web_search::SearchProvider;
use crate::config;
use crate::net::{AddressPolicy, Blocklist, FetchLimits, IpRange};

const ALLOW_PRIVATE_ENV: &str = "HERMES_ALLOW_PRIVATE_URLS";

/// Settings of `web_extract` and `web_search`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WebOptions {
    /// Name of the search provider where [`search_backend`](Self::search_backend) names none (`web.backend`).
    pub backend: Option<String>,
    /// Name of the search provider (`web.search_backend`): `tavily`, `exa`, `searxng`, `brave-free`, or one of
    /// [`search_providers`](Self::search_providers). Without a name the first one of these that has a credential in the environment.
    pub search_backend: Option<String>,
    /// Name of what fetches pages (`web.extract_backend`); there is only `http`.
    pub extract_backend: Option<String>,
    /// The host's own search providers; one takes the place of a built-in one of the same name.
    pub search_providers: Vec<Arc<dyn SearchProvider>>,
    /// Where the built-in search providers are.
    pub search_endpoints: SearchEndpoints,
    /// Time limit of one search; 30 s.
    pub search_timeout: Duration,
    /// How long the results of a search are kept (`web.cache_ttl_minutes`); 20 minutes. Zero keeps none.
    pub search_cache_ttl: Duration,
    /// Longest shown content of a page in characters, where a call names none (`web.extract_char_limit`); 15,000.
    pub extract_char_limit: usize,
    /// Time limit of one page, from the look-up of its name to its text (`web.extract_timeout`); 120 s.
    pub extract_timeout: Duration,
    /// Time until a server has to answer a request; 30 s.
    pub first_byte_timeout: Duration,
    /// Largest page in bytes, counted on the wire and again unpacked; 8 MiB.
    pub max_page_bytes: usize,
    /// Lets pages be fetched from loopback and private networks (`security.allow_private_urls`). Unless it is set, the environment's
    /// `HERMES_ALLOW_PRIVATE_URLS` decides, by `true`, `1` or `yes`; off. Addresses that give out a machine's credentials stay blocked.
    pub allow_private_urls: Option<bool>,
    /// Ranges such as `198.18.0.0/15` from which a proxy of the host answers for names of the internet (`security.fake_ip_ranges`). They
    /// excuse reserved addresses, never loopback, private, shared or link-local ones. A text that is no range is told in the log.
    pub fake_ip_ranges: Vec<String>,
    /// Websites that are not visited (`security.website_blocklist`).
    pub website_blocklist: WebsiteBlocklist,
    /// Directory for the full text of long pages; `$HERMES_HOME/cache/web`, else `~/.hermes/cache/web`. `None` stores nothing.
    pub cache_dir: Option<PathBuf>,
}

/// Where the built-in search providers are; the service's own address unless it is set.
///
/// What is set is trusted: it gets the provider's key, and may be a private address.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SearchEndpoints {
    /// Base URL of Tavily; `https://api.tavily.com`.
    pub tavily: Option<String>,
    /// Base URL of Exa; `https://api.exa.ai`.
    pub exa: Option<String>,
    /// Base URL of a `SearXNG` instance; the environment's `SEARXNG_URL`.
    pub searxng: Option<String>,
    /// Base URL of Brave Search; `https://api.search.brave.com`.
    pub brave: Option<String>,
}

/// Websites that are not visited.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WebsiteBlocklist {
    /// Whether the list is used; off.
    pub enabled: bool,
    /// Domains: `example.com` is for itself and what is below it, `*.example.com` for what is below it only.
    pub domains: Vec<String>,
    /// Files with one domain a line, and comments behind `#`; read again every 30 s. One that cannot be read is told in the log.
    pub shared_files: Vec<PathBuf>,
}

impl Default for WebOptions {
    fn default() -> Self {
        Self {
            backend: None,
            search_backend: None,
            extract_backend: None,
            search_providers: Vec::new(),
            search_endpoints: SearchEndpoints::default(),
            search_timeout: Duration::from_secs(30),
            search_cache_ttl: Duration::from_mins(20),
            extract_char_limit: 15_000,
            extract_timeout: Duration::from_mins(2),
            first_byte_timeout: Duration::from_secs(30),
            max_page_bytes: 8 << 20,
            allow_private_urls: None,
            fake_ip_ranges: Vec::new(),
            website_blocklist: WebsiteBlocklist::default(),
            cache_dir: config::web_cache_directory(),
        }
    }
}

impl WebOptions {
    /// Returns which addresses may be dialled; reads the environment.
    pub(super) fn address_policy(&self) -> AddressPolicy {
        let variable = std::env::var(ALLOW_PRIVATE_ENV).ok();
        let allow_private = allows_private(self.allow_private_urls, variable.as_deref());
        let ranges = self
            .fake_ip_ranges
            .iter()
            .filter_map(|text| match text.parse::<IpRange>() {
                Ok(range) => Some(range),
                Err(error) => {
                    tracing::warn!("fake_ip_ranges: {error}");
                    None
                }
            });
        AddressPolicy::new(allow_private, ranges.collect())
    }

    pub(super) fn blocklist(&self) -> Blocklist {
        let list = self.website_blocklist.clone();
        Blocklist::new(list.enabled, list.domains, list.shared_files)
    }

    pub(super) fn fetch_limits(&self) -> FetchLimits {
        FetchLimits {
            body_bytes: self.max_page_bytes,
            first_byte: self.first_byte_timeout,
        }
    }
}

/// Decides by the configuration, and where it says nothing by the environment.
fn allows_private(configured: Option<bool>, variable: Option<&str>) -> bool {
    configured.unwrap_or_else(|| {
        let value = variable.unwrap_or_default().trim().to_ascii_lowercase();
        matches!(value.as_str(), "true" | "1" | "yes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_allowed_by_explicit_words_only() {
        let rows = [
            (None, None, false),
            (None, Some("true"), true),
            (None, Some(" YES "), true),
            (None, Some("1"), true),
            (None, Some("on"), false),
            (None, Some(""), false),
            (None, Some("0"), false),
            (Some(false), Some("true"), false),
            (Some(true), None, true),
        ];
        for (configured, variable, expected) in rows {
            assert_eq!(
                allows_private(configured, variable),
                expected,
                "{configured:?} {variable:?}"
            );
        }
    }
}
