//! What kind of address an IP address is: the table of special ranges, and the IPv4 address that an IPv6 address stands for.
//!
//! An address that wraps another one is judged by both, so that no notation of an address hides it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::range::IpRange;
use AddressClass::{Forbidden, Private, Special};

/// What a tool may do with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressClass {
    /// Belongs to the public internet.
    Public,
    /// Belongs to nobody in particular; a proxy of the host may use it for names that it answers itself.
    Special,
    /// Leads into the host or its networks.
    Private,
    /// Gives out a machine's credentials; never dialled, whatever is configured.
    Forbidden,
}

const fn v4(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    prefix: u32,
    class: AddressClass,
) -> (IpRange, AddressClass) {
    (IpRange::v4(Ipv4Addr::new(a, b, c, d), prefix), class)
}

const fn v6(segments: [u16; 8], prefix: u32, class: AddressClass) -> (IpRange, AddressClass) {
    (
        IpRange::v6(Ipv6Addr::from_segments(segments), prefix),
        class,
    )
}

/// Every range that is not public, by the IANA registries of special-purpose addresses (RFC 6890 and its updates).
const RANGES: [(IpRange, AddressClass); 36] = [
    // Metadata services of clouds: link-local ones (RFC 3927), Alibaba's, and Amazon's over IPv6.
    v4(169, 254, 0, 0, 16, Forbidden),
    v4(100, 100, 100, 200, 32, Forbidden),
    v6([0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254], 128, Forbidden),
    // RFC 791: this network.
    v4(0, 0, 0, 0, 8, Private),
    // RFC 1918: private use.
    v4(10, 0, 0, 0, 8, Private),
    v4(172, 16, 0, 0, 12, Private),
    v4(192, 168, 0, 0, 16, Private),
    // RFC 6598: shared address space of carriers.
    v4(100, 64, 0, 0, 10, Private),
    // RFC 1122: loopback.
    v4(127, 0, 0, 0, 8, Private),
    // RFC 6890: protocol assignments.
    v4(192, 0, 0, 0, 24, Special),
    // RFC 5737: documentation.
    v4(192, 0, 2, 0, 24, Special),
    v4(198, 51, 100, 0, 24, Special),
    v4(203, 0, 113, 0, 24, Special),
    // RFC 7535 and RFC 7534: AS112 name servers.
    v4(192, 31, 196, 0, 24, Special),
    v4(192, 175, 48, 0, 24, Special),
    // RFC 7450: multicast tunnels.
    v4(192, 52, 193, 0, 24, Special),
    // RFC 7526: 6to4 relays, withdrawn.
    v4(192, 88, 99, 0, 24, Special),
    // RFC 2544: benchmarks; what fake-IP proxies use.
    v4(198, 18, 0, 0, 15, Special),
    // RFC 5771: multicast.
    v4(224, 0, 0, 0, 4, Special),
    // RFC 1112: reserved; RFC 919: limited broadcast.
    v4(240, 0, 0, 0, 4, Special),
    // RFC 4291: unspecified and loopback.
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, Private),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, Private),
    // RFC 4193: unique local.
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, Private),
    // RFC 4291: link-local; RFC 3879: site-local, withdrawn.
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, Private),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, Private),
    // RFC 8215: translation inside one operator's network.
    v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, Private),
    // RFC 5180: benchmarks.
    v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, Special),
    // RFC 4843 and RFC 7343: overlay identifiers.
    v6([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, Special),
    v6([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, Special),
    // RFC 3849 and RFC 9637: documentation.
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, Special),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, Special),
    // RFC 6666: discard only; RFC 9780: dummy prefix.
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 48, Special),
    // RFC 9602: segment identifiers.
    v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, Special),
    // RFC 4291: multicast.
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, Special),
    // RFC 2928: protocol assignments that have no row of their own above (Teredo is judged by what it wraps).
    v6([0x2001, 1, 0, 0, 0, 0, 0, 0], 32, Special),
    // RFC 7723 and RFC 8155 lie in it, too: anycast services of the nearest network.
    v6([0x2001, 3, 0, 0, 0, 0, 0, 0], 32, Special),
];

impl AddressClass {
    /// Judges an address, and the IPv4 addresses that it carries; the stricter class counts.
    pub(super) fn of(address: IpAddr) -> Self {
        let own = class_in_table(address);
        let IpAddr::V6(address) = address else {
            return own;
        };
        carried(address)
            .into_iter()
            .flatten()
            .map(|carried| class_in_table(IpAddr::V4(carried)))
            .fold(own, Self::max)
    }
}

/// Returns the IPv4 form of an address that is one in IPv6 notation (RFC 4291, section 2.5.5.2).
pub(super) fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

fn class_in_table(address: IpAddr) -> AddressClass {
    RANGES
        .iter()
        .filter(|(range, _)| range.contains(address))
        .map(|(_, class)| *class)
        .fold(AddressClass::Public, AddressClass::max)
}

