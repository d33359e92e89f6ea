//! The engine: the module, loaded and linked once, from which fresh kernels are made.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use wasmtime::{
    Engine, InstancePre, Linker, Module, PoolConcurrencyLimitError, Store, UpdateDeadline,
};

use crate::config::ByteSize;

use super::artifact::{Artifact, ArtifactError};
use super::compiled::{CacheError, Compiled};
use super::imports;
use super::kernel::WasmKernel;
use super::settings::{self, Metering, Slots};
use super::state::GuestState;
use super::ticker::Ticker;

/// What an engine is made from.
#[derive(Debug, Clone)]
pub(crate) struct WasmOptions {
    /// Directory of the artifact, where it is not to be searched for.
    pub(crate) artifact: Option<PathBuf>,
    /// Directory of compiled forms, where it is not the user's own.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) metering: Metering,
    /// Room for this many kernels is reserved ahead, which makes fresh ones faster.
    pub(crate) slots: Option<Slots>,
    /// Bytes of memory that one kernel may have.
    pub(crate) memory_limit: usize,
    /// Bytes of native stack that one kernel's code may use.
    pub(crate) stack_limit: usize,
}

/// An engine that cannot be made, or cannot make a kernel: our own failure, never the script's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no artifact, or it is damaged.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The module cannot be compiled.
    #[error(transparent)]
    Compiled(#[from] CacheError),
    /// wasmtime refused its settings, the module or an instance.
    #[error("the WebAssembly engine failed to {action}")]
    Wasmtime {
        /// What it was to do.
        action: &'static str,
        /// Why it did not.
        source: wasmtime::Error,
    },
    /// The artifact's module is WebAssembly, and not of this program.
    #[error("the guest module is not one of this program's; hint: rebuild it with `make artifact`")]
    Foreign(#[source] wasmtime::Error),
    /// The memory limit is below what the interpreter itself takes.
    #[error(
        "a memory limit of {limit} leaves no room for the interpreter; hint: allow at least {needed}, and more for the scripts"
    )]
    MemoryLimit {
        /// The limit.
        limit: ByteSize,
        /// What a sandbox takes before a script runs.
        needed: ByteSize,
    },
    /// Loading the engine ended in a panic.
    #[error("the WebAssembly engine could not be loaded")]
    Loading(#[source] tokio::task::JoinError),
    /// The thread that makes long cells yield could not be started.
    #[error("cannot start the engine's clock")]
    Ticker(#[source] std::io::Error),
}

fn failed_to(action: &'static str) -> impl FnOnce(wasmtime::Error) -> EngineError {
    move |source| EngineError::Wasmtime { action, source }
}

/// The strict engine.
pub(crate) struct WasmEngine {
    artifact: Artifact,
    /// With memory reserved ahead, where slots are asked for.
    first: Linked,
    /// Memory on demand, for kernels beyond the slots; made when the first one comes.
    overflow: OnceLock<Linked>,
    options: WasmOptions,
}

/// The module, loaded into one wasmtime engine and linked.
struct Linked {
    pre: InstancePre<GuestState>,
    /// Only where epochs are metered.
    ticker: Option<Arc<Ticker>>,
}

impl std::fmt::Debug for WasmEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WasmEngine")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl WasmEngine {
    /// Finds, loads and links the module. Takes seconds when it has to be compiled first.
    pub(crate) fn load(options: WasmOptions) -> Result<Self, EngineError> {
        let artifact = Artifact::find(options.artifact.as_deref())?;
        let first = Linked::new(&artifact, &options)?;
        Ok(Self {
            artifact,
            first,
            overflow: OnceLock::new(),
            options,
        })
    }

    /// Makes a fresh kernel with the tools that `tools` describes, a JSON text.
    pub(crate) async fn kernel(&self, tools: Arc<str>) -> Result<WasmKernel, EngineError> {
        match self.first.kernel(&self.options, Arc::clone(&tools)).await {
            Err(EngineError::Wasmtime { source, .. })
                if source.is::<PoolConcurrencyLimitError>() =>
            {
                self.overflow()?.kernel(&self.options, tools).await
            }
            made => made,
        }
    }

    fn overflow(&self) -> Result<&Linked, EngineError> {
        if let Some(linked) = self.overflow.get() {
            return Ok(linked);
        }
        let options = WasmOptions {
            slots: None,
            ..self.options.clone()
        };
        let linked = Linked::new(&self.artifact, &options)?;
        // Where two come at once, one of both is kept.
        Ok(self.overflow.get_or_init(|| linked))
    }
}

