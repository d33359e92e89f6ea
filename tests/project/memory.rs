//! The limit of a kernel's memory.

use hermes_runtime::{KernelError, Runtime, RuntimeError};
use hermes_tests::{Session, builder, project_options};

fn limited(limit: &str) -> Result<Runtime, RuntimeError> {
    let mut options = project_options();
    options.memory_limit = limit.parse().ok();
    builder().project(options).build()
}

#[tokio::test]
async fn memory_can_be_limited() {
    let runtime = limited("1GiB").unwrap();
    let session = Session::on(&runtime);
    session
        .run("block = bytearray(2 << 30)")
        .await
        .raises("MemoryError");
    session.is_healthy().await;
}

#[tokio::test]
async fn a_script_that_has_used_up_its_memory_keeps_its_state() {
    let runtime = limited("128MiB").unwrap();
    let session = Session::on(&runtime);
    for item in ["bytearray(1000)", "object()", "bytearray(1 << 20)"] {
        let fill = format!("kept = []\nwhile True: kept.append({item})");
        session.run(&fill).await.raises("MemoryError");
        let caught =
            format!("del kept\ntry:\n    exec({fill:?})\nexcept MemoryError: print('full')");
        session.run(&caught).await.succeeds().output("full\n");
        session.run("del kept").await.succeeds().output("");
    }
}

#[tokio::test]
async fn the_least_memory_is_enough_for_a_script_with_a_thread_and_a_tool() {
    let runtime = limited("48MiB").unwrap();
    let code = "import threading\nfrom hermes_tools import terminal\ncalls = []\nthread = threading.Thread(target=lambda: calls.append(terminal('echo said')['output']))\nthread.start()\nthread.join()\nprint(calls, len(bytearray(4 << 20)))";
    let session = Session::on(&runtime);
    for _ in 0..3 {
        session
            .run(code)
            .await
            .succeeds()
            .output("['said'] 4194304\n");
    }
}

#[test]
fn a_limit_that_leaves_no_room_for_the_interpreter_is_refused() {
    let error = limited("47MiB").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a memory limit of 47MiB leaves no room for the interpreter; hint: allow at least 48MiB, and more for the scripts"
    );
    let is_that = matches!(error, RuntimeError::Kernel(KernelError::MemoryLimit { .. }));
    assert!(is_that && !error.is_refusal(), "{error:?}");
}

#[tokio::test]
async fn threads_take_no_more_of_the_limit_than_their_stacks() {
    // A heap of its own for each thread would be 64 MiB of address space.
    let code = "import threading\ndone = threading.Event()\nthreads = [threading.Thread(target=lambda: (bytearray(1000), done.wait())) for _ in range(4)]\nfor thread in threads: thread.start()\nwith open('/proc/self/status') as status:\n    size = next(int(line.split()[1]) for line in status if line.startswith('VmPeak'))\ndone.set()\nprint(size < 100_000 or size)";
    let session = Session::on(&limited("1GiB").unwrap());
    session.run(code).await.succeeds().output("True\n");
}

#[tokio::test]
async fn a_cell_that_is_too_large_for_the_memory_is_an_error_and_the_session_lives() {
    let session = Session::on(&limited("100MiB").unwrap());
    session.run("x = 41").await.succeeds();
    for letter in ["x", "é", "漢", "😀"] {
        let code = format!("'{}'", letter.repeat((60 << 20) / letter.len()));
        session.run(code).await.raises("MemoryError");
        session.is_healthy().await;
    }
    session.run("print(x + 1)").await.succeeds().output("42\n");
}