/// Returns the IPv4 addresses inside of an IPv6 address, for each notation that has one.
fn carried(address: Ipv6Addr) -> [Option<Ipv4Addr>; 3] {
    let joined =
        |high: u16, low: u16| Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    let segments = address.segments();
    let at_end = match segments {
        // RFC 4291: IPv4-compatible and IPv4-mapped; RFC 2765: IPv4-translated.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        // RFC 6052: the well-known prefix of NAT64, and RFC 8215's, which holds the address at the end in its longest form.
        | [0x64, 0xff9b, _, _, _, _, high, low]
        // RFC 5214: ISATAP, below any prefix.
        | [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => joined(high, low),
        _ => None,
    };
    match segments {
        // RFC 3056: 6to4.
        [0x2002, high, low, ..] => [at_end, joined(high, low), None],
        // RFC 4380: Teredo has its server's address, and the client's with every bit flipped.
        [0x2001, 0, server_high, server_low, .., high, low] => {
            [at_end, joined(server_high, server_low), joined(!high, !low)]
        }
        _ => [at_end, None, None],
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn class(text: &str) -> AddressClass {
        AddressClass::of(text.parse().unwrap())
    }

    #[test]
    fn every_range_is_known_at_its_edges() {
        let rows = [
            (
                AddressClass::Forbidden,
                "169.254.0.0 169.254.169.254 169.254.170.2 169.254.169.253 169.254.255.255 100.100.100.200 fd00:ec2::254",
            ),
            (
                AddressClass::Private,
                "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 127.0.0.1 127.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0 100.127.255.255",
            ),
            (
                AddressClass::Private,
                ":: ::1 fc00:: fdff::1 fe80::1 febf::1 fec0::1 64:ff9b:1::1",
            ),
            (
                AddressClass::Special,
                "192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1 198.18.0.0 198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255",
            ),
            (
                AddressClass::Special,
                "2001:db8::1 2001:2::1 2001:10::1 2001:20::1 3fff::1 100::1 5f00::1 ff02::1",
            ),
            (
                AddressClass::Public,
                "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0",
            ),
            (
                AddressClass::Public,
                "172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 8.8.8.8",
            ),
            (
                AddressClass::Public,
                "2001:4860:4860::8888 2606:4700::1111 2a00::1 2003::1",
            ),
        ];
        for (expected, addresses) in rows {
            for address in addresses.split(' ') {
                assert_eq!(class(address), expected, "{address}");
            }
        }
    }

    /// Wraps the two halves of an IPv4 address.
    type Wrap = fn(u16, u16) -> Ipv6Addr;

    #[test]
    fn an_ipv4_address_is_seen_through_every_ipv6_notation() {
        let notations: [(&str, Wrap); 9] = [
            ("mapped", |g, h| Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, g, h)),
            ("translated", |g, h| {
                Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, g, h)
            }),
            ("compatible", |g, h| Ipv6Addr::new(0, 0, 0, 0, 0, 0, g, h)),
            ("NAT64", |g, h| {
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, g, h)
            }),
            ("6to4", |g, h| Ipv6Addr::new(0x2002, g, h, 0, 0, 0, 0, 1)),
            ("Teredo server", |g, h| {
                Ipv6Addr::new(0x2001, 0, g, h, 0, 0, 0xf7f7, 0xf7f7)
            }),
            ("Teredo client", |g, h| {
                Ipv6Addr::new(0x2001, 0, 0x0808, 0x0808, 0, 0, !g, !h)
            }),
            ("ISATAP in 6to4", |g, h| {
                Ipv6Addr::new(0x2002, 0x0808, 0x0808, 0, 0x200, 0x5efe, g, h)
            }),
            ("ISATAP", |g, h| {
                Ipv6Addr::new(0x2a00, 1, 2, 3, 0, 0x5efe, g, h)
            }),
        ];
        let rows = [
            (Ipv4Addr::new(169, 254, 169, 254), AddressClass::Forbidden),
            (Ipv4Addr::new(100, 100, 100, 200), AddressClass::Forbidden),
            (Ipv4Addr::LOCALHOST, AddressClass::Private),
            (Ipv4Addr::new(10, 1, 2, 3), AddressClass::Private),
            (Ipv4Addr::new(192, 0, 2, 1), AddressClass::Special),
            (Ipv4Addr::new(8, 8, 8, 8), AddressClass::Public),
        ];
        for (name, wrap) in notations {
            for (inner, expected) in rows {
                let bits = inner.to_bits();
                let wrapped = wrap(
                    u16::try_from(bits >> 16).unwrap(),
                    u16::try_from(bits & 0xffff).unwrap(),
                );
                assert_eq!(
                    AddressClass::of(IpAddr::V6(wrapped)),
                    expected,
                    "{name} {inner} {wrapped}"
                );
            }
        }
    }
}
