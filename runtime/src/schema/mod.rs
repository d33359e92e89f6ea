//! The tool `execute_code` as a model is told of it: its JSON schema and the words in it.

mod description;
mod request;
mod signature;

pub use request::{SchemaRequest, execute_code_schema};
