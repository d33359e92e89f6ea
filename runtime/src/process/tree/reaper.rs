//! The helper process that ends marked processes, and removes private files, when this one is gone, however it went.
//!
//! It is one shell for all trees of this process, started with the first of them. It waits for the end of a socket that only this process
//! holds, and the system closes that even where this process is killed. Its own death is noticed with the next tree.

use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
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
pub(crate) struct Watched(Vec<u8>);

impl Watched {
    /// Has the processes with this mark ended when this process is gone.
    pub(super) fn new(mark: impl Into<Vec<u8>>) -> Self {
        let mark = mark.into();
        let mut reaper = lock();
        reaper.marks.push(mark.clone());
        reaper.tell('+', &mark);
        Self(mark)
    }

    /// Has a private file or directory removed when this process is gone; `None` for a path that the helper cannot be told.
    pub(crate) fn path(path: &Path) -> Option<Self> {
        let bytes = path.as_os_str().as_bytes();
        let is_line = bytes.starts_with(b"/")
            && !bytes.iter().any(|byte| b"\n\0".contains(byte))
            && bytes.trim_ascii() == bytes;
        is_line.then(|| Self::new(bytes))
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
    marks: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Helper {
    process: Child,
    socket: UnixStream,
}

impl Reaper {
    /// Tells the helper of a change; one that does not listen is replaced by another, which is told everything.
    fn tell(&mut self, sign: char, mark: &[u8]) {
        if let Some(helper) = &mut self.helper
            && helper.write(&line(sign, mark)).is_ok()
        {
            return;
        }
        self.helper = None;
        if self.marks.is_empty() {
            return;
        }
        let told = self.marks.iter().map(|mark| line('+', mark));
        let all: Vec<u8> = told.flatten().collect();
        match Helper::start(&all) {
            Ok(helper) => self.helper = Some(helper),
            // The next change tries again.
            Err(error) => {
                tracing::warn!(%error, "if this process is killed, commands that it has started may go on");
            }
        }
    }
}

fn line(sign: char, mark: &[u8]) -> Vec<u8> {
    [format!("{sign} ").as_bytes(), mark, b"\n"].concat()
}

impl Helper {
    fn start(told: &[u8]) -> io::Result<Self> {
        let (process, socket) = spawn()?;
        let mut helper = Self { process, socket };
        helper.write(told)?;
        Ok(helper)
    }

    fn write(&mut self, told: &[u8]) -> io::Result<()> {
        self.socket.write_all(told)
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

    use std::ffi::OsStr;
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
        let told = children.iter().map(|(_, mark)| line('+', mark.as_bytes()));
        let mut lines: Vec<u8> = told.flatten().collect();
        for (_, mark) in children.iter().skip(2) {
            lines.extend(line('-', mark.as_bytes()));
        }
        let mut group = Command::new("sleep")
            .arg("100000")
            .process_group(0)
            .spawn()
            .unwrap();
        lines.extend(line('+', format!("-{}", group.id()).as_bytes()));
        let (mut helper, mut socket) = spawn().unwrap();
        socket.write_all(&lines).unwrap();
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
        let at = |name: &[u8]| place.path().join(OsStr::from_bytes(name));
        let names: [&[u8]; 6] = [
            b"hermes_kernel_told",
            b"hermes-shell-with space and *",
            b"hermes-shell-\xff\x81\x88\x01\x7f\xe9",
            b"hermes_kernel_kept",
            b"hermes_kernel_*",
            b"other",
        ];
        for name in names {
            std::fs::create_dir(at(name)).unwrap();
            std::fs::write(at(name).join("file"), "x").unwrap();
        }
        std::os::unix::fs::symlink(at(b"other"), at(b"hermes_kernel_told").join("link")).unwrap();
        let told = |sign, name: &[u8]| line(sign, at(name).as_os_str().as_bytes());
        let mut lines: Vec<u8> = names.into_iter().flat_map(|name| told('+', name)).collect();
        lines.extend(told('-', b"hermes_kernel_kept"));
        let (mut helper, mut socket) = spawn().unwrap();
        socket.write_all(&lines).unwrap();
        drop(socket);
        assert!(helper.wait().unwrap().code().is_some());
        let mut left: Vec<_> = std::fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["hermes_kernel_kept", "other"]);
        assert!(at(b"other").join("file").is_file());
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
            marks: vec![b"7".to_vec()],
        };
        reaper.tell('+', b"7");
        let first = reaper.helper.as_mut().unwrap();
        let number = first.process.id();
        first.process.kill().unwrap();
        first.process.wait().unwrap();
        reaper.marks.push(b"8".to_vec());
        reaper.tell('+', b"8");
        assert_ne!(reaper.helper.as_ref().unwrap().process.id(), number);
        // The last mark of a helper that is gone needs no other one.
        let helper = reaper.helper.as_mut().unwrap();
        helper.process.kill().unwrap();
        helper.process.wait().unwrap();
        reaper.marks.clear();
        reaper.tell('-', b"8");
        assert!(reaper.helper.is_none());
    }
}