impl Linked {
    fn new(artifact: &Artifact, options: &WasmOptions) -> Result<Self, EngineError> {
        let engine = make_engine(options)?;
        let module =
            Compiled::new(options.cache.clone()).load(artifact, &engine, options.metering)?;
        check_memory_limit(&module, options.memory_limit)?;
        let mut linker = Linker::new(&engine);
        imports::link(&mut linker).map_err(failed_to("link the host's functions"))?;
        let pre = linker
            .instantiate_pre(&module)
            .map_err(EngineError::Foreign)?;
        let ticker = match options.metering {
            Metering::Epoch => Some(Arc::new(
                Ticker::start(&engine).map_err(EngineError::Ticker)?,
            )),
            Metering::Fuel { .. } | Metering::Unmetered => None,
        };
        Ok(Self { pre, ticker })
    }

    async fn kernel(
        &self,
        options: &WasmOptions,
        tools: Arc<str>,
    ) -> Result<WasmKernel, EngineError> {
        let state = GuestState::new(options.memory_limit, tools);
        let mut store = Store::new(self.pre.module().engine(), state);
        store.limiter(|state| &mut state.limit);
        match options.metering {
            Metering::Epoch => {
                store.set_epoch_deadline(1);
                store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Yield(1)));
            }
            Metering::Fuel { .. } => {
                store.set_fuel(u64::MAX).map_err(failed_to("set fuel"))?;
                let interval = Some(settings::FUEL_YIELD_INTERVAL);
                store
                    .fuel_async_yield_interval(interval)
                    .map_err(failed_to("set fuel"))?;
            }
            Metering::Unmetered => {}
        }
        let instance = self
            .pre
            .instantiate_async(&mut store)
            .await
            .map_err(failed_to("make an instance"))?;
        WasmKernel::new(store, instance, self.ticker.clone()).map_err(EngineError::Foreign)
    }
}

/// Bytes of a page of WebAssembly's memory.
const PAGE: u64 = 64 << 10;

/// Refuses a limit that no instance could be made with.
fn check_memory_limit(module: &Module, limit: usize) -> Result<(), EngineError> {
    let pages = module
        .exports()
        .filter_map(|export| Some(export.ty().memory()?.minimum()))
        .max();
    let needed = ByteSize::bytes(pages.unwrap_or(0).saturating_mul(PAGE));
    let limit = ByteSize::bytes(u64::try_from(limit).unwrap_or(u64::MAX));
    if limit < needed {
        Err(EngineError::MemoryLimit { limit, needed })
    } else {
        Ok(())
    }
}

/// Makes the wasmtime engine; without room for its slots it falls back to memory on demand.
fn make_engine(options: &WasmOptions) -> Result<Engine, EngineError> {
    if let Some(slots) = options.slots {
        match settings::engine(options.metering, options.stack_limit, Some(slots)) {
            Ok(engine) => return Ok(engine),
            Err(error) => {
                tracing::info!(%error, "no room for {} slots; memory is allocated on demand", slots.0);
            }
        }
    }
    settings::engine(options.metering, options.stack_limit, None).map_err(failed_to("start"))
}

/// Compiles the module anew for these options and returns where the result is kept.
pub(crate) fn rebuild(options: &WasmOptions) -> Result<Option<PathBuf>, EngineError> {
    let artifact = Artifact::find(options.artifact.as_deref())?;
    let engine = make_engine(options)?;
    Ok(Compiled::new(options.cache.clone()).rebuild(&artifact, &engine, options.metering)?)
}

/// Returns where the compiled form for these options is kept, whether or not it is there.
pub(crate) fn compiled_path(options: &WasmOptions) -> Result<Option<PathBuf>, EngineError> {
    let artifact = Artifact::find(options.artifact.as_deref())?;
    let engine = make_engine(options)?;
    Ok(Compiled::new(options.cache.clone()).path(&artifact, &engine, options.metering))
}
