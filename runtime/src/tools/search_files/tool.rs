//! The tool itself: finds out where to search, searches on threads that may block, and answers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::arguments::{Arguments, Order, OutputMode, Target};
use super::page::Page;
use super::pattern::{Pattern, Reading};
use super::reply::{MULTI_LINE_WARNING, SearchReply};
use super::roots::{Fault, Roots};
use super::scanner::Job;
use super::tree::Tree;
use super::watch::Watch;
use super::{crew, names, probe};
use crate::fs::{Grants, ReadDenials};
use crate::text::redact::Redactor;
use crate::tools::arguments::schema_of;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

/// Longest time of a search.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Searches files for scripts.
#[derive(Debug)]
pub(in crate::tools) struct SearchFiles {
    timeout: Duration,
    denials: Arc<ReadDenials>,
}

impl SearchFiles {
    pub(in crate::tools) fn new() -> Self {
        Self {
            timeout: TIMEOUT,
            denials: Arc::new(ReadDenials::of_user()),
        }
    }
}

#[async_trait]
impl Tool for SearchFiles {
    fn name(&self) -> &'static str {
        "search_files"
    }

    fn description(&self) -> &'static str {
        "Searches file contents by a regular expression, or file names by a glob (target='files'). Returns a dict with 'total_count' and 'matches'; 5 or more matches come as one text in 'matches_text'."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        let arguments = Arguments::parse(&arguments)?;
        // Dropped with the call: its threads then stop although the cell may go on.
        let ended = context.cancellation().child_token();
        let _guard = ended.clone().drop_guard();
        let watch = Watch::start(ended, self.timeout);
        let grants = Arc::clone(context.grants());
        let redactor = Arc::clone(context.redactor());
        let denials = Arc::clone(&self.denials);
        let work = move || search(&arguments, &grants, denials, &redactor, &watch);
        let reply = tokio::task::spawn_blocking(work).await.map_err(|error| {
            ToolError::caused_by("Search failed: a thread of it failed", error)
        })??;
        ToolReply::json(&reply)
    }
}

fn search(
    arguments: &Arguments,
    grants: &Grants,
    denials: Arc<ReadDenials>,
    redactor: &Arc<Redactor>,
    watch: &Watch,
) -> Result<SearchReply, ToolError> {
    let roots = match Roots::find(grants, &arguments.path) {
        Ok(roots) => roots,
        Err(Fault::Missing(text)) => return Ok(SearchReply::failed(text)),
        Err(Fault::Refused(error)) => return Err(error),
    };
    let mut warnings: Vec<String> = roots.warning.into_iter().collect();
    let file_glob = match arguments.target {
        Target::Content => arguments.file_glob.as_deref(),
        Target::Files => None,
    };
    let tree = match Tree::new(roots.found, file_glob, grants.is_confined(), denials) {
        Ok(tree) => tree,
        Err(fault) => return Ok(SearchReply::unreadable_pattern(&fault)),
    };
    let page = match arguments.target {
        Target::Content => {
            let pattern = match Pattern::compile(&arguments.pattern, Reading::Regex) {
                Ok(pattern) => pattern,
                Err(fault) => return Ok(SearchReply::unreadable_pattern(&fault)),
            };
            if pattern.is_multi_line {
                warnings.push(MULTI_LINE_WARNING.to_owned());
            }
            let job = Job {
                pattern,
                mode: arguments.output_mode,
                context: arguments.context,
                redactor: Arc::clone(redactor),
            };
            let page = crew::search(&job, tree.files(false, watch), empty_page(arguments), watch);
            if page.seen == 0 && !watch.is_over() {
                warnings.extend(probe::warning(arguments, &job, &tree, watch));
            }
            page
        }
        Target::Files => {
            let glob = match names::compile(&arguments.pattern) {
                Ok(glob) => glob,
                Err(fault) => return Ok(SearchReply::unreadable_pattern(&fault)),
            };
            let matching = tree.named(|name| glob.is_match(name), watch);
            names::search(arguments.order, matching, empty_page(arguments), watch)
        }
    };
    if watch.is_cancelled() {
        return Err(ToolError::new("Search failed: the cell has ended"));
    }
    Ok(SearchReply::found(
        arguments.target,
        arguments.output_mode,
        page,
        watch.has_timed_out(),
        &watch.skipped(),
        warnings,
        redactor,
    ))
}

/// Makes the page to fill: one that counts everything where everything has to be met in any case.
fn empty_page(arguments: &Arguments) -> Page {
    let counts_all = match arguments.target {
        Target::Content => arguments.output_mode == OutputMode::Count,
        Target::Files => arguments.order == Order::Modified,
    };
    if counts_all {
        Page::counting(arguments.offset, arguments.limit)
    } else {
        Page::new(arguments.offset, arguments.limit)
    }
}

#[cfg(test)]
mod tests;
