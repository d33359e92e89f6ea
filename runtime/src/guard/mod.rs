//! The checks that a call passes before anything of it runs.
//!
//! This room owns the order of the checks and the words of each refusal. It looks at the call and at what the host says about itself, starts
//! nothing, and knows no envelope. Whom to ask where the user's word is needed is here too. What it refuses has had no effect.

mod approval;
mod argument;
mod command;
mod context;
mod host;
mod lifecycle;
mod mode;
mod options;
mod order;
mod python_type;
mod refusal;

pub use approval::{
    Approval, ApprovalRequest, ApprovalSubject, Approver, Assessment, Guardian, NotApproved,
};
pub use context::{Audience, ExecutionContext};
pub use host::{Confinement, Gateway, HostPolicy};
pub use mode::Mode;
pub use options::{ApprovalMode, GuardOptions, Unattended};
pub use refusal::Refusal;

pub(crate) use approval::{ApprovalGuard, Approvals, Asker, Consent, for_eyes};
pub(crate) use argument::Arguments;
pub use argument::timeout_from_seconds;
pub(crate) use command::{CommandLine, DenyPatterns, MAX_COMMAND_BYTES, Program, Verdict, judge};
pub(crate) use order::{Blocked, Candidate, Guards};
pub(crate) use python_type::python_type;
