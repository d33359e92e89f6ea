//! Packages of another suite than the machine's, through apt's own tools and a private configuration.
//!
//! The mirror is the machine's own, read from its package sources; its configuration and package lists are not touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::command::{Log, command};
use crate::sources::SUITE;

/// The directory of the machine's package sources.
const ETC: &str = "/etc/apt";

/// The distribution's keys, where the package that brings them keeps the whole set.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A private package index of one suite.
#[derive(Debug)]
pub(crate) struct PrivateApt {
    options: Vec<String>,
}

impl PrivateApt {
    /// Returns an index of the pinned suite that was just downloaded into `directory`.
    pub(crate) fn open(directory: &Path, log: &Log) -> Result<Self> {
        let codename = codename(&fs::read_to_string("/etc/os-release").unwrap_or_default());
        let mirror = mirror(&machine_sources(Path::new(ETC))?, &codename)
            .context("this machine's apt sources name no mirror of its distribution")?;
        let signed = if Path::new(KEYRING).is_file() {
            format!("[signed-by={KEYRING}] ")
        } else {
            String::new()
        };
        let list = directory.join("sources.list");
        for needed in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(directory.join(needed))
                .context("cannot make the directories of the package index")?;
        }
        let text =
            format!("deb-src {signed}{mirror} {SUITE} main\ndeb {signed}{mirror} {SUITE} main\n");
        fs::write(&list, text).with_context(|| format!("cannot write `{}`", list.display()))?;
        let set = |name: &str, value: PathBuf| format!("{name}={}", value.display());
        let apt = Self {
            options: vec![
                set("Dir::Etc::sourcelist", list),
                "Dir::Etc::sourceparts=-".into(),
                set("Dir::State::lists", directory.join("lists")),
                set("Dir::Cache", directory.join("cache")),
                "Acquire::Retries=3".into(),
                "Acquire::Languages=none".into(),
            ],
        };
        log.run(apt.get().arg("update"))?;
        Ok(apt)
    }

    /// Downloads the upstream tarball of a source package into `directory`. The packaging files are not wanted.
    pub(crate) fn source(&self, package: &str, directory: &Path, log: &Log) -> Result<()> {
        log.run(
            self.get()
                .args(["source", "--download-only", "--tar-only", package])
                .current_dir(directory),
        )
    }

    /// Downloads a binary package into `directory`.
    pub(crate) fn package(&self, package: &str, directory: &Path, log: &Log) -> Result<()> {
        log.run(
            self.get()
                .args(["download", package])
                .current_dir(directory),
        )
    }

    fn get(&self) -> Command {
        let mut get = command("apt-get");
        get.arg("-q");
        for option in &self.options {
            get.args(["-o", option]);
        }
        get
    }
}

/// One entry of a package source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    uri: String,
    suite: String,
    components: Vec<String>,
}

/// Returns the mirror of the distribution's main archive: of the entries for the machine's own release if there are
/// any, as those of third parties have other suites.
fn mirror(entries: &[Entry], codename: &str) -> Option<String> {
    let main = || {
        entries
            .iter()
            .filter(|entry| entry.components.iter().any(|component| component == "main"))
    };
    let own = main().find(|entry| entry.suite == codename);
    let any = || {
        main().find(|entry| {
            matches!(
                entry.suite.as_str(),
                "stable" | "oldstable" | "testing" | "unstable" | "sid"
            )
        })
    };
    own.or_else(any).map(|entry| entry.uri.clone())
}

fn machine_sources(etc: &Path) -> Result<Vec<Entry>> {
    let mut files = vec![etc.join("sources.list")];
    if let Ok(parts) = fs::read_dir(etc.join("sources.list.d")) {
        for part in parts {
            files.push(part.context("cannot list the apt sources")?.path());
        }
    }
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        // A file that this user may not read cannot serve us either.
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("sources") => entries.extend(stanzas(&text)),
            Some("list") => entries.extend(text.lines().filter_map(one_line)),
            _ => {}
        }
    }
    Ok(entries)
}

/// Reads a one-line entry: `deb [option=value …] uri suite component…`.
fn one_line(line: &str) -> Option<Entry> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let rest = line.strip_prefix("deb")?;
    // `deb-src` and anything else that only begins alike is not a binary source.
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(options) => options.split_once(']')?.1,
        None => rest,
    };
    let mut words = rest.split_whitespace().map(str::to_owned);
    Some(Entry {
        uri: words.next()?,
        suite: words.next()?,
        components: words.collect(),
    })
}

