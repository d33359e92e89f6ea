//! The HTTP client underneath: HTTP/1.1 over TCP or TLS, with nothing that follows, retries, remembers or asks the environment.
//!
//! Proxies of the environment are not used: a proxy resolves and dials by itself, and what was vetted here would mean nothing.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, redirect, retry};
use rustls::{ClientConfig, RootCertStore};

/// Time for one connection to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Header fields of an answer; their bytes are limited by the client library, to some 400 KiB.
const MAX_HEADERS: usize = 256;
const USER_AGENT: &str = concat!("hermes-runtime/", env!("CARGO_PKG_VERSION"));

/// Makes a client that dials these addresses, whatever the name in the URL.
pub(super) fn pinned(addresses: Vec<SocketAddr>) -> Result<Client, ClientFault> {
    let resolver = Arc::new(Pinned(addresses));
    Ok(builder()?.dns_resolver(resolver).build()?)
}

/// Makes a client that dials what the operating system says.
pub(super) fn unpinned() -> Result<Client, ClientFault> {
    Ok(builder()?.build()?)
}

fn builder() -> Result<reqwest::ClientBuilder, ClientFault> {
    Ok(Client::builder()
        .tls_backend_preconfigured(tls()?)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        // A connection that is kept would skip the next look at its addresses.
        .pool_max_idle_per_host(0)
        .http1_only()
        .http1_max_headers(MAX_HEADERS)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(USER_AGENT))
}

/// Returns the settings of TLS; they are made once and share what is large.
fn tls() -> Result<ClientConfig, rustls::Error> {
    static CONFIG: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(CONFIG.get_or_init(|| config).clone())
}

/// Answers every question for a name with the addresses that were vetted.
#[derive(Debug)]
struct Pinned(Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// Says why there is no client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientFault {
    /// The provider of cryptography does not know the protocol versions.
    #[error("TLS is not available")]
    Tls(#[from] rustls::Error),
    /// The client library refuses its settings.
    #[error("the HTTP client cannot be made")]
    Client(#[from] reqwest::Error),
}
