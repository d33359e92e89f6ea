//! The trait that a host implements to search the web in its own way, and what a search finds.

use std::error::Error;
use std::fmt;

use async_trait::async_trait;

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
    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, SearchError>;
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

/// Says why a search failed.
#[derive(Debug)]
pub struct SearchError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl SearchError {
    /// Makes an error of a message for the script.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            source: None,
        }
    }

    /// Makes an error of a message for the script and its cause, which the script does not see.
    pub fn caused_by(
        message: impl fmt::Display,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            message: message.to_string(),
            source: Some(source.into()),
        }
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for SearchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
