//! The options that `run` and `serve` share: what a cell may use, and the runtime that follows from them.
//!
//! Values are checked while they are parsed, so that a wrong one is a usage error before anything is loaded. Only the
//! names of tools have to wait for the runtime, which knows them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use hermes_runtime::{
    ByteSize, Config, Metering, Mode, Origin, ProjectOptions, Runtime, RuntimeBuilder,
    SchemaRequest,
};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::session_options::SessionOptions;

/// Loading that takes longer than this is explained.
const QUIET: Duration = Duration::from_secs(2);

/// What a cell may use.
#[derive(Debug, Args)]
pub(crate) struct CellOptions {
    /// Where code runs: `strict`, a WebAssembly sandbox, or `project`, this machine's own Python [default: strict]
    ///
    /// `project` is an envelope and no jail: code runs with your own rights, in the active virtual or conda environment, with a scrubbed
    /// environment, limits and the same tools, `terminal` among them. It is never chosen unless it is named.
    ///
    /// An unknown name is refused here. Where this option names no mode, the environment variable `HERMES_EXEC_MODE` does, and then
    /// `code_execution.mode` in `config.yaml`; an unknown name there means `strict`. A file that chooses `project` is told on stderr, and
    /// one that other users can change is not used. `hermes-exec config` shows the mode and where it came from.
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<Mode>,

    /// Tools that scripts may call, separated by commas; `terminal` leaves the sandbox [default: all but terminal]
    ///
    /// `terminal` runs commands on this machine, outside the sandbox and with your own rights. It is therefore never
    /// enabled unless it is named here, or code runs with your own rights anyway (`--mode project`). `web_search` and
    /// `web_extract` let a script send what it knows to the network; name other tools to leave them out. An empty list
    /// enables no tool.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tools: Option<Vec<String>>,

    /// Directory that file tools may read and write, and in which relative paths begin [default: none]
    ///
    /// File tools see nothing outside of it but what `--allow-read` and `--allow-write` add. `terminal` starts in it.
    #[arg(long, value_name = "DIR")]
    workdir: Option<PathBuf>,

    /// Further directory that file tools may read; may be given more than once
    #[arg(long, value_name = "DIR")]
    allow_read: Vec<PathBuf>,

    /// Further directory that file tools may read and write; may be given more than once
    #[arg(long, value_name = "DIR")]
    allow_write: Vec<PathBuf>,

    /// Let `terminal` run dangerous commands without asking [default: they are refused]
    ///
    /// Dangerous is what deletes, overwrites, uploads, kills or runs code that stands in the command itself, such as
    /// `rm -r`, `git push --force`, `curl ... | sh` or `python -c`. Nobody can be asked on the command line, so
    /// without this option such commands are refused. A few, such as `rm -rf /` or `mkfs`, are never run.
    #[arg(long)]
    allow_dangerous_commands: bool,

    /// Wall clock of a cell in seconds, at most 1000000000 [default: `config.yaml`'s, else 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,

    /// Calls that may reach a tool in one cell [default: `config.yaml`'s, else 50]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    max_tool_calls: Option<u64>,

    /// Memory of one sandbox in bytes, or with a unit such as 64k or 1GiB [default: 512MiB]
    ///
    /// The interpreter takes about 40 MiB of it. Growth beyond the limit is Python's `MemoryError`.
    ///
    /// In project mode there is no limit unless one is given here: it is then the address space of each process of the script, 48MiB at
    /// least.
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory_limit: Option<ByteSize>,

    /// Meter cells with fuel, and end one that uses more than N units [default: no fuel metering]
    ///
    /// The count is exact and repeatable and is in the result as `usage.fuel`; code runs slower. The wall clock holds
    /// as well. Project mode meters no fuel: there this is a usage error.
    #[arg(long, value_name = "N", value_parser = positive::<u64>, allow_negative_numbers = true)]
    fuel: Option<u64>,

    /// Directory of the guest artifact [default: `HERMES_ARTIFACT_DIR`, else the usual places]
    #[arg(long, value_name = "DIR")]
    artifact: Option<PathBuf>,
}

