//! Who turns a host's name into addresses; a trait, so that a test can answer one thing first and another afterwards.

use std::fmt;
use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Finds the addresses of a host.
#[async_trait]
pub(crate) trait Lookup: Send + Sync + fmt::Debug {
    /// Returns every address of the name.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the operating system.
#[derive(Debug)]
pub(crate) struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // The port plays no part in the answer.
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}
