//! Asking the host's user before something dangerous is done, and remembering what was answered.
//!
//! What is asked for is not known here: a tool or a guard describes it. Without an [`Approver`] nothing that needs
//! approval is done: the runtime never takes silence for consent.

mod approver;
mod memory;

pub use approver::{Approval, ApprovalRequest, ApprovalSubject, Approver};
pub(crate) use memory::{Approvals, Consent};