impl CellOptions {
    /// Loads a runtime with these options and with what `more` adds to them.
    pub(crate) fn load(
        self,
        sessions: &SessionOptions,
        more: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder,
    ) -> Result<Runtime, Failure> {
        let tools = self.tool_names();
        let config = sessions.over(self.config());
        if config.mode() == Mode::Project && config.mode_origin() == Origin::File {
            tracing::warn!(
                target: Config::LOG_TARGET,
                "config.yaml chooses project mode: code runs with your own rights; `--mode strict` runs it in the sandbox"
            );
        }
        self.check_fuel(config.mode())?;
        let builder = more(self.builder(&config, tools.clone()));
        let progress = Progress::start(
            "loading the guest module; one that is new to this machine is compiled first",
            QUIET,
        );
        let runtime = builder.build()?;
        drop(progress);
        check_tools(tools.unwrap_or_default(), runtime.tools())?;
        Ok(runtime)
    }

    /// Returns what the schema of `execute_code` depends on with these options.
    pub(crate) fn schema(self) -> Result<SchemaRequest, Failure> {
        let tools = self.tool_names();
        let config = self.config();
        let request = self.builder(&config, tools.clone()).schema();
        check_tools(tools.unwrap_or_default(), request.tools())?;
        Ok(request)
    }

    /// Returns the configuration with what the command line puts over it.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::load();
        if let Some(mode) = self.mode {
            config = config.with_mode(mode);
        }
        if let Some(timeout) = self.timeout {
            config = config.with_timeout(timeout);
        }
        if let Some(calls) = self.max_tool_calls {
            config = config.with_max_tool_calls(calls);
        }
        config
    }

    /// Returns the directory in which sessions of project mode begin, where the command line names one.
    pub(crate) fn project_directory(&self, config: &Config) -> Option<&Path> {
        let is_project = config.mode() == Mode::Project;
        self.workdir.as_deref().filter(|_| is_project)
    }

    fn tool_names(&self) -> Option<Vec<String>> {
        let names = self.tools.as_ref()?.iter().map(|name| name.trim());
        Some(
            names
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Refuses a limit that would not hold.
    fn check_fuel(&self, mode: Mode) -> Result<(), Failure> {
        if mode == Mode::Project && self.fuel.is_some() {
            return Err(Failure::FuelInProject);
        }
        Ok(())
    }

    fn builder(self, config: &Config, tools: Option<Vec<String>>) -> RuntimeBuilder {
        let mut builder = Runtime::builder().config(config).mode(config.mode());
        if let Some(names) = tools {
            builder = builder.enabled_tools(names);
        }
        if let Some(directory) = self.workdir {
            builder = builder.workdir(directory);
        }
        for directory in self.allow_read {
            builder = builder.allow_read(directory);
        }
        for directory in self.allow_write {
            builder = builder.allow_write(directory);
        }
        if self.allow_dangerous_commands {
            builder = builder.change_tool_options(|tools| tools.terminal.allow_dangerous = true);
        }
        if let Some(limit) = self.memory_limit {
            builder = builder.memory_limit(limit);
            if config.mode() == Mode::Project {
                let mut options = ProjectOptions::from(config);
                options.memory_limit = Some(limit);
                builder = builder.project(options);
            }
        }
        if let Some(per_cell) = self.fuel {
            builder = builder.metering(Metering::Fuel { per_cell });
        }
        if let Some(directory) = self.artifact {
            builder = builder.artifact_dir(directory);
        }
        builder
    }
}

fn check_tools(mut names: Vec<String>, known: Vec<String>) -> Result<(), Failure> {
    names.retain(|name| !known.contains(name));
    if names.is_empty() {
        Ok(())
    } else {
        Err(Failure::UnknownTools {
            unknown: names,
            known,
        })
    }
}

fn mode(name: &str) -> Result<Mode, &'static str> {
    Mode::from_name(name).ok_or("use `strict` or `project`")
}

