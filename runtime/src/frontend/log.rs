//! The log of the program: to stderr, never to stdout, which carries data.
//!
//! What stands wrong in `config.yaml`, and that it chooses project mode, is told whatever the log leaves out.

use std::env;
use std::io;

use hermes_runtime::Config;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{Directive, LevelFilter};

/// Environment variable that says what is logged, such as `info` or `hermes_runtime=debug`.
const ENV: &str = "HERMES_LOG";
/// What is logged without it.
const DEFAULT: &str = "warn";

/// Starts the log; what is logged before is lost.
pub(crate) fn start() {
    let value = env::var_os(ENV).unwrap_or_default();
    let (filter, refused) = match filter(&value.to_string_lossy()) {
        Ok(filter) => (filter, None),
        Err(error) => (EnvFilter::new(DEFAULT), Some(error)),
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

fn filter(asked: &str) -> Result<EnvFilter, Box<dyn std::error::Error>> {
    let asked = if asked.trim().is_empty() {
        DEFAULT
    } else {
        asked
    };
    let notices: Directive = format!("{}={}", Config::LOG_TARGET, LevelFilter::WARN).parse()?;
    Ok(EnvFilter::try_new(asked)?.add_directive(notices))
}
