//! A command and every process that it started, so that all of them can be ended.
//!
//! A process belongs to the tree if it is in the command's process group, descends from one that is, or carries the
//! session's marker in its environment: one that left the group and lost its parent is still found. When a tree is
//! dropped, none of its processes is left.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

const POLL: Duration = Duration::from_millis(5);
/// Number of polls that a process may use to end by itself after the polite signal.
const GRACE_POLLS: u32 = 40;
/// Number of polls after which a process that the kernel does not end is left alone.
const MAX_POLLS: u32 = 200;

/// Owns the processes of one command.
#[derive(Debug)]
pub(super) struct Tree {
    group: Pid,
    /// `NAME=value` of a variable in the environment of the command.
    marker: Vec<u8>,
    is_over: bool,
}

impl Tree {
    /// Takes over the process group that `leader` leads.
    pub(super) fn new(leader: Pid, marker: Vec<u8>) -> Self {
        Self {
            group: leader,
            marker,
            is_over: false,
        }
    }

    /// Ends what is left of the tree: a polite signal, a short grace, then force.
    pub(super) async fn end(&mut self) {
        for poll in 0..MAX_POLLS {
            if !self.signal(signal_at(poll)) {
                break;
            }
            tokio::time::sleep(POLL).await;
        }
        self.is_over = true;
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
            .map(|(&pid, entry)| (pid, entry.group == self.group || self.marks(pid)))
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

    fn marks(&self, pid: Pid) -> bool {
        // The environment of a stranger's process cannot be read, and is not ours.
        fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).is_ok_and(|environment| {
            environment
                .split(|&byte| byte == 0)
                .any(|entry| entry == self.marker)
        })
    }
}

impl Drop for Tree {
    /// Ends the tree and waits for it, at most a second; a polite process costs some milliseconds.
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        for poll in 0..MAX_POLLS {
            if !self.signal(signal_at(poll)) {
                break;
            }
            thread::sleep(POLL);
        }
    }
}

/// Returns what to send at a poll: first the polite signal, after the grace the one that cannot be refused.
fn signal_at(poll: u32) -> Option<Signal> {
    match poll {
        0 => Some(Signal::TERM),
        GRACE_POLLS.. => Some(Signal::KILL),
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
        let sent: Vec<_> = (0..MAX_POLLS).map(signal_at).collect();
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
