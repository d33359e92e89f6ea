#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Mutex;

use async_trait::async_trait;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::address::AddressClass;
use super::super::lookup::SystemLookup;
use super::super::loopback::{Reaction, Server};
use super::*;

/// An address of this machine that the tests take for the internet.
const INTERNET: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

const LIMITS: FetchLimits = FetchLimits {
    body_bytes: 100_000,
    first_byte: Duration::from_secs(30),
};

/// A name server that answers one thing after the other, and the last thing from then on.
#[derive(Debug)]
struct Changing(Mutex<VecDeque<IpAddr>>);

impl Changing {
    fn new(answers: &[IpAddr]) -> Arc<Self> {
        Arc::new(Self(Mutex::new(answers.iter().copied().collect())))
    }
}

#[async_trait]
impl Lookup for Changing {
    async fn addresses(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 {
            answers.pop_front()
        } else {
            answers.front().copied()
        };
        Ok(answer.into_iter().collect())
    }
}

/// Takes [`INTERNET`] for public, and everything else for what it is.
fn judge(address: IpAddr) -> AddressClass {
    if address == INTERNET {
        return AddressClass::Public;
    }
    AddressClass::of(address)
}

fn fetcher(lookup: Arc<dyn Lookup>) -> Fetcher {
    let policy = AddressPolicy::new(false, Vec::new()).judging_by(judge);
    Fetcher::new(policy, lookup, Blocklist::default(), LIMITS)
}

/// Fetches from servers on loopback, which is allowed here.
async fn fetch(url: &str) -> Result<String, String> {
    let policy = AddressPolicy::new(true, Vec::new());
    let fetcher = Fetcher::new(policy, Arc::new(SystemLookup), Blocklist::default(), LIMITS);
    fetch_by(&fetcher, url).await
}

async fn fetch_by(fetcher: &Fetcher, url: &str) -> Result<String, String> {
    let target = Target::parse(url).ok_or("no target")?;
    let mut answer = fetcher
        .fetch(&target)
        .await
        .map_err(|fault| fault.to_string())?;
    let body = answer
        .unpack(&|| false)
        .map_err(|fault| fault.to_string())?;
    Ok(String::from_utf8_lossy(&body).into_owned())
}

