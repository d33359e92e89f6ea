//! The list of guards in its order, and the one way to ask them.

use std::path::PathBuf;

use thiserror::Error;

use super::instructions::Instructions;
use super::{Target, approval, display_text, documents, system};
use crate::fs::{Homes, WriteDenials};
use crate::tools::{FileOptions, ToolContext};

/// A guard that needs nobody's answer: says why a file is not to be written.
type Guard = fn(&Homes, &Target) -> Option<String>;

/// The guards that are asked before any that ask a human, in this order.
const GUARDS: [Guard; 3] = [system::sensitive, system::hermes_config, documents::binary];

/// Decides which files of its grants a script may change.
#[derive(Debug, Clone)]
pub(in crate::tools) struct WriteGuards {
    homes: Homes,
    denials: WriteDenials,
    /// Nothing where they are not protected.
    instructions: Option<Instructions>,
}

/// Says why a file is not to be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(in crate::tools) enum WriteRefusal {
    /// The whole call is refused, before the tool has begun.
    #[error("{0}")]
    Guarded(String),
    /// The write is denied; the tool answers in its own shape.
    #[error("{0}")]
    Denied(String),
}

impl WriteGuards {
    /// Makes the guards of this process's user.
    pub(in crate::tools) fn new(options: &FileOptions) -> Self {
        let homes = Homes::from_environment();
        Self {
            denials: WriteDenials::from_environment(homes.clone()),
            homes,
            instructions: options
                .protect_instruction_files
                .then(|| Instructions::new(&options.protected_instruction_patterns)),
        }
    }

    /// Denies changes of these files as well.
    pub(in crate::tools) fn keep(&mut self, files: &[PathBuf]) {
        self.denials.keep(files);
    }

    /// Makes the guards of a user of a test.
    #[cfg(test)]
    pub(in crate::tools) fn of(homes: Homes, denials: WriteDenials) -> Self {
        Self {
            homes,
            denials,
            instructions: Some(Instructions::new(&[])),
        }
    }

    /// Asks every guard about files that are going to be written together; `text` is what will be in them, as far as it
    /// is known already.
    ///
    /// The user may be asked, once for all files of a kind. Nothing was written when this fails.
    pub(in crate::tools) async fn check(
        &self,
        targets: &[&Target],
        text: Option<&str>,
        context: &ToolContext,
    ) -> Result<(), WriteRefusal> {
        for target in targets {
            if let Some(refusal) = GUARDS.iter().find_map(|guard| guard(&self.homes, target)) {
                return Err(WriteRefusal::Guarded(refusal));
            }
        }
        if let Some(instructions) = &self.instructions {
            approval::instructions(instructions, &self.homes, targets, context)
                .await
                .map_err(WriteRefusal::Guarded)?;
        }
        approval::ssh_config(&self.homes, targets, context)
            .await
            .map_err(WriteRefusal::Guarded)?;
        if let Some(text) = text {
            Self::check_text(text)?;
        }
        for target in targets {
            let reason = self
                .denials
                .reason(target.shown(), target.others(), target.changed());
            if let Some(reason) = reason {
                return Err(WriteRefusal::Denied(reason));
            }
        }
        Ok(())
    }

    /// Asks the guard of the text alone, for a tool that makes the text after it has asked about the files.
    pub(in crate::tools) fn check_text(text: &str) -> Result<(), WriteRefusal> {
        display_text::check(text).map_or(Ok(()), |refusal| Err(WriteRefusal::Guarded(refusal)))
    }
}

#[cfg(test)]
mod tests;
