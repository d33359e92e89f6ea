//! The child process of a kernel: how it is started, how its end is noticed, and how everything that it started is ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::Pid;
use tokio::process::{Child, Command as Spawner};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::process::Tree;

use super::directory::Directory;
use super::streams::Pipes;

/// Names the private directory, in the environment of everything that a kernel starts: by this its processes are found.
const DIRECTORY_VARIABLE: &str = "HERMES_KERNEL_SPILL_DIR";

/// How long the processes of a kernel may take to end by themselves.
const GRACE: Duration = Duration::from_secs(5);

/// How often, and how many times, a child that has ended is asked for its status.
const REAP_POLL: Duration = Duration::from_millis(2);
const REAP_POLLS: u32 = 500;

/// What a child is started with.
pub(super) struct Start<'a> {
    pub(super) interpreter: &'a Path,
    /// The private directory where there is none.
    pub(super) cwd: Option<&'a Path>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) sentinel: &'a str,
    /// Bytes of address space.
    pub(super) memory_limit: Option<u64>,
}

/// A running child; dropping it ends its whole tree in the background, and then removes the directory.
#[derive(Debug)]
pub(super) struct Running {
    tree: Tree<Kept>,
    child: Arc<Mutex<Child>>,
    /// Closed with this process, however it ends: the child watches the other end.
    _life: OwnedFd,
}

/// What is held back until no process of the tree is left; the child first, the directory last.
#[derive(Debug)]
struct Kept {
    child: Arc<Mutex<Child>>,
    _directory: Directory,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // The tree was ended: this leaves no zombie. The last threads of a process may take a moment longer than the process; one that the
        // system itself cannot end is left to the system.
        for _ in 0..REAP_POLLS {
            if !matches!(
                self.child.try_lock().map(|mut child| child.try_wait()),
                Ok(Ok(None))
            ) {
                return;
            }
            std::thread::sleep(REAP_POLL);
        }
    }
}

impl Running {
    /// Starts the child; returns it with the host's ends of its socket and pipes.
    pub(super) fn start(
        start: Start<'_>,
        directory: Directory,
    ) -> io::Result<(Self, UnixStream, Pipes)> {
        let (socket, child_socket) = UnixStream::pair()?;
        let (captured_stdout, captured_stdout_end) = io::pipe()?;
        let (captured_stderr, captured_stderr_end) = io::pipe()?;
        let (raw_stdout, raw_stdout_end) = io::pipe()?;
        let (raw_stderr, raw_stderr_end) = io::pipe()?;
        let (death, life) = io::pipe()?;
        let inherited: [OwnedFd; 3] = [
            captured_stdout_end.into(),
            captured_stderr_end.into(),
            death.into(),
        ];
        for descriptor in &inherited {
            // A process that another thread starts in this moment inherits them too, which does no harm: nobody waits for their end.
            fcntl_setfd(descriptor, FdFlags::empty())?;
        }
        let [stdout_fd, stderr_fd, death_fd] = inherited.each_ref().map(OwnedFd::as_raw_fd);
        let mut command = Command::new(start.interpreter);
        command
            .arg(directory.runner())
            .current_dir(start.cwd.unwrap_or(directory.path()))
            .env_clear()
            .envs(start.environment)
            .env(DIRECTORY_VARIABLE, directory.path())
            .env("HERMES_KERNEL_SENTINEL", start.sentinel)
            .env(
                "HERMES_KERNEL_CAPTURE_FDS",
                format!("{stdout_fd},{stderr_fd}"),
            )
            .env("HERMES_KERNEL_PARENT_DEATH_FD", death_fd.to_string())
            .stdin(OwnedFd::from(child_socket))
            .stdout(OwnedFd::from(raw_stdout_end))
            .stderr(OwnedFd::from(raw_stderr_end));
        if let Some(limit) = start.memory_limit {
            command.env("HERMES_KERNEL_MEMORY_LIMIT", limit.to_string());
        }
        let mut command = Spawner::from(command);
        let child = command.spawn()?;
        // The child has its own by now; the command holds those that became its standard streams.
        drop(inherited);
        drop(command);
        Self::watch(child, directory, life.into()).map(|running| {
            let pipes = Pipes {
                captured_stdout: captured_stdout.into(),
                captured_stderr: captured_stderr.into(),
                raw_stdout: raw_stdout.into(),
                raw_stderr: raw_stderr.into(),
            };
            (running, socket, pipes)
        })
    }

    fn watch(child: Child, directory: Directory, life: OwnedFd) -> io::Result<Self> {
        // A child that was just started and not waited for has a number, and it is positive.
        let pid = child.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        let pid = pid.ok_or(io::ErrorKind::NotFound)?;
        let child = Arc::new(Mutex::new(child));
        let kept = Kept {
            child: Arc::clone(&child),
            _directory: directory,
        };
        Ok(Self {
            tree: Tree::of(pid, kept).with_grace(GRACE),
            child,
            _life: life,
        })
    }

    /// Returns whether the child runs.
    pub(super) fn is_alive(&self) -> bool {
        let child = self.child.try_lock();
        child.is_ok_and(|mut child| matches!(child.try_wait(), Ok(None)))
    }

    /// Waits until the child itself has ended.
    pub(super) async fn ended(&self) {
        // Where this cannot be noticed, the end of the socket tells it.
        let _ = self.child.lock().await.wait().await;
    }

    /// Ends the child and everything that it started, and waits for that; returns how the child ended.
    pub(super) async fn end(self) -> Option<ExitStatus> {
        let kept = self.tree.end().await;
        let mut child = self.child.lock().await;
        let status = timeout(REAP_POLL * REAP_POLLS, child.wait()).await;
        drop(child);
        drop(kept);
        status.ok()?.ok()
    }
}

/// Says how a child ended that was not to end.
pub(super) fn describe(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("the interpreter exited with code {code}"),
        Some((None, Some(signal))) => format!("the interpreter was ended by signal {signal}"),
        _ => String::new(),
    }
}
