//! Floods of output: the result is bounded, the counters are exact, and the host's memory does not follow.

use hermes_tests::{Server, Session, every_row};
use serde_json::{Value, json};

/// How much the host's resident memory may grow while a gigabyte is written: twice the 8 MiB that the 5 MB of a stream that are kept,
/// their tail, and the copies of cleaning and redaction take.
const GROWTH_KIB: u64 = 16 << 10;
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

/// Runs a cell in a new server; returns its result, and by how many KiB the peak of the server's memory is above that of a trivial cell.
async fn growth<const N: usize>(options: [&str; N], code: &str) -> (Value, u64) {
    let mut server = Server::start(options);
    let trivial = server
        .call("execute_code", json!({"code": "print(1)"}))
        .await;
    assert_eq!(trivial["output"], "1\n");
    let before = server.peak_kib();
    let result = server.call("execute_code", json!({"code": code})).await;
    let after = server.peak_kib();
    let next = server
        .call("execute_code", json!({"code": "print('healthy')"}))
        .await;
    assert_eq!(next["output"], "healthy\n");
    (result, after - before)
}

#[tokio::test]
async fn a_gigabyte_of_output_costs_the_host_a_few_megabytes() {
    every_row(FLOODS, async |(flood, total)| {
        let (result, grown) = growth([], flood).await;
        assert_eq!(result["status"], "success", "{result}");
        assert_eq!(result["stdout_bytes_total"], *total);
        assert_eq!(result["stdout_bytes_captured"], 50_000.min(*total));
        assert_eq!(result["stdout_bytes_omitted"], total.saturating_sub(50_000));
        let output = result["output"].as_str().unwrap();
        assert!(output.len() < 70_000, "{} bytes are shown", output.len());
        assert!(
            grown < GROWTH_KIB,
            "the resident memory grew by {grown} KiB"
        );
    })
    .await;
}

#[tokio::test]
async fn a_traceback_of_a_hundred_megabytes_is_not_copied_by_the_host() {
    // The message exists a few times in the sandbox, whose memory is limited. The limit leaves some 60 MiB free: a copy of the message
    // in the host would be more.
    let (result, grown) = growth(
        ["--memory-limit", "448MiB"],
        "raise ValueError('x' * 100_000_000)",
    )
    .await;
    assert_eq!(result["status"], "error");
    let error = result["error"].as_str().unwrap();
    assert!(
        error.contains("\n    raise ValueError('x' * 100_000_000)\nValueError: xxx"),
        "{}",
        &error[..200]
    );
    assert!(error.len() < 300_000, "{} bytes are shown", error.len());
    assert!(grown < 448 << 10, "the resident memory grew by {grown} KiB");
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
