//! Kernel fields over the life of a session: reused, counted, reset, ended, replaced.

use hermes_tests::{Session, builder};

#[tokio::test]
async fn the_second_cell_reuses_the_first_ones_kernel() {
    let session = Session::fresh();
    session.run("x = 41").await.succeeds().kernel(false, 1);
    session
        .run("x = x + 1; print(x)")
        .await
        .succeeds()
        .output("42\n")
        .kernel(true, 2);
}

#[tokio::test]
async fn a_reset_discards_the_state() {
    let session = Session::fresh();
    session.run("y = 1").await.succeeds().state_reset(false);
    session
        .case("print('y' in dir())")
        .reset()
        .run()
        .await
        .succeeds()
        .output("False\n")
        .kernel(false, 1)
        .state_reset(true);
    session
        .run("print('y' in dir())")
        .await
        .succeeds()
        .output("False\n")
        .kernel(true, 2)
        .state_reset(false);
}

#[tokio::test]
async fn a_reset_of_nothing_reports_nothing() {
    Session::fresh()
        .case("print(1)")
        .reset()
        .run()
        .await
        .succeeds()
        .kernel(false, 1)
        .state_reset(false);
}

#[tokio::test]
async fn an_import_lives_on() {
    let session = Session::fresh();
    session.run("import math").await.succeeds();
    session
        .run("print(math.pi)")
        .await
        .succeeds()
        .output("3.141592653589793\n");
}

#[tokio::test]
async fn a_sleep_that_is_too_long_loses_the_kernel_and_the_registry_forgets_it() {
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session.run("x = 1").await.succeeds();
    assert_eq!(runtime.sessions(), 1);
    session
        .case("import time\ntime.sleep(30)")
        .timeout_ms(1_000)
        .run()
        .await
        .times_out("1", "")
        .kernel(true, 2);
    assert_eq!(runtime.sessions(), 0);
    session
        .run("print('x' in dir())")
        .await
        .succeeds()
        .output("False\n")
        .kernel(false, 1)
        .state_reset(false);
}

#[tokio::test]
async fn an_exit_makes_the_registry_forget_the_kernel() {
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session
        .run("import sys; sys.exit(3)")
        .await
        .succeeds()
        .ended(true);
    assert_eq!(runtime.sessions(), 0);
    session.run("pass").await.succeeds().kernel(false, 1);
}

#[tokio::test]
async fn other_tools_are_another_kernel() {
    let runtime = builder().build().unwrap();
    let session = Session::on(&runtime);
    session
        .case("x = 1")
        .tools(["read_file"])
        .run()
        .await
        .succeeds()
        .kernel(false, 1);
    session
        .case("print('x' in dir())")
        .tools(["read_file", "patch"])
        .run()
        .await
        .output("False\n")
        .kernel(false, 1);
    assert_eq!(runtime.sessions(), 2);
    session
        .case("print(x)")
        .tools(["read_file", "read_file", "unknown"])
        .run()
        .await
        .output("1\n")
        .kernel(true, 2);
}
