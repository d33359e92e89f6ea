//! Cells of different sessions run at the same time, cells of one session one after another.

use hermes_runtime::Runtime;
use hermes_tests::{Case, Meeting, builder, is_for_strict_only};

fn meeting(members: usize) -> Runtime {
    builder()
        .tool(Meeting::of(members))
        .max_sessions(100)
        .build()
        .unwrap()
}

const MEET: &str = "from hermes_tools import meet\nprint(meet())";

#[tokio::test]
async fn cells_of_different_sessions_run_at_the_same_time() {
    // Each cell waits in a tool until all eight are there: one after another they would wait for ever.
    let runtime = meeting(8);
    let cells: Vec<_> = (0..8)
        .map(|number| {
            tokio::spawn(
                Case::new(MEET)
                    .on(&runtime)
                    .session(number.to_string())
                    .run(),
            )
        })
        .collect();
    for cell in cells {
        cell.await
            .unwrap()
            .succeeds()
            .output("met\n")
            .kernel(false, 1);
    }
}

#[tokio::test]
async fn cells_without_a_session_run_at_the_same_time() {
    let runtime = meeting(5);
    let cells: Vec<_> = (0..5)
        .map(|_| tokio::spawn(Case::new(MEET).on(&runtime).run()))
        .collect();
    for cell in cells {
        cell.await.unwrap().succeeds().output("met\n");
    }
}

#[tokio::test]
async fn six_parallel_first_cells_share_one_kernel() {
    let runtime = builder().build().unwrap();
    let code = "count = globals().get('count', 0) + 1\nprint(count)";
    let cells: Vec<_> = (0..6)
        .map(|_| tokio::spawn(Case::new(code).on(&runtime).session("one").run()))
        .collect();
    let mut counts = Vec::new();
    for cell in cells {
        let finished = cell.await.unwrap();
        finished.succeeds();
        let outcome = finished.outcome();
        assert_eq!(
            outcome.output,
            format!("{}\n", outcome.kernel.execution_count)
        );
        assert_eq!(outcome.kernel.reused, outcome.kernel.execution_count > 1);
        counts.push(outcome.kernel.execution_count);
    }
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6]);
    assert_eq!(runtime.sessions(), 1);
}

#[tokio::test]
async fn a_runtime_serves_several_executors() {
    let runtime = builder().build().unwrap();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let runtime = runtime.clone();
            std::thread::spawn(move || {
                let executor = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .unwrap();
                executor.block_on(async {
                    for round in 1..=5 {
                        Case::new("n = globals().get('n', 0) + 1\nprint(n)")
                            .on(&runtime)
                            .session(format!("executor-{number}"))
                            .run()
                            .await
                            .succeeds()
                            .output(&format!("{round}\n"));
                    }
                });
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[tokio::test]
async fn a_session_outlives_the_executor_that_made_it() {
    if is_for_strict_only(
        "a child process is served by the executor that started it; with it the kernel ends, and the next cell says so",
    ) {
        return;
    }
    let runtime = builder().build().unwrap();
    let other = runtime.clone();
    let thread = std::thread::spawn(move || {
        let executor = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        executor.block_on(async {
            Case::new("x = 41")
                .on(&other)
                .session("a")
                .run()
                .await
                .succeeds()
                .kernel(false, 1);
        });
    });
    thread.join().unwrap();
    Case::new("print(x + 1)")
        .on(&runtime)
        .session("a")
        .run()
        .await
        .succeeds()
        .output("42\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn an_endless_cell_does_not_keep_others_from_running() {
    // One thread serves both: the endless cell has to yield.
    let case = Case::new("while True: pass");
    let handle = case.interrupt_handle();
    let endless = tokio::spawn(case.run());
    for number in 0..3 {
        Case::new(format!("print({number})"))
            .run()
            .await
            .succeeds()
            .output(&format!("{number}\n"));
    }
    handle.interrupt(None);
    endless.await.unwrap().is_interrupted(None, "");
}

#[tokio::test]
async fn many_sandboxes_at_once_are_possible() {
    let runtime = meeting(64);
    let cells: Vec<_> = (0..64)
        .map(|_| tokio::spawn(Case::new(MEET).on(&runtime).run()))
        .collect();
    for cell in cells {
        cell.await.unwrap().succeeds().output("met\n");
    }
}

#[tokio::test]
async fn kernels_beyond_the_reserved_ones_get_their_memory_on_demand() {
    let meeting = Meeting::of(8);
    let runtime = builder().tool(meeting).reserved_kernels(2).build().unwrap();
    let cells: Vec<_> = (0..8)
        .map(|_| tokio::spawn(Case::new(MEET).on(&runtime).run()))
        .collect();
    for cell in cells {
        cell.await.unwrap().succeeds().output("met\n");
    }
}
