//! Commands that end containers, or that reach another machine's.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};

const ENGINES: [&str; 4] = ["docker", "docker-compose", "nerdctl", "podman"];
/// Options that take the next word as value, before the subcommand.
const VALUED: [&str; 11] = [
    "--config",
    "--context",
    "--file",
    "--host",
    "--log-level",
    "--profile",
    "--project-name",
    "--url",
    "-H",
    "-c",
    "-f",
];

pub(super) const RULES: [Rule; 2] = [
    Rule {
        description: "container engine of another machine",
        finds: Finds::Program(|program| {
            let is_elsewhere = |word: &str| {
                is_option(
                    word,
                    &["--host", "--context", "--url", "--connection", "-H", "-c"],
                ) || is_option(word, &["--remote", "-r"]) && program.name == "podman"
            };
            let before_action = program.arguments.iter().take_while(|word| {
                word.starts_with('-') || !actions(program).any(|it| it == *word)
            });
            program.is_one_of(&ENGINES)
                && (before_action.map(String::as_str).any(is_elsewhere)
                    || program.assignments.iter().any(|assignment| {
                        ["DOCKER_HOST=", "DOCKER_CONTEXT=", "CONTAINER_HOST="]
                            .iter()
                            .any(|name| assignment.starts_with(name))
                    }))
                || program.name == "export"
                    && program
                        .operands()
                        .any(|word| word.starts_with("DOCKER_HOST="))
        }),
        hits: &[
            "docker -H tcp://x ps",
            "docker --context prod run x",
            "DOCKER_HOST=ssh://x docker ps",
            "podman --remote ps",
            "podman --url=ssh://x ps",
            "export DOCKER_HOST=tcp://x",
        ],
        misses: &[
            "docker ps",
            "docker run -H x y",
            "docker run x sh -c y",
            "podman run -r x",
            "echo docker -H x",
        ],
    },
    Rule {
        description: "stop, kill, restart or removal of containers",
        finds: Finds::Program(|program| {
            let mut words =
                actions(program).filter(|word| !["compose", "container"].contains(word));
            program.is_one_of(&ENGINES)
                && words.next().is_some_and(|action| {
                    ["stop", "kill", "restart", "down", "rm"].contains(&action)
                })
        }),
        hits: &[
            "docker stop x",
            "docker compose -f x.yml down",
            "docker-compose restart",
            "sudo podman kill x",
            "docker container rm x",
        ],
        misses: &[
            "docker ps",
            "docker logs stop",
            "docker compose up -d",
            "docker run x stop",
            "echo docker stop x",
        ],
    },
];

fn is_option(word: &str, names: &[&str]) -> bool {
    names.contains(&word.split_once('=').map_or(word, |(name, _)| name))
}

/// Returns the subcommand and what stands behind it.
fn actions(program: &Program) -> impl Iterator<Item = &str> {
    let mut is_value = false;
    program
        .arguments
        .iter()
        .map(String::as_str)
        .filter(move |word| {
            let was_value = is_value;
            is_value = VALUED.contains(word);
            !was_value && !word.starts_with('-')
        })
}
