//! How a container engine is called: what it is told to do, and the command that it runs in a container.

use super::option::Options;
use super::payload::quoted;
use super::program::Program;

const ENGINES: [&str; 7] = [
    "docker",
    "docker-compose",
    "kubectl",
    "nerdctl",
    "oc",
    "podman",
    "podman-compose",
];
const ENGINE: Options = Options::new(
    "Hclfpns",
    "",
    &[
        "--cluster",
        "--config",
        "--connection",
        "--context",
        "--env-file",
        "--file",
        "--host",
        "--kubeconfig",
        "--log-level",
        "--namespace",
        "--profile",
        "--project-directory",
        "--project-name",
        "--server",
        "--url",
        "--user",
    ],
);
const IN_CONTAINER: Options = Options::new(
    "euwcvpln",
    "",
    &[
        "--container",
        "--detach-keys",
        "--entrypoint",
        "--env",
        "--env-file",
        "--index",
        "--label",
        "--name",
        "--namespace",
        "--publish",
        "--user",
        "--volume",
        "--workdir",
    ],
);

/// What a container engine is told to do.
#[derive(Debug)]
pub(crate) struct ContainerCall<'p> {
    /// Whether services of a file are meant, as in `docker compose`.
    pub(crate) is_compose: bool,
    pub(crate) action: &'p str,
    /// The words behind the action.
    pub(crate) words: &'p [String],
}

impl Program {
    /// Returns what the program is told to do if it is a container engine.
    pub(crate) fn container_call(&self) -> Option<ContainerCall<'_>> {
        if !self.is_one_of(&ENGINES) {
            return None;
        }
        let (mut action, mut words) = ENGINE.rest(&self.arguments).split_first()?;
        let mut is_compose = self.name.ends_with("-compose");
        if ["compose", "container"].contains(&action.as_str()) {
            is_compose |= action == "compose";
            (action, words) = ENGINE.rest(words).split_first()?;
        }
        Some(ContainerCall {
            is_compose,
            action,
            words,
        })
    }

    /// Returns the command that runs in a container.
    pub(super) fn container_payload(&self) -> Option<String> {
        let call = self.container_call()?;
        if call.action != "exec" && !(call.is_compose && call.action == "run") {
            return None;
        }
        let is_kubernetes = self.is_one_of(&["kubectl", "oc"]);
        let dashes = call.words.iter().position(|word| word == "--");
        let command = match dashes.filter(|_| is_kubernetes) {
            Some(at) => call.words.get(at + 1..)?,
            None => IN_CONTAINER.rest(call.words).get(1..)?,
        };
        quoted(command)
    }

    /// Tells whether what it runs, it runs in a container.
    pub(super) fn runs_elsewhere(&self) -> bool {
        self.is_elsewhere || self.container_payload().is_some()
    }
}
