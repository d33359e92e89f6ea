//! The door to the host's processes: shell commands that run outside the sandbox, in a state kept per session.
//!
//! Nothing in the runtime starts a process for a script except through a [`Shell`], or as the kernel of a project session. Which commands are refused and
//! what an exit code means is not known here.

mod environment;
mod inheritance;
mod launcher;
mod private;
mod shell;
mod state;
mod sweep;
#[cfg(unix)]
mod tag;
mod tree;
mod wrapper;

pub(crate) use environment::{Environment, WINDOWS_ESSENTIALS};
pub(crate) use inheritance::plain_start;
#[cfg(unix)]
pub(crate) use inheritance::start_with_descriptors;
#[cfg(unix)]
pub(crate) use private::SOCKET;
pub(crate) use private::{KERNEL_PREFIX, PrivateDirectory, temporary_file};
pub(crate) use shell::{Ending, Finished, Run, Shell, ShellFault};
pub(crate) use sweep::sweep;
pub(crate) use tree::Tree;
#[cfg(unix)]
pub(crate) use tree::Watched;
