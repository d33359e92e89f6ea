//! The guards of the system's files and of hermes's configuration.

use std::path::Path;

use super::Target;
use crate::fs::Homes;

/// Directories whose files belong to the system.
const DIRECTORIES: [&str; 6] = [
    "/etc",
    "/boot",
    "/usr/lib/systemd",
    "/private/etc",
    "/private/var/db",
    "/private/var/root",
];

/// Sockets that hand the machine to whoever writes to them.
const SOCKETS: [&str; 2] = ["/var/run/docker.sock", "/run/docker.sock"];

pub(super) fn sensitive(_: &Homes, target: &Target) -> Option<String> {
    let is_sensitive = |path: &Path| {
        DIRECTORIES
            .iter()
            .any(|directory| path.starts_with(directory))
            || SOCKETS.iter().any(|socket| path == Path::new(socket))
    };
    target.is_any(is_sensitive).then(|| {
        format!(
            "Refusing to write to sensitive system path: {}\nUse the terminal tool with sudo if you need to modify system files.",
            target.shown()
        )
    })
}

pub(super) fn hermes_config(homes: &Homes, target: &Target) -> Option<String> {
    target.is_any(|path| homes.is_hermes_config(path)).then(|| {
        format!(
            "Refusing to write to Hermes config file: {}\nAgent cannot modify security-sensitive configuration. Edit ~/.hermes/config.yaml directly or use 'hermes config' instead.",
            target.shown()
        )
    })
}
