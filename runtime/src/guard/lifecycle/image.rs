//! Commands that kill by the name of a program which the gateway, or the interpreter of its scripts, has as well.
//!
//! They are looked for where a shell would see a command begin: at the start of a line, behind a separator, in a
//! substitution. A string that is handed to a call of Python is not such a place.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::pattern::compiled;
use crate::text::truncate::first_chars;

/// How far behind a list of processes the command that kills them is looked for.
const MAX_PIPELINE_CHARS: usize = 200;

/// Tells whether a name is one that the gateway, or an interpreter, has.
type IsOwn<'a> = &'a dyn Fn(&str) -> bool;

/// A kind of command that kills by name.
struct Row {
    pattern: &'static str,
    /// Finds the name that is killed among the words behind the program.
    killed: fn(Vec<String>, IsOwn<'_>) -> Option<String>,
    /// Whether that counts only if what follows on the line kills.
    needs_kill: bool,
    /// Texts that have such a command; the gateway's own program is `own`.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    hits: &'static [&'static str],
    /// Texts that look alike, and have none.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run them"))]
    misses: &'static [&'static str],
}

const ROWS: [Row; 4] = [
    Row {
        pattern: r"(?:pkill|killall|stop-process)(?:\.exe)?[ \t]+(?P<rest>REST)",
        killed: an_operand,
        needs_kill: false,
        hits: &[
            "pkill python",
            "x = '''\n  sudo pkill -9 python3\n'''",
            "cd x && /usr/bin/pkill -f '^python3.11$'",
            "killall -s KILL node python",
            "killall own",
            "Stop-Process -Name python",
            "echo $(pkill pythonw)",
            "true | pkill \"python\"",
        ],
        misses: &[
            "os.system(\"pkill python\")",
            "pkill -f my_script.py",
            "pkill -f 'python my_script.py'",
            "pkill -f python_worker",
            "killall node",
            "# pkill python",
            "print('pkill python')",
            "pkill = python",
        ],
    },
    Row {
        pattern: r"taskkill(?:\.exe)?[ \t]+(?P<rest>REST)",
        killed: the_image,
        needs_kill: false,
        hits: &[
            "taskkill /IM python.exe",
            "taskkill.exe /F /im \"PYTHON3.EXE\" /T",
            "taskkill //F //IM python*",
            "taskkill -im own.exe",
        ],
        misses: &[
            "taskkill /PID 12",
            "taskkill /IM node.exe",
            "taskkill /FI python.exe",
            "os.system('taskkill /IM python.exe')",
        ],
    },
    Row {
        pattern: r"(?:pgrep|pidof|get-process)(?:\.exe)?[ \t]+(?P<rest>REST)\|",
        killed: an_operand,
        needs_kill: true,
        hits: &[
            "pgrep python | xargs kill",
            "pgrep -f python3 | xargs -r sudo kill -9",
            "pidof own | xargs /bin/kill",
            "Get-Process python | Stop-Process",
            "pgrep worker | pgrep python | xargs kill",
        ],
        misses: &[
            "pgrep python | wc -l",
            "pgrep -f my_script.py | xargs kill",
            "pgrep python; kill 7",
            "run('pgrep python | xargs kill')",
        ],
    },
    Row {
        pattern: r#"kill(?:[ \t]+-[^\s]+){0,8}[ \t]+"?(?:\$\(|`)[ \t]*(?:pgrep|pidof)[ \t]+(?P<rest>REST)"#,
        killed: an_operand,
        needs_kill: false,
        hits: &["kill $(pgrep python)", "kill -9 -x `pidof own`"],
        misses: &["kill $(pgrep worker)", "kill 7", "echo $(pgrep python)"],
    },
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    // Wrappers and directories before a program are a few words at most.
    const BEGIN: &str = r"(?im)(?:^|[;|&`]|\$\()[ \t]*(?:(?:sudo|exec|nohup)[ \t]+(?:-[^\s]+[ \t]+){0,4})?(?:[^\s;|&`'\x22()=]*[/\\])?";
    let pattern = |row: &Row| {
        let pattern = row.pattern.replace("REST", r"[^\n;|&`)=][^\n;|&`)]*");
        compiled(&format!("{BEGIN}{pattern}"))
    };
    ROWS.iter().map(pattern).collect()
});

