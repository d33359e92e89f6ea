//! What makes two cells share a kernel.

use std::path::PathBuf;

use crate::guard::Mode;

/// The identity of a session. Two cells share state when every part is equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SessionKey {
    /// Who owns the state: the name that the caller gave.
    pub(crate) owner: String,
    pub(crate) mode: Mode,
    /// The directory that the tools are confined to, or in which a child process runs.
    pub(crate) workdir: Option<PathBuf>,
    /// The program of a child process.
    pub(crate) interpreter: Option<PathBuf>,
    /// Names of the enabled tools, sorted: the module `hermes_tools` is made once for a kernel.
    pub(crate) tools: Vec<String>,
    /// Whether it belongs to a delegated child: then it is not evicted for others, and whoever made it disposes of it.
    pub(crate) is_pinned: bool,
}

/// Stands between the name of a session and that of a child to which it delegated work.
const CHILD: &str = "::child::";

/// Returns the owner of a delegated child's state: never that of its parent, nor of another child.
pub(crate) fn child_owner(parent: &str, child: &str) -> String {
    format!("{parent}{CHILD}{child}")
}

impl SessionKey {
    /// Returns whether the session is that of `owner`, or of a child of it.
    pub(super) fn belongs_to(&self, owner: &str) -> bool {
        is_of(&self.owner, owner)
    }
}

/// Returns whether the name of a session is `owner`, or that of a child of it.
pub(crate) fn is_of(session: &str, owner: &str) -> bool {
    session
        .strip_prefix(owner)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(CHILD))
}
