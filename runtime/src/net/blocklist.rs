//! The websites that the host's user does not want to be visited.
//!
//! A list that cannot be read blocks nothing and is told in the log: the list is the user's convenience, not the boundary.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::target::Target;

/// How long the rules are used before the files are read again.
const CACHED: Duration = Duration::from_secs(30);
/// Bytes of one file that are read.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Name of the rules that are not in a file.
const CONFIG: &str = "config";

/// The rules, from the configuration and from files.
#[derive(Debug, Default)]
pub(crate) struct Blocklist {
    enabled: bool,
    domains: Vec<String>,
    files: Vec<PathBuf>,
    read: Mutex<Option<(Instant, Arc<Vec<Rule>>)>>,
}

/// Which rule blocks a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PolicyBlock {
    pub(crate) host: String,
    pub(crate) rule: String,
    pub(crate) source: String,
}

#[derive(Debug)]
struct Rule {
    pattern: String,
    source: Arc<str>,
}

impl Blocklist {
    /// Makes a list of domains and of files with one domain a line.
    pub(crate) fn new(enabled: bool, domains: Vec<String>, files: Vec<PathBuf>) -> Self {
        Self {
            enabled,
            domains,
            files,
            read: Mutex::default(),
        }
    }

    /// Returns the first rule that blocks the target's host.
    pub(super) fn check(&self, target: &Target) -> Option<PolicyBlock> {
        if !self.enabled {
            return None;
        }
        let host = target.host();
        self.rules()
            .iter()
            .find(|rule| matches(&rule.pattern, host))
            .map(|rule| PolicyBlock {
                host: host.to_owned(),
                rule: rule.pattern.clone(),
                source: rule.source.as_ref().to_owned(),
            })
    }

    fn rules(&self) -> Arc<Vec<Rule>> {
        // What is behind the lock is replaced as a whole.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, rules)) = read.as_ref()
            && at.elapsed() < CACHED
        {
            return Arc::clone(rules);
        }
        let rules = Arc::new(self.load());
        *read = Some((Instant::now(), Arc::clone(&rules)));
        rules
    }

    fn load(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        let config: Arc<str> = Arc::from(CONFIG);
        rules.extend(
            self.domains
                .iter()
                .filter_map(|line| Rule::parse(line, &config)),
        );
        for path in &self.files {
            match read_text(path) {
                Ok(text) => {
                    let source: Arc<str> = Arc::from(path.to_string_lossy());
                    rules.extend(text.lines().filter_map(|line| Rule::parse(line, &source)));
                }
                Err(error) => {
                    tracing::warn!(
                        "website blocklist {} cannot be read: {error}",
                        path.display()
                    );
                }
            }
        }
        rules
    }
}

impl Rule {
    /// Reads a line: a domain, perhaps as a URL, or nothing behind a `#`.
    fn parse(line: &str, source: &Arc<str>) -> Option<Self> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let line = line.split_once("://").map_or(line, |(_, rest)| rest);
        let host = line.split(['/', '?', ':']).next().unwrap_or_default();
        let pattern = host.trim_end_matches('.').to_lowercase();
        (!pattern.is_empty()).then(|| Self {
            pattern,
            source: Arc::clone(source),
        })
    }
}

fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(MAX_FILE_BYTES)
        .read_to_string(&mut text)?;
    Ok(text)
}

/// Tells whether a rule is for a host: `example.com` for itself and what is below it, `*` within a rule for any letters.
fn matches(pattern: &str, host: &str) -> bool {
    if pattern.contains('*') {
        return matches_glob(pattern.as_bytes(), host.as_bytes());
    }
    host.strip_suffix(pattern)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Matches by going back to the last star only, which takes no more than the product of both lengths.
fn matches_glob(pattern: &[u8], host: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while let Some(letter) = host.get(at) {
        match pattern.get(next) {
            Some(b'*') => {
                last_star = Some((next, at));
                next += 1;
            }
            Some(expected) if expected == letter => {
                at += 1;
                next += 1;
            }
            _ => match last_star {
                Some((star, from)) => {
                    last_star = Some((star, from + 1));
                    at = from + 1;
                    next = star + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(next).all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    fn blocked(list: &Blocklist, host: &str) -> Option<(String, String)> {
        let target = Target::parse(&format!("https://{host}/x")).unwrap();
        list.check(&target).map(|block| (block.rule, block.source))
    }

    fn list_of(domains: &[&str]) -> Blocklist {
        let domains = domains.iter().map(|domain| (*domain).to_owned()).collect();
        Blocklist::new(true, domains, Vec::new())
    }

    #[tokio::test]
    async fn rules_match_as_the_contract_says() {
        let rows = [
            ("example.com", "example.com", true),
            ("example.com", "a.b.example.com", true),
            ("example.com", "notexample.com", false),
            ("example.com", "example.com.evil", false),
            ("*.example.com", "a.example.com", true),
            ("*.example.com", "example.com", false),
            ("ads*.example.com", "ads7.example.com", true),
            ("ads*.example.com", "bads7.example.com", false),
            ("https://Example.com./path?x", "example.com", true),
            ("  example.com # why", "example.com", true),
            ("# example.com", "example.com", false),
            ("", "example.com", false),
            ("*", "example.com", true),
            ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
        ];
        for (rule, host, expected) in rows {
            assert_eq!(
                blocked(&list_of(&[rule]), host).is_some(),
                expected,
                "{rule} {host}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn files_are_read_again_after_half_a_minute() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("list.txt");
        fs::write(&path, "# mine\none.example\n").unwrap();
        let missing = place.path().join("missing");
        let list = Blocklist::new(
            true,
            vec!["two.example".to_owned()],
            vec![missing, path.clone()],
        );
        let shown = path.to_str().unwrap().to_owned();
        assert_eq!(
            blocked(&list, "one.example"),
            Some(("one.example".to_owned(), shown))
        );
        let config = Some(("two.example".to_owned(), "config".to_owned()));
        assert_eq!(blocked(&list, "two.example"), config);
        fs::write(&path, "").unwrap();
        tokio::time::advance(Duration::from_secs(29)).await;
        assert!(blocked(&list, "one.example").is_some());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(blocked(&list, "one.example"), None);
        assert!(blocked(&list, "two.example").is_some());
    }

    #[tokio::test]
    async fn a_list_that_is_off_blocks_nothing() {
        let list = Blocklist::new(false, vec!["example.com".to_owned()], Vec::new());
        assert_eq!(blocked(&list, "example.com"), None);
    }
}
