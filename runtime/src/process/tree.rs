//! A command and every process that it started, so that all of them can be ended.
//!
//! A process belongs to the tree if it is in the command's process group, descends from one that is, or has the
//! command's mark (see [`Tag`]): one that left the group and lost its parent is still found. A tree that is dropped is
//! ended in the background: no thread of the executor waits for it.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::runtime::Handle;

use super::tag::Tag;

const POLL: Duration = Duration::from_millis(5);
/// Number of polls that a process may use to end by itself after the polite signal.
const GRACE_POLLS: u32 = 40;
/// Number of polls after the forceful signal, after which a process that the kernel does not end is left alone.
const FORCE_POLLS: u32 = 560;

/// Owns the processes of one command, and holds `kept` back as long as one of them may live.
#[derive(Debug)]
pub(crate) struct Tree<K: Send + 'static> {
    /// Empty once the tree is being ended. The processes are dropped, and thus ended, before what is kept.
    owned: Option<(Processes, K)>,
}

impl<K: Send + 'static> Tree<K> {
    /// Takes over the process group that `leader` leads, and the processes with the mark.
    pub(super) fn new(leader: Pid, tag: Option<Tag>, kept: K) -> Self {
        let processes = Processes {
            group: leader,
            tag,
            grace_polls: GRACE_POLLS,
            is_over: false,
        };
        Self {
            owned: Some((processes, kept)),
        }
    }

    /// Takes over a process that leads a group and has started nothing yet, and puts a mark on it.
    pub(crate) fn of(leader: Pid, kept: K) -> Self {
        // Without a mark the group and its descendants are still found.
        let tag = Tag::fresh().filter(|tag| tag.put_on(leader).is_ok());
        Self::new(leader, tag, kept)
    }

    /// Lets the processes use so much time to end by themselves after the polite signal.
    #[must_use]
    pub(crate) fn with_grace(mut self, grace: Duration) -> Self {
        if let Some((processes, _)) = &mut self.owned {
            let polls = grace.as_millis() / POLL.as_millis();
            processes.grace_polls = u32::try_from(polls).unwrap_or(GRACE_POLLS);
        }
        self
    }

    /// Ends what is left of the tree and gives back what was kept; `None` if the executor shuts down meanwhile.
    ///
    /// The work is done on a thread that may block, and goes on if this future is dropped.
    pub(crate) async fn end(mut self) -> Option<K> {
        let (mut processes, kept) = self.owned.take()?;
        let work = move || {
            processes.end();
            kept
        };
        tokio::task::spawn_blocking(work).await.ok()
    }
}

impl<K: Send + 'static> Drop for Tree<K> {
    /// Has the tree ended on a thread that may block.
    ///
    /// Where work cannot be handed over any more, for the executor is shutting down, it is done here: the closure is
    /// then dropped with the processes in it. An executor that shuts down waits for work that it has begun.
    fn drop(&mut self) {
        let Some(owned) = self.owned.take() else {
            return;
        };
        let work = move || drop(owned);
        if let Ok(executor) = Handle::try_current() {
            executor.spawn_blocking(work);
        } else {
            // A thread that cannot be started drops the work, too.
            let _ = thread::Builder::new().spawn(work);
        }
    }
}

/// The processes of one command, which are ended when they are dropped.
#[derive(Debug)]
struct Processes {
    group: Pid,
    tag: Option<Tag>,
    grace_polls: u32,
    is_over: bool,
}

impl Processes {
    /// Ends them: a polite signal, a grace, then force. Waits for at most three seconds more than the grace.
    fn end(&mut self) {
        self.is_over = true;
        for poll in 0..self.grace_polls.saturating_add(FORCE_POLLS) {
            if !self.signal(signal_at(poll, self.grace_polls)) {
                break;
            }
            thread::sleep(POLL);
        }
    }

    /// Signals every living process of the tree; returns whether there was one.
    fn signal(&self, signal: Option<Signal>) -> bool {
        let Some(members) = self.members() else {
            // Without a process table only the group itself can be reached.
            let sent = match signal {
                Some(signal) => kill_process_group(self.group, signal),
                None => test_kill_process_group(self.group),
            };
            return sent.is_ok();
        };
        for &member in &members {
            if let Some(signal) = signal {
                // One that has ended since needs no signal.
                let _ = kill_process(member, signal);
            }
        }
        !members.is_empty()
    }

