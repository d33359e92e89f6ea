//! One kernel of whichever engine.

use super::native::NativeKernel;
use super::wasm::WasmKernel;
use super::{Cell, CellEnd};

/// What keeps a session's state between cells, and runs them.
#[derive(Debug)]
pub(crate) enum Kernel {
    /// A sandbox.
    Wasm(Box<WasmKernel>),
    /// A child process.
    Native(Box<NativeKernel>),
}

impl Kernel {
    /// Runs one cell. After a verdict that the kernel does not survive it must be dropped.
    pub(crate) async fn run(&mut self, cell: Cell) -> CellEnd {
        match self {
            Self::Wasm(kernel) => kernel.run(cell).await,
            Self::Native(kernel) => kernel.run(cell).await,
        }
    }

    /// Returns whether it can run another cell: a process may have died since the last one.
    pub(crate) fn is_alive(&self) -> bool {
        match self {
            Self::Wasm(_) => true,
            Self::Native(kernel) => kernel.is_alive(),
        }
    }
}
