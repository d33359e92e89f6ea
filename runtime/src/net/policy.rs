//! Which addresses may be dialled: public ones, and what the host's configuration adds.
//!
//! A name is acceptable only if every address that it has is; the addresses that come out of here are the only ones that are dialled.

use std::net::{IpAddr, SocketAddr};

use super::address::{AddressClass, canonical};
use super::lookup::Lookup;
use super::range::IpRange;
use super::target::Target;

/// Addresses of one host that are dialled at most.
const MAX_ADDRESSES: usize = 8;

/// The rule for addresses.
#[derive(Debug, Clone)]
pub(crate) struct AddressPolicy {
    allow_private: bool,
    excused: Vec<IpRange>,
    /// A test puts a network of its own in the place of the internet.
    class_of: fn(IpAddr) -> AddressClass,
}

impl AddressPolicy {
    /// Makes the rule: with `allow_private` only the addresses that give out credentials are forbidden; `excused` are ranges that a proxy of
    /// the host uses, which excuses reserved addresses only.
    pub(crate) fn new(allow_private: bool, excused: Vec<IpRange>) -> Self {
        Self {
            allow_private,
            excused,
            class_of: AddressClass::of,
        }
    }

    /// Judges addresses by another table.
    #[cfg(test)]
    pub(super) fn judging_by(mut self, class_of: fn(IpAddr) -> AddressClass) -> Self {
        self.class_of = class_of;
        self
    }

    /// Returns the addresses that may be dialled for this target; `None` if it may not be fetched, or if nobody knows its name.
    pub(super) async fn vet(
        &self,
        target: &Target,
        lookup: &dyn Lookup,
    ) -> Option<Vec<SocketAddr>> {
        let addresses = match target.literal() {
            Some(address) => vec![address],
            None => lookup.addresses(target.host()).await.ok()?,
        };
        let all_admitted = addresses
            .iter()
            .all(|address| self.admits(*address, target.is_trusted()));
        if addresses.is_empty() || !all_admitted {
            return None;
        }
        let mut vetted: Vec<SocketAddr> = Vec::new();
        for address in addresses {
            let address = SocketAddr::new(address, target.port());
            if vetted.len() < MAX_ADDRESSES && !vetted.contains(&address) {
                vetted.push(address);
            }
        }
        Some(vetted)
    }

