//! The strict engine: CPython in a WebAssembly module, run by wasmtime.
//!
//! The module is one core module with a handful of imports ([`imports`]). It sees no file, no environment and no network of the host;
//! whatever it is granted passes through a tool call. What a cell may take is bounded from outside: time by dropping the future that
//! runs it, memory by [`limits`], the stack and output by constants of [`settings`] and [`state`].

mod artifact;
mod compiled;
mod engine;
mod imports;
mod kernel;
mod limits;
mod settings;
mod state;
mod ticker;

pub use artifact::{Artifact, ArtifactError, GUEST_INTERFACE, Manifest};
pub use compiled::CacheError;
pub use settings::Metering;
pub(crate) use settings::Slots;

pub use engine::EngineError;
pub(crate) use engine::{WasmEngine, WasmOptions, compiled_path, rebuild};
pub(crate) use kernel::WasmKernel;
