//! Runs Python that a model wrote, and gives back one JSON result.
//!
//! A script calls the host's tools through `from hermes_tools import …`; only what it printed returns. It runs in strict mode: CPython,
//! compiled to WebAssembly, in a fresh sandbox that sees no file, environment or network of the host.
//!
//! ```
//! use hermes_runtime::{Request, Runtime};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), hermes_runtime::RuntimeError> {
//! # let artifact = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/artifact");
//! let runtime = Runtime::builder()
//!     .workdir(".")
//! #     .artifact_dir(artifact)
//!     .build()?;
//! let outcome = runtime.execute(Request::new("print(sum(range(10)))")).await?;
//! assert_eq!(outcome.output, "45\n");
//! # Ok(())
//! # }
//! ```
//!
//! It works on any tokio runtime whose clock is enabled (`enable_time`); `terminal` and the web tools need its I/O too (`enable_io`).
//!
//! Code that fails is a result: its [`Outcome`] has the status and the traceback. An `Err` means that the call was refused or that the
//! runtime itself failed. Every default is safe: no directory is granted, `terminal` is off, and each limit has a value
//! (see [`RuntimeBuilder`]).

mod config;
mod contract;
mod engine;
mod fs;
mod guard;
mod net;
mod process;
mod request;
mod runtime;
mod schema;
mod session;
mod system;
mod text;
mod tools;

pub use config::{ByteSize, Config, EffectiveSetting, Origin};
pub use contract::{ExitStatus, KernelInfo, Outcome, Status, StdoutInfo, ToolFailure, Usage};
pub use engine::native::{HomeMode, KernelError, ProjectOptions};
pub use engine::wasm::{
    Artifact, ArtifactError, CacheError, EngineError, GUEST_INTERFACE, Manifest, Metering,
};
pub use fs::ScopeError;
pub use guard::{
    Approval, ApprovalMode, ApprovalRequest, ApprovalSubject, Approver, Assessment, Audience,
    Confinement, ExecutionContext, Gateway, GuardOptions, Guardian, HostPolicy, Mode, NotApproved,
    Refusal, Unattended, timeout_from_seconds,
};
pub use request::{InterruptHandle, Request};
pub use runtime::{Activity, ArtifactReport, Runtime, RuntimeBuilder, RuntimeError};
pub use schema::{SchemaRequest, execute_code_schema};
pub use tools::{
    FileOptions, SearchEndpoints, SearchHit, SearchProvider, TerminalOptions, Tool, ToolContext,
    ToolError, ToolOptions, ToolReply, ToolSetError, WebOptions, WebsiteBlocklist,
};

/// Version of wasmtime that this library was built with.
pub const WASMTIME_VERSION: &str = wasmtime_environ::VERSION;
