//! The processes of one command on Unix.
//!
//! A process belongs to them if it is in the command's process group, descends from one that is, or has the command's mark (see [`Tag`]):
//! one that left the group and lost its parent is still found.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::mem;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, test_kill_process_group,
    waitid,
};
use tokio::process::Child;

use super::reaper::Watched;
use crate::process::tag::Tag;

/// How long a process may take to end by itself after the polite signal.
const GRACE: Duration = Duration::from_millis(200);
/// How long after the first forceful signal a process that the kernel does not end is left alone.
const FORCE: Duration = Duration::from_millis(2_800);
/// Between two looks at the process table: short at first, for most are gone at once, and longer later, for a look costs time.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The processes of one command.
#[derive(Debug)]
pub(super) struct Processes {
    group: Pid,
    tag: Option<Tag>,
    /// Nothing for those that this process would leave behind if it were killed.
    _watched: Option<Watched>,
    patience: Duration,
    grace: Duration,
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
        // Where there are no marks, the group is ended.
        let mark = tag.map_or_else(
            || format!("-{}", group.as_raw_nonzero()),
            |tag| tag.to_string(),
        );
        Ok(Self::new(group, tag, Some(Watched::new(mark))))
    }

    /// Takes the process group of that leader, and the processes with the mark.
    #[cfg(test)]
    pub(super) fn led_by(group: Pid, tag: Option<Tag>) -> Self {
        Self::new(group, tag, None)
    }

    fn new(group: Pid, tag: Option<Tag>, watched: Option<Watched>) -> Self {
        Self {
            group,
            tag,
            _watched: watched,
            patience: Duration::ZERO,
            grace: GRACE,
            is_over: false,
        }
    }

    /// Sets how long they may take to end by themselves after the polite signal.
    pub(super) fn set_grace(&mut self, grace: Duration) {
        self.grace = grace;
    }

    /// Sets how long the leader may take to end before the polite signal.
    pub(super) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Ends them, the first time: a polite signal, a grace, then force. Waits for at most three seconds more than the patience and the
    /// grace, and calls `attend` meanwhile, which tells whether it had something to do.
    pub(super) fn end(&mut self, attend: &mut dyn FnMut() -> bool) {
        if mem::replace(&mut self.is_over, true) {
            return;
        }
        self.wait_for_leader(attend);
        let start = Instant::now();
        // One that is stopped gets the polite signal when it goes on.
        let mut signals: &[Signal] = &[Signal::TERM, Signal::CONT];
        let mut pause = FIRST_PAUSE;
        loop {
            let is_left = self.signal(signals);
            let elapsed = start.elapsed();
            if !is_left || elapsed >= self.grace + FORCE {
                break;
            }
            let to_force = self.grace.saturating_sub(elapsed);
            let due = if to_force.is_zero() {
                pause
            } else {
                pause.min(to_force)
            };
            rest(due, attend);
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            let is_force_due = start.elapsed() >= self.grace;
            signals = if is_force_due { &[Signal::KILL] } else { &[] };
        }
    }

    /// Waits until the leader has ended, or has had time enough.
    fn wait_for_leader(&self, attend: &mut dyn FnMut() -> bool) {
        let start = Instant::now();
        let mut pause = SHORTEST_PAUSE;
        while start.elapsed() < self.patience && is_running(self.group) {
            rest(pause, attend);
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
        }
    }

    /// Sends signals to every living process of the tree; returns whether there was one.
    fn signal(&self, signals: &[Signal]) -> bool {
        let Some(members) = self.members() else {
            // Without a process table only the group itself can be reached.
            for signal in signals {
                // Whether there is one is asked below.
                let _ = kill_process_group(self.group, *signal);
            }
            return test_kill_process_group(self.group).is_ok();
        };
        for &member in &members {
            for signal in signals {
                // One that has ended since needs no signal.
                let _ = kill_process(member, *signal);
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

/// Lets so much time pass; where there is something to attend to, it is looked after without a longer pause.
fn rest(pause: Duration, attend: &mut dyn FnMut() -> bool) {
    let start = Instant::now();
    while attend() {
        if start.elapsed() >= pause {
            return;
        }
        thread::sleep(SHORTEST_PAUSE);
    }
    thread::sleep(pause.saturating_sub(start.elapsed()));
}

/// Tells whether a child of this process runs, and leaves its end to whoever waits for it.
fn is_running(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error tells that the child was waited for already.
    matches!(waitid(WaitId::Pid(child), options), Ok(None))
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

    use std::io::{BufRead as _, BufReader, Read as _};
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Command, ExitStatus, Stdio};

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

    /// Starts a shell that leads a group, lets it say when it is ready, and ends its processes.
    fn end(script: &str, grace: Duration, patience: Duration) -> (ExitStatus, String, Duration) {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .process_group(0)
            .stdout(Stdio::piped())
            // Some shells tell of the signals that their commands get.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        let mut processes = Processes::led_by(Pid::from_child(&child), None);
        processes.set_grace(grace);
        processes.set_patience(patience);
        let start = Instant::now();
        processes.end(&mut || false);
        let took = start.elapsed();
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        (child.wait().unwrap(), rest, took)
    }

    #[test]
    fn the_polite_signal_comes_once_and_force_after_the_grace() {
        let grace = Duration::from_millis(700);
        let deaf = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.02; done";
        let (status, said, took) = end(deaf, grace, Duration::ZERO);
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()));
        assert_eq!(said, "asked\n");
        assert!(took >= grace, "{took:?}");
    }

    #[test]
    fn a_leader_that_has_time_ends_by_itself_and_one_that_does_not_is_asked() {
        for (script, patience, code, told) in [
            (
                "echo ready; trap 'echo asked; exit 3' TERM; sleep 0.3; echo done; exit 4",
                60,
                4,
                "done\n",
            ),
            (
                "trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.02; done",
                0,
                3,
                "asked\n",
            ),
        ] {
            let (status, said, _) = end(
                script,
                Duration::from_mins(1),
                Duration::from_secs(patience),
            );
            assert_eq!(
                (status.code(), said.as_str()),
                (Some(code), told),
                "{script}"
            );
        }
    }

    #[test]
    fn a_stopped_process_gets_the_polite_signal_too() {
        let stops = "trap 'echo asked; exit 3' TERM; echo ready; kill -STOP $$; while :; do sleep 0.02; done";
        let (status, said, _) = end(stops, Duration::from_mins(1), Duration::ZERO);
        assert_eq!((status.code(), said.as_str()), (Some(3), "asked\n"));
    }
}
