#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::net::loopback::{Reaction, Server};
use crate::tools::ToolError;
use crate::tools::granted::reply;
use crate::tools::web_options::SearchEndpoints;
use crate::tools::web_search::SearchHit;

const KEY: &str = "a-key-without-known-shape";

fn credentials() -> Credentials {
    Credentials {
        tavily: Some(KEY.into()),
        exa: Some(KEY.into()),
        searxng: None,
        brave: Some(KEY.into()),
    }
}

fn options(backend: &str, base: &str) -> WebOptions {
    let base = Some(base.to_owned());
    WebOptions {
        search_backend: Some(backend.to_owned()),
        search_endpoints: SearchEndpoints {
            tavily: base.clone(),
            exa: base.clone(),
            searxng: base.clone(),
            brave: base,
        },
        ..WebOptions::default()
    }
}

async fn search(tool: &WebSearch, arguments: Value) -> String {
    reply(tool, arguments, &ToolContext::new("s")).await
}

/// Searches with a provider whose service answers in this way, and returns the answer and the one request.
async fn searched(backend: &str, reaction: Reaction) -> (Value, crate::net::loopback::Seen) {
    let server = Server::start(move |_| reaction.clone()).await;
    let tool = WebSearch::with(&options(backend, &server.url("")), &credentials());
    let answer = search(&tool, json!({"query": " rust & wasm ", "limit": 2})).await;
    let seen = server.seen();
    assert_eq!(seen.len(), 1, "{answer}");
    (serde_json::from_str(&answer).unwrap(), seen[0].clone())
}

fn has_header(seen: &crate::net::loopback::Seen, line: &str) -> bool {
    seen.headers.iter().any(|header| header == line)
}

fn two_hits() -> Value {
    json!({"success": true, "data": {"web": [
        {"title": "A", "url": "https://a.example/", "description": "about a", "position": 1},
        {"title": "", "url": "https://b.example/", "description": "", "position": 2},
    ]}})
}

fn rows(description: &str) -> Value {
    json!([
        {"title": "A", "url": "https://a.example/", description: "about a", "more": 1},
        {"title": "without address", "url": null},
        {"url": "https://b.example/", description: null},
        {"title": "C", "url": "https://c.example/", description: "beyond the limit"},
    ])
}

#[tokio::test]
async fn brave_is_asked_by_its_api() {
    let answer = json!({"type": "search", "web": {"results": rows("description")}});
    let (found, seen) = searched(
        "brave-free",
        Reaction::page("application/json", answer.to_string()),
    )
    .await;
    assert_eq!(found, two_hits());
    assert_eq!(seen.line, "GET /res/v1/web/search?q=rust+%26+wasm&count=10");
    assert!(
        has_header(&seen, &format!("x-subscription-token: {KEY}")),
        "{seen:?}"
    );
    assert!(has_header(&seen, "accept: application/json"), "{seen:?}");
}

#[tokio::test]
async fn searxng_is_asked_by_its_api() {
    let answer = json!({"query": "q", "results": rows("content")});
    let (found, seen) = searched(
        "searxng",
        Reaction::page("application/json", answer.to_string()),
    )
    .await;
    assert_eq!(found, two_hits());
    assert_eq!(
        seen.line,
        "GET /search?q=rust+%26+wasm&format=json&pageno=1"
    );
}