fn unsafe_target() -> Result<String, String> {
    Err("Blocked: URL targets a private or internal network address".to_owned())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_page_is_fetched_with_a_plain_request() {
    let server =
        Server::start(|_| Reaction::with("content-encoding: gzip\r\n", gzip(b"hello"))).await;
    assert_eq!(fetch(&server.url("/a?b=c#d")).await.as_deref(), Ok("hello"));
    let seen = server.seen();
    assert_eq!(seen[0].line, "GET /a?b=c");
    let mut headers = seen[0].headers.clone();
    headers.sort();
    assert_eq!(
        headers,
        [
            "accept-encoding: gzip, br, deflate".to_owned(),
            format!("accept: {ACCEPTED_TYPES}"),
            format!("host: {}", server.address),
            format!("user-agent: hermes-runtime/{}", env!("CARGO_PKG_VERSION")),
        ]
    );
}

#[tokio::test]
async fn loopback_is_not_dialled_by_default() {
    let server = Server::start(|_| Reaction::page("text/plain", "secret")).await;
    let fetcher = fetcher(Arc::new(SystemLookup));
    assert_eq!(fetch_by(&fetcher, &server.url("/")).await, unsafe_target());
    let by_name = format!("http://localhost:{}/", server.address.port());
    assert_eq!(fetch_by(&fetcher, &by_name).await, unsafe_target());
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn a_name_that_changes_its_address_after_the_look_is_dialled_where_it_was() {
    let outside = Server::start_at(INTERNET, 0, |_| Reaction::page("text/plain", "outside")).await;
    let port = outside.address.port();
    let inside = Server::start_at(LOCAL, port, |_| Reaction::page("text/plain", "inside")).await;
    let fetcher = fetcher(Changing::new(&[INTERNET, LOCAL]));
    let url = format!("http://rebind.example:{port}/");
    assert_eq!(fetch_by(&fetcher, &url).await.as_deref(), Ok("outside"));
    assert_eq!(fetch_by(&fetcher, &url).await, unsafe_target());
    assert_eq!(inside.lines(), [""; 0]);
}

#[tokio::test]
async fn a_name_that_changes_its_address_between_redirects_is_refused() {
    let outside = Server::start_at(INTERNET, 0, |_| Reaction::redirect(302, "/again")).await;
    let port = outside.address.port();
    let inside = Server::start_at(LOCAL, port, |_| Reaction::page("text/plain", "inside")).await;
    let fetcher = fetcher(Changing::new(&[INTERNET, LOCAL]));
    let url = format!("http://rebind.example:{port}/");
    assert_eq!(fetch_by(&fetcher, &url).await, unsafe_target());
    assert_eq!(outside.lines(), ["GET /"]);
    assert_eq!(inside.lines(), [""; 0]);
}

#[tokio::test]
async fn redirects_to_blocked_places_are_not_followed() {
    let inside = Server::start(|_| Reaction::page("text/plain", "inside")).await;
    let port = inside.address.port();
    for location in [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://metadata.google.internal/".to_owned(),
        "http://[fd00:ec2::254]/".to_owned(),
        format!("http://127.0.0.1:{port}/"),
        format!("//0x7f000001:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://10.0.0.1/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://example.com/".to_owned(),
    ] {
        for status in [301, 302, 303, 307, 308] {
            let to = location.clone();
            let outside =
                Server::start_at(INTERNET, 0, move |_| Reaction::redirect(status, &to)).await;
            let fetcher = fetcher(Arc::new(SystemLookup));
            assert_eq!(
                fetch_by(&fetcher, &outside.url("/")).await,
                unsafe_target(),
                "{location}"
            );
        }
    }
    assert_eq!(inside.lines(), [""; 0]);
}

#[tokio::test]
async fn metadata_stays_blocked_where_private_addresses_are_allowed() {
    let server = Server::start(|_| Reaction::redirect(302, "http://169.254.169.254/")).await;
    assert_eq!(fetch(&server.url("/")).await, unsafe_target());
}

#[tokio::test]
async fn redirects_are_followed_without_credentials_and_to_an_end() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /start" => Reaction::redirect(307, "next?x=1"),
        "GET /next?x=1" => Reaction::page("text/plain", "there"),
        _ => Reaction::redirect(302, "/circle"),
    })
    .await;
    let url = format!("http://user:pw@{}/start", server.address);
    assert_eq!(fetch(&url).await.as_deref(), Ok("there"));
    let is_authorized: Vec<bool> = server
        .seen()
        .iter()
        .map(|seen| {
            seen.headers
                .iter()
                .any(|line| line.starts_with("authorization:"))
        })
        .collect();
    assert_eq!(is_authorized, [true, false]);
    assert_eq!(
        fetch(&server.url("/circle")).await,
        Err("Failed to fetch page: more than 10 redirects".to_owned())
    );
    assert_eq!(server.lines().len(), 2 + 11);
}

