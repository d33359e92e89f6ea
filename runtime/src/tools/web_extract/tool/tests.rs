#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::net::loopback::{Reaction, Server};
use crate::tools::granted::reply;
use crate::tools::web_options::WebsiteBlocklist;

/// Settings that allow loopback, which nothing but a host's explicit word does.
fn options(home: &TempDir) -> WebOptions {
    WebOptions {
        allow_private_urls: Some(true),
        cache_dir: Some(home.path().join("cache/web")),
        ..WebOptions::default()
    }
}

async fn extract(options: &WebOptions, arguments: Value) -> String {
    reply(&WebExtract::new(options), arguments, &ToolContext::new("s")).await
}

/// Returns the first entry.
async fn entry(options: &WebOptions, arguments: Value) -> Value {
    let answer: Value = serde_json::from_str(&extract(options, arguments).await).unwrap();
    answer["results"][0].clone()
}

fn blocked() -> &'static str {
    "Blocked: URL targets a private or internal network address"
}

#[tokio::test]
async fn pages_come_in_the_order_of_the_call_and_one_that_fails_is_only_itself() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /1" => Reaction::page("text/html", "<title>One</title><p>first"),
        "GET /2" => Reaction::page("application/json", "{\"a\": 1}"),
        "GET /3" => Reaction::status("404 Not Found"),
        "GET /4" => Reaction::page("image/png", "\u{89}PNG"),
        _ => Reaction::page("text/plain", "last"),
    })
    .await;
    let urls = json!([
        server.url("/1"),
        {"url": server.url("/2"), "title": "x"},
        server.url("/3"),
        server.url("/4"),
        5,
        server.url("/6"),
    ]);
    let expected = format!(
        r#"{{
  "results": [
    {{
      "url": "{0}/1",
      "title": "One",
      "content": "first",
      "error": null
    }},
    {{
      "url": "{0}/2",
      "title": "",
      "content": "{{\"a\": 1}}",
      "error": null
    }},
    {{
      "url": "{0}/3",
      "title": "",
      "content": "",
      "error": "Failed to fetch page: HTTP 404 Not Found"
    }},
    {{
      "url": "{0}/4",
      "title": "",
      "content": "",
      "error": "URL returned binary content (image/png), not a page. Download it with the terminal (curl -L -o) and use read_file on the saved file."
    }},
    {{
      "url": "",
      "title": "",
      "content": "",
      "error": "Invalid URL entry: expected a string or a dict with 'url', got int"
    }}
  ]
}}"#,
        server.url("")
    );
    assert_eq!(
        extract(&options(&home), json!({"urls": urls})).await,
        expected
    );
    let mut lines = server.lines();
    lines.sort();
    assert_eq!(lines, ["GET /1", "GET /2", "GET /3", "GET /4"]);
}

#[tokio::test]
async fn without_a_page_there_is_one_error() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [
        json!({}),
        json!({"urls": []}),
        json!({"urls": "http://a"}),
        json!({"urls": null}),
        json!({"urls": 7}),
    ] {
        assert_eq!(
            extract(&options(&home), arguments).await,
            r#"{"error":"Content was inaccessible or not found"}"#
        );
    }
}

#[tokio::test]
async fn loopback_is_blocked_unless_the_host_says_otherwise() {
    let server = Server::start(|_| Reaction::page("text/plain", "secret")).await;
    let strict = WebOptions {
        allow_private_urls: Some(false),
        ..WebOptions::default()
    };
    for url in [
        server.url("/"),
        "not a url".to_owned(),
        "file:///etc/passwd".to_owned(),
        format!("http://e.example/{}", "a".repeat(9_000)),
    ] {
        let entry = entry(&strict, json!({"urls": [url]})).await;
        assert_eq!(
            (&entry["url"], &entry["error"]),
            (&json!(url), &json!(blocked()))
        );
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn a_secret_in_one_url_refuses_the_call() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reaction::page("text/plain", "x")).await;
    let urls = json!([server.url("/"), {"url": server.url("/?k=ghp%5Fabcdefghijklmnopqrst")}]);
    assert_eq!(
        extract(&options(&home), json!({"urls": urls})).await,
        "{\n  \"success\": false,\n  \"error\": \"Blocked: URL contains what appears to be an API key or token. Secrets must not be sent in URLs.\"\n}"
    );
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn the_website_policy_is_told_with_its_rule() {
    let options = WebOptions {
        website_blocklist: WebsiteBlocklist {
            enabled: true,
            domains: vec!["*.bad.example".to_owned()],
            ..WebsiteBlocklist::default()
        },
        ..WebOptions::default()
    };
    let answer = extract(&options, json!({"urls": ["https://very.bad.example/x"]})).await;
    assert_eq!(
        answer,
        r#"{
  "results": [
    {
      "url": "https://very.bad.example/x",
      "title": "",
      "content": "",
      "error": "Blocked by website policy: 'very.bad.example' matched rule '*.bad.example' from config",
      "blocked_by_policy": {
        "host": "very.bad.example",
        "rule": "*.bad.example",
        "source": "config"
      }
    }
  ]
}"#
    );
}