#[tokio::test]
async fn tavily_is_asked_by_its_api() {
    let answer = json!({"query": "q", "results": rows("content")});
    let (found, seen) = searched(
        "tavily",
        Reaction::page("application/json", answer.to_string()),
    )
    .await;
    assert_eq!(found, two_hits());
    assert_eq!(seen.line, "POST /search");
    assert!(
        has_header(&seen, &format!("authorization: Bearer {KEY}")),
        "{seen:?}"
    );
    assert!(
        has_header(&seen, "content-type: application/json"),
        "{seen:?}"
    );
    assert_eq!(seen.body, r#"{"query":"rust & wasm","max_results":10}"#);
}

#[tokio::test]
async fn exa_is_asked_by_its_api() {
    let answer = json!({"results": [
        {"title": "A", "url": "https://a.example/", "highlights": ["about", "a"]},
        {"title": null, "url": "https://b.example/"},
    ]});
    let (found, seen) = searched(
        "exa",
        Reaction::page("application/json", answer.to_string()),
    )
    .await;
    assert_eq!(found, two_hits());
    assert_eq!(seen.line, "POST /search");
    assert!(has_header(&seen, &format!("x-api-key: {KEY}")), "{seen:?}");
    assert_eq!(
        seen.body,
        r#"{"query":"rust & wasm","numResults":10,"contents":{"highlights":true}}"#
    );
}

#[tokio::test]
async fn services_that_fail_are_errors_that_show_neither_key_nor_address() {
    let rows = [
        (
            Reaction::status("401 Unauthorized"),
            "HTTP 401 Unauthorized",
        ),
        (
            Reaction::status("429 Too Many Requests"),
            "HTTP 429 Too Many Requests",
        ),
        (
            Reaction::status("500 Internal Server Error"),
            "HTTP 500 Internal Server Error",
        ),
        (
            Reaction::redirect(302, "http://other.example/"),
            "HTTP 302 Found",
        ),
        (
            Reaction::page("application/json", "{\"web\": "),
            "the answer is not valid JSON",
        ),
        (
            Reaction::page("text/html", "<html>"),
            "the answer is not valid JSON",
        ),
        (
            Reaction::page("application/json", " ".repeat((4 << 20) + 1)),
            "the answer is larger than 4194304 bytes",
        ),
    ];
    for (backend, service) in [
        ("brave-free", "Brave Search"),
        ("searxng", "SearXNG"),
        ("tavily", "Tavily"),
        ("exa", "Exa"),
    ] {
        for (reaction, detail) in &rows {
            let (answer, _) = searched(backend, reaction.clone()).await;
            let error = format!("Error searching web: {service}: {detail}");
            assert_eq!(answer, json!({"success": false, "error": error}));
        }
    }
    let (cut, _) = searched(
        "exa",
        Reaction::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}".to_vec()),
    )
    .await;
    let error = cut["error"].as_str().unwrap();
    assert!(
        error.starts_with("Error searching web: Exa: ")
            && !error.contains("127.0.0.1")
            && !error.contains(KEY),
        "{error}"
    );
}

