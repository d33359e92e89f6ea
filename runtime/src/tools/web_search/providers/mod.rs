//! The search services that are built in, each by its documented API.

mod brave;
mod exa;
mod rows;
mod searxng;
mod tavily;

pub(super) use brave::Brave;
pub(super) use exa::Exa;
pub(super) use searxng::Searxng;
pub(super) use tavily::Tavily;
