//! The checks that a call passes before anything of it runs.
//!
//! This room owns the order of the checks and the words of each refusal. It looks at the call alone: it starts
//! nothing, reads no file and knows no envelope. Whom to ask where the user's word is needed is here too. What it refuses has had no effect.

mod approval;
mod argument;
mod command;
mod mode;
mod order;
mod python_type;
mod refusal;

pub use approval::{Approval, ApprovalRequest, ApprovalSubject, Approver};
pub use mode::Mode;
pub use refusal::Refusal;

pub(crate) use approval::{Approvals, Consent};
pub(crate) use argument::Arguments;
pub use argument::timeout_from_seconds;
pub(crate) use command::{CommandLine, DenyPatterns, MAX_COMMAND_BYTES, Program, Verdict, judge};
pub(crate) use order::{Candidate, check};
pub(crate) use python_type::python_type;
