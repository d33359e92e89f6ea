//! The tool itself: asks the chosen provider for a round number of hits, keeps them for a while, and shows as many as were wanted.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::cache::{Hits, Key, SearchCache};
use super::credentials::Credentials;
use super::provider::SearchProvider;
use super::selection::select;
use crate::guard::python_type;
use crate::text::redact::{Profile, Redactor};
use crate::tools::arguments::{given, schema_of, whole_number};
use crate::tools::web_options::WebOptions;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

const DEFAULT_LIMIT: usize = 5;
/// Numbers of hits that providers are asked for.
const BUCKETS: [usize; 4] = [10, 20, 50, 100];
const MAX_LIMIT: usize = 100;
/// Longest query, in characters; providers take less.
const MAX_QUERY_CHARS: usize = 4_000;
const PROFILE: Profile = Profile::Terminal { dump: false };

/// Searches the web for scripts.
#[derive(Debug)]
pub(in crate::tools) struct WebSearch {
    provider: Result<Arc<dyn SearchProvider>, String>,
    cache: SearchCache,
}

impl WebSearch {
    /// Makes the tool with the keys that are in the environment.
    pub(in crate::tools) fn new(options: &WebOptions) -> Self {
        Self::with(options, &Credentials::from_environment())
    }

    fn with(options: &WebOptions, credentials: &Credentials) -> Self {
        Self {
            provider: select(options, credentials),
            cache: SearchCache::new(options.search_cache_ttl),
        }
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Hits, String> {
        let provider = self.provider.as_ref().map_err(Clone::clone)?;
        let count = BUCKETS
            .into_iter()
            .find(|bucket| *bucket >= limit)
            .unwrap_or(MAX_LIMIT);
        let key = Key {
            provider: provider.name().to_owned(),
            query: query.to_owned(),
            count,
        };
        let search = provider.search(query, count);
        let found = self.cache.get_or_search(key, search).await;
        found.map_err(|error| format!("Error searching web: {error}"))
    }
}

#[async_trait]
impl Tool for WebSearch {
    fn name(&self) -> &'static str {
        "web_search"
    }

    fn description(&self) -> &'static str {
        "Searches the web and returns a dict whose 'data' has the hits in 'web', each with title, url, description and position. The search service sees the query."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let query = parse_query(&arguments)?;
        let limit = parse_limit(given(&arguments, "limit"));
        match self.search(query, limit).await {
            Ok(hits) => ToolReply::pretty(&Found::of(&hits, limit, context.redactor())),
            Err(error) => ToolReply::pretty(&Failed {
                success: false,
                error: context.redactor().redact(&error, PROFILE).into_owned(),
            }),
        }
    }
}

fn parse_query(arguments: &Map<String, Value>) -> Result<&str, ToolError> {
    let query = match given(arguments, "query") {
        Some(Value::String(query)) => query.trim(),
        None => {
            return Err(ToolError::new(
                "web_search: missing required field 'query'.",
            ));
        }
        Some(other) => {
            let got = python_type(other);
            return Err(ToolError::new(format_args!(
                "web_search: 'query' must be a string, got {got}."
            )));
        }
    };
    if query.is_empty() {
        return Err(ToolError::new("web_search: 'query' must not be empty."));
    }
    if query.chars().nth(MAX_QUERY_CHARS).is_some() {
        return Err(ToolError::new(format_args!(
            "web_search: 'query' must have at most {MAX_QUERY_CHARS} characters."
        )));
    }
    Ok(query)
}

fn parse_limit(value: Option<&Value>) -> usize {
    let limit = whole_number(value).map(|limit| usize::try_from(limit).unwrap_or(1));
    limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)
}

/// Arguments of `web_search`.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "the struct is the signature; values are checked one by one"
)]
struct Arguments {
    /// What to search for.
    query: String,
    /// Number of hits, from 1 to 100.
    #[schemars(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

/// The answer of a search, in the contract's order of keys.
#[derive(Debug, Serialize)]
struct Found {
    success: bool,
    data: Data,
}

#[derive(Debug, Serialize)]
struct Data {
    web: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    title: String,
    url: String,
    description: String,
    position: usize,
}

/// The answer of a search that failed.
#[derive(Debug, Serialize)]
struct Failed {
    success: bool,
    error: String,
}

impl Found {
    fn of(hits: &Hits, limit: usize, redactor: &Redactor) -> Self {
        let clean = |text: &str| redactor.redact(text, PROFILE).into_owned();
        let rows = hits.iter().take(limit).enumerate().map(|(index, hit)| Row {
            title: clean(&hit.title),
            url: clean(&hit.url),
            description: clean(&hit.description),
            position: index + 1,
        });
        Self {
            success: true,
            data: Data {
                web: rows.collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests;
