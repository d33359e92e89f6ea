//! The log of the program: to stderr, never to stdout, which carries data.
//!
//! What stands wrong in `config.yaml`, and that it chooses project mode, is told whatever the log leaves out.

use std::env;
use std::io;

use hermes_runtime::Config;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Environment variable that says what is logged, such as `info` or `hermes_runtime=debug`.
const ENV: &str = "HERMES_LOG";
/// What is logged without it.
const DEFAULT: &str = "warn";

/// Starts the log; what is logged before is lost.
pub(crate) fn start() {
    let value = env::var_os(ENV).unwrap_or_default();
    let value = value.to_string_lossy();
    let asked = Some(value.trim()).filter(|asked| !asked.is_empty());
    let (filter, refused) = match EnvFilter::try_new(asked.unwrap_or(DEFAULT)) {
        Ok(filter) => (filter, None),
        Err(error) => (EnvFilter::new(DEFAULT), Some(error)),
    };
    let is_notice = |about: &Metadata<'_>| about.target() == Config::LOG_TARGET;
    tracing_subscriber::registry()
        .with(lines().with_filter(filter_fn(is_notice)))
        .with(lines().with_filter(filter.and(filter_fn(move |about| !is_notice(about)))))
        .init();
    if let Some(error) = refused {
        tracing::warn!(%error, "{ENV} is not a filter; using `{DEFAULT}`");
    }
}

/// Writes a line for each event. Colours would have to be switched off wherever stderr is no terminal; the log does without.
fn lines<S: Subscriber + for<'span> LookupSpan<'span>>() -> impl Layer<S> {
    fmt::layer().with_ansi(false).with_writer(io::stderr)
}
