//! The commands that end a gateway, as a table.
//!
//! A row is found in a text whatever its case, and wherever it stands. No pattern looks further than a few words, or the end
//! of a line.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::pattern::compiled;

/// Name of the profile of a gateway, and of a command, that names none.
const DEFAULT_PROFILE: &str = "default";

/// A kind of command that ends a gateway.
struct Row {
    pattern: &'static str,
    /// Sources that have such a command.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    hits: &'static [&'static str],
    /// Sources that look alike, and have none.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    misses: &'static [&'static str],
}

/// Begins each pattern's program; a word that only ends like it is another one. `FLAGS` stands for options with their values.
const ROWS: [Row; 5] = [
    Row {
        pattern: r"BEGIN hermes[0-9a-z_.-]*(?:/[0-9a-z_./-]+\.py)?(?P<before>FLAGS)\s+gateway(?P<after>FLAGS)\s+(?:restart|stop|uninstall)END",
        hits: &[
            "os.system('hermes gateway restart')",
            "subprocess.run(['hermes', 'gateway', 'stop'])",
            "run('/usr/local/bin/hermes gateway uninstall')",
            "run('HERMES.EXE gateway stop')",
            "run('python -m hermes_cli.main gateway restart')",
            "run('python3 /opt/hermes_cli/main.py gateway restart')",
            "run([sys.executable, '-m', 'hermes', 'gateway', 'stop'])",
            "run('hermes -v --log-level debug gateway --force restart')",
            "run('hermes -p work gateway restart')",
            "run('hermes --profile=work gateway restart')",
            "run('hermes gateway --profile \"work\" stop')",
            "run('hermes -p $NAME gateway stop')",
            "run('her\\'\\'mes gate\\\"\\\"way re\\\\start')",
            "run('\\x68ermes\\tgateway\\tstop')",
            "# hermes gateway stop",
        ],
        misses: &[
            "os.system('hermes gateway status')",
            "run('hermes gateway stop-watch')",
            "run('myhermes gateway stop')",
            "run('hermes -p other gateway stop')",
            "run('hermes --profile=other gateway stop')",
            "run('hermes gateway -p other stop')",
            "run(['hermes', '-p', 'other', 'gateway', 'stop'])",
            "run('hermes stop')",
            "hermes = gateway.stop()",
        ],
    },
    Row {
        pattern: r"BEGIN launchctl\s+(?:kickstart|unload|load|stop|restart|submit|bootstrap|bootout|remove|disable)END[^\n;&|]*hermes[.-]gateway",
        hits: &[
            "os.system('launchctl bootout gui/501/ai.hermes.gateway')",
            "run(['launchctl', 'kickstart', '-k', f'gui/{uid}/ai.hermes.gateway'])",
            "run([\n    'launchctl',\n    'bootout',\n    'gui/501/ai.hermes-gateway',\n])",
            "run('LAUNCHCTL unload ~/Library/LaunchAgents/ai.hermes.gateway.plist')",
        ],
        misses: &[
            "os.system('launchctl list ai.hermes.gateway')",
            "os.system('launchctl bootout gui/501/com.example')",
            "run('launchctl print gui/501/ai.hermes.gateway')",
            "a = 'launchctl stop x'\nb = 'hermes.gateway'",
        ],
    },
    Row {
        pattern: r"BEGIN systemctlFLAGS\s+(?:restart|stop|start|kill|try-restart|(?:try-)?reload-or-restart)\s[^\n;&|]*hermes-gateway",
        hits: &[
            "os.system('systemctl restart hermes-gateway')",
            "run(['systemctl', '--user', 'stop', 'hermes-gateway.service'])",
            "run('sudo systemctl -H host stop other hermes-gateway')",
            "run('systemctl kill -s KILL hermes-gateway')",
        ],
        misses: &[
            "os.system('systemctl status hermes-gateway')",
            "run('systemctl --user is-active hermes-gateway')",
            "run('systemctl restart nginx')",
            "run('systemctl stop nginx && systemctl status hermes-gateway')",
            "run('systemctl cat hermes-gateway')",
        ],
    },
    Row {
        pattern: r"DOTTED (?:pkill|kill|killall|taskkill|stop-process)(?:\.exe)?END[^\n]*(?:hermes[^\n]*gateway|gateway[^\n]*hermes)",
        hits: &[
            "os.system('pkill -f hermes-gateway')",
            "run(['killall', 'hermes_gateway'])",
            "run('kill $(pgrep -f \"gateway.*hermes\")')",
            "run('taskkill.exe /IM hermes-gateway.exe')",
            "run('Stop-Process -Name hermes-gateway')",
            "os.kill(int(open('/home/u/.hermes/gateway.pid').read()), 15)",
            "os.kill(hermes_gateway_pid, 9)",
        ],
        misses: &[
            "os.system('pgrep -f hermes-gateway')",
            "run('pkill -f my_gateway')",
            "run('skill hermes gateway')",
            "overkill = hermes.gateway",
        ],
    },
    Row {
        pattern: r"BEGIN (?:pgrep|pidof|ps|get-process|tasklist)END[^\n]*(?:hermes[^\n]*gateway|gateway[^\n]*hermes)[^\n]*\|[^\n]*(?-u:\b)(?:kill|stop-process)END",
        hits: &[
            "os.system('pgrep -f hermes-gateway | xargs kill')",
            "run('ps aux | grep hermes | grep gateway | xargs kill -9')",
            "run('Get-Process hermes-gateway | Stop-Process')",
        ],
        misses: &[
            "os.system('pgrep -f hermes-gateway | xargs ps')",
            "run('pgrep -f worker | xargs kill')",
        ],
    },
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let pattern = |row: &Row| {
        let pattern = row
            .pattern
            .replace("BEGIN ", r"(?:^|[^0-9a-z_.-])")
            .replace("DOTTED ", r"(?:^|[^0-9a-z_-])")
            .replace("FLAGS", r"(?:\s+--?[^\s]+(?:\s+[^\s-][^\s]*)?){0,8}")
            .replace("END", r"(?:[^0-9a-z_-]|$)");
        compiled(&format!("(?i){pattern}"))
    };
    ROWS.iter().map(pattern).collect()
});

