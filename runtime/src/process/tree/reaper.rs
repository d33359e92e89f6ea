//! The helper process that ends marked processes, and removes private files, when this one is gone, however it went.
//!
//! It is one shell for all trees of this process, started with the first of them. It waits for the end of a socket that only this process
//! holds, and the system closes that even where this process is killed. Its own death is noticed with the next tree.

use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::process::plain_start;

const PROGRAM: &str = include_str!("reaper.sh");
const SHELL: &str = "/bin/sh";
/// Where its few programs are, whatever the host's own search path is.
const PATH: &str = "/usr/bin:/bin:/usr/sbin:/sbin";

static REAPER: Mutex<Reaper> = Mutex::new(Reaper {
    helper: None,
    marks: Vec::new(),
});

/// A mark or path that the helper knows, until it is dropped.
#[derive(Debug)]
pub(crate) struct Watched(String);

impl Watched {
    /// Has the processes with this mark ended when this process is gone.
    pub(super) fn new(mark: String) -> Self {
        let mut reaper = lock();
        reaper.marks.push(mark.clone());
        reaper.tell('+', &mark);
        Self(mark)
    }

    /// Has a private file or directory removed when this process is gone; `None` for a path that the helper cannot be told.
    pub(crate) fn path(path: &Path) -> Option<Self> {
        let text = path.to_str()?;
        let is_line = text.starts_with('/') && !text.contains(['\n', '\0']) && text.trim() == text;
        is_line.then(|| Self::new(text.to_owned()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut reaper = lock();
        reaper.marks.retain(|mark| *mark != self.0);
        reaper.tell('-', &self.0);
    }
}

fn lock() -> MutexGuard<'static, Reaper> {
    // A helper that was told less than it should is replaced with the next failure.
    REAPER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Reaper {
    helper: Option<Helper>,
    /// All that it is to know.
    marks: Vec<String>,
}

#[derive(Debug)]
struct Helper {
    process: Child,
    socket: UnixStream,
}

impl Reaper {
    /// Tells the helper of a change; one that does not listen is replaced by another, which is told everything.
    fn tell(&mut self, sign: char, mark: &str) {
        if let Some(helper) = &mut self.helper
            && helper.write(&line(sign, mark)).is_ok()
        {
            return;
        }
        self.helper = None;
        if self.marks.is_empty() {
            return;
        }
        let all: String = self.marks.iter().map(|mark| line('+', mark)).collect();
        match Helper::start(&all) {
            Ok(helper) => self.helper = Some(helper),
            // The next change tries again.
            Err(error) => {
                tracing::warn!(%error, "if this process is killed, commands that it has started may go on");
            }
        }
    }
}

fn line(sign: char, mark: &str) -> String {
    format!("{sign} {mark}\n")
}

impl Helper {
    fn start(told: &str) -> io::Result<Self> {
        let (process, socket) = spawn()?;
        let mut helper = Self { process, socket };
        helper.write(told)?;
        Ok(helper)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.socket.write_all(text.as_bytes())
    }
}

fn spawn() -> io::Result<(Child, UnixStream)> {
    let (socket, input) = UnixStream::pair()?;
    // A helper that is stopped must not stop this process.
    socket.set_nonblocking(true)?;
    let _start = plain_start();
    let process = Command::new(SHELL)
        .args(["-c", PROGRAM, "hermes-reaper"])
        .env_clear()
        .env("PATH", PATH)
        .current_dir("/")
        // A terminal's interrupt is not for it.
        .process_group(0)
        .stdin(OwnedFd::from(input))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok((process, socket))
}

impl Drop for Helper {
    /// Ends it before the socket is closed: it must not take that for the end of this process.
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::process::ExitStatusExt as _;

    use rustix::process::{Pid, Signal};

    use super::*;
    use crate::process::tag::Tag;

    /// Starts a process that would never end, with a mark of its own.
    fn marked() -> (Child, String) {
        let child = Command::new("sleep").arg("100000").spawn().unwrap();
        let tag = Tag::fresh().unwrap();
        tag.put_on(Pid::from_child(&child)).unwrap();
        (child, tag.to_string())
    }

    #[test]
    fn what_was_told_last_is_ended_with_the_host_and_nothing_else() {
        let mut children: Vec<_> = (0..4).map(|_| marked()).collect();
        let mut lines: String = children.iter().map(|(_, mark)| line('+', mark)).collect();
        for (_, mark) in children.iter().skip(2) {
            lines.push_str(&line('-', mark));
        }
        let mut group = Command::new("sleep")
            .arg("100000")
            .process_group(0)
            .spawn()
            .unwrap();
        lines.push_str(&line('+', &format!("-{}", group.id())));
        let (mut helper, mut socket) = spawn().unwrap();
        socket.write_all(lines.as_bytes()).unwrap();
        drop(socket);
        assert!(helper.wait().unwrap().code().is_some());
        let killed = Some(Signal::KILL.as_raw());
        for (child, _) in children.iter_mut().take(2) {
            assert_eq!(child.wait().unwrap().signal(), killed);
        }
        assert_eq!(group.wait().unwrap().signal(), killed);
        for (child, _) in children.iter_mut().skip(2) {
            assert_eq!(child.try_wait().unwrap(), None);
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn private_files_are_removed_with_the_host_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let names = [
            "hermes_kernel_told",
            "hermes-shell-with space and *",
            "hermes_kernel_kept",
            "hermes_kernel_*",
            "other",
        ];
        for name in names {
            std::fs::create_dir(at(name)).unwrap();
            std::fs::write(at(name).join("file"), "x").unwrap();
        }
        std::os::unix::fs::symlink(at("other"), at("hermes_kernel_told").join("link")).unwrap();
        let told = |sign, name: &str| line(sign, at(name).to_str().unwrap());
        let mut lines = String::new();
        for (sign, name) in [
            ('+', "hermes_kernel_told"),
            ('+', "hermes_kernel_kept"),
            ('+', "hermes-shell-with space and *"),
            ('+', "other"),
            ('+', "hermes_kernel_*"),
            ('-', "hermes_kernel_kept"),
        ] {
            lines.push_str(&told(sign, name));
        }
        let (mut helper, mut socket) = spawn().unwrap();
        socket.write_all(lines.as_bytes()).unwrap();
        drop(socket);
        assert!(helper.wait().unwrap().code().is_some());
        let mut left: Vec<_> = std::fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["hermes_kernel_kept", "other"]);
        assert!(at("other").join("file").is_file());
    }

    #[test]
    fn a_path_that_is_no_line_is_not_told() {
        for path in ["relative", "/t/two\nlines", "/t/space at the end "] {
            assert!(Watched::path(Path::new(path)).is_none(), "{path:?}");
        }
    }

    #[test]
    fn a_helper_that_was_killed_is_replaced_by_one_that_knows_everything() {
        let mut reaper = Reaper {
            helper: None,
            marks: vec!["7".to_owned()],
        };
        reaper.tell('+', "7");
        let first = reaper.helper.as_mut().unwrap();
        let number = first.process.id();
        first.process.kill().unwrap();
        first.process.wait().unwrap();
        reaper.marks.push("8".to_owned());
        reaper.tell('+', "8");
        assert_ne!(reaper.helper.as_ref().unwrap().process.id(), number);
        // The last mark of a helper that is gone needs no other one.
        let helper = reaper.helper.as_mut().unwrap();
        helper.process.kill().unwrap();
        helper.process.wait().unwrap();
        reaper.marks.clear();
        reaper.tell('-', "8");
        assert!(reaper.helper.is_none());
    }
}
