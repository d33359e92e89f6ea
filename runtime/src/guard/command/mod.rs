//! The guard of shell commands: which ones never run, which ones need the user's word, which ones the operator forbids.
//!
//! It reads a command line as a shell would, as far as that is possible without running it: quotes, escapes,
//! here-documents, substitutions, arithmetic, parameters, `case`, wrappers such as `sudo`, texts for inner shells and
//! literal texts in pipes are followed; `$IFS`, empty positional parameters, `$'…'` and plain brace lists are resolved.
//! What only a run can tell is not seen: values of variables, elements of arrays, file patterns in a program's name
//! (`/bin/r?`), scripts in files, programs built at run time, what a loop or group in braces reads from a pipe. It is a
//! guard against mistakes and not a jail: who may run commands can do what the host's user can. Its time and memory are
//! linear in the text, and the text is bounded.

mod command_line;
mod compound;
mod container_call;
mod cursor;
mod dangerous;
mod deny;
mod device;
mod expansion;
mod floor;
mod flow;
mod frame;
mod lexer;
mod nested;
mod option;
mod payload;
mod printed;
mod program;
mod quoting;
mod redirection;
mod rule;
mod shell_call;
mod simple;
mod slot;
mod sources;
mod target;
mod verdict;
mod wrapper;

pub(crate) use command_line::CommandLine;
pub(crate) use deny::DenyPatterns;
pub(crate) use program::Program;
pub(crate) use verdict::{MAX_COMMAND_BYTES, Verdict, judge};
