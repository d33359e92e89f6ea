//! The fuel profile: an exact count, repeatable, and an end of its own when it is used up.

use std::sync::LazyLock;

use hermes_runtime::{Metering, Runtime, Status};
use hermes_tests::{Case, Finished, Session, builder, every_row, shared};

use super::time::ENDLESS;

/// Units that a cell of these tests may use.
const LIMIT: u64 = 200_000_000;

/// Fresh kernels that have to agree on a count: what is new in each of them must not show.
const KERNELS: usize = 40;

static FUELLED: LazyLock<Runtime> = LazyLock::new(|| {
    builder()
        .metering(Metering::Fuel { per_cell: LIMIT })
        .max_sessions(100)
        .build()
        .unwrap()
});

const EXHAUSTED: &str = "Cell used up its fuel limit of 200,000,000 units; the session kernel was killed and its state was lost. The next \
                         execute_code call starts a fresh kernel.";

fn fuel(finished: &Finished) -> u64 {
    finished.outcome().usage.unwrap().fuel
}

#[tokio::test]
async fn the_same_cell_uses_the_same_fuel_every_time() {
    let code = "total = 0\nfor i in range(10_000): total += i * i\nprint(total)\nimport json\nprint(len(json.dumps(list(range(1000)))))";
    let mut counts = Vec::new();
    for _ in 0..KERNELS {
        let finished = Case::new(code).on(&FUELLED).run().await;
        finished.succeeds().output("333283335000\n4890\n");
        counts.push(fuel(&finished));
    }
    assert_eq!(counts, vec![counts[0]; KERNELS]);
    assert!((1..LIMIT).contains(&counts[0]), "{counts:?}");
}

#[tokio::test]
async fn more_work_uses_more_fuel_and_each_cell_has_its_own() {
    let session = Session::on(&FUELLED);
    let little = session.run("for i in range(1_000): pass").await;
    let much = session.run("for i in range(100_000): pass").await;
    let again = session.run("for i in range(1_000): pass").await;
    assert!(
        fuel(&much) > 10 * fuel(&little),
        "{} {}",
        fuel(&much),
        fuel(&little)
    );
    assert!(
        fuel(&again) < 2 * fuel(&little),
        "{} {}",
        fuel(&again),
        fuel(&little)
    );
}

#[tokio::test]
async fn a_cell_that_uses_up_its_fuel_says_so_and_keeps_its_output() {
    let session = Session::on(&FUELLED);
    let finished = session.run("print('start')\nwhile True: pass").await;
    let outcome = finished.outcome();
    assert_eq!(
        (outcome.status, outcome.exit_code),
        (Status::Error, -1),
        "{finished}"
    );
    assert_eq!(outcome.error.as_deref(), Some(EXHAUSTED));
    finished
        .output(&format!("start\n\n\n⛽ {EXHAUSTED}"))
        .kernel(false, 1);
    assert_eq!(fuel(&finished), LIMIT);
    session
        .run("print('fresh')")
        .await
        .succeeds()
        .output("fresh\n")
        .kernel(false, 1);
}

#[tokio::test]
async fn a_script_cannot_catch_the_end_of_its_fuel() {
    let session = Session::on(&FUELLED);
    let finished = session.run("while True:\n    try:\n        while True: pass\n    except BaseException: print('caught')").await;
    assert_eq!(finished.outcome().error.as_deref(), Some(EXHAUSTED));
    finished.output(&format!("⛽ {EXHAUSTED}"));
}

#[tokio::test]
async fn the_wall_clock_holds_with_fuel_too() {
    let session = Session::on(&FUELLED);
    session
        .case("print('start')\nimport time\ntime.sleep(3600)")
        .timeout_ms(300)
        .run()
        .await
        .times_out("0.3", "start\n");
    let runtime = builder()
        .metering(Metering::Fuel { per_cell: u64::MAX })
        .build()
        .unwrap();
    every_row(ENDLESS, async |(_, script)| {
        Case::new(format!("print('start')\n{script}"))
            .on(&runtime)
            .timeout_ms(1_000)
            .run()
            .await
            .times_out("1", "start\n");
    })
    .await;
}

#[tokio::test]
async fn the_usage_is_the_last_key_of_the_result() {
    let finished = Case::new("print(1)").on(&FUELLED).run().await;
    let json = finished.outcome().to_json();
    assert!(
        json.ends_with(&format!(",\"usage\":{{\"fuel\":{}}}}}", fuel(&finished))),
        "{json}"
    );
}

#[tokio::test]
async fn without_fuel_metering_there_is_no_usage() {
    let finished = Case::new("print(1)").on(shared()).run().await;
    assert_eq!(finished.outcome().usage, None);
    assert!(!finished.outcome().to_json().contains("usage"));
}
