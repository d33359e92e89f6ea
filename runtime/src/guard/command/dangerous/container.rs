//! Commands that end containers, or that reach another machine's.

use super::super::rule::{Finds, Rule};

const ENGINES: [&str; 5] = [
    "docker",
    "docker-compose",
    "nerdctl",
    "podman",
    "podman-compose",
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
            let behind = program.container_call().map_or(0, |call| call.words.len());
            let before_action = program.arguments.len().saturating_sub(behind);
            let mut before_action = program.arguments.iter().take(before_action);
            program.is_one_of(&ENGINES)
                && (before_action.any(|word| is_elsewhere(word))
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
            "podman --connection x ps",
            "docker -H x exec c ls",
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
            program.is_one_of(&ENGINES)
                && program.container_call().is_some_and(|call| {
                    ["stop", "kill", "restart", "down", "rm"].contains(&call.action)
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
