//! Project mode: the cases of the integration tests that hold for every engine, run in a child process, and those of its own.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod approvals;
mod children;
mod clipping;
mod ends;
mod environment;
mod forks;
mod guards;
mod handlers;
mod kernels;
mod leaks;
mod location;
mod memory;
mod orphans;
mod pipes;
mod places;
mod processes;
mod shells;
mod tool_calls;

// The same files as in the binary `it`. Left out are the sandbox's own meters, modules and file system, the granted directory (in project
// mode tools reach everything), and scripts that do damage to the machine that they run on: here that is the tester's own.
#[path = "../it/tools/custom.rs"]
mod custom;
#[path = "../it/tools/dispatch.rs"]
mod dispatch;
#[path = "../it/cells/exceptions.rs"]
mod exceptions;
#[path = "../it/cells/exit.rs"]
mod exit;
#[path = "../it/cells/frames.rs"]
mod frames;
#[path = "../it/tools/helpers.rs"]
mod helpers;
#[path = "../it/contract/hints.rs"]
mod hints;
#[path = "../it/limits/interrupts.rs"]
mod interrupts;
#[path = "../it/contract/lifetime.rs"]
mod lifetime;
#[path = "../it/contract/output.rs"]
mod output;
#[path = "../it/contract/redaction.rs"]
mod redaction;
#[path = "../it/tools/results.rs"]
mod results;
#[path = "../it/sessions/mod.rs"]
mod sessions;
#[path = "../it/cells/source.rs"]
mod source;
#[path = "../it/cells/state.rs"]
mod state;
#[path = "../it/cells/streams.rs"]
mod streams;
#[path = "../it/cells/syntax.rs"]
mod syntax;
#[path = "../it/limits/time.rs"]
mod time;
#[path = "../it/cells/tracebacks.rs"]
mod tracebacks;
