//! Where the things under test lie: the binary, the artifact, the workspace.
//!
//! The binary is not made by the command that runs the tests. One that is older than its sources is refused, so that no test
//! passes or fails because of yesterday's program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

static BINARY: LazyLock<PathBuf> = LazyLock::new(fresh_binary);

/// Returns the path of `hermes-exec`, built by the same profile as the running test and not older than its sources.
pub fn hermes_exec() -> &'static Path {
    &BINARY
}

/// Returns a command that starts `hermes-exec` with none of the caller's settings but the artifact under test and its cache.
pub(crate) fn command(home: &Path) -> Command {
    let mut command = Command::new(hermes_exec());
    let is_setting = |name: &str| name.starts_with("HERMES_") || name.starts_with("TERMINAL_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_setting(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command
        .env("HERMES_HOME", home)
        .env("HERMES_ARTIFACT_DIR", artifact_dir());
    if let Some(cache) = std::env::var_os("HERMES_CACHE_DIR") {
        command.env("HERMES_CACHE_DIR", cache);
    }
    command
}

/// Returns a command that starts a program, such as `env`, which is given another command to start.
pub(crate) fn started_by(launcher: &[&str], started: &Command) -> Command {
    let (program, arguments) = launcher.split_first().unwrap();
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(started.get_program())
        .args(started.get_args());
    for (name, value) in started.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

fn fresh_binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // `target/<profile>/deps/it-<hash>` stands beside `target/<profile>/hermes-exec`.
    let profile = test
        .parent()
        .and_then(Path::parent)
        .expect("a test binary lies in `deps` of its profile");
    let binary = profile.join("hermes-exec");
    assert!(
        binary.is_file(),
        "`{}` is missing; build it with `cargo build --release --bin hermes-exec`",
        binary.display()
    );
    if let Some(source) = newer_source(&binary, &binary.with_extension("d")) {
        panic!(
            "`{}` is older than `{source}`; build it with `cargo build --release --bin hermes-exec`",
            binary.display()
        );
    }
    binary
}

/// Returns a source that was changed or removed after the binary was built.
///
/// The sources are those that cargo lists beside the binary: a file that only unit tests compile is none of them.
fn newer_source(binary: &Path, list: &Path) -> Option<String> {
    let modified = |path: &Path| fs::metadata(path).and_then(|about| about.modified());
    let built = modified(binary).unwrap();
    let text = fs::read_to_string(list)
        .unwrap_or_else(|error| panic!("`{}` cannot be read: {error}", list.display()));
    let (_, sources) = text
        .split_once(": ")
        .unwrap_or_else(|| panic!("`{}` lists no sources", list.display()));
    let is_newer =
        |source: &String| !modified(Path::new(source)).is_ok_and(|changed| changed <= built);
    // A space in a path is escaped, so that the paths can be told apart.
    sources
        .trim_end()
        .replace("\\ ", "\0")
        .split(' ')
        .map(|source| source.replace('\0', " "))
        .find(is_newer)
}

/// Returns the root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are a member of the workspace")
}

/// Returns the directory of the artifact that the tests run on.
pub fn artifact_dir() -> PathBuf {
    let place = std::env::var_os("HERMES_ARTIFACT_DIR")
        .map_or_else(|| workspace().join("target/artifact"), PathBuf::from);
    assert!(
        place.join("manifest.json").is_file(),
        "no artifact in `{}`; build it with `make artifact`",
        place.display()
    );
    place
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_binary_is_refused_after_a_change_of_its_sources_only() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str, seconds: u64| {
            let path = place.path().join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
                .unwrap();
            path
        };
        let binary = at("hermes-exec", 1_000);
        let (old, new) = (at("a file.rs", 1_000), at("new.rs", 1_001));
        let shown = |path: &Path| path.to_str().unwrap().to_owned();
        let listing = |sources: &[&Path]| {
            let sources: Vec<_> = sources
                .iter()
                .map(|path| shown(path).replace(' ', "\\ "))
                .collect();
            let list = place.path().join("hermes-exec.d");
            fs::write(
                &list,
                format!("{}: {}\n", binary.display(), sources.join(" ")),
            )
            .unwrap();
            newer_source(&binary, &list)
        };
        assert_eq!(listing(&[&old]), None);
        assert_eq!(listing(&[&old, &new]), Some(shown(&new)));
        let gone = place.path().join("gone.rs");
        assert_eq!(listing(&[&old, &gone]), Some(shown(&gone)));
    }
}
