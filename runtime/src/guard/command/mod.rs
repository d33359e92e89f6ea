//! The guard of shell commands: which ones never run, which ones need the user's word, which ones the operator forbids.
//!
//! It reads a command line as a shell would, as far as that is possible without running it: quotes, escapes,
//! here-documents, substitutions, wrappers such as `sudo` and texts for inner shells are followed; `$IFS`, empty
//! positional parameters, `$'…'` and plain brace lists are resolved. What only a run can tell is not seen: values of
//! variables, file patterns in a program's name (`/bin/r?`), scripts in files, programs built at run time. It is a
//! guard against mistakes and not a jail: who may run commands can do what the host's user can. Its time and memory
//! are linear in the text, and the text is bounded.

mod command_line;
mod dangerous;
mod deny;
mod floor;
mod frame;
mod lexer;
mod program;
mod quoting;
mod rule;
mod sources;
mod target;
mod verdict;
mod wrapper;

pub(crate) use command_line::CommandLine;
pub(crate) use deny::DenyPatterns;
pub(crate) use program::Program;
pub(crate) use verdict::{MAX_COMMAND_BYTES, Verdict, judge};
