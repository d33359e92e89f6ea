//! What stops, replaces or doubles the agent that asks for it.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::sources::Sources;

pub(super) const RULES: [Rule; 5] = [
    Rule {
        description: "stop or restart of the hermes gateway (kills running agents)",
        finds: Finds::Program(|program| is_gateway(program, &["stop", "restart", "uninstall"])),
        hits: &[
            "hermes gateway stop",
            "hermes -p x gateway --force restart",
            "python -m hermes_cli.main gateway stop",
            "~/.local/bin/hermes gateway restart",
        ],
        misses: &[
            "hermes gateway status",
            "echo hermes gateway stop",
            "grep 'gateway stop' x",
            "hermes stop",
        ],
    },
    Rule {
        description: "hermes update (restarts the gateway, kills running agents)",
        finds: Finds::Program(|program| hermes_words(program).next() == Some("update")),
        hits: &["hermes update", "sudo hermes -y update"],
        misses: &["hermes skills update", "apt update", "echo hermes update"],
    },
    Rule {
        description: "start of the gateway outside the service manager",
        finds: Finds::Program(|program| {
            let is_detached = program.is_background
                || program
                    .wrappers
                    .iter()
                    .any(|wrapper| ["nohup", "setsid"].contains(&wrapper.name.as_str()));
            is_detached && is_gateway(program, &["run", "start"])
        }),
        hits: &[
            "hermes gateway run &",
            "nohup hermes gateway run",
            "setsid hermes gateway start",
        ],
        misses: &[
            "hermes gateway run",
            "hermes gateway status &",
            "echo hermes gateway run &",
        ],
    },
    Rule {
        description: "kill of the agent itself",
        finds: Finds::Program(|program| {
            // A command's parent is the process that runs the agent.
            program.name == "kill" && program.arguments.iter().any(|word| word.contains("PPID"))
                || program.is_one_of(&["pkill", "killall", "taskkill", "stop-process"])
                    && program.arguments.iter().any(|word| {
                        let word = word.to_ascii_lowercase();
                        let is_interpreter =
                            ["python", "python3", "python.exe"].contains(&word.as_str());
                        word.contains("hermes") || word.contains("gateway") || is_interpreter
                    })
        }),
        hits: &[
            "pkill hermes",
            "pkill -f hermes-gateway",
            "killall python3",
            "kill -9 $PPID",
            "taskkill /IM python.exe",
        ],
        misses: &[
            "pkill -f my_script.py",
            "killall node",
            "pgrep hermes",
            "echo pkill hermes",
        ],
    },
    Rule {
        description: "kill of processes found by name",
        finds: Finds::Program(|program| {
            program.name == "kill"
                && (program.inner.has(Sources::FINDS_PROCESSES)
                    || program.stage.is_piped && program.upstream.has(Sources::FINDS_PROCESSES))
        }),
        hits: &[
            "kill $(pgrep -f x)",
            "kill -9 `pidof x`",
            "pgrep x | xargs kill",
        ],
        misses: &[
            "kill 123",
            "pgrep x",
            "echo $(pgrep x)",
            "pgrep x; kill 1234",
        ],
    },
];

/// Returns the words that tell hermes what to do, if the program is hermes.
fn hermes_words(program: &Program) -> impl Iterator<Item = &str> {
    let is_module = program.name.starts_with("python")
        && program
            .arguments
            .windows(2)
            .any(|pair| matches!(pair, [option, module] if option == "-m" && module.starts_with("hermes")));
    let is_hermes = program.name == "hermes" || is_module;
    let words = program
        .operands()
        .filter(|word| !word.starts_with("hermes"));
    words.take(if is_hermes { usize::MAX } else { 0 })
}

fn is_gateway(program: &Program, actions: &[&str]) -> bool {
    let mut words = hermes_words(program).skip_while(|word| *word != "gateway");
    words.next().is_some() && words.next().is_some_and(|action| actions.contains(&action))
}
