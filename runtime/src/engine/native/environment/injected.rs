//! The variables that a kernel is given besides those that it keeps.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::Variable;
use crate::engine::native::options::{HomeMode, ProjectOptions};

/// What depends on the kernel.
#[derive(Debug)]
pub(in super::super) struct Injected<'a> {
    pub(in super::super) rpc_address: &'a OsStr,
    pub(in super::super) rpc_token: &'a str,
    /// The private directory, from which `hermes_tools` is imported.
    pub(in super::super) directory: &'a Path,
    /// The home of the profile, and whether it exists.
    pub(in super::super) profile_home: Option<(PathBuf, bool)>,
}

/// Adds the variables, in the place of those that have the same names.
pub(in super::super) fn inject(
    variables: &mut Vec<Variable>,
    injected: &Injected<'_>,
    options: &ProjectOptions,
) {
    let path = python_path(find(variables, "PYTHONPATH"), injected.directory);
    set(variables, "HERMES_RPC_SOCKET", injected.rpc_address);
    set(variables, "HERMES_RPC_TOKEN", injected.rpc_token);
    set(variables, "HERMES_RPC_PERSISTENT", "1");
    set(variables, "PYTHONDONTWRITEBYTECODE", "1");
    set(variables, "PYTHONIOENCODING", "utf-8");
    set(variables, "PYTHONUTF8", "1");
    set(variables, "PYTHONPATH", path);
    if let Some(zone) = &options.timezone {
        set(variables, "TZ", zone);
    }
    if find(variables, "TMPDIR").is_none() {
        set(variables, "TMPDIR", std::env::temp_dir());
    }
    set_home(variables, injected, options.home_mode);
}

fn set_home(variables: &mut Vec<Variable>, injected: &Injected<'_>, mode: HomeMode) {
    let real = find(variables, "HOME").map(OsStr::to_owned);
    if let Some(real) = &real {
        set(variables, "HERMES_REAL_HOME", real);
    }
    if let (HomeMode::Profile, Some((home, _))) | (HomeMode::Auto, Some((home, true))) =
        (mode, &injected.profile_home)
    {
        set(variables, "HOME", home);
    }
}

/// Puts the private directory before what is there already.
fn python_path(old: Option<&OsStr>, directory: &Path) -> OsString {
    let old = old.unwrap_or_default();
    let entries = std::env::split_paths(old).filter(|entry| !entry.as_os_str().is_empty());
    let all = std::iter::once(directory.to_owned()).chain(entries);
    // A directory whose own path holds the separator cannot be in the list at all.
    std::env::join_paths(all).unwrap_or_else(|_| old.to_owned())
}

fn find<'a>(variables: &'a [Variable], name: &str) -> Option<&'a OsStr> {
    let found = variables.iter().find(|(each, _)| each == name);
    found.map(|(_, value)| value.as_os_str())
}

fn set(variables: &mut Vec<Variable>, name: &str, value: impl AsRef<OsStr>) {
    variables.retain(|(each, _)| each != name);
    variables.push((name.into(), value.as_ref().to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn injected(options: &ProjectOptions, host: &[(&str, &str)], has_home: bool) -> Vec<Variable> {
        let mut variables = host
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let injected = Injected {
            rpc_address: OsStr::new("/t/s.sock"),
            rpc_token: "t",
            directory: Path::new("/t/k"),
            profile_home: Some(("/h/home".into(), has_home)),
        };
        inject(&mut variables, &injected, options);
        variables
    }

    fn value(variables: &[Variable], name: &str) -> Option<String> {
        let found = find(variables, name);
        found.map(|value| value.to_string_lossy().into_owned())
    }

    #[test]
    fn what_a_kernel_needs_replaces_what_the_host_had() {
        let host = [
            ("PYTHONPATH", "/a::/b"),
            ("PYTHONUTF8", "0"),
            ("TMPDIR", "/scratch"),
        ];
        let variables = injected(&ProjectOptions::default(), &host, false);
        for (name, expected) in [
            ("HERMES_RPC_SOCKET", Some("/t/s.sock")),
            ("HERMES_RPC_TOKEN", Some("t")),
            ("HERMES_RPC_PERSISTENT", Some("1")),
            ("PYTHONDONTWRITEBYTECODE", Some("1")),
            ("PYTHONIOENCODING", Some("utf-8")),
            ("PYTHONUTF8", Some("1")),
            ("PYTHONPATH", Some("/t/k:/a:/b")),
            ("TMPDIR", Some("/scratch")),
            ("TZ", None),
        ] {
            assert_eq!(value(&variables, name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_time_zone_is_set_where_one_is_configured() {
        let options = ProjectOptions {
            timezone: Some("Asia/Kolkata".to_owned()),
            ..ProjectOptions::default()
        };
        let variables = injected(&options, &[("TZ", "UTC")], false);
        assert_eq!(value(&variables, "TZ").as_deref(), Some("Asia/Kolkata"));
    }

    #[test]
    fn the_home_is_that_of_the_mode_and_the_real_one_is_told() {
        for (home_mode, has_home, expected) in [
            (HomeMode::Auto, false, "/root"),
            (HomeMode::Auto, true, "/h/home"),
            (HomeMode::Real, true, "/root"),
            (HomeMode::Profile, false, "/h/home"),
        ] {
            let options = ProjectOptions {
                home_mode,
                ..ProjectOptions::default()
            };
            let variables = injected(&options, &[("HOME", "/root")], has_home);
            assert_eq!(value(&variables, "HOME").as_deref(), Some(expected));
            assert_eq!(
                value(&variables, "HERMES_REAL_HOME").as_deref(),
                Some("/root")
            );
        }
    }
}
