//! The answer of `search_files`: its keys in their order, and its sentences.

use serde::Serialize;
use serde_json::{Map, Value};

use super::arguments::{OutputMode, Target};
use super::page::{Finding, Page, Row};
use super::skipped::Skipped;
use crate::contract::is_false;
use crate::text::redact::{Profile, Redactor};
use crate::text::truncate::first_chars;

/// Longest line that is shown, in characters.
const MAX_LINE_CHARS: usize = 500;
/// Number of matches from which on they come as one text.
const MANY_MATCHES: usize = 5;
const MATCHES_FORMAT: &str = "path-grouped: each file path on its own line, followed by indented '<line>: <content>' rows for matches in that file";
const SEARCH_TIMEOUT: &str = "search_timeout";
/// What a pattern with a line feed is told.
pub(super) const MULTI_LINE_WARNING: &str = "Pattern contains \\n — multiline mode (-U) was enabled automatically so the regex can match across line boundaries.";

/// Holds the answer; struct order is key order.
#[derive(Debug, Default, Serialize)]
pub(super) struct SearchReply {
    total_count: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<Match>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches_text: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    counts: Map<String, Value>,
    #[serde(skip_serializing_if = "is_false")]
    truncated: bool,
    #[serde(skip_serializing_if = "is_false")]
    total_count_is_lower_bound: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(rename = "_omitted", skip_serializing_if = "is_zero")]
    omitted: u64,
    #[serde(rename = "_hint", skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// A matching line; struct order is key order.
#[derive(Debug, Serialize)]
struct Match {
    path: String,
    line: u64,
    content: String,
}

impl SearchReply {
    /// Answers with what was found; `timed_out` tells that the time was up before the end.
    pub(super) fn found(
        target: Target,
        mode: OutputMode,
        page: Page,
        timed_out: bool,
        skipped: &Skipped,
        mut warnings: Vec<String>,
        redactor: &Redactor,
    ) -> Self {
        warnings.extend(skipped.sentences());
        let hint = page.has_more.then(|| {
            format!(
                "Results truncated. Use offset={} to see more, or narrow with a more specific pattern or file_glob.",
                page.next_offset()
            )
        });
        let mut reply = Self {
            total_count: page.total,
            truncated: page.has_more || timed_out,
            total_count_is_lower_bound: page.is_lower_bound(timed_out),
            limit_reason: timed_out.then_some(SEARCH_TIMEOUT),
            warning: (!warnings.is_empty()).then(|| warnings.join(" ")),
            omitted: skipped.denied,
            hint,
            ..Self::default()
        };
        match (target, mode) {
            (Target::Content, OutputMode::Content) => {
                let matches = matches_of(page.rows, redactor);
                if matches.len() < MANY_MATCHES {
                    reply.matches = matches;
                } else {
                    reply.matches_format = Some(MATCHES_FORMAT);
                    reply.matches_text = Some(grouped_by_path(&matches));
                }
            }
            (Target::Content, OutputMode::Count) => {
                reply.counts = page
                    .rows
                    .into_iter()
                    .filter_map(|row| match row.finding {
                        Finding::Count(count) => Some((row.path.to_string(), Value::from(count))),
                        Finding::Line(..) | Finding::File => None,
                    })
                    .collect();
            }
            (Target::Content, OutputMode::FilesOnly) | (Target::Files, _) => {
                reply.files = page
                    .rows
                    .into_iter()
                    .map(|row| row.path.to_string())
                    .collect();
            }
        }
        reply
    }

    /// Answers that nothing could be searched.
    pub(super) fn failed(error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// Answers that a pattern or a glob is none.
    pub(super) fn unreadable_pattern(diagnostics: &str) -> Self {
        Self::failed(format!("Search failed: {diagnostics}"))
    }
}

/// Makes matches of rows, without secrets and with lines of bounded length.
///
/// Lines that follow each other are looked at together, for some secrets go over several.
fn matches_of(rows: Vec<Row>, redactor: &Redactor) -> Vec<Match> {
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        if let Finding::Line(line, content) = row.finding {
            lines.push(Match {
                path: row.path.to_string(),
                line,
                content,
            });
        }
    }
    let follows = |first: &Match, second: &Match| {
        first.path == second.path && first.line.checked_add(1) == Some(second.line)
    };
    for block in lines.chunk_by_mut(follows) {
        let text = block
            .iter()
            .map(|found| found.content.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        let clean = redactor.redact(&text, Profile::FileRead);
        let mut clean = clean.split('\n');
        for found in block {
            // The profile keeps the number of lines.
            let line = clean.next().unwrap_or_default();
            first_chars(line, MAX_LINE_CHARS).clone_into(&mut found.content);
        }
    }
    lines
}

fn grouped_by_path(matches: &[Match]) -> String {
    let mut rows = Vec::with_capacity(matches.len());
    for group in matches.chunk_by(|first, second| first.path == second.path) {
        rows.extend(group.first().map(|found| found.path.clone()));
        rows.extend(
            group
                .iter()
                .map(|found| format!("  {}: {}", found.line, found.content)),
        );
    }
    rows.join("\n")
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