#[tokio::test]
async fn the_blocklist_holds_for_redirects_too() {
    let server = Server::start(|_| Reaction::redirect(302, "http://ads.example/")).await;
    let rules = vec!["ads.example".to_owned()];
    let fetcher = Fetcher::new(
        AddressPolicy::new(true, Vec::new()),
        Arc::new(SystemLookup),
        Blocklist::new(true, rules, Vec::new()),
        LIMITS,
    );
    assert_eq!(
        fetch_by(&fetcher, &server.url("/")).await,
        Err(
            "Blocked by website policy: 'ads.example' matched rule 'ads.example' from config"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn an_endless_body_costs_the_limit() {
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let chunked =
        Server::start(move |_| Reaction::Flood(head.clone(), b"5\r\nhello\r\n".repeat(1_000)))
            .await;
    let large = Err("Failed to fetch page: it is larger than 100000 bytes".to_owned());
    assert_eq!(fetch(&chunked.url("/")).await, large);
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let until_close =
        Server::start(move |_| Reaction::Flood(head.clone(), vec![b'x'; 8_000])).await;
    assert_eq!(fetch(&until_close.url("/")).await, large);
    let bomb = gzip(&vec![b'x'; 20_000_000]);
    assert!(bomb.len() < 100_000);
    let bomb = Server::start(move |_| Reaction::with("content-encoding: gzip\r\n", &bomb)).await;
    assert_eq!(fetch(&bomb.url("/")).await, large);
}

#[tokio::test]
async fn endless_headers_are_given_up() {
    let start = b"HTTP/1.1 200 OK\r\n".to_vec();
    let fields =
        Server::start(move |_| Reaction::Flood(start.clone(), b"x: y\r\n".repeat(1_000))).await;
    let refused = fetch(&fields.url("/")).await.unwrap_err();
    assert_eq!(
        refused,
        "Failed to fetch page: error sending request: client error (SendRequest): message head is too large"
    );
    let start = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    let one_field = Server::start(move |_| Reaction::Flood(start.clone(), vec![b'y'; 8_000])).await;
    let refused = fetch(&one_field.url("/")).await.unwrap_err();
    assert_eq!(
        refused,
        "Failed to fetch page: error sending request: client error (SendRequest): message head is too large"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_given_up() {
    let server = Server::start(|_| Reaction::Stall(b"HTTP/1.1 200 OK\r\n".to_vec())).await;
    let fetcher = Fetcher::new(
        AddressPolicy::new(true, Vec::new()),
        Arc::new(SystemLookup),
        Blocklist::default(),
        FetchLimits {
            first_byte: Duration::from_secs(5),
            ..LIMITS
        },
    );
    assert_eq!(
        fetch_by(&fetcher, &server.url("/")).await,
        Err("Failed to fetch page: no answer within 5s".to_owned())
    );
}

#[tokio::test]
async fn answers_that_break_off_or_lie_are_errors() {
    let broken = [
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 200",
        "no http at all\r\n\r\n",
        "",
    ];
    for answer in broken {
        let server = Server::start(move |_| Reaction::Send(answer.as_bytes().to_vec())).await;
        let fault = fetch(&server.url("/")).await.unwrap_err();
        assert!(
            fault.starts_with("Failed to fetch page: error "),
            "{answer:?}: {fault}"
        );
        assert!(!fault.contains("http://"), "{fault}");
    }
    let longer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello and more";
    let server = Server::start(move |_| Reaction::Send(longer.as_bytes().to_vec())).await;
    assert_eq!(fetch(&server.url("/")).await.as_deref(), Ok("hello"));
}

#[tokio::test]
async fn tls_that_is_none_is_an_error_without_the_url() {
    let server = Server::start(|_| Reaction::status("200 OK")).await;
    let listener = tokio::net::TcpListener::bind((LOCAL, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let closing = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        // The start of a server's first record, and nothing behind it.
        tokio::io::AsyncWriteExt::write_all(&mut stream, &[0x16, 3, 3, 0, 80, 2])
            .await
            .unwrap();
    });
    let truncated = fetch(&format!("https://127.0.0.1:{port}/?token=abc"))
        .await
        .unwrap_err();
    closing.await.unwrap();
    assert!(
        truncated
            .starts_with("Failed to fetch page: error sending request: client error (Connect): "),
        "{truncated}"
    );
    assert!(!truncated.contains("abc"), "{truncated}");
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn a_status_other_than_success_is_an_error() {
    let rows = [
        ("404 Not Found", "HTTP 404 Not Found"),
        (
            "500 Internal Server Error",
            "HTTP 500 Internal Server Error",
        ),
        ("304 Not Modified", "HTTP 304 Not Modified"),
        ("302 Found", "HTTP 302 Found"),
    ];
    for (status, shown) in rows {
        let server = Server::start(move |_| Reaction::status(status)).await;
        assert_eq!(
            fetch(&server.url("/")).await,
            Err(format!("Failed to fetch page: {shown}"))
        );
    }
}

#[tokio::test]
async fn nobody_behind_the_address_is_an_error() {
    let free = std::net::TcpListener::bind((LOCAL, 0))
        .unwrap()
        .local_addr()
        .unwrap();
    assert_eq!(
        fetch(&format!("http://{free}/")).await,
        Err("Failed to fetch page: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111)".to_owned())
    );
}

#[tokio::test]
async fn an_unknown_name_is_refused_like_a_blocked_one() {
    #[derive(Debug)]
    struct Nobody;
    #[async_trait]
    impl Lookup for Nobody {
        async fn addresses(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }
    let fetcher = fetcher(Arc::new(Nobody));
    assert_eq!(
        fetch_by(&fetcher, "http://nobody.example/").await,
        unsafe_target()
    );
}