/// Tells whether a text has a command that ends the gateway of that profile. Linear in the text.
pub(super) fn ends_gateway(text: &str, profile: Option<&str>) -> bool {
    PATTERNS
        .iter()
        .any(|pattern| is_hit(pattern, text, profile))
}

fn is_hit(pattern: &Regex, text: &str, profile: Option<&str>) -> bool {
    let mut from = 0;
    while let Some(found) = pattern.captures_at(text, from) {
        let flags = ["before", "after"].map(|name| found.name(name));
        let texts = flags.into_iter().flatten().map(|flags| flags.as_str());
        let mut profiles = texts.filter_map(profile_in);
        if profiles.all(|named| is_current(named, profile)) {
            return true;
        }
        // What ends a command may begin the next one: so it is not skipped.
        let [_, after] = flags;
        from = after.map_or(text.len(), |flags| flags.end());
    }
    false
}

/// Returns the profile that options name.
fn profile_in(flags: &str) -> Option<&str> {
    let mut words = flags.split_whitespace();
    while let Some(word) = words.next() {
        if word == "-p" || word == "--profile" {
            return words.next();
        }
        if let Some(name) = word.strip_prefix("--profile=") {
            return Some(name);
        }
    }
    None
}

/// Tells whether a name may be that of the gateway's profile; what is put in when the script runs may be.
fn is_current(named: &str, profile: Option<&str>) -> bool {
    let named = named.trim_matches(['\'', '"']);
    named.contains(['$', '{', '%'])
        || named.eq_ignore_ascii_case(profile.unwrap_or(DEFAULT_PROFILE))
}

#[cfg(test)]
mod tests {
    use super::super::words::{Escapes, words};
    use super::*;

    /// The texts in which a source is looked through.
    fn texts(source: &str) -> [String; 3] {
        let words = |escapes| words(source, escapes);
        [
            source.to_owned(),
            words(Escapes::Shell),
            words(Escapes::Python),
        ]
    }

    #[test]
    fn every_row_finds_its_commands_and_no_others() {
        for (row, pattern) in ROWS.iter().zip(PATTERNS.iter()) {
            assert!(!row.hits.is_empty() && !row.misses.is_empty());
            let is_found = |source: &str| {
                let texts = texts(source);
                texts.iter().any(|text| is_hit(pattern, text, Some("work")))
            };
            for source in row.hits {
                assert!(is_found(source), "`{}`: {source}", row.pattern);
            }
            for source in row.misses {
                assert!(!is_found(source), "not `{}`: {source}", row.pattern);
            }
        }
    }

    #[test]
    fn what_one_row_misses_no_other_row_finds() {
        for source in ROWS.iter().flat_map(|row| row.misses) {
            for text in texts(source) {
                assert!(!ends_gateway(&text, Some("work")), "{source}");
            }
        }
    }

    #[test]
    fn a_gateway_without_a_profile_is_the_default_one() {
        for (command, expected) in [
            ("hermes gateway stop", true),
            ("hermes -p default gateway stop", true),
            ("hermes -p work gateway stop", false),
            ("hermes -p work gateway stop;hermes gateway stop", true),
            ("hermes -p a gateway stop hermes -p b gateway stop", false),
        ] {
            assert_eq!(ends_gateway(command, None), expected, "{command}");
        }
    }
}