/// Reads deb822 stanzas: fields, continued by indented lines, apart by empty lines.
fn stanzas(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut stanza: Vec<(String, String)> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .chain([""])
    {
        if line.trim().is_empty() {
            entries.extend(stanza_entries(&std::mem::take(&mut stanza)));
        } else if line.starts_with(char::is_whitespace) {
            if let Some((_, value)) = stanza.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            stanza.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    entries
}

fn stanza_entries(stanza: &[(String, String)]) -> Vec<Entry> {
    let words = |name: &str| -> Vec<String> {
        let value = stanza
            .iter()
            .find(|(field, _)| field == name)
            .map_or("", |(_, value)| value);
        value.split_whitespace().map(str::to_owned).collect()
    };
    if !words("types").iter().any(|kind| kind == "deb")
        || words("enabled").first().is_some_and(|word| word == "no")
    {
        return Vec::new();
    }
    let (uris, suites, components) = (words("uris"), words("suites"), words("components"));
    let pairs = uris
        .iter()
        .flat_map(|uri| suites.iter().map(move |suite| (uri, suite)));
    pairs
        .map(|(uri, suite)| Entry {
            uri: uri.clone(),
            suite: suite.clone(),
            components: components.clone(),
        })
        .collect()
}

fn codename(os_release: &str) -> String {
    let line = os_release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    line.unwrap_or_default().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn entry(uri: &str, suite: &str, components: &[&str]) -> Entry {
        Entry {
            uri: uri.into(),
            suite: suite.into(),
            components: components.iter().map(|&c| c.into()).collect(),
        }
    }

    #[test]
    fn deb822_stanzas_are_read_with_continuations_and_comments() {
        let text = "# the archive\nTypes: deb deb-src\nURIs: http://mirror.test/debian\nSuites: bookworm\n bookworm-updates\n\
                    Components: main contrib\nSigned-By: /k.gpg\n\nTypes: deb\nEnabled: no\nURIs: http://off.test\nSuites: a\n\
                    Components: main\n\nTypes: deb-src\nURIs: http://src.test\nSuites: a\nComponents: main\n";
        assert_eq!(
            stanzas(text),
            [
                entry(
                    "http://mirror.test/debian",
                    "bookworm",
                    &["main", "contrib"]
                ),
                entry(
                    "http://mirror.test/debian",
                    "bookworm-updates",
                    &["main", "contrib"]
                ),
            ]
        );
    }

    #[test]
    fn one_line_entries_are_read_with_options_and_comments() {
        let options = one_line(
            "deb [arch=amd64 signed-by=/k.gpg] http://mirror.test/debian bookworm main non-free # ours",
        );
        assert_eq!(
            options,
            Some(entry(
                "http://mirror.test/debian",
                "bookworm",
                &["main", "non-free"]
            ))
        );
        assert_eq!(
            one_line("deb http://mirror.test stable main"),
            Some(entry("http://mirror.test", "stable", &["main"]))
        );
        assert_eq!(one_line("deb-src http://mirror.test stable main"), None);
        assert_eq!(one_line("# deb http://mirror.test stable main"), None);
        assert_eq!(one_line(""), None);
    }

    #[test]
    fn the_mirror_is_that_of_the_machines_own_release() {
        let third = entry("http://third.test", "nodistro", &["main"]);
        let security = entry("http://security.test", "bookworm-security", &["main"]);
        let own = entry("http://mirror.test/debian", "bookworm", &["main"]);
        let rolling = entry("http://rolling.test/debian", "stable", &["main"]);
        let contrib = entry("http://contrib.test/debian", "bookworm", &["contrib"]);
        assert_eq!(
            mirror(
                &[
                    third.clone(),
                    security.clone(),
                    contrib,
                    rolling.clone(),
                    own
                ],
                "bookworm"
            )
            .unwrap(),
            "http://mirror.test/debian"
        );
        assert_eq!(
            mirror(&[third.clone(), rolling], "bookworm").unwrap(),
            "http://rolling.test/debian"
        );
        assert_eq!(mirror(&[third, security], "bookworm"), None);
    }

    #[test]
    fn both_formats_of_a_machine_are_found_and_other_files_are_not() {
        let etc = tempfile::tempdir().unwrap();
        let parts = etc.path().join("sources.list.d");
        fs::create_dir(&parts).unwrap();
        fs::write(
            etc.path().join("sources.list"),
            "deb http://a.test x main\n",
        )
        .unwrap();
        fs::write(
            parts.join("b.sources"),
            "Types: deb\nURIs: http://b.test\nSuites: y\nComponents: main\n",
        )
        .unwrap();
        fs::write(parts.join("c.list.save"), "deb http://c.test z main\n").unwrap();
        let found = machine_sources(etc.path()).unwrap();
        assert_eq!(
            found,
            [
                entry("http://a.test", "x", &["main"]),
                entry("http://b.test", "y", &["main"])
            ]
        );
    }

    #[test]
    fn the_codename_is_read_with_and_without_quotes() {
        assert_eq!(
            codename("ID=debian\nVERSION_CODENAME=bookworm\n"),
            "bookworm"
        );
        assert_eq!(codename("VERSION_CODENAME=\"trixie\"\n"), "trixie");
        assert_eq!(codename("ID=other\n"), "");
    }
}
