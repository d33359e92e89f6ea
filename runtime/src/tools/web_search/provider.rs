//! The trait that a host implements to search the web in its own way, and what a search finds.

use std::fmt;

use async_trait::async_trait;

use crate::tools::ToolError;

/// Searches the web for `web_search`.
#[async_trait]
pub trait SearchProvider: Send + Sync + fmt::Debug {
    /// Returns the name by which a configuration chooses the provider.
    fn name(&self) -> &str;

    /// Returns at most about `count` hits, the best first; `count` is 10, 20, 50 or 100.
    ///
    /// The future is dropped when the cell ends.
    ///
    /// # Errors
    /// An error reaches the script as the text behind `Error searching web: `, without secrets that have a known shape.
    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError>;
}

/// A page that a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchHit {
    /// Title of the page.
    pub title: String,
    /// Address of the page.
    pub url: String,
    /// What the page says about the query.
    pub description: String,
}
