//! Owns redaction: finding secrets in text that leaves towards a model, and showing them unusably.
//!
//! It does not decide when text leaves; callers choose a [`Profile`] per kind of text. Every pass is linear in its
//! text, and text in which nothing is found comes back borrowed.

mod assignment;
mod boundary;
mod command;
mod header;
mod literal;
mod mask;
mod prefix;
mod profile;
mod prompt;
mod redactor;
mod rewrite;
mod shapes;
mod url;

pub(crate) use mask::SENTINEL_START;
pub(crate) use profile::Profile;
pub(crate) use prompt::PromptKind;
pub(crate) use redactor::Redactor;
