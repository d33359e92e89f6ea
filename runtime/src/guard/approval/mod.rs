//! Asking the host's user before something dangerous is done, and remembering what was answered.
//!
//! Whether a script needs the user's word is decided here; what else is asked for is described by the tool that wants it. Without an
//! [`Approver`] nothing that needs approval is done: the runtime never takes silence for consent.

mod approver;
mod breaker;
mod guard;
mod guardian;
mod memory;
mod not_approved;
mod policy;
mod prompt;
mod turns;

pub(crate) use approver::Asker;
pub use approver::{Approval, ApprovalRequest, ApprovalSubject, Approver};
pub(crate) use guard::ApprovalGuard;
pub use guardian::{Assessment, Guardian};
pub(crate) use memory::{Approvals, Consent};
pub use not_approved::NotApproved;
pub(crate) use prompt::for_eyes;
