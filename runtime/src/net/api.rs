//! Requests to a service that the host has chosen: JSON in, JSON out.
//!
//! The address comes from the host's configuration and is trusted, be it private. A redirect is an error, for it would carry the key away.

use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use thiserror::Error;
use url::Url;

use super::client::{self, ClientFault};
use super::fetch::chain;

/// Bytes of an answer.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// Speaks to services with JSON.
#[derive(Debug, Clone)]
pub(crate) struct ApiClient {
    client: reqwest::Client,
    timeout: Duration,
}

impl ApiClient {
    /// Makes a client that waits this long for a whole answer.
    ///
    /// # Errors
    /// Fails where there is no TLS.
    pub(crate) fn new(timeout: Duration) -> Result<Self, ApiFault> {
        let client = client::unpinned()?;
        Ok(Self { client, timeout })
    }

    /// Asks for a document; `key` is a header field with a credential.
    pub(crate) async fn get(
        &self,
        url: Url,
        key: Option<(&'static str, &str)>,
    ) -> Result<Value, ApiFault> {
        self.answer(self.client.request(Method::GET, url), key)
            .await
    }

    /// Sends a document and returns the answer.
    pub(crate) async fn post(
        &self,
        url: Url,
        key: Option<(&'static str, &str)>,
        body: &Value,
    ) -> Result<Value, ApiFault> {
        let request = self
            .client
            .request(Method::POST, url)
            .header("content-type", "application/json")
            .body(body.to_string());
        self.answer(request, key).await
    }

    async fn answer(
        &self,
        request: RequestBuilder,
        key: Option<(&'static str, &str)>,
    ) -> Result<Value, ApiFault> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some((name, key)) = key {
            let mut key = HeaderValue::from_str(key).map_err(|_| ApiFault::Key)?;
            // Nothing that shows a request shows the key.
            key.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), key);
        }
        let answered = async {
            let mut response = request
                .headers(headers)
                .send()
                .await
                .map_err(ApiFault::transport)?;
            if response.status() != StatusCode::OK {
                return Err(ApiFault::Status(response.status()));
            }
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(ApiFault::transport)? {
                if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                    return Err(ApiFault::TooLarge);
                }
                body.extend_from_slice(&chunk);
            }
            serde_json::from_slice(&body).map_err(ApiFault::Malformed)
        };
        match tokio::time::timeout(self.timeout, answered).await {
            Ok(answer) => answer,
            Err(_) => Err(ApiFault::Timeout(self.timeout)),
        }
    }
}

/// Says why a service did not answer; no text here holds a URL or a key.
#[derive(Debug, Error)]
pub(crate) enum ApiFault {
    /// The service refuses.
    #[error("HTTP {0}")]
    Status(StatusCode),
    /// The service is slow.
    #[error("no answer within {}s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The answer is beyond the limit.
    #[error("the answer is larger than {MAX_ANSWER_BYTES} bytes")]
    TooLarge,
    /// The answer is not JSON.
    #[error("the answer is not valid JSON")]
    Malformed(#[source] serde_json::Error),
    /// The key cannot be sent in a header field.
    #[error("the API key has characters that no HTTP header may hold")]
    Key,
    /// The connection failed or broke.
    #[error("{detail}")]
    Transport {
        /// What happened, from the outermost cause to the innermost.
        detail: String,
        #[source]
        source: reqwest::Error,
    },
    /// There is no client to ask with.
    #[error(transparent)]
    Client(#[from] ClientFault),
}

impl ApiFault {
    fn transport(error: reqwest::Error) -> Self {
        let source = error.without_url();
        Self::Transport {
            detail: chain(&source),
            source,
        }
    }
}
