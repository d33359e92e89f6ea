//! Programs as models write them, with threads, pools and `asyncio`: each file is one, and says in its last lines what it prints.

use hermes_tests::{Program, workspace};

/// Makes one test of each file of a directory, and a constant with their names.
macro_rules! programs {
    ($topic:ident in $directory:literal: $($name:ident,)*) => {
        mod $topic {
            use super::Program;

            pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
            $(
                #[tokio::test]
                async fn $name() {
                    Program::new(include_str!(concat!("programs/", $directory, "/", stringify!($name), ".py"))).prints_what_it_says().await;
                }
            )*
        }
    };
}

programs! { threads in "threads":
    a_barrier_lets_all_pass_together,
    a_bounded_queue_hands_over_every_item,
    a_condition_wakes_whoever_waits_for_it,
    a_consumer_started_first_gets_every_item,
    a_lock_protects_a_counter,
    a_lock_that_is_held_is_not_acquired,
    a_producer_started_first_feeds_its_consumer,
    a_reentrant_lock_is_acquired_twice,
    a_semaphore_limits_how_many_are_inside,
    a_subclass_runs_its_own_run,
    a_target_gets_its_arguments,
    a_thread_starts_threads_of_its_own,
    a_thread_that_is_not_joined_has_run_at_the_end,
    a_timer_fires_and_a_cancelled_one_does_not,
    an_event_wakes_its_waiter,
    an_exception_ends_only_its_thread,
    every_started_thread_has_run_when_join_returns,
    queue_join_waits_for_daemon_workers,
    queues_of_other_orders_keep_their_order,
    sleeping_threads_end_in_the_order_of_their_start_when_joined,
    thread_locals_are_separate,
    threads_are_misused_as_in_cpython,
    threads_have_identifiers_of_their_own,
    threads_know_their_names,
    workers_stop_at_their_sentinels,
}

programs! { pools in "pools":
    a_pool_counts_under_a_lock,
    a_pool_that_is_shut_down_late_has_done_its_work,
    an_exception_is_raised_by_result,
    an_initializer_runs_before_the_work,
    as_completed_yields_every_future_once,
    batches_with_a_timeout_give_their_results,
    callbacks_run_when_a_future_is_done,
    leaving_the_pool_waits_for_its_work,
    map_keeps_the_order_of_its_input,
    map_raises_where_the_failing_item_stands,
    pools_nest,
    submit_gives_a_future_with_the_result,
    wait_splits_done_from_not_done,
    workers_are_named_after_the_pool,
}

programs! { event_loops in "asyncio":
    a_cancelled_task_says_so,
    a_coroutine_is_sent_to_a_loop_in_a_thread,
    a_failing_task_group_raises_a_group_and_cancels_the_rest,
    a_loop_of_ones_own_runs_until_complete,
    a_queue_joins_producer_and_consumers,
    a_semaphore_limits_tasks,
    a_task_group_waits_for_its_tasks,
    a_timeout_block_ends_what_is_in_it,
    an_exception_in_a_thread_reaches_its_awaiter,
    as_completed_yields_by_completion,
    asynchronous_iteration_works,
    context_variables_belong_to_their_task,
    events_and_locks_wake_tasks,
    gather_can_return_exceptions,
    gather_keeps_the_order_of_its_arguments,
    run_in_executor_works_with_both_executors,
    run_inside_of_run_is_refused,
    run_returns_what_the_coroutine_returns,
    run_works_again_and_again_and_in_threads,
    shielded_work_outlives_its_awaiter,
    sleepers_wake_in_the_order_of_their_delays,
    tasks_take_turns,
    to_thread_gives_the_result_of_a_blocking_call,
    wait_for_gives_up_in_time,
    wait_returns_at_the_first_completion,
}

#[test]
fn every_program_is_a_test() {
    for (directory, listed) in [
        ("threads", threads::NAMES),
        ("pools", pools::NAMES),
        ("asyncio", event_loops::NAMES),
    ] {
        let place = workspace().join("tests/it/stdlib/programs").join(directory);
        let entries = std::fs::read_dir(place)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut names: Vec<_> = entries
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        assert_eq!(names, listed, "{directory}");
    }
}