#[tokio::test]
async fn a_long_page_shows_its_ends_and_is_stored_clean_and_whole() {
    let home = tempfile::tempdir().unwrap();
    let secret = "ghp_abcdefghijklmnopqrst";
    let page = format!(
        "{}{secret}\n{}",
        "line\n".repeat(1_000),
        "more\n".repeat(1_000)
    );
    let body = page.clone();
    let server = Server::start(move |_| Reaction::page("text/plain", &body)).await;
    let entry = entry(
        &options(&home),
        json!({"urls": [server.url("/long")], "char_limit": 1}),
    )
    .await;
    let content = entry["content"].as_str().unwrap();
    let files: Vec<_> = fs::read_dir(home.path().join("cache/web"))
        .unwrap()
        .collect();
    let [Ok(file)] = files.as_slice() else {
        panic!("{files:?}");
    };
    let path = file.path();
    assert!(content.starts_with(&"line\n".repeat(299)), "{content}");
    assert!(
        content.contains(
            "\nShowing 1,499 chars (head) + 499 chars (tail) of 10,013 total clean characters.\n"
        ),
        "{content}"
    );
    assert!(content.contains(&format!("\nFull text saved to: {}\n", path.display())));
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        page.replace(secret, "ghp_ab...qrst").trim_end()
    );
}

#[tokio::test]
async fn a_page_that_cannot_be_stored_says_so() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("cache"), "a file").unwrap();
    let server = Server::start(|_| Reaction::page("text/plain", "line\n".repeat(1_000))).await;
    let entry = entry(
        &options(&home),
        json!({"urls": [server.url("/")], "char_limit": 2_000}),
    )
    .await;
    let content = entry["content"].as_str().unwrap();
    assert!(content.contains("\nFull text could not be stored; re-run web_extract on a more specific URL for the complete page.\n"), "{content}");
}

#[tokio::test]
async fn a_page_that_never_ends_is_given_up_in_time() {
    let home = tempfile::tempdir().unwrap();
    let stalled = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc";
    let server = Server::start(|_| Reaction::Stall(stalled.to_vec())).await;
    let options = WebOptions {
        extract_timeout: Duration::from_millis(50),
        ..options(&home)
    };
    let entry = entry(&options, json!({"urls": [server.url("/")]})).await;
    assert_eq!(
        entry["error"],
        json!("Extract timed out after 0.05s via http")
    );
    assert_eq!(
        WebOptions::default().extract_timeout,
        Duration::from_mins(2)
    );
}

#[tokio::test]
async fn what_a_server_answers_does_not_name_the_url_or_secrets() {
    let home = tempfile::tempdir().unwrap();
    let server =
        Server::start(|_| Reaction::with("content-encoding: ghp_abcdefghijklmnopqrst\r\n", "x"))
            .await;
    let entry = entry(&options(&home), json!({"urls": [server.url("/")]})).await;
    assert_eq!(
        entry["error"],
        json!("Failed to fetch page: unknown content encoding `ghp_ab...qrst`")
    );
}

#[tokio::test]
async fn an_unknown_backend_is_an_error() {
    let options = WebOptions {
        extract_backend: Some("firecrawl".to_owned()),
        ..WebOptions::default()
    };
    assert_eq!(
        extract(&options, json!({"urls": ["http://a.example"]})).await,
        r#"{"error":"Unknown web extract backend 'firecrawl'. Available: http."}"#
    );
}

#[tokio::test]
async fn reading_ends_with_the_cell() {
    let token = CancellationToken::new();
    let context = ToolContext::new("s").with_cancellation(token.clone());
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reaction::page("text/html", "<p>x")).await;
    token.cancel();
    let tool = WebExtract::new(&options(&home));
    let answer: Value =
        serde_json::from_str(&reply(&tool, json!({"urls": [server.url("/")]}), &context).await)
            .unwrap();
    assert_eq!(answer["results"][0]["error"], json!("Interrupted"));
}

#[tokio::test]
async fn pages_are_fetched_side_by_side() {
    let home = tempfile::tempdir().unwrap();
    let arrived = Arc::new(AtomicUsize::new(0));
    let all_here = Arc::new(std::sync::Barrier::new(5));
    let (count, barrier) = (Arc::clone(&arrived), Arc::clone(&all_here));
    // Every request waits until all five are there, on a thread of its own server.
    let servers: Vec<_> = (0..5)
        .map(|_| {
            let (count, barrier) = (Arc::clone(&count), Arc::clone(&barrier));
            std::thread::spawn(move || {
                let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
                let url = format!("http://{}/", listener.local_addr().unwrap());
                let serving = std::thread::spawn(move || {
                    let (mut stream, _) = listener.accept().unwrap();
                    let _ = std::io::Read::read(&mut stream, &mut [0; 4_096]).unwrap();
                    count.fetch_add(1, Ordering::SeqCst);
                    barrier.wait();
                    std::io::Write::write_all(
                        &mut stream,
                        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
                    )
                    .unwrap();
                });
                (url, serving)
            })
            .join()
            .unwrap()
        })
        .collect();
    let urls: Vec<&str> = servers.iter().map(|(url, _)| url.as_str()).collect();
    let answer = extract(&options(&home), json!({"urls": urls})).await;
    assert_eq!(answer.matches("\"content\": \"ok\"").count(), 5, "{answer}");
    assert_eq!(arrived.load(Ordering::SeqCst), 5);
    for (_, serving) in servers {
        serving.join().unwrap();
    }
}
