//! The engines of a runtime: the sandbox, loaded when it is first needed, and project mode where the host enabled it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::engine::Kernel;
use crate::engine::native::{Location, NativeEngine};
use crate::engine::wasm::{EngineError, WasmEngine, WasmOptions};

use super::error::RuntimeError;

/// Makes kernels of either kind.
#[derive(Debug)]
pub(super) struct Engines {
    wasm: Wasm,
    native: Option<NativeEngine>,
}

/// The sandbox engine.
#[derive(Debug)]
struct Wasm {
    options: WasmOptions,
    loaded: Arc<Loaded>,
}

/// The engine itself, once it is there.
#[derive(Debug, Default)]
struct Loaded {
    engine: OnceLock<WasmEngine>,
    /// Locked while it is loaded, so that it is loaded once.
    loading: Mutex<()>,
}

impl Engines {
    /// Makes the engines; nothing is loaded yet.
    pub(super) fn new(options: WasmOptions, native: Option<NativeEngine>) -> Self {
        Self {
            wasm: Wasm {
                options,
                loaded: Arc::default(),
            },
            native,
        }
    }

    /// Loads the sandbox now, so that what is wrong with it is known at once.
    pub(super) fn load_wasm(&self) -> Result<(), RuntimeError> {
        self.wasm.loaded.load(self.wasm.options.clone())?;
        Ok(())
    }

    /// Returns the engine of project mode, where it is enabled.
    pub(super) fn native(&self) -> Result<&NativeEngine, RuntimeError> {
        self.native
            .as_ref()
            .ok_or(RuntimeError::ModeUnavailable("project"))
    }

    /// Makes a kernel: a child process where there is a location, else a sandbox.
    pub(super) async fn kernel(
        &self,
        location: Option<&Location>,
        tools: String,
    ) -> Result<Kernel, RuntimeError> {
        if let Some(location) = location {
            let kernel = self.native()?.kernel(location, &tools).await?;
            return Ok(Kernel::Native(Box::new(kernel)));
        }
        let kernel = self.wasm.engine().await?.kernel(tools.into()).await?;
        Ok(Kernel::Wasm(Box::new(kernel)))
    }
}

impl Wasm {
    async fn engine(&self) -> Result<&WasmEngine, EngineError> {
        if let Some(engine) = self.loaded.engine.get() {
            return Ok(engine);
        }
        // Takes milliseconds, or seconds when the module has to be compiled.
        let (loaded, options) = (Arc::clone(&self.loaded), self.options.clone());
        let work = move || loaded.load(options).map(|_| ());
        tokio::task::spawn_blocking(work)
            .await
            .map_err(EngineError::Loading)??;
        // It is there by now; where it was not, it would be loaded here.
        self.loaded.load(self.options.clone())
    }
}

impl Loaded {
    /// Loads the engine unless it is there.
    fn load(&self, options: WasmOptions) -> Result<&WasmEngine, EngineError> {
        // A load that panicked has left nothing.
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = self.engine.get() {
            return Ok(engine);
        }
        let engine = WasmEngine::load(options)?;
        Ok(self.engine.get_or_init(|| engine))
    }
}
