//! What the guards must know about the host, and only the host can say.

use std::path::PathBuf;

/// Facts about the host; by default scripts can be run, on the user's own machine, and the process is no gateway.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostPolicy {
    /// Scripts cannot be run here: every call is refused with the hint to use the tools; off.
    pub is_unavailable: bool,
    /// Why the terminal's settings of this profile cannot be had. While it is set every call is refused, lest a script runs with the
    /// settings of another profile.
    pub terminal_policy_error: Option<String>,
    /// What stands between the cells of project mode and the user's machine; nothing.
    pub confinement: Confinement,
    /// Set by a messaging gateway: scripts that would end it are refused where a service manager runs it.
    pub gateway: Option<Gateway>,
}

/// Says where this process, and with it the cells of project mode, is confined. What is confined needs no approval.
///
/// It is about where cells really run: this runtime starts them as its own children, so a `terminal.backend` that names a container
/// elsewhere confines nothing of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confinement {
    /// Nowhere: cells reach the machine that the user works on, or one that the user has reached by `ssh`.
    #[default]
    None,
    /// In a Docker container.
    Docker {
        /// Whether the user's directory is mounted to `/workspace`.
        mounts_cwd: bool,
        /// The volumes, as `docker run --volume` takes them.
        volumes: Vec<String>,
    },
    /// In a Singularity container.
    Singularity,
    /// In a sandbox of Modal.
    Modal,
    /// In a sandbox of Daytona.
    Daytona,
    /// In a sandbox of Vercel.
    VercelSandbox,
}

impl Confinement {
    /// Tells whether cells reach files of the machine around their container, or are not confined at all.
    pub(super) fn reaches_host(&self) -> bool {
        match self {
            Self::None => true,
            Self::Docker {
                mounts_cwd,
                volumes,
            } => *mounts_cwd || volumes.iter().any(|volume| mounts_host(volume)),
            Self::Singularity | Self::Modal | Self::Daytona | Self::VercelSandbox => false,
        }
    }
}

/// Tells whether the source of a volume is a path, and not the name of a volume, which begins with a letter or a digit. A single letter
/// before a colon is a drive.
fn mounts_host(volume: &str) -> bool {
    let mut letters = volume.trim_start().chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(':')) if first.is_ascii_alphabetic() => true,
        (Some(first), _) => !first.is_ascii_alphanumeric(),
        (None, _) => false,
    }
}

/// What a messaging gateway says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gateway {
    /// The file with the gateway's process number, which names this process where it is the gateway that runs.
    pub pid_file: PathBuf,
    /// Name of the profile that the gateway serves [default: `default`]. Commands for gateways of other profiles are let through.
    pub profile: Option<String>,
    /// Whether a service manager runs the gateway [default: told by the variables that systemd and launchd set].
    pub is_managed: Option<bool>,
}

impl Gateway {
    /// Makes the gateway with that file; the rest is found out.
    pub fn new(pid_file: impl Into<PathBuf>) -> Self {
        Self {
            pid_file: pid_file.into(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docker(mounts_cwd: bool, volumes: &[&str]) -> Confinement {
        let volumes = volumes.iter().map(|&volume| volume.to_owned()).collect();
        Confinement::Docker {
            mounts_cwd,
            volumes,
        }
    }

    #[test]
    fn a_container_with_a_path_of_the_host_does_not_confine() {
        for volume in [
            "/host:/c",
            "/:/c:ro",
            "~/x:/c",
            "~:/c",
            "./x:/c",
            "../x:/c",
            ".:/c",
            "C:\\x:/c",
            "c:/x:/c",
            "$HOME:/c",
            "${PWD}:/c",
            " /host:/c",
            "\\\\server\\share:/c",
        ] {
            assert!(
                docker(false, &["cache:/c", volume]).reaches_host(),
                "{volume}"
            );
        }
        assert!(docker(true, &[]).reaches_host());
        assert!(Confinement::None.reaches_host());
    }

    #[test]
    fn named_volumes_and_remote_sandboxes_confine() {
        for volume in ["cache:/c", "cache-1:/var/cache:ro", "1:/c", "a1:/c", ""] {
            assert!(!docker(false, &[volume]).reaches_host(), "{volume}");
        }
        for confinement in [
            docker(false, &[]),
            Confinement::Singularity,
            Confinement::Modal,
            Confinement::Daytona,
            Confinement::VercelSandbox,
        ] {
            assert!(!confinement.reaches_host(), "{confinement:?}");
        }
    }
}
