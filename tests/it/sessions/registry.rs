//! The cap, the order of eviction, and the ways in which a session ends.

use hermes_runtime::Runtime;
use hermes_tests::{Case, Stuck, builder};

fn of(sessions: usize) -> Runtime {
    builder().max_sessions(sessions).build().unwrap()
}

async fn reused(runtime: &Runtime, name: &str) -> bool {
    let finished = Case::new("pass").on(runtime).session(name).run().await;
    finished.succeeds();
    finished.outcome().kernel.reused
}

#[tokio::test]
async fn no_more_sessions_are_kept_than_the_cap() {
    let runtime = of(3);
    for name in ["a", "b", "c", "d", "e"] {
        assert!(!reused(&runtime, name).await);
    }
    assert_eq!(runtime.sessions(), 3);
}

#[tokio::test]
async fn the_least_recently_used_session_goes_first() {
    let runtime = of(2);
    for name in ["a", "b"] {
        assert!(!reused(&runtime, name).await);
    }
    assert!(reused(&runtime, "a").await);
    assert!(!reused(&runtime, "c").await);
    assert!(reused(&runtime, "a").await);
    assert!(!reused(&runtime, "b").await);
}

#[tokio::test]
async fn the_default_cap_is_four() {
    let runtime = builder().build().unwrap();
    for number in 0..6 {
        assert!(!reused(&runtime, &number.to_string()).await);
    }
    assert_eq!(runtime.sessions(), 4);
}

#[tokio::test]
async fn a_busy_session_is_never_evicted() {
    let stuck = Stuck::default();
    let runtime = builder()
        .max_sessions(1)
        .tool(stuck.clone())
        .build()
        .unwrap();
    Case::new("x = 1")
        .on(&runtime)
        .session("busy")
        .run()
        .await
        .succeeds();
    let busy = Case::new("from hermes_tools import stuck\nprint(x)\nstuck()")
        .on(&runtime)
        .session("busy");
    let (finished, ()) = tokio::join!(busy.run(), async {
        stuck.begun.notified().await;
        for name in ["a", "b"] {
            assert!(!reused(&runtime, name).await);
        }
        assert!(runtime.interrupt("busy", None));
    });
    finished.is_interrupted(None, "1\n").kernel(true, 2);
}

#[tokio::test]
async fn cells_without_a_session_leave_none() {
    let runtime = of(4);
    Case::new("print(1)").on(&runtime).run().await.succeeds();
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn a_session_is_closed_by_its_name() {
    let runtime = of(4);
    assert!(!reused(&runtime, "a").await);
    assert!(runtime.close_session("a"));
    assert!(!runtime.close_session("a"));
    assert_eq!(runtime.sessions(), 0);
    assert!(!reused(&runtime, "a").await);
}

#[tokio::test]
async fn closing_a_session_ends_its_running_cell() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let case = Case::new("from hermes_tools import stuck\nprint('start')\nstuck()")
        .on(&runtime)
        .session("a");
    let (finished, ()) = tokio::join!(case.run(), async {
        stuck.begun.notified().await;
        assert!(runtime.close_session("a"));
    });
    finished.is_interrupted(Some("session closed"), "start\n");
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn an_interrupt_of_nobody_interrupts_nobody() {
    let runtime = of(4);
    assert!(!runtime.interrupt("nobody", None));
    assert!(!reused(&runtime, "idle").await);
    assert!(!runtime.interrupt("idle", Some("no cell runs")));
    assert!(reused(&runtime, "idle").await);
}

#[tokio::test]
async fn an_unused_session_is_dropped_by_the_next_call_after_its_time() {
    let runtime = builder()
        .session_idle(std::time::Duration::ZERO)
        .build()
        .unwrap();
    assert!(!reused(&runtime, "a").await);
    assert!(!reused(&runtime, "b").await);
    assert_eq!(runtime.sessions(), 1);
    assert!(!reused(&runtime, "a").await);
}

#[tokio::test]
async fn any_text_is_the_name_of_a_session() {
    let runtime = of(100);
    for name in [
        "",
        " ",
        "é漢🐍",
        "a\0b",
        "../../etc",
        &"x".repeat(1_000_000),
    ] {
        assert!(!reused(&runtime, name).await);
        assert!(reused(&runtime, name).await);
        assert!(runtime.close_session(name));
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_its_cell_and_its_kernel() {
    let stuck = Stuck::default();
    let runtime = builder().tool(stuck.clone()).build().unwrap();
    let case = Case::new("from hermes_tools import stuck\nx = 1\nstuck()")
        .on(&runtime)
        .session("a");
    let cell = tokio::spawn(case.run());
    stuck.begun.notified().await;
    cell.abort();
    assert!(cell.await.unwrap_err().is_cancelled());
    stuck.dropped.notified().await;
    assert!(!reused(&runtime, "a").await);
}
