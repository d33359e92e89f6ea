//! What makes two cells share a kernel.

use std::path::PathBuf;

use crate::guard::Mode;

/// The identity of a session. Two cells share state when every part is equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SessionKey {
    /// Who owns the state: the name that the caller gave.
    pub(crate) owner: String,
    pub(crate) mode: Mode,
    /// The directory that the tools are confined to.
    pub(crate) workdir: Option<PathBuf>,
    /// Names of the enabled tools, sorted: the module `hermes_tools` is made once for a kernel.
    pub(crate) tools: Vec<String>,
}
