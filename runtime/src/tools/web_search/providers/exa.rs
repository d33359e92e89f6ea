//! Exa: `POST /search` with highlights, by <https://exa.ai/docs/reference/search>. It gives 100 results at most.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::rows::{client, endpoint, failed, hits};
use crate::tools::ToolError;
use crate::tools::web_search::credentials::Secret;
use crate::tools::web_search::provider::{SearchHit, SearchProvider};

const SERVICE: &str = "Exa";
const BASE: &str = "https://api.exa.ai";

/// Searches with Exa.
#[derive(Debug)]
pub(in crate::tools::web_search) struct Exa {
    key: Secret,
    base: String,
    timeout: Duration,
}

impl Exa {
    pub(in crate::tools::web_search) const NAME: &str = "exa";

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
impl SearchProvider for Exa {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError> {
        let url = endpoint(SERVICE, &self.base, "search")?;
        let body = json!({"query": query, "numResults": count, "contents": {"highlights": true}});
        let key = ("x-api-key", self.key.expose());
        let answer = client(SERVICE, self.timeout)?
            .post(url, Some(key), &body)
            .await;
        let answer = answer.map_err(|fault| failed(SERVICE, fault))?;
        Ok(hits(&answer, "/results", count, highlights))
    }
}

/// Joins the sentences that speak of the query.
fn highlights(row: &Value) -> String {
    let sentences = row.get("highlights").and_then(Value::as_array);
    let sentences: Vec<&str> = sentences
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    sentences.join(" ")
}
