//! The engine: where kernels are started, and what is asked once for all of them.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{self, ByteSize};

use super::child::{Running, Start};
use super::directory::{self, Directory};
use super::environment::{Injected, inject, scrub};
use super::interpreter::{Interpreter, Interpreters, Used};
use super::kernel::NativeKernel;
use super::options::ProjectOptions;
use super::program::Programs;
use super::rpc::{RpcServer, Token};
use super::workdir;

/// What a kernel may be limited to: interpreters take between 20 and 30 MiB of address space, and one with many of the system's
/// libraries takes more.
const LEAST_MEMORY: ByteSize = ByteSize::mebibytes(48);
/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;
/// Random bytes of a sentinel.
const SENTINEL_BYTES: usize = 16;

/// A kernel of project mode that cannot be had: not the script's doing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// There is no usable Python.
    #[error(
        "Python 3 is not available in the local terminal environment. Install Python 3.8 or newer, or activate an environment that has it, to use execute_code in project mode."
    )]
    NoInterpreter,
    /// No interpreter could be asked, for want of space or descriptors for example. A later call asks again.
    #[error("cannot look for a Python interpreter")]
    Search {
        /// Why.
        source: io::Error,
    },
    /// The limit of memory is below what the interpreter itself takes.
    #[error(
        "a memory limit of {limit} leaves no room for the interpreter; hint: allow at least {needed}, and more for the scripts"
    )]
    MemoryLimit {
        /// The limit.
        limit: ByteSize,
        /// What a kernel may need before a script runs.
        needed: ByteSize,
    },
    /// The child could not be started.
    #[error("cannot start the session kernel with '{}'", interpreter.display())]
    Start {
        /// The interpreter.
        interpreter: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Where a kernel runs: part of its identity.
#[derive(Debug)]
pub(crate) struct Location {
    pub(crate) interpreter: PathBuf,
    /// What the kernel brings, as the interpreter reads it.
    programs: Arc<Programs>,
    /// The private directory of the kernel where there is none.
    pub(crate) cwd: Option<PathBuf>,
}

/// The project engine.
#[derive(Debug)]
pub(crate) struct NativeEngine {
    options: ProjectOptions,
    interpreters: Arc<Interpreters>,
}

impl NativeEngine {
    /// Makes the engine; nothing is looked for yet.
    ///
    /// # Errors
    /// Fails if no kernel could run with the limit of memory.
    pub(crate) fn new(options: ProjectOptions) -> Result<Self, KernelError> {
        let needed = LEAST_MEMORY;
        match options.memory_limit {
            Some(limit) if limit < needed => Err(KernelError::MemoryLimit { limit, needed }),
            _ => Ok(Self {
                options,
                interpreters: Arc::default(),
            }),
        }
    }

    /// Finds where a session's cells run, given what its shell recorded and what the request or the host set. Waits only where an
    /// interpreter has to be asked what it is; dropping the future gives that up.
    pub(crate) async fn locate(
        &self,
        recorded: Option<&Path>,
        requested: Option<&Path>,
    ) -> Result<Location, KernelError> {
        let given = self.options.interpreter.as_deref();
        let found = self.interpreters.find(given).await;
        let found = found.map_err(|source| KernelError::Search { source })?;
        let Interpreter { path, programs } = found.ok_or(KernelError::NoInterpreter)?;
        Ok(Location {
            interpreter: path,
            programs,
            cwd: workdir::find(recorded, requested, self.options.cwd.as_deref()),
        })
    }

    /// Starts a kernel with the tools that `tools` describes, a JSON text.
    pub(crate) async fn kernel(
        &self,
        location: &Location,
        tools: &str,
    ) -> Result<NativeKernel, KernelError> {
        self.start(location, tools).await.map_err(|source| {
            self.interpreters.forget(&location.interpreter);
            KernelError::Start {
                interpreter: location.interpreter.clone(),
                source,
            }
        })
    }

    async fn start(&self, location: &Location, tools: &str) -> io::Result<NativeKernel> {
        let directory = Directory::new(&location.programs)?;
        let token = random_text::<TOKEN_BYTES>()?;
        let sentinel = format!("@@HERMES-KERNEL-{}@@", random_text::<SENTINEL_BYTES>()?);
        let rpc = RpcServer::start(Token(token.clone()))?;
        let mut environment = scrub(
            std::env::vars_os(),
            &self.options.env_passthrough,
            cfg!(windows),
        );
        let injected = Injected {
            rpc_address: rpc.address(),
            rpc_token: &token,
            directory: directory.path(),
            profile_home: config::data_directory().map(|home| {
                let home = home.join("home");
                let exists = home.is_dir();
                (home, exists)
            }),
        };
        inject(&mut environment, &injected, &self.options);
        let start = Start {
            interpreter: &location.interpreter,
            cwd: location.cwd.as_deref(),
            environment,
            sentinel: &sentinel,
            token: &token,
            memory_limit: self.options.memory_limit.map(ByteSize::as_bytes),
        };
        let place = directory.path().to_owned();
        let (running, wires) = Running::start(start, directory).await?;
        directory::fill(&place, tools, &location.programs)?;
        let interpreter = Used::new(&self.interpreters, &location.interpreter);
        Ok(NativeKernel::new(
            running,
            wires,
            sentinel,
            rpc,
            place,
            interpreter,
        ))
    }
}

/// Returns random bytes as digits.
fn random_text<const BYTES: usize>() -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in random {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
