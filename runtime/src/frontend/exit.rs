//! The exit codes of the program, which scripts rely on like on any other interface.
//!
//! It owns which ending has which number. Whatever ends the program goes through [`Exit`].

use std::process::ExitCode;

use hermes_runtime::{EngineError, KernelError, RuntimeError, Status};

use crate::failure::Failure;

/// The script ran to its end or asked to exit, or the command did what it was to do.
const SUCCESS: u8 = 0;
/// The script raised, used up its fuel, or its sandbox was lost.
const SCRIPT_ERROR: u8 = 1;
/// The command line is wrong: nothing was run.
const USAGE: u8 = 2;
/// The call was refused: nothing was run.
const REFUSED: u8 = 3;
/// The wall clock ran out, as with `timeout(1)`.
const TIMEOUT: u8 = 124;
/// The runtime itself failed: no artifact, a damaged one, no memory for a sandbox.
const RUNTIME_FAULT: u8 = 125;
/// A signal (SIGINT or SIGTERM) ended the run, as a shell reports it for SIGINT.
const INTERRUPTED: u8 = 130;

/// The exit codes, as the help shows them.
pub(crate) const HELP: &str = "\
Exit codes:
  0    success
  1    the script failed
  2    wrong usage
  3    the call was refused
  124  the script ran out of time
  125  the runtime failed
  130  interrupted by SIGINT or SIGTERM";

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success,
    ScriptError,
    Usage,
    Refused,
    Timeout,
    RuntimeFault,
    Interrupted,
}

impl Exit {
    /// Returns the number that the caller of the program sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => SUCCESS,
            Self::ScriptError => SCRIPT_ERROR,
            Self::Usage => USAGE,
            Self::Refused => REFUSED,
            Self::Timeout => TIMEOUT,
            Self::RuntimeFault => RUNTIME_FAULT,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::Success,
            Status::Timeout => Self::Timeout,
            Status::Interrupted => Self::Interrupted,
            _ => Self::ScriptError,
        }
    }
}

impl From<&RuntimeError> for Exit {
    fn from(error: &RuntimeError) -> Self {
        match error {
            // No runtime can be made that keeps such a limit, so nothing has failed.
            RuntimeError::Engine(EngineError::MemoryLimit { .. })
            | RuntimeError::Kernel(KernelError::MemoryLimit { .. }) => Self::Usage,
            error if error.is_refusal() => Self::Refused,
            _ => Self::RuntimeFault,
        }
    }
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::Source(_) | Failure::UnknownTools { .. } | Failure::FuelInProject => {
                Self::Usage
            }
            Failure::Runtime(error) => error.into(),
            Failure::System { .. } => Self::RuntimeFault,
        }
    }
}

impl From<&clap::Error> for Exit {
    fn from(error: &clap::Error) -> Self {
        // A request for help is an error to the parser, and none to the user.
        if error.use_stderr() {
            Self::Usage
        } else {
            Self::Success
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use hermes_runtime::Refusal;

    use super::*;

    #[test]
    fn each_status_of_a_script_has_its_code() {
        for (status, code) in [
            (Status::Success, 0),
            (Status::Error, 1),
            (Status::Timeout, 124),
            (Status::Interrupted, 130),
        ] {
            assert_eq!(Exit::from(status).code(), code, "{status:?}");
        }
    }

    #[test]
    fn a_refused_call_is_not_a_fault_of_the_runtime() {
        let no_code = RuntimeError::from(Refusal::NoCode);
        assert_eq!(Exit::from(&no_code).code(), 3);
        assert_eq!(
            Exit::from(&RuntimeError::ModeUnavailable("project")).code(),
            3
        );
    }

    #[test]
    fn a_failing_system_is_a_fault_and_an_unknown_tool_is_wrong_usage() {
        let source = io::Error::from(io::ErrorKind::StorageFull);
        let failure = Failure::System {
            action: "write the output",
            source,
        };
        assert_eq!(Exit::from(&failure).code(), 125);
        let failure = Failure::UnknownTools {
            unknown: Vec::new(),
            known: Vec::new(),
        };
        assert_eq!(Exit::from(&failure).code(), 2);
    }

    #[test]
    fn the_help_names_every_code() {
        for exit in [
            Exit::Success,
            Exit::ScriptError,
            Exit::Usage,
            Exit::Refused,
            Exit::Timeout,
            Exit::RuntimeFault,
            Exit::Interrupted,
        ] {
            assert!(
                HELP.contains(&format!("\n  {:<5}", exit.code())),
                "{exit:?}"
            );
        }
    }
}
