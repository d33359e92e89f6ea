//! What a search without a match may have meant: other case, hidden files, or the letters of the pattern themselves.

use super::arguments::{Arguments, OutputMode};
use super::crew;
use super::page::Page;
use super::pattern::{Pattern, Reading, has_case, has_metacharacters};
use super::scanner::Job;
use super::tree::Tree;
use super::watch::Watch;

/// Number of paths that a warning names.
const MAX_PATHS: u64 = 5;

/// Looks in other ways for a pattern that was not found, and returns the warning of the first that finds something.
pub(super) fn warning(
    arguments: &Arguments,
    job: &Job,
    tree: &Tree,
    watch: &Watch,
) -> Option<String> {
    let search = |pattern: Pattern, mode, unseen, page| {
        let job = Job {
            pattern,
            mode,
            ..job.clone()
        };
        let watch = watch.again();
        let page = crew::search(&job, tree.files(unseen, &watch), page, &watch);
        (page.total > 0 && !watch.has_timed_out()).then_some(page)
    };
    let compile = |reading| Pattern::compile(&arguments.pattern, reading).ok();
    let count = |pattern, unseen| {
        let page = search(
            pattern,
            OutputMode::Count,
            unseen,
            Page::counting(0, MAX_PATHS),
        )?;
        let paths: Vec<&str> = page.rows.iter().map(|row| row.path.as_ref()).collect();
        Some((page.total, page.seen, paths.join(", ")))
    };
    let (mut tries_case, mut tries_literal) = (
        has_case(&arguments.pattern),
        has_metacharacters(&arguments.pattern),
    );
    if tries_case
        && tries_literal
        && let Some(any_way) = compile(Reading::AnyWay)
    {
        // One search tells in most cases that neither of two finds anything.
        let found = search(any_way, OutputMode::FilesOnly, false, Page::new(0, 1)).is_some();
        (tries_case, tries_literal) = (found, found);
    }
    if tries_case
        && let Some(pattern) = compile(Reading::AnyCase)
        && let Some((matches, files, paths)) = count(pattern, false)
    {
        return Some(format!(
            "0 exact matches, but {matches} case-insensitive match(es) in {files} file(s): {paths} — the pattern's casing may be wrong."
        ));
    }
    if let Some((matches, files, paths)) = count(job.pattern.clone(), true) {
        return Some(format!(
            "0 matches in visible files, but {matches} match(es) in {files} hidden or gitignored file(s): {paths} — these are excluded by default."
        ));
    }
    if tries_literal
        && let Some(pattern) = compile(Reading::Literal)
        && let Some((matches, files, paths)) = count(pattern, false)
    {
        return Some(format!(
            "0 regex matches, but {matches} literal match(es) in {files} file(s): {paths} — the pattern contains regex metacharacters that likely need escaping (or pass a simpler substring)."
        ));
    }
    None
}