/// Reads a positive number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().map(hermes_runtime::timeout_from_seconds);
    match seconds {
        Some(Ok(duration)) => Ok(duration),
        _ => Err("use a positive number of seconds, at most 1000000000"),
    }
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "use a whole number, 0 or more")
}

/// Reads a whole number, 1 or more.
pub(crate) fn positive<N: FromStr + PartialOrd + Default>(text: &str) -> Result<N, &'static str> {
    let number = text.parse().ok().filter(|number| *number > N::default());
    number.ok_or("use a whole number, 1 or more")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: CellOptions,
    }

    fn parse(arguments: &[&str]) -> Result<CellOptions, clap::Error> {
        Line::try_parse_from(["line"].iter().chain(arguments)).map(|line| line.options)
    }

    #[test]
    fn every_option_is_read() {
        let options = parse(&[
            "--mode=PROJECT",
            "--tools=read_file, terminal,",
            "--timeout=2.5",
            "--max-tool-calls=0",
            "--memory-limit=64MiB",
            "--fuel=7",
            "--allow-dangerous-commands",
        ])
        .unwrap();
        assert_eq!(options.mode, Some(Mode::Project));
        assert_eq!(options.tool_names().unwrap(), ["read_file", "terminal"]);
        assert_eq!(options.timeout, Some(Duration::from_millis(2_500)));
        assert_eq!(options.max_tool_calls, Some(0));
        assert_eq!(options.memory_limit, Some(ByteSize::mebibytes(64)));
        assert_eq!(options.fuel, Some(7));
        assert!(options.allow_dangerous_commands);
        assert!(!parse(&[]).unwrap().allow_dangerous_commands);
    }

    #[test]
    fn an_empty_list_of_tools_is_not_the_default_list() {
        assert_eq!(
            parse(&["--tools", ""]).unwrap().tool_names(),
            Some(Vec::new())
        );
        assert_eq!(parse(&[]).unwrap().tool_names(), None);
    }

    #[test]
    fn wrong_values_are_usage_errors() {
        for arguments in [
            ["--timeout", "nan"],
            ["--timeout", "-1"],
            ["--timeout", "0"],
            ["--timeout", "inf"],
            ["--timeout", "1e10"],
            ["--timeout", "5s"],
            ["--max-tool-calls", "-1"],
            ["--max-tool-calls", "1.5"],
            ["--memory-limit", "-1"],
            ["--memory-limit", "12 parsecs"],
            ["--fuel", "0"],
            ["--fuel", "-3"],
            ["--mode", "bogus"],
        ] {
            let error = parse(&arguments).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueValidation, "{arguments:?}");
        }
    }

    #[test]
    fn the_shortest_timeout_is_not_zero() {
        assert_eq!(seconds("1e-12"), Ok(Duration::from_nanos(1)));
        assert_eq!(seconds("1e9"), Ok(Duration::from_secs(1_000_000_000)));
    }

    #[test]
    fn fuel_is_refused_where_it_is_not_metered() {
        let refused = |mode| {
            let options = parse(&["--fuel=7"]).unwrap();
            options
                .check_fuel(mode)
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(refused(Mode::Strict), None);
        assert_eq!(
            refused(Mode::Project).as_deref(),
            Some("project mode meters no fuel; hint: use `--timeout` there, or `--mode strict`")
        );
        assert!(parse(&[]).unwrap().check_fuel(Mode::Project).is_ok());
    }

    #[test]
    fn an_unknown_tool_is_refused_with_the_known_names() {
        let owned = |names: [&str; 2]| names.map(str::to_owned).to_vec();
        let known = owned(["read_file", "terminal"]);
        let error = check_tools(owned(["terminal", "shell"]), known.clone()).unwrap_err();
        let expected = "unknown tool `shell`; hint: known tools are `read_file`, `terminal`";
        assert_eq!(error.to_string(), expected);
        assert!(check_tools(owned(["terminal", "read_file"]), known).is_ok());
    }
}
