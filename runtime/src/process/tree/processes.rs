//! The processes of one command on Unix.
//!
//! A process belongs to them if it is in the command's process group, descends from one that is, or has the command's mark (see [`Tag`]):
//! one that left the group and lost its parent is still found.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::process::Child;

use crate::process::tag::Tag;

const POLL: Duration = Duration::from_millis(5);
/// Number of polls that a process may use to end by itself after the polite signal.
const GRACE_POLLS: u32 = 40;
/// Number of polls after the forceful signal, after which a process that the kernel does not end is left alone.
const FORCE_POLLS: u32 = 560;

/// The processes of one command, which are ended when they are dropped.
#[derive(Debug)]
pub(super) struct Processes {
    group: Pid,
    tag: Option<Tag>,
    grace_polls: u32,
    is_over: bool,
}

impl Processes {
    /// Finds the processes of a leader that has started nothing yet, and puts a mark on it.
    pub(super) fn of(leader: &Child) -> io::Result<Self> {
        // A child that was just started and not waited for has a number, and it is positive.
        let pid = leader.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        let group = pid.ok_or(io::ErrorKind::NotFound)?;
        // Where a process cannot be marked, its group and its descent have to do.
        let tag = Tag::fresh().filter(|tag| tag.put_on(group).is_ok());
        Ok(Self::led_by(group, tag))
    }

    /// Takes the process group of that leader, and the processes with the mark.
    pub(super) fn led_by(group: Pid, tag: Option<Tag>) -> Self {
        Self {
            group,
            tag,
            grace_polls: GRACE_POLLS,
            is_over: false,
        }
    }

    /// Sets how long they may take to end by themselves after the polite signal.
    pub(super) fn set_grace(&mut self, grace: Duration) {
        let polls = grace.as_millis() / POLL.as_millis();
        self.grace_polls = u32::try_from(polls).unwrap_or(GRACE_POLLS);
    }

    /// Ends them: a polite signal, a grace, then force. Waits for at most three seconds more than the grace.
    pub(super) fn end(&mut self) {
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

    use super::*;

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
