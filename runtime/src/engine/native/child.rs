//! The child process of a kernel: how it is started, how its end is noticed, and how everything that it started is ended.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Child;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::process::Tree;
use crate::system;

use super::directory::Directory;
use super::link::{self, Life, Wires};
use super::streams::Streams;

/// Names the private directory, in the environment of everything that a kernel starts: by this its processes are found.
const DIRECTORY_VARIABLE: &str = "HERMES_KERNEL_SPILL_DIR";

/// How many heaps glibc makes for the threads of a process.
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// How long an interpreter may take to end in order: for functions at its exit, threads, and files that are not closed.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// How long it takes at most to notice the end of a child that has closed its connection.
const NOTICE: Duration = Duration::from_secs(1);
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
    /// Known to the child, by which it is told from others.
    pub(super) token: &'a str,
    /// Bytes of address space.
    pub(super) memory_limit: Option<u64>,
}

/// A running child; dropping it ends its whole tree in the background, and then removes the directory.
#[derive(Debug)]
pub(super) struct Running {
    tree: Tree<Kept>,
    child: Arc<Mutex<Child>>,
}

/// What is held back until no process of the tree is left; the child first, the directory last.
#[derive(Debug)]
struct Kept {
    child: Arc<Mutex<Child>>,
    /// Closed with this process, however it ends: the child watches the other end.
    life: Life,
    /// Where its output is read: a process that waits for a reader does not come to its end.
    streams: Option<Arc<Mutex<Streams>>>,
    _directory: Directory,
}

impl Kept {
    /// Throws away what was written; returns whether there was something. It needs no executor, which may be gone before the child is.
    fn discard(&mut self) -> bool {
        let streams = self.streams.as_ref();
        // Whoever holds them reads them.
        streams
            .and_then(|streams| streams.try_lock().ok())
            .is_some_and(|mut streams| !streams.take().is_empty())
    }
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
    /// Starts the child; returns it with the ways to it.
    ///
    /// # Errors
    /// Fails if there is no such program, or if the program has ended or says nothing where it should connect.
    pub(super) async fn start(start: Start<'_>, directory: Directory) -> io::Result<(Self, Wires)> {
        let mut command = Command::new(start.interpreter);
        command
            .arg(directory.runner())
            .current_dir(start.cwd.unwrap_or(directory.path()))
            .env_clear()
            .envs(start.environment)
            .env(DIRECTORY_VARIABLE, directory.path())
            .env("HERMES_KERNEL_SENTINEL", start.sentinel);
        if let Some(limit) = start.memory_limit {
            command.env("HERMES_KERNEL_MEMORY_LIMIT", limit.to_string());
            // For each thread glibc reserves 64 MiB of address space, if it gets them, which is no memory that anybody uses.
            let is_set = command.get_envs().any(|(name, _)| name == ARENAS);
            if !is_set {
                command.env(ARENAS, "1");
            }
        }
        let (child, pending) = link::spawn(command, start.token)?;
        let mut running = Self::watch(child, directory)?;
        let mut wires = tokio::select! {
            biased;
            wires = pending.connected() => wires?,
            () = running.ended() => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        if let Some(kept) = running.tree.kept() {
            kept.life = wires.life.take();
        }
        Ok((running, wires))
    }

    fn watch(child: Child, directory: Directory) -> io::Result<Self> {
        let child = Arc::new(Mutex::new(child));
        let kept = Kept {
            child: Arc::clone(&child),
            life: None,
            streams: None,
            _directory: directory,
        };
        let leader = child.try_lock().map_err(io::Error::other)?;
        let tree = Tree::of(&leader, kept)?
            .with_grace(GRACE)
            .with_attendant(Kept::discard);
        drop(leader);
        Ok(Self { tree, child })
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

    /// Has output that nobody else reads thrown away while the processes end.
    pub(super) fn discard(&mut self, streams: Arc<Mutex<Streams>>) {
        if let Some(kept) = self.tree.kept() {
            kept.streams = Some(streams);
        }
    }

    /// Has the child end by itself, if it does so soon, when this is dropped.
    pub(super) fn end_in_order(&mut self) {
        self.tree.set_patience(PATIENCE);
    }

    /// Waits a moment for the child's own end; returns whether it has come.
    pub(super) async fn has_ended(&self) -> bool {
        timeout(NOTICE, self.ended()).await.is_ok()
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
    match status.map(|status| (status.code(), system::signal_of(status))) {
        Some((Some(code), _)) => format!("the interpreter exited with code {code}"),
        Some((None, Some(signal))) => format!("the interpreter was ended by signal {signal}"),
        _ => String::new(),
    }
}
