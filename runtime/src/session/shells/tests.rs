#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::future::pending;
use std::path::Path;
use std::time::Duration;

use tokio::time::advance;
use tokio_util::sync::CancellationToken;

use super::super::key::child_owner;
use super::*;
use crate::process::Run;

/// Has a shell run a command, so that it has a state.
async fn use_it(shell: &Shell) {
    let run = Run {
        command: "true",
        start: Path::new("/"),
        workdir: None,
        timeout: Duration::from_mins(5),
        cancellation: &CancellationToken::new(),
        init_files: &[],
        is_persistent: true,
    };
    shell.run(run).await.unwrap();
}

/// Returns the owners' shells that are kept, sorted.
fn owners(shells: &Shells) -> Vec<String> {
    let mut owners: Vec<_> = shells.lock().keys().cloned().collect();
    owners.sort();
    owners
}

/// Makes shells that keep one besides those in use.
fn one() -> Shells {
    Shells {
        most: 1,
        table: Mutex::default(),
    }
}

/// Has another owner's shell made and used, later than all before.
async fn another(shells: &Shells, owner: &str) {
    advance(Duration::from_secs(1)).await;
    use_it(&shells.of(owner)).await;
}

#[tokio::test(start_paused = true)]
async fn of_those_that_nobody_uses_the_one_that_was_not_used_for_longest_goes_first() {
    let shells = one();
    for owner in ["a", "b", "c"] {
        another(&shells, owner).await;
    }
    // The one that is looked for is in use.
    assert_eq!(owners(&shells), ["b", "c"]);
    another(&shells, "b").await;
    another(&shells, "d").await;
    assert_eq!(owners(&shells), ["b", "d"]);
}

#[tokio::test(start_paused = true)]
async fn one_is_used_until_its_user_is_done() {
    let shells = one();
    let first = shells.of("first");
    use_it(&first).await;
    another(&shells, "second").await;
    drop(first);
    another(&shells, "third").await;
    another(&shells, "fourth").await;
    assert_eq!(owners(&shells), ["fourth", "third"]);
    let first = shells.of("fourth");
    advance(Duration::from_secs(1)).await;
    drop(shells.of("third"));
    advance(Duration::from_secs(1)).await;
    drop(first);
    another(&shells, "fifth").await;
    assert_eq!(owners(&shells), ["fifth", "fourth"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_somebody_has_is_neither_given_up_nor_counted() {
    let shells = one();
    let held: Vec<_> = ["a", "b", "c"]
        .map(|owner| shells.of(owner).shared())
        .into();
    for shell in &held {
        use_it(shell).await;
    }
    for owner in ["v", "w", "x"] {
        another(&shells, owner).await;
    }
    assert_eq!(owners(&shells), ["a", "b", "c", "w", "x"]);
    assert!(Arc::ptr_eq(&held[0], &shells.of("a").shared()));
    drop(held);
    another(&shells, "y").await;
    assert_eq!(owners(&shells), ["x", "y"]);
}

#[tokio::test(start_paused = true)]
async fn one_in_which_a_command_goes_on_is_neither_given_up_nor_counted() {
    let shells = one();
    assert!(shells.of("at work").adopt(pending()));
    for owner in ["v", "w", "x"] {
        another(&shells, owner).await;
    }
    assert_eq!(owners(&shells), ["at work", "w", "x"]);
    shells.of("at work").disown();
    another(&shells, "y").await;
    assert_eq!(owners(&shells), ["x", "y"]);
}

#[tokio::test(start_paused = true)]
async fn one_in_which_nothing_is_takes_nobodys_place() {
    let shells = one();
    another(&shells, "used").await;
    for number in 0..10 {
        shells.of(&number.to_string());
    }
    assert_eq!(owners(&shells), ["9", "used"]);
}

#[tokio::test]
async fn with_an_owner_its_children_are_forgotten_and_nobody_else() {
    let shells = Shells::new(1);
    let of_child = child_owner("a", "x");
    let of_grandchild = child_owner(&of_child, "y");
    let of_other = child_owner("ab", "x");
    let names = ["a", &of_child, &of_grandchild, "ab", &of_other];
    let before = names.map(|name| shells.of(name).shared());
    assert!(!shells.forget("a"));
    let is_kept = |(name, shell): (&str, _)| Arc::ptr_eq(shell, &shells.of(name).shared());
    let kept: Vec<_> = names.into_iter().zip(&before).map(is_kept).collect();
    assert_eq!(kept, [false, false, false, true, true]);
}

#[tokio::test]
async fn whoever_forgets_is_told_whether_there_was_anything() {
    let shells = Shells::new(1);
    assert!(!shells.forget("a"));
    use_it(&shells.of(&child_owner("a", "x"))).await;
    assert!(shells.forget("a"));
    assert!(!shells.forget("a"));
    assert!(shells.of("a").adopt(pending()));
    assert!(shells.forget("a"));
    assert!(shells.of("a").adopt(async {}));
    shells.of("a").adopted_have_ended().await;
    assert!(!shells.forget("a"));
}
