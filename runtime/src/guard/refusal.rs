//! Why a call was refused, in the words that the caller reads.
//!
//! One variant per reason; the display form is the whole message. It may quote a few characters of the input, never
//! all of it.

use std::time::Duration;

use thiserror::Error;

/// Tells why a call was refused before it ran.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The arguments are not a JSON object.
    #[error(
        "execute_code received {received} instead of named arguments, but it requires an object. \
         Retry as execute_code(code=\"...\")."
    )]
    ArgumentsNotNamed {
        /// What came, with its article.
        received: &'static str,
    },
    /// A shell command came where Python was due.
    #[error(
        "execute_code received a 'command' parameter, but it requires Python source in 'code'. \
         Use terminal(command=...) for shell commands; for Python, retry as execute_code(code=...)."
    )]
    CommandInsteadOfCode,
    /// The code is not text.
    #[error(
        "execute_code received a {type_name} in 'code', but it requires Python source as a string. \
         Retry as execute_code(code=\"...\")."
    )]
    CodeNotText {
        /// Python's name for the type that came.
        type_name: &'static str,
    },
    /// Another argument has the wrong type or is out of its range.
    #[error("execute_code received {received} in '{argument}', but it requires {expected}.")]
    BadArgument {
        /// Name of the argument.
        argument: &'static str,
        /// What came, with its article.
        received: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// The code is empty or blank.
    #[error(
        "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. \
         To run shell commands, use terminal(command=...) instead."
    )]
    NoCode,
    /// The host has switched scripts off.
    #[error(
        "execute_code sandbox is unavailable in this environment. \
         Use normal tool calls (terminal, read_file, write_file, ...) instead."
    )]
    Unavailable,
    /// The settings of the terminal are not known for this profile.
    #[error(
        "execute_code refused: terminal policy unavailable for this profile: {reason} \
         (profile terminal policy unresolved; fix the profile's config.yaml / .env and retry)"
    )]
    TerminalScope {
        /// Why, in the host's words.
        reason: String,
    },
    /// The script has a command that would end the gateway which runs it.
    #[error(
        "Blocked: cannot restart or stop the gateway from inside the gateway process. \
         The gateway would kill this script before it could complete (SIGTERM propagates to child processes). \
         Run the lifecycle command from a shell outside the gateway."
    )]
    GatewayLifecycle,
    /// The script has a command that would kill every process of the gateway's own program, or of its interpreter.
    #[error(
        "Blocked: cannot kill every process named '{image}' from inside the gateway process. \
         The gateway, or what it runs, has that name and would be killed as well. \
         Kill a process by its number, or by a pattern that only its own command line has."
    )]
    InterpreterKill {
        /// Name of the program, as the script has it.
        image: String,
    },
    /// What would tell whether the script ends the gateway took too long.
    #[error(
        "execute_code lifecycle guard did not finish within {}s (process-identity probe wedged); \
         the code was not run. Retry the call.",
        limit.as_secs_f64()
    )]
    ProbeWedged {
        /// How long it was waited for.
        limit: Duration,
    },
}
