//! Floods of output: the result is bounded, the counters are exact, and the host's memory does not follow.

use hermes_tests::{Server, Session};
use serde_json::json;

/// How much the host's resident memory may grow while a gigabyte is written: the sandbox's own 512 MiB are never reached by these
/// scripts, which hold a few megabytes; what is kept is 5 MB a stream.
const GROWTH_KIB: u64 = 160 << 10;
const GIGABYTE: u64 = 1_000_000_000;

/// Ways to write a gigabyte, and how much of it is stdout.
const FLOODS: &[(&str, u64)] = &[
    ("for _ in range(1_000): print('x' * 999_999)", GIGABYTE),
    (
        "import sys\nblock = b'x' * 1_000_000\nfor _ in range(1_000): sys.stdout.buffer.write(block)",
        GIGABYTE,
    ),
    (
        "import os\nblock = b'x' * 1_000_000\nfor _ in range(1_000): os.write(1, block)",
        GIGABYTE,
    ),
    (
        "import sys\nblock = 'x' * 1_000_000\nfor _ in range(1_000): sys.stderr.write(block)",
        0,
    ),
    (
        "import os\nblock = b'x' * 1_000_000\nfor _ in range(1_000): os.write(2, block)",
        0,
    ),
];

#[tokio::test]
async fn a_gigabyte_of_output_costs_the_host_a_few_megabytes() {
    let mut server = Server::start([]);
    let warm = server
        .call("execute_code", json!({"code": "print('x' * 10_000_000)"}))
        .await;
    assert_eq!(warm["stdout_bytes_total"], 10_000_001);
    let before = server.peak_kib();
    for (flood, total) in FLOODS {
        let result = server.call("execute_code", json!({"code": flood})).await;
        assert_eq!(result["status"], "success", "{result}");
        assert_eq!(result["stdout_bytes_total"], *total);
        assert_eq!(result["stdout_bytes_captured"], 50_000.min(*total));
        assert_eq!(result["stdout_bytes_omitted"], total.saturating_sub(50_000));
        let output = result["output"].as_str().unwrap();
        assert!(output.len() < 70_000, "{} bytes are shown", output.len());
    }
    let after = server.peak_kib();
    assert!(
        after - before < GROWTH_KIB,
        "the resident memory grew from {before} KiB to {after} KiB"
    );
}

#[tokio::test]
async fn a_traceback_of_a_hundred_megabytes_costs_the_host_no_more() {
    let mut server = Server::start([]);
    server
        .call("execute_code", json!({"code": "print('x' * 10_000_000)"}))
        .await;
    let before = server.peak_kib();
    let result = server
        .call(
            "execute_code",
            json!({"code": "raise ValueError('x' * 100_000_000)"}),
        )
        .await;
    assert_eq!(result["status"], "error");
    assert!(result["error"].as_str().unwrap().len() < 300_000);
    let after = server.peak_kib();
    // The message exists a few times in the sandbox's own memory, whose limit is 512 MiB.
    assert!(
        after - before < GROWTH_KIB + (512 << 10),
        "the resident memory grew from {before} KiB to {after} KiB"
    );
    let next = server
        .call("execute_code", json!({"code": "print('healthy')"}))
        .await;
    assert_eq!(next["output"], "healthy\n");
}

#[tokio::test]
async fn many_small_writes_are_counted_to_the_byte() {
    let session = Session::fresh();
    session
        .run("for i in range(100_000): print(i)")
        .await
        .succeeds()
        .bytes(50_000, 588_890, 538_890);
    session
        .run("import os\nfor _ in range(70_000): os.write(1, b'x')")
        .await
        .succeeds()
        .bytes(50_000, 70_000, 20_000);
}

#[tokio::test]
async fn a_flood_that_is_stopped_shows_its_head_and_tail() {
    let finished = Session::fresh()
        .case("print('first')\nwhile True: print('x' * 100)")
        .timeout_ms(1_000)
        .run()
        .await;
    let outcome = finished.outcome();
    assert_eq!(outcome.exit_code, -1, "{finished}");
    assert!(outcome.output.starts_with("first\nxxx"), "{finished}");
    assert!(
        outcome.output.contains("\n\n... [OUTPUT TRUNCATED - "),
        "{finished}"
    );
    assert!(outcome.output.ends_with("⏰ Cell timed out after 1s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel."), "{finished}");
    assert_eq!(outcome.stdout.bytes_captured, 50_000);
}

#[tokio::test]
async fn stderr_keeps_its_head_and_the_traceback_is_never_lost() {
    let session = Session::fresh();
    let finished = session
        .run("import sys\nsys.stderr.write('e' * 1_000_000)\n1/0")
        .await;
    finished.raises("ZeroDivisionError: division by zero");
    let output = &finished.outcome().output;
    assert!(
        output.starts_with(&format!("\n--- stderr ---\n{}", "e".repeat(10_000))),
        "{finished}"
    );
    assert!(
        output.ends_with("    1/0\n    ~^~\nZeroDivisionError: division by zero\n"),
        "{finished}"
    );
    assert!(output.len() < 12_000, "{} bytes are shown", output.len());
}
