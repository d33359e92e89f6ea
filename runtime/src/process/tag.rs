//! A mark that the kernel hands on from a process to all that it starts, by which they are found again.
//!
//! The mark is a random number as the hard limit of file locks, a limit that Linux keeps, inherits and shows but has
//! not enforced since 2.4.25. Unlike a process group, a session, a parent or a variable it survives `setsid`, a double
//! fork and a cleared environment. It changes nothing outside of the command, as a subreaper would, which reaps for
//! the whole host program, and needs no rights, as a control group would. A process that lowers its own limit loses
//! the mark: this is for what is left behind, not for what flees on purpose. Other systems have no such mark.

use std::fmt;

/// The mark of one command's processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag(u64);

impl fmt::Display for Tag {
    /// Writes the number, as the table of limits has it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io;

    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

    use super::Tag;

    /// The line of the limit in `/proc/<pid>/limits`, before its two numbers.
    const LINE: &str = "Max file locks ";
    /// With fewer numbers to choose from, one could meet a limit that somebody has set.
    const FEWEST_NUMBERS: u64 = 1 << 32;

    impl Tag {
        /// Makes a mark that no other process has; `None` where the limit is too low already.
        pub(in super::super) fn fresh() -> Option<Self> {
            // A limit can only be lowered. The upper half is used, so that a runtime in a command can do the same.
            let highest = getrlimit(Resource::Locks).maximum.unwrap_or(u64::MAX);
            let half = highest.min(u64::MAX >> 1) / 2;
            if half < FEWEST_NUMBERS {
                return None;
            }
            let random = getrandom::u64().ok()?;
            Some(Self(half + random % half))
        }

        /// Marks a process, and what it starts from now on.
        pub(in super::super) fn put_on(self, process: Pid) -> io::Result<()> {
            let limit = Rlimit {
                current: Some(self.0),
                maximum: Some(self.0),
            };
            prlimit(Some(process), Resource::Locks, limit)?;
            Ok(())
        }

        /// Tells whether a process has the mark.
        pub(in super::super) fn is_on(self, process: Pid) -> bool {
            let limits = fs::read_to_string(format!("/proc/{}/limits", process.as_raw_nonzero()));
            limits.is_ok_and(|limits| {
                limits
                    .lines()
                    .find_map(|line| line.strip_prefix(LINE))
                    .and_then(|numbers| numbers.split_ascii_whitespace().nth(1))
                    .is_some_and(|hard| hard.parse() == Ok(self.0))
            })
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;

    use rustix::process::Pid;

    use super::Tag;

    impl Tag {
        pub(in super::super) fn fresh() -> Option<Self> {
            None
        }

        pub(in super::super) fn put_on(self, _process: Pid) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in super::super) fn is_on(self, _process: Pid) -> bool {
            false
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::process::{Command, Stdio};

    use rustix::process::{Pid, getpid};

    use super::*;

    #[test]
    fn a_mark_is_inherited_and_is_on_nobody_else() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let (tag, other) = (Tag::fresh().unwrap(), Tag::fresh().unwrap());
        assert!(!tag.is_on(pid));
        tag.put_on(pid).unwrap();
        assert!(tag.is_on(pid) && !other.is_on(pid));
        assert!(!tag.is_on(getpid()));
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }
}
