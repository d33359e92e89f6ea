#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::io::Read as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal};
use tokio::sync::oneshot;

use super::*;

/// Starts a process that would never end, as the leader of a group.
fn start() -> (Child, Pid) {
    let child = Command::new("sleep")
        .arg("100000")
        .process_group(0)
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
    (child, pid)
}

fn tree<K: Send + 'static>(leader: Pid, kept: K) -> Tree<K> {
    Tree {
        owned: Some(Owned::new(Processes::led_by(leader, None), kept)),
    }
}

#[test]
fn a_tree_that_is_dropped_outside_an_executor_is_ended_and_then_what_was_kept_is_dropped() {
    let (mut child, leader) = start();
    let (kept, ended) = oneshot::channel::<()>();
    drop(tree(leader, kept));
    // Nothing is ever sent: it fails when the other half, which was kept, is dropped.
    ended.blocking_recv().unwrap_err();
    let status = child.try_wait().unwrap().unwrap();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
}

#[tokio::test]
async fn a_tree_that_is_dropped_in_an_executor_is_ended_in_the_background() {
    let (mut child, leader) = start();
    let (kept, ended) = oneshot::channel::<()>();
    drop(tree(leader, kept));
    // Nothing is ever sent: it fails when the other half, which was kept, is dropped.
    ended.await.unwrap_err();
    let status = child.try_wait().unwrap().unwrap();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
}

#[test]
fn an_executor_that_shuts_down_waits_for_the_end_of_the_tree() {
    let (mut child, leader) = start();
    let executor = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    executor.block_on(async { drop(tree(leader, ())) });
    drop(executor);
    let status = child.try_wait().unwrap().unwrap();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
}

#[tokio::test]
async fn a_tree_that_has_ended_gives_back_what_was_kept() {
    let (mut child, leader) = start();
    assert_eq!(tree(leader, 7).end().await, Some(7));
    assert!(child.try_wait().unwrap().is_some());
}

#[test]
fn a_tree_that_ends_is_attended_to_by_the_thread_that_ends_it() {
    // A pipe holds less, and nobody reads it but the attendant.
    let mut child = Command::new("sh")
        .args(["-c", "head -c 3000000 /dev/zero; exit 3"])
        .process_group(0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let leader = Pid::from_child(&child);
    let output = child.stdout.take().unwrap();
    fcntl_setfl(&output, OFlags::NONBLOCK).unwrap();
    let mut tree = tree(leader, (output, 0)).with_attendant(|(output, total)| {
        let count = output.read(&mut [0; 4_096]).unwrap_or_default();
        *total += count;
        count > 0
    });
    tree.set_patience(Duration::from_mins(1));
    let executor = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (_, total) = executor.block_on(tree.end()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(total > 2_500_000, "{total}");
}