/// Returns the name that the first command kills by, if it is that of an interpreter or `own`. Linear in the text.
pub(super) fn killed_image(text: &str, own: Option<&str>) -> Option<String> {
    let rows = ROWS.iter().zip(PATTERNS.iter());
    rows.into_iter()
        .find_map(|(row, pattern)| killed_by(row, pattern, text, own))
}

fn killed_by(row: &Row, pattern: &Regex, text: &str, own: Option<&str>) -> Option<String> {
    let is_own = |word: &str| is_own_image(word, own);
    let mut from = 0;
    while let Some(found) = pattern.captures_at(text, from) {
        let (whole, rest) = (found.get_match(), found.name("rest")?);
        let following = text.get(whole.end()..).unwrap_or_default();
        if (!row.needs_kill || kills(following))
            && let Some(image) = (row.killed)(words(rest.as_str()), &is_own)
        {
            return Some(image);
        }
        // What ends a command may begin the next one: so it is not skipped.
        from = rest.end();
    }
    None
}

/// Tells whether the rest of a command line has a command that kills, near its beginning.
fn kills(following: &str) -> bool {
    let near = first_chars(following, MAX_PIPELINE_CHARS);
    let line = near.split(['\n', ';', '&']).next().unwrap_or_default();
    let is_such = |word: &String| ["kill", "stop-process"].contains(&base(word).as_str());
    words(line).iter().any(is_such)
}

/// Tells whether a name, or a simple pattern for names, is that of an interpreter or of the gateway's own program.
fn is_own_image(word: &str, own: Option<&str>) -> bool {
    let base = base(word.trim_matches(['^', '$', '*', '.']));
    let version = base
        .strip_prefix("python")
        .map(|rest| rest.trim_end_matches('w'));
    version.is_some_and(|rest| {
        rest.chars()
            .all(|letter| letter.is_ascii_digit() || letter == '.')
    }) || own.is_some_and(|own| base == self::base(own))
}

/// Returns the name of a program without directories and `.exe`, in lower case.
fn base(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.to_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// Finds a name among the words that are no options.
fn an_operand(words: Vec<String>, is_own: IsOwn<'_>) -> Option<String> {
    words
        .into_iter()
        .find(|word| !word.starts_with('-') && is_own(word))
}

/// Finds a name behind the option `/IM`.
fn the_image(words: Vec<String>, is_own: IsOwn<'_>) -> Option<String> {
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches(['/', '-']);
        if option.eq_ignore_ascii_case("im") {
            return words.next().filter(|image| is_own(image));
        }
    }
    None
}

/// Splits at blanks that are not quoted.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ' ' | '\t' | '\r' if quote.is_none() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_finds_its_commands_and_no_others() {
        for (row, pattern) in ROWS.iter().zip(PATTERNS.iter()) {
            assert!(!row.hits.is_empty() && !row.misses.is_empty());
            for text in row.hits {
                let killed = killed_by(row, pattern, text, Some("/opt/own"));
                assert!(killed.is_some(), "`{}`: {text}", row.pattern);
            }
            for text in row.misses {
                assert_eq!(killed_image(text, Some("/opt/own")), None, "{text}");
            }
        }
    }

    #[test]
    fn the_name_is_told_as_it_was_written() {
        let killed = killed_image("taskkill /F /IM \"Python.exe\"", None);
        assert_eq!(killed.as_deref(), Some("Python.exe"));
        assert_eq!(killed_image("killall own", None), None);
    }
}
