//! Why a call was refused, in the words that the caller reads.
//!
//! One variant per reason; the display form is the whole message. It may quote a few characters of the input, never
//! all of it.

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
}
