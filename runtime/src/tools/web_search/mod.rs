//! Searches of the web, for scripts: one tool over providers that a host can add to.

mod cache;
mod credentials;
mod provider;
mod providers;
mod selection;
mod tool;

pub use provider::{SearchHit, SearchProvider};
pub(super) use tool::WebSearch;
