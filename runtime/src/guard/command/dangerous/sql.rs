//! Statements for a database that lose data.

use std::sync::LazyLock;

use regex::Regex;

use super::super::command_line::CommandLine;
use super::super::rule::{Finds, Rule};

/// Programs that send statements to a database.
const CLIENTS: [&str; 12] = [
    "clickhouse-client",
    "cockroach",
    "duckdb",
    "mariadb",
    "mycli",
    "mysql",
    "pgcli",
    "psql",
    "sqlcmd",
    "sqlite",
    "sqlite3",
    "sqlplus",
];

pub(super) const RULES: [Rule; 3] = [
    Rule {
        description: "SQL DROP",
        finds: Finds::Line(|line| {
            finds(line, |text| {
                static DROP: LazyLock<Option<Regex>> = LazyLock::new(|| {
                    Regex::new(r"(?i)\bdrop\s+(table|database|schema|view|index|user|role)\b").ok()
                });
                DROP.as_ref().is_some_and(|drop| drop.is_match(text))
            })
        }),
        hits: &[
            "psql -c 'DROP TABLE users'",
            "echo 'drop database x;' | mysql",
            "sqlite3 x.db <<E\ndrop table y;\nE",
            "mysql <<< 'Drop Schema x'",
            "psql -c 'drop /* x */ table y'",
            "psql -c 'drop -- x\ntable y'",
            "psql --command='drop table y'",
            "psql -c \"select '--', '/*'; drop table y\"",
            "docker exec db psql -c 'DROP TABLE x'",
            "docker compose exec -T db psql -c 'drop table x'",
        ],
        misses: &[
            "echo 'DROP TABLE users'",
            "psql -c 'select 1'",
            "grep -i 'drop table' x.sql",
            "psql -c 'select dropped from table1'",
        ],
    },
    Rule {
        description: "SQL DELETE without WHERE",
        finds: Finds::Line(|line| {
            finds(line, |text| {
                text.split(';').any(|statement| {
                    let statement = statement.to_ascii_lowercase();
                    let words: Vec<&str> = statement.split_whitespace().collect();
                    let place = words.windows(2).position(|pair| pair == ["delete", "from"]);
                    place.is_some_and(|at| {
                        !words.iter().skip(at).any(|word| word.starts_with("where"))
                    })
                })
            })
        }),
        hits: &[
            "psql -c 'DELETE FROM users'",
            "sqlite3 x 'select 1; delete from y;'",
            "echo 'delete  from x' | psql",
        ],
        misses: &[
            "psql -c 'delete from users where id = 1'",
            "echo 'delete from users'",
            "psql -c 'select deleted from x'",
        ],
    },
    Rule {
        description: "SQL TRUNCATE",
        finds: Finds::Line(|line| {
            finds(line, |text| {
                static TRUNCATE: LazyLock<Option<Regex>> =
                    LazyLock::new(|| Regex::new(r"(?i)(^|;)\s*truncate\s+(table\s+)?\w").ok());
                TRUNCATE
                    .as_ref()
                    .is_some_and(|truncate| truncate.is_match(text))
            })
        }),
        hits: &[
            "psql -c 'TRUNCATE TABLE users'",
            "mysql -e 'select 1; truncate x'",
        ],
        misses: &[
            "truncate -s 0 x",
            "psql -c 'select truncate(1.5, 0)'",
            "echo 'truncate table x'",
        ],
    },
];

/// Tells whether there is such a text among the words and inputs of a line that starts a client.
fn finds(line: &CommandLine, is_such: impl Fn(&str) -> bool) -> bool {
    line.any(|program| program.is_one_of(&CLIENTS))
        && line.any(|program| {
            let words = program.arguments.iter().chain([&program.input]);
            // What looks like a comment may stand in a literal.
            words
                .into_iter()
                .any(|text| is_such(text) || is_such(&without_comments(text)))
        })
}

/// Returns a statement with a blank in place of each comment.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        kept.push(' ');
        rest = behind.split_once("*/").map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    let lines: Vec<&str> = kept
        .lines()
        .map(|line| line.split_once("--").map_or(line, |(code, _)| code))
        .collect();
    lines.join("\n")
}