    /// Returns the living members of the tree; `None` if the system shows no process table.
    fn members(&self) -> Option<Vec<Pid>> {
        let table: HashMap<Pid, Entry> = fs::read_dir("/proc")
            .ok()?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(Pid::from_raw)
            .filter_map(|pid| Some((pid, Entry::read(pid)?)))
            .collect();
        let mut is_member: HashMap<Pid, bool> = table
            .iter()
            .map(|(&pid, entry)| {
                let is_in = pid == self.group
                    || entry.group == self.group
                    || self.tag.is_some_and(|tag| tag.is_on(pid));
                (pid, is_in)
            })
            .collect();
        // Children come in as long as a round finds a new parent; the depth of the tree bounds the rounds.
        loop {
            let found: Vec<Pid> = table
                .iter()
                .filter(|(pid, _)| is_member.get(pid) == Some(&false))
                .filter(|(_, entry)| {
                    entry
                        .parent
                        .is_some_and(|parent| is_member.get(&parent) == Some(&true))
                })
                .map(|(&pid, _)| pid)
                .collect();
            if found.is_empty() {
                break;
            }
            is_member.extend(found.into_iter().map(|pid| (pid, true)));
        }
        Some(
            is_member
                .into_iter()
                .filter_map(|(pid, is_in)| is_in.then_some(pid))
                .collect(),
        )
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        if !self.is_over {
            self.end();
        }
    }
}

/// Returns what to send at a poll: first the polite signal, after the grace the one that cannot be refused.
fn signal_at(poll: u32, grace_polls: u32) -> Option<Signal> {
    match poll {
        0 => Some(Signal::TERM),
        _ if poll >= grace_polls => Some(Signal::KILL),
        _ => None,
    }
}

/// What the process table tells about a living process.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    parent: Option<Pid>,
    group: Pid,
}

impl Entry {
    fn read(pid: Pid) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?)
    }

    /// Parses a line `pid (name) state parent group …`; the name may hold anything, even parentheses.
    fn parse(stat: &str) -> Option<Self> {
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        if matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        let parent = Pid::from_raw(fields.next()?.parse().ok()?);
        Some(Self {
            parent,
            group: Pid::from_raw(fields.next()?.parse().ok()?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command};

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
        Tree::new(leader, None, kept)
    }

    #[test]
    fn a_tree_that_is_dropped_outside_an_executor_is_ended_and_then_what_was_kept_is_dropped() {
        let (mut child, leader) = start();
        let (kept, ended) = oneshot::channel::<()>();
        drop(tree(leader, kept));
        assert!(ended.blocking_recv().is_err());
        let status = child.try_wait().unwrap().unwrap();
        assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    }

    #[tokio::test]
    async fn a_tree_that_is_dropped_in_an_executor_is_ended_in_the_background() {
        let (mut child, leader) = start();
        let (kept, ended) = oneshot::channel::<()>();
        drop(tree(leader, kept));
        assert!(ended.await.is_err());
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
    fn a_process_table_line_is_parsed_whatever_the_name() {
        let entry = Entry::parse("42 (a ) Z (b) S 7 40 40 0").unwrap();
        assert_eq!(
            entry,
            Entry {
                parent: Pid::from_raw(7),
                group: Pid::from_raw(40).unwrap()
            }
        );
        assert_eq!(Entry::parse("42 (sh) Z 7 40 40 0"), None);
        assert_eq!(Entry::parse("nonsense"), None);
    }

    #[test]
    fn the_polite_signal_comes_once_and_force_after_the_grace() {
        let sent: Vec<_> = (0..GRACE_POLLS + FORCE_POLLS)
            .map(|poll| signal_at(poll, GRACE_POLLS))
            .collect();
        assert_eq!(
            sent.iter()
                .filter(|signal| **signal == Some(Signal::TERM))
                .count(),
            1
        );
        assert_eq!(
            sent.iter().position(|signal| *signal == Some(Signal::KILL)),
            Some(40)
        );
    }
}
