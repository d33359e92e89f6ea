//! What a tool may know about the cell that calls it and what it may reach for it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::fs::{Grants, Scope, SeenFiles};
use crate::guard::{Approvals, Asker};
use crate::process::{Environment, Shell};
use crate::text::redact::Redactor;

use super::surrogate::LoneSurrogate;

/// Carries the calling cell's identity and grants to a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolContext {
    session: String,
    /// Where it is not the session itself.
    conversation: Option<String>,
    cancellation: CancellationToken,
    grants: Arc<Grants>,
    redactor: Arc<Redactor>,
    approvals: Arc<Approvals>,
    spill_dir: Option<PathBuf>,
    /// Made when a tool needs it, unless it was given.
    shell: OnceLock<Arc<Shell>>,
    seen_files: Arc<SeenFiles>,
    lone_surrogate: Option<LoneSurrogate>,
}

impl ToolContext {
    /// Makes the context of a session's cells; it grants no directory yet.
    pub fn new(session: impl Into<String>) -> Self {
        Self {
            session: session.into(),
            conversation: None,
            cancellation: CancellationToken::new(),
            grants: Arc::default(),
            redactor: Arc::default(),
            approvals: Arc::default(),
            spill_dir: None,
            shell: OnceLock::new(),
            seen_files: Arc::default(),
            lone_surrogate: None,
        }
    }

    /// Grants directories to the file tools.
    #[must_use]
    pub(crate) fn with_grants(mut self, grants: Arc<Grants>) -> Self {
        self.grants = grants;
        self
    }

    /// Sets the session that the cell's own one belongs to.
    #[must_use]
    pub(crate) fn with_conversation(mut self, conversation: String) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// Sets what removes secrets from texts.
    #[must_use]
    pub(crate) fn with_redactor(mut self, redactor: Arc<Redactor>) -> Self {
        self.redactor = redactor;
        self
    }

    /// Sets who is asked about what needs approval.
    #[must_use]
    pub(crate) fn with_approvals(mut self, approvals: Arc<Approvals>) -> Self {
        self.approvals = approvals;
        self
    }

    /// Sets where outputs that are too long to show are saved.
    #[must_use]
    pub(crate) fn with_spill_dir(mut self, directory: Option<PathBuf>) -> Self {
        self.spill_dir = directory;
        self
    }

    /// Sets the shell that keeps the session's directory and variables for `terminal`.
    #[must_use]
    pub(crate) fn with_shell(mut self, shell: Arc<Shell>) -> Self {
        self.shell = OnceLock::from(shell);
        self
    }

    /// Sets what remembers which files the session has read and written.
    #[must_use]
    pub(crate) fn with_seen_files(mut self, seen_files: Arc<SeenFiles>) -> Self {
        self.seen_files = seen_files;
        self
    }

    /// Tells the tool that a text among this call's arguments is no Unicode.
    #[must_use]
    pub(super) fn with_lone_surrogate(mut self, surrogate: LoneSurrogate) -> Self {
        self.lone_surrogate = Some(surrogate);
        self
    }

    /// Sets the token that ends the cell's tool calls.
    #[must_use]
    pub(crate) fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// Returns the name of the session, which is the same for all its cells.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Returns who asks where the cell's user is asked.
    pub(crate) fn asker(&self) -> Asker<'_> {
        Asker {
            session: &self.session,
            conversation: self.conversation.as_deref().unwrap_or(&self.session),
        }
    }

    /// Returns the token that is cancelled when the cell ends.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Returns the absolute path of the directory in which the script's relative paths begin.
    pub fn workdir(&self) -> Option<&Path> {
        self.grants.workdir().map(|scope| Scope::root(scope))
    }

    /// Returns what removes secrets from texts.
    pub(crate) fn redactor(&self) -> &Arc<Redactor> {
        &self.redactor
    }

    /// Returns who is asked about what needs approval.
    pub(crate) fn approvals(&self) -> &Arc<Approvals> {
        &self.approvals
    }

    /// Returns where outputs that are too long to show are saved.
    pub(super) fn spill_dir(&self) -> Option<&Path> {
        self.spill_dir.as_deref()
    }

    /// Returns what remembers which files the session has read and written.
    pub(super) fn seen_files(&self) -> &Arc<SeenFiles> {
        &self.seen_files
    }

    /// Returns the first character among the arguments that is no Unicode, of a tool that wants to know.
    pub(super) fn lone_surrogate(&self) -> Option<LoneSurrogate> {
        self.lone_surrogate
    }

    /// Returns what the file tools may reach.
    pub(super) fn grants(&self) -> &Arc<Grants> {
        &self.grants
    }

    /// Returns the session's shell; a context without one gets its own.
    pub(super) fn shell(&self) -> &Shell {
        self.shell
            .get_or_init(|| Arc::new(Shell::new(Environment::inherited())))
    }
}
