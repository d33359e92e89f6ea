//! A URL that a script chose, in its one normal form: scheme, host and port are what will be dialled, however they were written.
//!
//! The form is that of browsers (WHATWG): an IPv4 address in decimal, hexadecimal or octal is that address, a name is in its ASCII form, and
//! a backslash is a slash. So nothing is judged here that is read otherwise at connect.

use std::net::IpAddr;

use url::{Host, Url};

/// Longest URL, in bytes.
const MAX_URL_BYTES: usize = 8_192;
/// Names under which clouds give out a machine's credentials, whatever they resolve to.
const METADATA_HOSTS: [&str; 2] = ["metadata.google.internal", "metadata.goog"];
/// A host that may resolve to private addresses (over TLS only): the contract names it.
const TRUSTED_HOST: &str = "multimedia.nt.qq.com.cn";
/// Names of query parameters whose values are credentials, in lower case; [`AWS_SIGNATURE`] starts further ones.
const CREDENTIAL_PARAMETERS: [&str; 16] = [
    "access_token",
    "api_key",
    "apikey",
    "auth_token",
    "authorization",
    "awsaccesskeyid",
    "client_secret",
    "credential",
    "credentials",
    "jwt",
    "password",
    "passwd",
    "secret",
    "session_id",
    "signature",
    "token",
];
const AWS_SIGNATURE: &str = "x-amz-";

/// A web address whose host is not forbidden by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    url: Url,
}

impl Target {
    /// Reads a URL as a script writes it; `None` if it is none that a tool may fetch.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > MAX_URL_BYTES {
            return None;
        }
        let joined = text.split_once("://").map(|(scheme, rest)| {
            let rest = rest.trim_start();
            format!("{scheme}://{rest}")
        });
        Self::of(Url::parse(joined.as_deref().unwrap_or(text)).ok()?)
    }

    /// Reads where an answer redirects to; credentials of this URL do not go there.
    pub(crate) fn redirect(&self, location: &str) -> Option<Self> {
        if location.len() > MAX_URL_BYTES {
            return None;
        }
        let mut url = self.url.join(location.trim()).ok()?;
        // A URL without a host has no such part either.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Self::of(url)
    }

    fn of(mut url: Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        if let Some(Host::Domain(name)) = url.host() {
            // A name at the root of the tree is the same name, and certificates are made for it without the dot.
            let bare = name.trim_end_matches('.').to_owned();
            if bare.is_empty() || METADATA_HOSTS.contains(&bare.as_str()) {
                return None;
            }
            if bare != name {
                url.set_host(Some(&bare)).ok()?;
            }
        }
        url.host()?;
        url.set_fragment(None);
        Some(Self { url })
    }

    /// Returns the URL.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the host's name or address as it stands in the URL.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Returns the address, if the host is one and no name.
    pub(super) fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        }
    }

    pub(super) fn port(&self) -> u16 {
        // Both schemes have a port of their own.
        self.url.port_or_known_default().unwrap_or_default()
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_encrypted() && self.host() == TRUSTED_HOST
    }

    /// Returns the URL as a log may show it: without userinfo, and without the values of parameters that are credentials by their name.
    pub(crate) fn shown(&self) -> String {
        let mut url = self.url.clone();
        let _ = url.set_username("");
        let _ = url.set_password(None);
        if url.query().is_some() {
            let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
            let mut query = url.query_pairs_mut();
            query.clear();
            for (name, value) in &pairs {
                let is_secret = is_credential(name) && !value.is_empty();
                query.append_pair(name, if is_secret { "***" } else { value });
            }
        }
        url.into()
    }
}

fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CREDENTIAL_PARAMETERS.contains(&name.as_str()) || name.starts_with(AWS_SIGNATURE)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn normal(text: &str) -> Option<String> {
        Target::parse(text).map(|target| target.url().to_string())
    }

    #[test]
    fn a_url_has_one_normal_form() {
        let rows = [
            ("  https://Example.com/a  ", "https://example.com/a"),
            ("https:// example.com/a", "https://example.com/a"),
            ("https://example.com./a", "https://example.com/a"),
            (
                "https://bücher.example/ä?ö=ü",
                "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC",
            ),
            ("http://ｅｘａｍｐｌｅ.com/", "http://example.com/"),
            ("http://example.com:80/#part", "http://example.com/"),
            ("http://example.com:8080", "http://example.com:8080/"),
            ("http:\\\\example.com\\a", "http://example.com/a"),
            ("http://user:pw@example.com/", "http://user:pw@example.com/"),
            ("http://exa\tmple.com/", "http://example.com/"),
        ];
        for (text, expected) in rows {
            assert_eq!(normal(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn an_address_is_one_in_every_notation() {
        let loopback = Some("127.0.0.1".parse().unwrap());
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "0x7f000001",
            "0x7f.0.0.1",
            "2130706433",
            "017700000001",
            "0177.0.0.01",
            "①②⑦.⓪.0.1",
            "127。0。0。1",
            "%31%32%37.0.0.1",
        ] {
            let target = Target::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(target.literal(), loopback, "{host}");
        }
        let target = Target::parse("http://[::FFFF:7f00:1]/").unwrap();
        assert_eq!(target.literal(), Some("::ffff:127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for text in [
            "",
            "example.com",
            "ftp://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "http://",
            "https://.",
            "http://256.1.1.1/",
            "http://[::1",
            "http://a b.example/",
            "http://metadata.google.internal/",
            "http://METADATA.google.internal./computeMetadata/v1/",
            "http://metadata.goog",
            "https://metadata。goog/",
        ] {
            assert_eq!(normal(text), None, "{text}");
        }
        let long = |bytes: usize| {
            let start = "http://e.example/";
            normal(&format!("{start}{}", "a".repeat(bytes - start.len())))
        };
        assert!(long(8_192).is_some());
        assert_eq!(long(8_193), None);
    }

    #[test]
    fn a_redirect_takes_no_credentials_along() {
        let target = Target::parse("https://user:pw@example.com/a/b?x=1").unwrap();
        let rows = [
            ("c", Some("https://example.com/a/c")),
            ("/c#d", Some("https://example.com/c")),
            ("//other.example/", Some("https://other.example/")),
            ("http://u:p@other.example/", Some("http://other.example/")),
            ("http://metadata.goog/", None),
            ("file:///etc/passwd", None),
            ("http://", None),
        ];
        for (location, expected) in rows {
            let redirected = target.redirect(location);
            let redirected = redirected.as_ref().map(|target| target.url().as_str());
            assert_eq!(redirected, expected, "{location}");
        }
    }

    #[test]
    fn only_the_trusted_host_over_tls_is_trusted() {
        let is_trusted = |text| Target::parse(text).unwrap().is_trusted();
        assert!(is_trusted("https://multimedia.nt.qq.com.cn/x"));
        assert!(is_trusted("https://MULTIMEDIA.nt.qq.com.cn./x"));
        assert!(!is_trusted("http://multimedia.nt.qq.com.cn/x"));
        assert!(!is_trusted("https://a.multimedia.nt.qq.com.cn/x"));
        assert!(!is_trusted("https://multimedia.nt.qq.com.cn@evil.example/"));
    }

    #[test]
    fn a_log_shows_no_credentials_of_a_url() {
        let shown = |text: &str| Target::parse(text).unwrap().shown();
        assert_eq!(
            shown("https://user:pw@example.com/a?q=1&Token=abc&X-Amz-Signature=d&secret=#f"),
            "https://example.com/a?q=1&Token=***&X-Amz-Signature=***&secret="
        );
        assert_eq!(shown("https://example.com/a"), "https://example.com/a");
        for name in CREDENTIAL_PARAMETERS {
            let text = format!("http://e.example/?{name}=value");
            assert_eq!(shown(&text), format!("http://e.example/?{name}=***"));
        }
    }
}
