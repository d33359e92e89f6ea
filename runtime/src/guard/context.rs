//! On whose behalf a cell runs, and whether somebody is there who can be asked.
//!
//! A host says so by itself. Nothing here is read from the environment, where a flag of one run leaks into the next.

/// Says in which kind of session a request is made; a request without one has the runtime's.
///
/// The kinds without a user are looked at first, in the order of the fields: whatever else is set, nobody is asked there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecutionContext {
    /// A single query of a command line (`-q`), which answers and ends.
    pub is_single_query: bool,
    /// A scheduled job.
    pub is_cron: bool,
    /// Name of a platform where no user is present.
    pub unattended_platform: Option<String>,
    /// Who can be asked where a user is present.
    pub audience: Audience,
}

/// Says who is asked before a script runs on the host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Audience {
    /// Nobody, and nobody needs to be: whoever uses the library or the command line runs the script by that.
    #[default]
    Nobody,
    /// The user at the terminal, who wants to be asked.
    Terminal,
    /// The user of a messaging gateway.
    Gateway,
}

impl ExecutionContext {
    /// Makes the context of a command line or of a program with the library: scripts run unasked.
    pub fn cli() -> Self {
        Self::default()
    }

    /// Makes the context of a command line whose user wants to be asked.
    pub fn asking_cli() -> Self {
        Self {
            audience: Audience::Terminal,
            ..Self::default()
        }
    }

    /// Makes the context of a messaging gateway, whose user is asked.
    pub fn gateway() -> Self {
        Self {
            audience: Audience::Gateway,
            ..Self::default()
        }
    }

    /// Makes the context of a scheduled job.
    pub fn cron() -> Self {
        Self {
            is_cron: true,
            ..Self::default()
        }
    }

    /// Makes the context of a single query.
    pub fn single_query() -> Self {
        Self {
            is_single_query: true,
            ..Self::default()
        }
    }

    /// Makes the context of a platform where no user is present.
    pub fn unattended(platform: impl Into<String>) -> Self {
        Self {
            unattended_platform: Some(platform.into()),
            ..Self::default()
        }
    }
}