    fn admits(&self, address: IpAddr, is_trusted: bool) -> bool {
        match (self.class_of)(address) {
            AddressClass::Public => true,
            AddressClass::Special => {
                let address = canonical(address);
                let is_excused = self.excused.iter().any(|range| range.contains(address));
                is_excused || self.allow_private || is_trusted
            }
            AddressClass::Private => self.allow_private || is_trusted,
            AddressClass::Forbidden => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::io;

    use async_trait::async_trait;
    use proptest::prelude::*;
    use proptest::test_runner::Config;

    use super::*;

    /// Knows every name by the same addresses.
    #[derive(Debug)]
    struct Fixed(Vec<IpAddr>);

    #[async_trait]
    impl Lookup for Fixed {
        async fn addresses(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            if self.0.is_empty() {
                return Err(io::ErrorKind::NotFound.into());
            }
            Ok(self.0.clone())
        }
    }

    fn strict() -> AddressPolicy {
        AddressPolicy::new(false, Vec::new())
    }

    async fn vetted(policy: &AddressPolicy, url: &str, addresses: &str) -> Option<String> {
        let addresses = addresses.split_whitespace();
        let lookup = Fixed(addresses.map(|address| address.parse().unwrap()).collect());
        let vetted = policy.vet(&Target::parse(url)?, &lookup).await?;
        let shown: Vec<String> = vetted.iter().map(ToString::to_string).collect();
        Some(shown.join(" "))
    }

    #[tokio::test]
    async fn the_cases_of_the_contract_are_judged_as_it_says() {
        for url in [
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://10.1.2.3/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:0:169.254.169.254]/",
            "http://[fd00:ec2::254]/",
            "http://0x7f000001/",
            "http://2130706433/",
            "ftp://8.8.8.8/",
        ] {
            assert_eq!(vetted(&strict(), url, "").await, None, "{url}");
        }
        let loopback = vetted(&strict(), "http://localhost./", "127.0.0.1 ::1").await;
        assert_eq!(loopback, None);
        let public = vetted(&strict(), "http://8.8.8.8/", "").await;
        assert_eq!(public.as_deref(), Some("8.8.8.8:80"));
    }

    #[tokio::test]
    async fn one_bad_address_among_good_ones_refuses_the_name() {
        let vetted = async |addresses| vetted(&strict(), "https://e.example/", addresses).await;
        assert_eq!(vetted("8.8.8.8 10.0.0.1").await, None);
        assert_eq!(vetted("8.8.8.8 ::ffff:127.0.0.1").await, None);
        assert_eq!(vetted("").await, None);
        assert_eq!(
            vetted("8.8.8.8 2001:4860:4860::8888 8.8.8.8")
                .await
                .as_deref(),
            Some("8.8.8.8:443 [2001:4860:4860::8888]:443")
        );
        let many = "1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5 1.1.1.6 1.1.1.7 1.1.1.8 1.1.1.9";
        assert_eq!(vetted(many).await.unwrap().split(' ').count(), 8);
        assert_eq!(vetted(&format!("{many} 10.0.0.1")).await, None);
    }

    #[tokio::test]
    async fn configuration_opens_private_networks_but_never_metadata() {
        let open = AddressPolicy::new(true, Vec::new());
        for address in [
            "127.0.0.1",
            "10.0.0.1",
            "::1",
            "100.64.0.1",
            "192.0.2.1",
            "224.0.0.1",
        ] {
            assert!(
                vetted(&open, "http://e.example/", address).await.is_some(),
                "{address}"
            );
        }
        for address in [
            "169.254.1.1",
            "100.100.100.200",
            "fd00:ec2::254",
            "64:ff9b::a9fe:a9fe",
        ] {
            assert_eq!(
                vetted(&open, "http://e.example/", address).await,
                None,
                "{address}"
            );
        }
    }

    #[tokio::test]
    async fn declared_ranges_excuse_reserved_addresses_only() {
        let ranges = ["198.18.0.0/15", "0.0.0.0/0", "::/0"];
        let ranges = ranges.map(|range| range.parse().unwrap());
        let policy = AddressPolicy::new(false, ranges.to_vec());
        let vetted = async |address| vetted(&policy, "http://e.example/", address).await;
        assert!(vetted("198.18.0.1").await.is_some());
        assert!(vetted("::ffff:198.18.0.1").await.is_some());
        for address in [
            "127.0.0.1",
            "10.0.0.1",
            "100.64.0.1",
            "169.254.1.1",
            "fe80::1",
            "::1",
            "fc00::1",
        ] {
            assert_eq!(vetted(address).await, None, "{address}");
        }
    }

    #[tokio::test]
    async fn the_trusted_host_may_be_private_but_no_metadata_service() {
        let url = "https://multimedia.nt.qq.com.cn/x";
        assert!(vetted(&strict(), url, "10.0.0.1").await.is_some());
        assert_eq!(vetted(&strict(), url, "169.254.169.254").await, None);
        let plain = "http://multimedia.nt.qq.com.cn/x";
        assert_eq!(vetted(&strict(), plain, "10.0.0.1").await, None);
    }

    /// Writes an IPv4 address in one of the many ways that a URL may hold it.
    fn notation() -> impl Strategy<Value = fn(u32) -> String> {
        let notations: [fn(u32) -> String; 9] = [
            |bits| bits.to_string(),
            |bits| format!("{bits:#x}"),
            |bits| format!("0{bits:o}"),
            |bits| std::net::Ipv4Addr::from_bits(bits).to_string(),
            |bits| format!("{}.{}", bits >> 24, bits & 0xff_ffff),
            |bits| {
                format!(
                    "{:#x}.0{:o}.{}",
                    bits >> 24,
                    (bits >> 16) & 0xff,
                    bits & 0xffff
                )
            },
            |bits| format!("[::ffff:{:x}:{:x}]", bits >> 16, bits & 0xffff),
            |bits| format!("[2002:{:x}:{:x}::1]", bits >> 16, bits & 0xffff),
            |bits| format!("[64:ff9b::{:x}:{:x}]", bits >> 16, bits & 0xffff),
        ];
        proptest::sample::select(notations.to_vec())
    }

    proptest! {
        #![proptest_config(Config::with_cases(2_000))]

        #[test]
        fn no_notation_of_a_blocked_address_is_accepted(
            block in proptest::sample::select(vec![
                (0x7f00_0000_u32, 8), (0x0a00_0000, 8), (0xac10_0000, 12), (0xc0a8_0000, 16), (0xa9fe_0000, 16), (0x6440_0000, 10), (0, 8), (0xe000_0000, 3),
            ]),
            low in any::<u32>(),
            write in notation(),
            userinfo in proptest::sample::select(vec!["", "8.8.8.8@", "a:b@", "8.8.8.8%2f@"]),
            scheme in proptest::sample::select(vec!["http://", "https://", "HTTP://", "http:", "http:\\\\"]),
            end in proptest::sample::select(vec!["", "/", ":8080/", "/x?y#z", "?q", "\\@8.8.8.8/"]),
        ) {
            let (network, prefix) = block;
            let url = format!("{scheme}{userinfo}{}{end}", write(network | (low >> prefix)));
            let accepted = futures_util::future::FutureExt::now_or_never(vetted(&strict(), &url, "8.8.8.8")).unwrap();
            // What is not read as an address is a name, and names have public addresses here.
            let is_name = Target::parse(&url).is_some_and(|target| target.literal().is_none());
            prop_assert!(accepted.is_none() || is_name && accepted.as_deref().is_some_and(|vetted| vetted.starts_with("8.8.8.8:")), "{url}: {accepted:?}");
            prop_assert!(!is_name, "{url} is read as a name");
        }

        #[test]
        fn no_text_at_all_leads_to_a_blocked_address(text in "(https?:[/\\\\]{0,3})?[0-9a-fx.:@%\\[\\]。①\u{00ad}]{1,24}(/.{0,8})?") {
            let accepted = futures_util::future::FutureExt::now_or_never(vetted(&strict(), &text, "8.8.8.8")).unwrap();
            if let Some(accepted) = accepted {
                let address: SocketAddr = accepted.parse().unwrap();
                prop_assert_eq!(AddressClass::of(address.ip()), AddressClass::Public, "{}", text);
            }
        }
    }
}
