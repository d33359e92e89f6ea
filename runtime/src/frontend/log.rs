//! The log of the program: to stderr, never to stdout, which carries data.

use std::env;
use std::io;

use tracing_subscriber::EnvFilter;

/// Environment variable that says what is logged, such as `info` or `hermes_runtime=debug`.
const ENV: &str = "HERMES_LOG";
/// What is logged without it.
const DEFAULT: &str = "warn";

/// Starts the log; what is logged before is lost.
pub(crate) fn start() {
    let asked = env::var_os(ENV).map(|value| EnvFilter::try_new(value.to_string_lossy()));
    let (filter, refused) = match asked {
        None => (EnvFilter::new(DEFAULT), None),
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new(DEFAULT), Some(error)),
    };
    // Colours would have to be switched off wherever stderr is no terminal; the log does without.
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(io::stderr)
        .init();
    if let Some(error) = refused {
        tracing::warn!(%error, "{ENV} is not a filter; using `{DEFAULT}`");
    }
}
