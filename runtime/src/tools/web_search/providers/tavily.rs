//! Tavily: `POST /search`, by <https://docs.tavily.com/documentation/api-reference/endpoint/search>. It gives 20 results at most.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;

use super::rows::{client, endpoint, failed, hits, text};
use crate::tools::ToolError;
use crate::tools::web_search::credentials::Secret;
use crate::tools::web_search::provider::{SearchHit, SearchProvider};

const SERVICE: &str = "Tavily";
const BASE: &str = "https://api.tavily.com";
const MAX_COUNT: usize = 20;

/// Searches with Tavily.
#[derive(Debug)]
pub(in crate::tools::web_search) struct Tavily {
    key: Secret,
    base: String,
    timeout: Duration,
}

impl Tavily {
    pub(in crate::tools::web_search) const NAME: &str = "tavily";

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
impl SearchProvider for Tavily {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError> {
        let url = endpoint(SERVICE, &self.base, "search")?;
        let key = format!("Bearer {}", self.key.expose());
        let body = json!({"query": query, "max_results": count.min(MAX_COUNT)});
        let answer = client(SERVICE, self.timeout)?
            .post(url, Some(("authorization", &key)), &body)
            .await;
        let answer = answer.map_err(|fault| failed(SERVICE, fault))?;
        Ok(hits(&answer, "/results", count, |row| text(row, "content")))
    }
}
