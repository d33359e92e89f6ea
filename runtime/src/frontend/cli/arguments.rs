//! The commands of the program and the way to each.

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::exit::{self, Exit};
use crate::failure::Failure;
use crate::stdio::{self, ServeArguments};

use super::artifact::ArtifactArguments;
use super::config::ConfigArguments;
use super::run::RunArguments;
use super::schema::SchemaArguments;
use super::{artifact, config, run, schema, version};

/// Run Python that a model wrote, in a WebAssembly sandbox
#[derive(Debug, Parser)]
#[command(name = "hermes-exec", arg_required_else_help = true, after_help = exit::HELP)]
pub(crate) struct Cli {
    /// Print the versions of hermes-exec, wasmtime and the Python inside
    #[arg(short = 'V', long)]
    version: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a script in a fresh sandbox and print what it printed
    Run(RunArguments),
    /// Serve another program: JSON-RPC 2.0, one object a line
    Serve(ServeArguments),
    /// Show, check or rebuild the guest artifact: Python as a WebAssembly module
    Artifact(ArtifactArguments),
    /// Show the effective values of `config.yaml`'s keys, and where each came from
    ///
    /// `run` and `serve` read `config.yaml` in `HERMES_HOME`, else in `~/.hermes`: limits, options of the tools, and the mode where neither
    /// the command line nor `HERMES_EXEC_MODE` names one. This command takes the options of `run` and those of `serve` about sessions, and
    /// shows what those that stand for a key come to. A value that is broken is told on stderr, whatever `HERMES_LOG` says, and not used; nothing in the file makes a command
    /// fail.
    Config(ConfigArguments),
    /// Show the JSON schema of the tool `execute_code`, to be given to a model
    ///
    /// It takes the options of `run`: the description names the enabled tools, the limits, and where code runs. `config.yaml` is read as
    /// for `run`.
    Schema(SchemaArguments),
}

impl Cli {
    /// Does what the command line says.
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            _ if self.version => version::print(),
            Some(Command::Run(arguments)) => run::run(arguments),
            Some(Command::Serve(arguments)) => stdio::serve(arguments),
            Some(Command::Artifact(arguments)) => artifact::run(&arguments),
            Some(Command::Config(arguments)) => config::run(&arguments),
            Some(Command::Schema(arguments)) => schema::run(arguments),
            None => {
                let error = Self::command().error(ErrorKind::MissingSubcommand, "no command given");
                // When even that cannot be printed, the exit code is all that is left to say.
                let _ = error.print();
                Ok(Exit::from(&error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn exit(arguments: &[&str]) -> Exit {
        Exit::from(&Cli::try_parse_from(arguments).unwrap_err())
    }

    #[test]
    fn the_definition_of_the_commands_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn wrong_usage_is_told_from_a_request_for_help() {
        for arguments in [
            &["hermes-exec"][..],
            &["hermes-exec", "walk"],
            &["hermes-exec", "run", "--no-such-option"],
            &["hermes-exec", "run", "script.py", "-c", "print(1)"],
            &["hermes-exec", "run", "one.py", "two.py"],
            &["hermes-exec", "serve"],
            &["hermes-exec", "artifact", "polish"],
        ] {
            assert_eq!(exit(arguments), Exit::Usage, "{arguments:?}");
        }
        assert_eq!(exit(&["hermes-exec", "run", "--help"]), Exit::Success);
    }

    #[test]
    fn help_says_what_terminal_does() {
        let mut cli = Cli::command();
        let help = cli
            .find_subcommand_mut("run")
            .unwrap()
            .render_long_help()
            .to_string();
        let words: Vec<_> = help.split_whitespace().collect();
        let expected = "`terminal` runs commands on this machine, outside the sandbox and with your own rights.";
        assert!(words.join(" ").contains(expected), "{help}");
    }
}
