//! A block of IP addresses: its text form, and which addresses are in it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use thiserror::Error;

/// A block of addresses of one family, such as `198.18.0.0/15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IpRange {
    network: IpAddr,
    prefix: u32,
}

impl IpRange {
    /// Returns a block of IPv4 addresses; a prefix beyond 32 is a single address.
    pub(super) const fn v4(network: Ipv4Addr, prefix: u32) -> Self {
        Self {
            network: IpAddr::V4(network),
            prefix,
        }
    }

    /// Returns a block of IPv6 addresses; a prefix beyond 128 is a single address.
    pub(super) const fn v6(network: Ipv6Addr, prefix: u32) -> Self {
        Self {
            network: IpAddr::V6(network),
            prefix,
        }
    }

    /// Tells whether an address is in the block; one of the other family never is.
    pub(super) fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let host_bits = 32_u32.saturating_sub(self.prefix);
                // A block of everything has no network bits left to compare.
                let shift = |bits: u32| bits.checked_shr(host_bits).unwrap_or(0);
                shift(network.to_bits()) == shift(address.to_bits())
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let host_bits = 128_u32.saturating_sub(self.prefix);
                let shift = |bits: u128| bits.checked_shr(host_bits).unwrap_or(0);
                shift(network.to_bits()) == shift(address.to_bits())
            }
            _ => false,
        }
    }
}

impl FromStr for IpRange {
    type Err = IpRangeError;

    /// Reads `address/prefix`, or an address alone.
    fn from_str(text: &str) -> Result<Self, IpRangeError> {
        let invalid = || IpRangeError(text.to_owned());
        let (network, prefix) = match text.trim().split_once('/') {
            Some((network, prefix)) => (network, Some(prefix)),
            None => (text.trim(), None),
        };
        let network: IpAddr = network.parse().map_err(|_| invalid())?;
        let longest = if network.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| invalid())?,
            None => longest,
        };
        if prefix > longest {
            return Err(invalid());
        }
        Ok(Self { network, prefix })
    }
}

/// Says that a text is no block of addresses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no range of IP addresses; write it as `198.18.0.0/15`")]
pub(crate) struct IpRangeError(String);

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn a_block_holds_its_first_and_its_last_address() {
        let rows = [
            ("10.0.0.0/8", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            (
                "198.18.0.0/15",
                "198.18.0.0",
                "198.19.255.255",
                "198.20.0.0",
            ),
            ("192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("fc00::/7", "fc00::", "fdff:ffff::1", "fe00::"),
            ("0.0.0.0/0", "0.0.0.0", "255.255.255.255", "::1"),
            ("::/0", "::", "ffff::", "1.2.3.4"),
        ];
        for (range, first, last, outside) in rows {
            let range: IpRange = range.parse().unwrap();
            assert!(range.contains(first.parse().unwrap()), "{range:?} {first}");
            assert!(range.contains(last.parse().unwrap()), "{range:?} {last}");
            assert!(!range.contains(outside.parse().unwrap()), "{range:?}");
        }
    }

    #[test]
    fn what_is_no_block_is_named() {
        for text in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "a/8", "1.2.3.4/-1"] {
            assert_eq!(
                text.parse::<IpRange>().unwrap_err().to_string(),
                format!("`{text}` is no range of IP addresses; write it as `198.18.0.0/15`")
            );
        }
    }
}
