//! The file system of the sandbox, held entirely in its own linear memory.
//!
//! wasi-libc reaches it through the C symbols in `abi`, which take the place of the host's file imports, so that no
//! path and no descriptor of the host is visible inside. It does not own the terminal: output goes to [`Stdio`].
//! Invariant: everything outside `/tmp` and `/scratch` stays as it was mounted.

#[cfg(target_os = "wasi")]
mod abi;
mod content;
mod descriptor;
#[cfg(all(test, target_os = "linux"))]
mod differential;
mod directory;
#[cfg(any(test, target_os = "wasi"))]
mod environment;
mod errno;
mod filesystem;
mod listing;
mod metadata;
mod names;
mod open;
mod path;
mod transfer;
mod tree;

#[cfg(target_os = "wasi")]
pub use abi::{set_stdio, with_file_system};
pub use descriptor::{Access, DescriptorFlags};
pub use errno::Errno;
pub use filesystem::FileSystem;
pub use metadata::{DescriptorStatus, FileType, Stat, TimeUpdate, Times};
pub use open::{OpenFlags, OpenOptions};
pub use transfer::Whence;

/// Receives what the script writes to its standard output and standard error.
pub trait Stdio {
    /// Takes all of `bytes`, written to descriptor 1 (output) or 2 (error).
    fn write(&mut self, fd: u32, bytes: &[u8]);
}
