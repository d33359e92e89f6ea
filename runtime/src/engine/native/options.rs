//! What a host can set about project mode; every default is the contract's.

use std::path::PathBuf;

use crate::config::ByteSize;

/// Settings of project mode. To give them to a runtime is what enables the mode there.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ProjectOptions {
    /// The interpreter, instead of the active environment's or the one on `PATH`; it must be Python 3.8 or newer.
    pub interpreter: Option<PathBuf>,
    /// Directory of sessions that have none of their own [default: `TERMINAL_CWD`, else that of this process].
    pub cwd: Option<PathBuf>,
    /// Names of variables that reach scripts although no rule keeps them. Keys of known providers never do.
    pub env_passthrough: Vec<String>,
    /// The scripts' time zone, as an IANA name [default: the machine's own].
    pub timezone: Option<String>,
    /// What `HOME` is for scripts.
    pub home_mode: HomeMode,
    /// Address space of each process of a kernel, where the system can limit it [default: no limit; least: 48 MiB]. The interpreter
    /// itself takes some 30 MiB; between cells it has 16 MiB more, so that a script which has used up all of it keeps its state. The
    /// processes have `MALLOC_ARENA_MAX=1` then, unless it is set: else glibc would reserve 64 MiB for a thread.
    pub memory_limit: Option<ByteSize>,
}

/// Says which directory scripts have as their home.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HomeMode {
    /// The user's own, unless a profile has a home of its own that exists.
    #[default]
    Auto,
    /// The user's own.
    Real,
    /// `home` below `HERMES_HOME`.
    Profile,
}

impl HomeMode {
    /// Returns the mode of that name; case and surrounding blanks do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "auto" => Some(Self::Auto),
            "real" => Some(Self::Real),
            "profile" => Some(Self::Profile),
            _ => None,
        }
    }
}
