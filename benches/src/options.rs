//! The command line of the benches.
//!
//! It owns the names of the options and their meaning, and refuses what it does not know.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};

use crate::rows;

/// The help text.
pub(crate) const USAGE: &str = "\
usage: hermes-benches [--quick] [--strict] [--only GROUP]... [--python PATH]

  --quick        few repetitions: shows that everything runs, the figures mean little
  --strict       exit with 1 when a row misses its goal
  --only GROUP   this group of rows, and the groups of other --only: start, tools, files, cpu,
                 memory, deadline, imports or project
  --python PATH  the native interpreter (default: the one built with the artifact, else python3)
";

/// The option with which the program starts itself again, to measure memory in a process that did nothing else.
pub(crate) const PROBE_MEMORY: &str = "--probe-memory";

/// What the program was asked to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Measure and print the table.
    Measure(Options),
    /// Print the memory of this process with so many sessions.
    ProbeMemory { sessions: u32 },
    /// Print the help text.
    Help,
}

/// How to measure.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) quick: bool,
    pub(crate) strict: bool,
    /// No names stand for every group.
    pub(crate) only: Vec<String>,
    pub(crate) python: Option<PathBuf>,
}

impl Command {
    /// Reads the arguments, without the program's name.
    pub(crate) fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Result<Self> {
        let mut arguments = arguments.into_iter();
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .with_context(|| format!("{} needs a value", argument.display()))
            };
            match argument.to_str() {
                Some("--quick") => options.quick = true,
                Some("--strict") => options.strict = true,
                Some("--only") => options.only.push(group(&value()?)?),
                Some("--python") => options.python = Some(value()?.into()),
                Some(PROBE_MEMORY) => {
                    let sessions = value()?.to_str().and_then(|text| text.parse().ok());
                    let sessions = sessions.context("the number of sessions is not a number")?;
                    return Ok(Self::ProbeMemory { sessions });
                }
                Some("--help" | "-h") => return Ok(Self::Help),
                _ => bail!("unknown argument `{}`\n{USAGE}", argument.display()),
            }
        }
        Ok(Self::Measure(options))
    }
}

fn group(name: &OsString) -> Result<String> {
    let name = name.to_string_lossy().into_owned();
    ensure!(
        rows::GROUPS.iter().any(|(known, _)| *known == name),
        "unknown group `{name}`\n{USAGE}"
    );
    Ok(name)
}

impl Options {
    /// Returns whether a group of rows is to be measured.
    pub(crate) fn wants(&self, group: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == group)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn read(arguments: &[&str]) -> Result<Command> {
        Command::from_arguments(arguments.iter().map(OsString::from))
    }

    #[test]
    fn every_option_is_read() {
        let options = Options {
            quick: true,
            strict: true,
            only: vec!["cpu".to_owned(), "files".to_owned()],
            python: Some(PathBuf::from("/p")),
        };
        assert!(options.wants("cpu") && options.wants("files"));
        assert!(!options.wants("start"));
        let arguments = "--quick --strict --only cpu --only files --python /p";
        let arguments: Vec<_> = arguments.split(' ').collect();
        assert_eq!(read(&arguments).unwrap(), Command::Measure(options));
        assert_eq!(
            read(&["--probe-memory", "7"]).unwrap(),
            Command::ProbeMemory { sessions: 7 }
        );
    }

    #[test]
    fn without_arguments_every_group_is_measured() {
        assert_eq!(read(&[]).unwrap(), Command::Measure(Options::default()));
        assert!(
            rows::GROUPS
                .iter()
                .all(|(name, _)| Options::default().wants(name))
        );
    }

    #[test]
    fn what_is_unknown_is_named_in_the_error() {
        let error = read(&["--fast"]).unwrap_err().to_string();
        assert!(
            error.starts_with("unknown argument `--fast`\nusage: "),
            "{error}"
        );
        let error = read(&["--only", "gpu"]).unwrap_err().to_string();
        assert!(error.starts_with("unknown group `gpu`\n"), "{error}");
        assert_eq!(
            read(&["--python"]).unwrap_err().to_string(),
            "--python needs a value"
        );
    }

    #[test]
    fn the_help_names_every_group() {
        assert!(rows::GROUPS.iter().all(|(name, _)| USAGE.contains(name)));
    }
}
