//! The runtime: what a host builds once and runs requests with.

mod activity;
mod artifact_report;
mod builder;
mod configured;
mod engines;
mod error;
mod execute;
mod plan;

pub use activity::Activity;
pub use artifact_report::ArtifactReport;
pub use builder::RuntimeBuilder;
pub use error::RuntimeError;
pub use execute::Runtime;
