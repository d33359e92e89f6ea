//! The module inside the sandbox: CPython, linked statically, with an in-memory file system and a few doors to the host.
//!
//! The host calls [`interpreter`]'s `hermes_init` once, before the snapshot, and `hermes_run` for each cell afterwards. Beyond five
//! functions of WASI (clocks, random bytes, sleep, exit) the module imports only what [`host`] declares. File functions of WASI are
//! defined here, in [`fs`]: the linker then finds no need to import them.

pub mod fs;

#[cfg(target_os = "wasi")]
mod compaction;
#[cfg(target_os = "wasi")]
mod host;
#[cfg(target_os = "wasi")]
mod immortal;
#[cfg(target_os = "wasi")]
mod interpreter;
#[cfg(target_os = "wasi")]
mod kdf;
#[cfg(target_os = "wasi")]
mod memory;
#[cfg(target_os = "wasi")]
mod module;
#[cfg(target_os = "wasi")]
mod stdio;
