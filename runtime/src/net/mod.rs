//! The network as tools may use it: which addresses are dialled, and what is taken from them.
//!
//! Two ways lead out. A [`Fetcher`] follows a URL that a script chose, and dials vetted addresses only. An [`ApiClient`] speaks to a service
//! that the host has chosen, and carries the host's keys there and nowhere else.

mod address;
mod api;
mod blocklist;
mod client;
mod coding;
mod fetch;
mod lookup;
#[cfg(test)]
pub(crate) mod loopback;
mod policy;
mod range;
mod target;

pub(crate) use api::{ApiClient, ApiFault};
pub(crate) use blocklist::{Blocklist, PolicyBlock};
pub(crate) use fetch::{Answer, FetchFault, FetchLimits, Fetcher};
pub(crate) use lookup::{Lookup, SystemLookup};
pub(crate) use policy::AddressPolicy;
pub(crate) use range::IpRange;
pub(crate) use target::Target;
