//! The tool itself: fetches the pages of a call side by side, reads them on threads that may block, and shows what fits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use super::item::{holds_secret, url_of};
use super::page::{Page, PageFault};
use super::reply::{Entry, Refused, Results};
use super::store;
use super::window::{Window, clamp};
use crate::net::{Answer, FetchFault, Fetcher, Lookup, SystemLookup, Target};
use crate::text::redact::{Profile, Redactor};
use crate::tools::arguments::{given, schema_of, whole_number};
use crate::tools::web_options::WebOptions;
use crate::tools::{Tool, ToolContext, ToolError, ToolReply};

/// Pages of one call.
const MAX_URLS: usize = 5;
/// Pages that are read at the same time, for all calls together: each may take many times its limit of memory.
const MAX_READERS: usize = 2;
/// The one backend, which fetches by itself.
const BACKEND: &str = "http";
const NOTHING: &str = "Content was inaccessible or not found";
const SECRET: &str = "Blocked: URL contains what appears to be an API key or token. Secrets must not be sent in URLs.";
/// Pages are shown like the output of a command: what looks like an assignment is code or prose, and tokens are masked.
const PROFILE: Profile = Profile::Terminal { dump: false };

/// Reads web pages for scripts.
#[derive(Debug)]
pub(in crate::tools) struct WebExtract {
    fetcher: Fetcher,
    readers: Arc<Semaphore>,
    char_limit: usize,
    timeout: Duration,
    cache_dir: Option<PathBuf>,
    backend: Option<String>,
}

impl WebExtract {
    pub(in crate::tools) fn new(options: &WebOptions) -> Self {
        Self::looking_up_by(options, Arc::new(SystemLookup))
    }

    /// Makes the tool with another name server.
    fn looking_up_by(options: &WebOptions, lookup: Arc<dyn Lookup>) -> Self {
        Self {
            fetcher: Fetcher::new(
                options.address_policy(),
                lookup,
                options.blocklist(),
                options.fetch_limits(),
            ),
            readers: Arc::new(Semaphore::new(MAX_READERS)),
            char_limit: options.extract_char_limit,
            timeout: options.extract_timeout,
            cache_dir: options.cache_dir.clone(),
            backend: options.extract_backend.clone(),
        }
    }

    /// Answers for one page.
    async fn entry(&self, url: &str, char_limit: usize, context: &ToolContext) -> Entry {
        let redactor = context.redactor();
        let read = async {
            let target = Target::parse(url).ok_or(FetchFault::Unsafe)?;
            let answer = self.fetcher.fetch(&target).await?;
            self.read(answer, &target, url, char_limit, context).await
        };
        let fault = match tokio::time::timeout(self.timeout, read).await {
            Ok(Ok(entry)) => return entry,
            Ok(Err(fault)) => fault,
            Err(_) => {
                let seconds = self.timeout.as_secs_f64();
                return Entry::failed(
                    url,
                    format!("Extract timed out after {seconds}s via {BACKEND}"),
                );
            }
        };
        let message = redactor.redact(&fault.to_string(), PROFILE).into_owned();
        let entry = Entry::failed(url, message);
        match fault {
            PageFault::Fetch(FetchFault::Blocklisted(block)) => entry.blocked_by(block),
            _ => entry,
        }
    }

    /// Reads an answer on a thread that may block; the work ends with this future.
    async fn read(
        &self,
        answer: Answer,
        target: &Target,
        url: &str,
        char_limit: usize,
        context: &ToolContext,
    ) -> Result<Entry, PageFault> {
        let over = context.cancellation().child_token();
        let _ends_with_future = over.clone().drop_guard();
        // The semaphore is never closed; were it, nobody would wait for pages any more.
        let permit = Arc::clone(&self.readers)
            .acquire_owned()
            .await
            .map_err(|_| PageFault::Over)?;
        let redactor = Arc::clone(context.redactor());
        let cache_dir = self.cache_dir.clone();
        let (url, host) = (url.to_owned(), target.host().to_owned());
        let work = move || {
            let _permit = permit;
            let page = Page::read(answer, &|| over.is_cancelled())?;
            let text = redactor.redact(&page.text, PROFILE);
            Ok(Entry {
                title: redactor.redact(&page.title, PROFILE).into_owned(),
                content: shown(&text, char_limit, cache_dir.as_deref(), &url, &host),
                url,
                ..Entry::default()
            })
        };
        tokio::task::spawn_blocking(work).await?
    }
}

/// Returns the text, or its ends and where it is stored as a whole.
fn shown(text: &str, limit: usize, cache_dir: Option<&Path>, url: &str, host: &str) -> String {
    let Some(window) = Window::cut(text, limit) else {
        return text.to_owned();
    };
    let stored = cache_dir.and_then(|dir| match store::save(dir, url, host, text) {
        Ok(path) => Some(path),
        Err(error) => {
            tracing::warn!("a page cannot be stored in {}: {error}", dir.display());
            None
        }
    });
    window.show(stored.as_deref())
}

#[async_trait]
impl Tool for WebExtract {
    fn name(&self) -> &'static str {
        "web_extract"
    }

    fn description(&self) -> &'static str {
        "Reads up to 5 web pages as Markdown and returns a dict whose 'results' have url, title, content and error. The host fetches them: a URL is seen by the server that it names."
    }

    fn parameters(&self) -> Value {
        schema_of::<Arguments>()
    }

    async fn call(
        &self,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolReply, ToolError> {
        if let Some(backend) = self
            .backend
            .as_deref()
            .filter(|backend| *backend != BACKEND)
        {
            return Err(ToolError::new(format_args!(
                "Unknown web extract backend '{backend}'. Available: {BACKEND}."
            )));
        }
        let items = match given(&arguments, "urls") {
            Some(Value::Array(items)) => items.get(..MAX_URLS).unwrap_or(items),
            _ => &[],
        };
        let urls: Vec<Result<&str, String>> = items.iter().map(url_of).collect();
        if has_secret(&urls, context.redactor()) {
            return ToolReply::pretty(&Refused::new(SECRET));
        }
        let requested = whole_number(given(&arguments, "char_limit"));
        // A negative limit is the smallest one.
        let requested = requested.map(|limit| usize::try_from(limit).unwrap_or(0));
        let char_limit = clamp(requested.unwrap_or(self.char_limit));
        let entries = urls.into_iter().map(async |url| match url {
            Ok(url) => self.entry(url, char_limit, context).await,
            Err(message) => Entry::failed("", message),
        });
        let results = join_all(entries).await;
        if results.is_empty() {
            return Err(ToolError::new(NOTHING));
        }
        ToolReply::pretty(&Results { results })
    }
}

fn has_secret(urls: &[Result<&str, String>], redactor: &Redactor) -> bool {
    urls.iter().flatten().any(|url| holds_secret(url, redactor))
}

/// Arguments of `web_extract`.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "the struct is the signature; values are checked one by one"
)]
struct Arguments {
    /// URLs, or dicts with 'url' such as search results; the first 5 are read.
    urls: Vec<Value>,
    /// Longest content of a page in characters, from 2000 to 500000; 15000 if not given.
    #[schemars(default)]
    char_limit: Option<u64>,
}

#[cfg(test)]
mod tests;
