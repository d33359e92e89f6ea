//! `SearXNG`, an instance of the user's choice: `GET /search?format=json`, by <https://docs.searxng.org/dev/search_api.html>.
//!
//! The instance must allow the format `json`; one that does not answers 403. How many results a page has is the instance's affair.

use std::time::Duration;

use async_trait::async_trait;

use super::rows::{client, endpoint, failed, hits, text};
use crate::tools::ToolError;
use crate::tools::web_search::credentials::Secret;
use crate::tools::web_search::provider::{SearchHit, SearchProvider};

const SERVICE: &str = "SearXNG";

/// Searches with an instance of `SearXNG`.
#[derive(Debug)]
pub(in crate::tools::web_search) struct Searxng {
    base: Secret,
    timeout: Duration,
}

impl Searxng {
    pub(in crate::tools::web_search) const NAME: &str = "searxng";

    pub(in crate::tools::web_search) fn new(base: Secret, timeout: Duration) -> Self {
        Self { base, timeout }
    }
}

#[async_trait]
impl SearchProvider for Searxng {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError> {
        let mut url = endpoint(SERVICE, self.base.expose(), "search")?;
        url.query_pairs_mut()
            .append_pair("q", query)
            .append_pair("format", "json")
            .append_pair("pageno", "1");
        let answer = client(SERVICE, self.timeout)?.get(url, None).await;
        let answer = answer.map_err(|fault| failed(SERVICE, fault))?;
        Ok(hits(&answer, "/results", count, |row| text(row, "content")))
    }
}
