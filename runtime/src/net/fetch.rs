//! Fetches what a URL of a script leads to, over vetted addresses only.
//!
//! Each hop is judged anew: its name is looked up once, every address is vetted, and a client that knows no other addresses makes the one
//! request. So an answer of the name server that changes between the look and the connection has nowhere to take effect.

use std::error::Error as _;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION,
};
use reqwest::{Response, StatusCode};
use thiserror::Error;
use url::Url;

use super::blocklist::{Blocklist, PolicyBlock};
use super::client::{self, ClientFault};
use super::coding::{self, CodingFault};
use super::lookup::Lookup;
use super::policy::AddressPolicy;
use super::target::Target;

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 10;
const ACCEPTED_TYPES: &str =
    "text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5";

/// How much one fetch may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchLimits {
    /// Bytes of a body, counted on the wire, and again when it is unpacked.
    pub(crate) body_bytes: usize,
    /// Time until the header of an answer is there.
    pub(crate) first_byte: Duration,
}

/// Fetches URLs of scripts.
#[derive(Debug)]
pub(crate) struct Fetcher {
    policy: AddressPolicy,
    lookup: Arc<dyn Lookup>,
    blocklist: Blocklist,
    limits: FetchLimits,
}

/// What a server sent, still packed.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Where the answer comes from, after all redirects.
    pub(crate) url: Url,
    /// The header field, if there is one; a server can send anything.
    pub(crate) content_type: Option<String>,
    packed: Vec<u8>,
    coding: String,
    limit: usize,
}

impl Fetcher {
    pub(crate) fn new(
        policy: AddressPolicy,
        lookup: Arc<dyn Lookup>,
        blocklist: Blocklist,
        limits: FetchLimits,
    ) -> Self {
        Self {
            policy,
            lookup,
            blocklist,
            limits,
        }
    }

    /// Fetches a target, and where it redirects to. Takes as long as the servers do: the caller limits the whole.
    pub(crate) async fn fetch(&self, start: &Target) -> Result<Answer, FetchFault> {
        let mut target = start.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.request(&target).await?;
            let status = response.status();
            let Some(location) = redirection(status, response.headers()) else {
                tracing::debug!(url = target.shown(), status = status.as_u16(), "fetched");
                return self.receive(target, response).await;
            };
            let next = target.redirect(&location).ok_or(FetchFault::Unsafe)?;
            if target.is_encrypted() && !next.is_encrypted() {
                return Err(FetchFault::Downgrade);
            }
            target = next;
        }
        Err(FetchFault::TooManyRedirects)
    }

    /// Makes one request to one target that passes every rule.
    async fn request(&self, target: &Target) -> Result<Response, FetchFault> {
        if let Some(block) = self.blocklist.check(target) {
            return Err(FetchFault::Blocklisted(block));
        }
        let vetted = self.policy.vet(target, self.lookup.as_ref()).await;
        let client = client::pinned(vetted.ok_or(FetchFault::Unsafe)?)?;
        let sending = client
            .get(target.url().clone())
            .header(ACCEPT, ACCEPTED_TYPES)
            .header(ACCEPT_ENCODING, coding::ACCEPTED)
            .send();
        match tokio::time::timeout(self.limits.first_byte, sending).await {
            Ok(answered) => answered.map_err(FetchFault::transport),
            Err(_) => Err(FetchFault::NoAnswer(self.limits.first_byte)),
        }
    }

    async fn receive(&self, target: Target, mut response: Response) -> Result<Answer, FetchFault> {
        let status = response.status();
        if !status.is_success() {
            return Err(FetchFault::Status(status));
        }
        let content_type = field(response.headers(), &CONTENT_TYPE);
        let codings = response.headers().get_all(CONTENT_ENCODING).iter();
        let codings: Vec<_> = codings
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        let coding = codings.join(",");
        let mut packed = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(FetchFault::transport)? {
            if packed.len() + chunk.len() > self.limits.body_bytes {
                return Err(FetchFault::TooLarge(self.limits.body_bytes));
            }
            packed.extend_from_slice(&chunk);
        }
        Ok(Answer {
            url: target.url().clone(),
            content_type,
            packed,
            coding,
            limit: self.limits.body_bytes,
        })
    }
}

impl Answer {
    /// Unpacks the body. Blocks for as long as that takes; `is_over` ends it earlier.
    pub(crate) fn unpack(&mut self, is_over: &dyn Fn() -> bool) -> Result<Vec<u8>, FetchFault> {
        let packed = std::mem::take(&mut self.packed);
        coding::decode(packed, &self.coding, self.limit, is_over).map_err(|fault| match fault {
            CodingFault::TooLarge => FetchFault::TooLarge(self.limit),
            other => FetchFault::Coding(other),
        })
    }

    /// Makes an answer as a server could have sent it.
    #[cfg(test)]
    pub(crate) fn of(url: &str, content_type: Option<&str>, body: &[u8]) -> Self {
        use std::str::FromStr as _;
        Self {
            url: Url::from_str(url).unwrap_or_else(|error| panic!("{url}: {error}")),
            content_type: content_type.map(str::to_owned),
            packed: body.to_owned(),
            coding: String::new(),
            limit: usize::MAX,
        }
    }
}

/// Returns where an answer redirects to.
fn redirection(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
        .then(|| field(headers, &LOCATION))
        .flatten()
}

fn field(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Says why nothing was fetched; no text here holds a URL, for it may hold credentials.
#[derive(Debug, Error)]
pub(crate) enum FetchFault {
    /// The target, or a redirect, is none that may be dialled, or its name is not known.
    #[error("Blocked: URL targets a private or internal network address")]
    Unsafe,
    /// The user does not want this site to be visited.
    #[error("Blocked by website policy: '{}' matched rule '{}' from {}", .0.host, .0.rule, .0.source)]
    Blocklisted(PolicyBlock),
    /// Servers send the client in circles.
    #[error("Failed to fetch page: more than {MAX_REDIRECTS} redirects")]
    TooManyRedirects,
    /// A redirect leaves TLS.
    #[error("Failed to fetch page: a redirect from https to http is not followed")]
    Downgrade,
    /// The server took the connection and said nothing.
    #[error("Failed to fetch page: no answer within {}s", .0.as_secs_f64())]
    NoAnswer(Duration),
    /// The server has no such page, or does not give it.
    #[error("Failed to fetch page: HTTP {0}")]
    Status(StatusCode),
    /// The body, or what it unpacks to, is beyond the limit.
    #[error("Failed to fetch page: it is larger than {0} bytes")]
    TooLarge(usize),
    /// The body cannot be unpacked.
    #[error("Failed to fetch page: {0}")]
    Coding(#[source] CodingFault),
    /// The connection failed or broke.
    #[error("Failed to fetch page: {detail}")]
    Transport {
        /// What happened, from the outermost cause to the innermost.
        detail: String,
        #[source]
        source: reqwest::Error,
    },
    /// There is no client to fetch with.
    #[error("Failed to fetch page: {0}")]
    Client(#[from] ClientFault),
}

impl FetchFault {
    fn transport(error: reqwest::Error) -> Self {
        let source = error.without_url();
        Self::Transport {
            detail: chain(&source),
            source,
        }
    }
}

/// Writes an error and its causes in one line.
pub(super) fn chain(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests;
