//! Brave Search: `GET /res/v1/web/search`, by <https://api-dashboard.search.brave.com/api-reference/web/search/get>.
//!
//! One request gives 20 results at most. Further pages are requests of their own, which are billed: they are not asked for.

use std::time::Duration;

use async_trait::async_trait;

use super::rows::{client, endpoint, failed, hits, text};
use crate::tools::ToolError;
use crate::tools::web_search::credentials::Secret;
use crate::tools::web_search::provider::{SearchHit, SearchProvider};

const SERVICE: &str = "Brave Search";
const BASE: &str = "https://api.search.brave.com";
const MAX_COUNT: usize = 20;

/// Searches with Brave.
#[derive(Debug)]
pub(in crate::tools::web_search) struct Brave {
    key: Secret,
    base: String,
    timeout: Duration,
}

impl Brave {
    pub(in crate::tools::web_search) const NAME: &str = "brave-free";

    pub(in crate::tools::web_search) fn new(
        key: Secret,
        base: Option<&str>,
        timeout: Duration,
    ) -> Self {
        let base = base.unwrap_or(BASE).to_owned();
        Self { key, base, timeout }
    }
}

#[async_trait]
impl SearchProvider for Brave {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError> {
        let mut url = endpoint(SERVICE, &self.base, "res/v1/web/search")?;
        url.query_pairs_mut()
            .append_pair("q", query)
            .append_pair("count", &count.min(MAX_COUNT).to_string());
        let key = ("x-subscription-token", self.key.expose());
        let answer = client(SERVICE, self.timeout)?.get(url, Some(key)).await;
        let answer = answer.map_err(|fault| failed(SERVICE, fault))?;
        Ok(hits(&answer, "/web/results", count, |row| {
            text(row, "description")
        }))
    }
}