#[tokio::test]
async fn answers_of_another_shape_have_no_hits() {
    for answer in [
        "{}",
        "[]",
        "null",
        "7",
        r#"{"results": {}, "web": []}"#,
        r#"{"results": [1, null, []], "web": {"results": "x"}}"#,
    ] {
        for backend in ["brave-free", "searxng", "tavily", "exa"] {
            let (found, _) = searched(backend, Reaction::page("application/json", answer)).await;
            assert_eq!(
                found,
                json!({"success": true, "data": {"web": []}}),
                "{backend} {answer}"
            );
        }
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_not_shown() {
    let tool = WebSearch::with(&options("searxng", "htp://user:pw@host"), &credentials());
    assert_eq!(
        search(&tool, json!({"query": "x"})).await,
        "{\n  \"success\": false,\n  \"error\": \"Error searching web: the address of SearXNG is no http or https URL\"\n}"
    );
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_not_shown() {
    let mut credentials = credentials();
    credentials.exa = Some("line\nbreak".into());
    let tool = WebSearch::with(&options("exa", "http://127.0.0.1:1"), &credentials);
    assert_eq!(
        search(&tool, json!({"query": "x"})).await,
        "{\n  \"success\": false,\n  \"error\": \"Error searching web: Exa: the API key has characters that no HTTP header may hold\"\n}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_service_that_says_nothing_is_given_up() {
    let server = Server::start(|_| Reaction::Stall(Vec::new())).await;
    let options = WebOptions {
        search_timeout: Duration::from_secs(7),
        ..options("exa", &server.url(""))
    };
    let tool = WebSearch::with(&options, &credentials());
    assert_eq!(
        search(&tool, json!({"query": "x"})).await,
        "{\n  \"success\": false,\n  \"error\": \"Error searching web: Exa: no answer within 7s\"\n}"
    );
}

/// A host's own provider, which tells what it was asked.
#[derive(Debug)]
struct Own;

#[async_trait]
impl SearchProvider for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    async fn search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, ToolError> {
        if query == "fail" {
            return Err(ToolError::new("no luck with ghp_abcdefghijklmnopqrst"));
        }
        let hit = SearchHit {
            title: format!("{query} {count}"),
            url: "https://e.example/?k=ghp_abcdefghijklmnopqrst".to_owned(),
            description: "ghp_abcdefghijklmnopqrst".to_owned(),
        };
        Ok(vec![hit; count])
    }
}

fn own() -> WebSearch {
    let options = WebOptions {
        search_providers: vec![Arc::new(Own)],
        ..WebOptions::default()
    };
    WebSearch::with(&options, &Credentials::default())
}

#[tokio::test]
async fn providers_are_asked_for_round_numbers_and_limits_are_lenient() {
    let tool = own();
    let rows = [
        (json!(1), 1, 10),
        (json!(10), 10, 10),
        (json!(11), 11, 20),
        (json!("21"), 21, 50),
        (json!(51.9), 51, 100),
        (json!(1_000), 100, 100),
        (json!(0), 1, 10),
        (json!(-3), 1, 10),
        (json!("many"), 5, 10),
        (json!(null), 5, 10),
    ];
    for (limit, shown, bucket) in rows {
        let answer = search(&tool, json!({"query": "q", "limit": limit})).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let web = answer["data"]["web"].as_array().unwrap();
        assert_eq!(web.len(), shown, "{limit}");
        assert_eq!(web[0]["title"], json!(format!("q {bucket}")), "{limit}");
        assert_eq!(web[shown - 1]["position"], json!(shown), "{limit}");
    }
}

#[tokio::test]
async fn results_and_errors_of_providers_are_redacted() {
    let answer = search(&own(), json!({"query": "q", "limit": 1})).await;
    assert_eq!(
        answer,
        r#"{
  "success": true,
  "data": {
    "web": [
      {
        "title": "q 10",
        "url": "https://e.example/?k=ghp_ab...qrst",
        "description": "ghp_ab...qrst",
        "position": 1
      }
    ]
  }
}"#
    );
    let failed = search(&own(), json!({"query": "fail"})).await;
    assert_eq!(
        failed,
        "{\n  \"success\": false,\n  \"error\": \"Error searching web: no luck with ghp_ab...qrst\"\n}"
    );
}

#[tokio::test]
async fn the_second_search_is_answered_from_the_first() {
    let answer = json!({"results": [{"title": "A", "url": "https://a.example/"}]}).to_string();
    let server = Server::start(move |_| Reaction::page("application/json", &answer)).await;
    let tool = WebSearch::with(&options("tavily", &server.url("")), &credentials());
    let first = search(&tool, json!({"query": "q", "limit": 3})).await;
    let second = search(&tool, json!({"query": " q", "limit": 9})).await;
    assert_eq!(first, second);
    assert_eq!(server.lines(), ["POST /search"]);
    search(&tool, json!({"query": "q", "limit": 11})).await;
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn calls_that_search_for_nothing_are_refused() {
    let rows = [
        (json!({}), "web_search: missing required field 'query'."),
        (
            json!({"query": null}),
            "web_search: missing required field 'query'.",
        ),
        (
            json!({"query": 7}),
            "web_search: 'query' must be a string, got int.",
        ),
        (
            json!({"query": " \n"}),
            "web_search: 'query' must not be empty.",
        ),
        (
            json!({"query": "x".repeat(4_001)}),
            "web_search: 'query' must have at most 4000 characters.",
        ),
    ];
    for (arguments, error) in rows {
        assert_eq!(
            search(&own(), arguments).await,
            json!({"error": error}).to_string()
        );
    }
    let none = WebSearch::with(&WebOptions::default(), &Credentials::default());
    assert_eq!(
        search(&none, json!({"query": "x"})).await,
        "{\n  \"success\": false,\n  \"error\": \"No web search provider configured. Run `hermes tools` to set one up.\"\n}"
    );
}
