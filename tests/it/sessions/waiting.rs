//! What becomes of a session, and of the cells that wait for it, when a running cell is left behind, closed or given up.

use hermes_runtime::{Request, Runtime};
use hermes_tests::{Case, Meeting, NOT_RUN, Ready, Session, Stuck, builder};

/// Tells the test that the cell has come this far, then waits until another cell calls `meet` too.
const HOLD: &str = "from hermes_tools import meet, ready\nx = 'kept'\nready()\nprint(meet())";
const MEET: &str = "from hermes_tools import meet\nmeet()";

fn holding(ready: &Ready) -> Runtime {
    builder()
        .tool(ready.clone())
        .tool(Meeting::of(2))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_reset_neither_ends_the_running_cell_nor_waits_for_it() {
    let ready = Ready::default();
    let runtime = holding(&ready);
    let session = Session::on(&runtime);
    // The old cell waits for the new one: one after the other both would time out.
    let (old, new) = tokio::join!(session.case(HOLD).timeout_ms(20_000).run(), async {
        ready.told.notified().await;
        let code = format!("print('x' in globals())\ny = 'new'\n{MEET}");
        session.case(code).reset().timeout_ms(20_000).run().await
    });
    old.succeeds().output("met\n").kernel(false, 1);
    new.succeeds()
        .output("False\n")
        .kernel(false, 1)
        .state_reset(true);
    session
        .run("print('x' in globals(), y)")
        .await
        .succeeds()
        .output("False new\n")
        .kernel(true, 2)
        .state_reset(false);
}

#[tokio::test]
async fn a_cell_that_times_out_after_a_reset_takes_nothing_from_the_new_session() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let session = Session::on(&runtime);
    let old = session
        .case("from hermes_tools import stuck\nstuck()")
        .timeout_ms(5_000);
    let (old, ()) = tokio::join!(old.run(), async {
        stuck.begun.notified().await;
        session
            .case("y = 'new'")
            .reset()
            .run()
            .await
            .succeeds()
            .kernel(false, 1);
    });
    old.times_out("5", "");
    assert_eq!(runtime.sessions(), 1);
    session
        .run("print(y)")
        .await
        .succeeds()
        .output("new\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn a_waiting_cell_that_is_interrupted_does_not_run_and_leaves_the_session_as_it_was() {
    let ready = Ready::default();
    let runtime = holding(&ready);
    let session = Session::on(&runtime);
    let (held, ()) = tokio::join!(session.run(HOLD), async {
        ready.told.notified().await;
        let waiting = session.case("x = 'changed'");
        let handle = waiting.interrupt_handle();
        let (stopped, ()) = tokio::join!(waiting.run(), async { handle.interrupt(None) });
        stopped.output("[execution interrupted]").kernel(false, 0);
        assert_eq!(stopped.outcome().error.as_deref(), Some(NOT_RUN));
        Case::new(MEET).on(&runtime).run().await.succeeds();
    });
    held.succeeds().output("met\n").kernel(false, 1);
    session
        .run("print(x)")
        .await
        .succeeds()
        .output("kept\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn a_cell_that_is_stopped_before_its_turn_costs_no_session_its_state() {
    let runtime = builder().max_sessions(1).build().unwrap();
    let session = Session::on(&runtime);
    session.run("x = 'kept'").await.succeeds();
    let other = Session::on(&runtime);
    for case in [
        session.case("x = 'changed'"),
        session.case("pass").reset(),
        other.case("pass"),
    ] {
        case.interrupt_handle().interrupt(Some("early"));
        let stopped = case.run().await;
        stopped
            .output("[execution interrupted — early]")
            .kernel(false, 0);
        assert_eq!(stopped.outcome().error.as_deref(), Some(NOT_RUN));
    }
    session
        .run("print(x)")
        .await
        .succeeds()
        .output("kept\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_no_session() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let request = Request::new("from hermes_tools import stuck\nstuck()").session("a");
    let mut call = Box::pin(runtime.execute(request));
    tokio::select! {
        ended = &mut call => panic!("the cell ended: {ended:?}"),
        () = stuck.begun.notified() => {}
    }
    assert_eq!(runtime.sessions(), 1);
    drop(call);
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn cells_that_wait_for_a_session_that_is_closed_share_a_fresh_one() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let case = |code: &str| Case::new(code).on(&runtime).session("a");
    let count = "count = globals().get('count', 0) + 1\nprint(count)";
    let running =
        case("from hermes_tools import stuck\ncount = 100\nprint('start')\nstuck()").run();
    let running = tokio::spawn(running);
    stuck.begun.notified().await;
    // One poll brings each of them to the point where it waits; only then is the session closed.
    let waiting = async { tokio::join!(case(count).run(), case(count).run()) };
    let ((first, second), ()) = tokio::join!(waiting, async {
        assert!(runtime.close_session("a"));
    });
    running
        .await
        .unwrap()
        .is_interrupted(Some("session closed"), "start\n");
    first.succeeds().output("1\n").kernel(false, 1);
    second.succeeds().output("2\n").kernel(true, 2);
    assert_eq!(runtime.sessions(), 1);
}
