//! The options of commands that keep sessions.

use std::time::Duration;

use clap::Args;
use hermes_runtime::Config;

use crate::options::{positive, seconds};

/// How many sessions are kept, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct SessionOptions {
    /// Sessions that are kept; beyond that the least recently used one goes, a busy one never [default: `config.yaml`'s, else 4]
    #[arg(long, value_name = "N", value_parser = positive::<usize>, allow_negative_numbers = true)]
    max_sessions: Option<usize>,

    /// Seconds after which an unused session is dropped [default: `config.yaml`'s, else 1800]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    session_idle: Option<Duration>,
}

impl SessionOptions {
    /// Puts what the command line names over a configuration.
    pub(crate) fn over(&self, mut config: Config) -> Config {
        if let Some(sessions) = self.max_sessions {
            config = config.with_max_sessions(sessions);
        }
        if let Some(idle) = self.session_idle {
            config = config.with_session_idle(idle);
        }
        config
    }
}
