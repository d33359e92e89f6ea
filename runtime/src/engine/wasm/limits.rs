//! What one sandbox may grow to.

use wasmtime::ResourceLimiter;

/// Refuses growth beyond the memory limit: the module sees a failed `memory.grow`, the script a `MemoryError`.
#[derive(Debug)]
pub(super) struct MemoryLimit {
    /// Bytes of linear memory, the snapshot's own included.
    pub(super) bytes: usize,
}

impl ResourceLimiter for MemoryLimit {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= self.bytes)
    }

    fn table_growing(
        &mut self,
        current: usize,
        _desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // The module's table is made as large as it has to be; nothing in the module grows it.
        Ok(current == 0)
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }
}
