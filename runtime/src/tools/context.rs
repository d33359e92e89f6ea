//! What a tool may know about the cell that calls it and what it may reach for it.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::fs::Scope;
use crate::process::{Environment, Shell};
use crate::text::redact::Redactor;

/// Carries the calling cell's identity and grants to a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolContext {
    session: String,
    cancellation: CancellationToken,
    scope: Option<Arc<Scope>>,
    redactor: Arc<Redactor>,
    /// Made when a tool needs it, unless it was given.
    shell: OnceLock<Arc<Shell>>,
}

impl ToolContext {
    /// Makes the context of a session's cells; it grants no directory yet.
    pub fn new(session: impl Into<String>) -> Self {
        Self {
            session: session.into(),
            cancellation: CancellationToken::new(),
            scope: None,
            redactor: Arc::default(),
            shell: OnceLock::new(),
        }
    }

    /// Grants a directory to the file tools.
    #[must_use]
    pub(crate) fn with_scope(mut self, scope: Arc<Scope>) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Sets what removes secrets from texts.
    #[must_use]
    pub(crate) fn with_redactor(mut self, redactor: Arc<Redactor>) -> Self {
        self.redactor = redactor;
        self
    }

    /// Sets the shell that keeps the session's directory and variables for `terminal`.
    #[must_use]
    pub(crate) fn with_shell(mut self, shell: Arc<Shell>) -> Self {
        self.shell = OnceLock::from(shell);
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

    /// Returns the token that is cancelled when the cell ends.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Returns the absolute path of the directory granted to the script.
    pub fn workdir(&self) -> Option<&Path> {
        self.scope.as_deref().map(Scope::root)
    }

    /// Returns what removes secrets from texts.
    pub(crate) fn redactor(&self) -> &Arc<Redactor> {
        &self.redactor
    }

    /// Returns the granted directory.
    pub(super) fn scope(&self) -> Option<&Arc<Scope>> {
        self.scope.as_ref()
    }

    /// Returns the session's shell; a context without one gets its own.
    pub(super) fn shell(&self) -> &Shell {
        self.shell
            .get_or_init(|| Arc::new(Shell::new(Environment::inherited())))
    }
}
