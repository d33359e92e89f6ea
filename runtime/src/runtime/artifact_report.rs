//! What is known of the artifact and its compiled form, for whoever wants to see, check or rebuild them.

use std::path::{Path, PathBuf};

use crate::engine::wasm::{self, Artifact, EngineError, Manifest, WasmOptions};

use super::error::RuntimeError;

/// The artifact that a runtime's settings lead to.
#[derive(Debug)]
pub struct ArtifactReport {
    artifact: Artifact,
    options: WasmOptions,
    compiled: Option<PathBuf>,
}

impl ArtifactReport {
    pub(super) fn new(options: &WasmOptions) -> Result<Self, RuntimeError> {
        let artifact = Artifact::find(options.artifact.as_deref()).map_err(EngineError::from)?;
        let compiled = wasm::compiled_path(options)?;
        Ok(Self {
            artifact,
            options: options.clone(),
            compiled,
        })
    }

    /// Returns what the artifact's manifest says.
    pub fn manifest(&self) -> &Manifest {
        self.artifact.manifest()
    }

    /// Returns the path of the module.
    pub fn module_path(&self) -> PathBuf {
        self.artifact.module_path()
    }

    /// Returns where the compiled form for these settings and this CPU is kept, whether or not it is there.
    pub fn compiled_path(&self) -> Option<&Path> {
        self.compiled.as_deref()
    }

    /// Compares the module with its manifest.
    ///
    /// # Errors
    ///
    /// Fails when the module cannot be read or differs.
    pub fn check(&self) -> Result<(), RuntimeError> {
        self.artifact.read_module().map_err(EngineError::from)?;
        Ok(())
    }

    /// Compiles the module anew and returns where the result is kept; `None` when it cannot be kept.
    ///
    /// # Errors
    ///
    /// Fails when the module is damaged or cannot be compiled.
    pub fn rebuild(&self) -> Result<Option<PathBuf>, RuntimeError> {
        Ok(wasm::rebuild(&self.options)?)
    }
}
