//! An interrupt ends whatever runs, with the reason that the host gave.

use hermes_tests::{
    Case, Ready, Session, Stuck, builder, every_row, is_for_strict_only, shared, within_deadline,
};

use super::time::ENDLESS;

/// A cell that calls the tool `ready` first, so that a test knows that it runs, and then `script`.
fn running(script: &str) -> String {
    format!("print('start')\nfrom hermes_tools import ready\nready()\n{script}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_ends_every_endless_script() {
    let ready = Ready::default();
    let runtime = builder()
        .tool(ready.clone())
        .max_sessions(1_000)
        .build()
        .unwrap();
    every_row(
        ENDLESS
            .iter()
            .filter(|(_, script)| !script.contains("hermes_tools")),
        async |(name, script)| {
            let starts_threads = script.contains("threading.");
            if starts_threads && is_for_strict_only("threads of a process live on between cells") {
                return;
            }
            let session = Session::on(&runtime);
            let case = session.case(running(script));
            let handle = case.interrupt_handle();
            let cell = tokio::spawn(case.run());
            within_deadline(name, ready.told.notified()).await;
            handle.interrupt(Some("enough"));
            cell.await
                .unwrap()
                .is_interrupted(Some("enough"), "start\n")
                .kernel(false, 1)
                .ended(false);
            session.is_healthy().await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_without_a_reason_names_none() {
    let ready = Ready::default();
    let runtime = builder().tool(ready.clone()).build().unwrap();
    let session = Session::on(&runtime);
    let cell = tokio::spawn(session.case(running("while True: pass")).run());
    ready.told.notified().await;
    assert!(runtime.interrupt(session.name(), None));
    cell.await.unwrap().is_interrupted(None, "start\n");
    session
        .run("print('fresh')")
        .await
        .succeeds()
        .output("fresh\n")
        .kernel(false, 1)
        .state_reset(false);
}

#[tokio::test]
async fn an_interrupt_ends_a_blocked_tool_call_and_the_tool_is_told() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let session = Session::on(&runtime);
    let case = session.case("from hermes_tools import stuck\nstuck()");
    let (finished, ()) = tokio::join!(case.run(), async {
        stuck.begun.notified().await;
        assert!(runtime.interrupt(session.name(), Some("stop")));
    });
    finished.is_interrupted(Some("stop"), "").tool_calls(1);
    stuck.dropped.notified().await;
    session.is_healthy().await;
}

/// Has the interpreter of project mode found: a cell that is interrupted before that has not begun.
async fn an_engine_is_found() {
    Case::new("pass").run().await.succeeds();
}

#[tokio::test]
async fn an_interrupt_before_the_start_holds() {
    an_engine_is_found().await;
    let case = Case::new("print('never')");
    case.interrupt_handle().interrupt(Some("too late"));
    case.run().await.is_interrupted(Some("too late"), "");
}

#[tokio::test]
async fn an_interrupt_after_the_end_is_nothing() {
    let session = Session::fresh();
    let case = session.case("print('done')");
    let handle = case.interrupt_handle();
    case.run().await.succeeds().output("done\n");
    handle.interrupt(None);
    assert!(!shared().interrupt(session.name(), None));
    session
        .run("print('same kernel')")
        .await
        .succeeds()
        .kernel(true, 2);
}

#[tokio::test]
async fn the_first_of_two_reasons_is_shown() {
    an_engine_is_found().await;
    let case = Case::new("while True: pass");
    let handle = case.interrupt_handle();
    handle.interrupt(Some("first"));
    handle.clone().interrupt(Some("second"));
    case.run().await.is_interrupted(Some("first"), "");
}
