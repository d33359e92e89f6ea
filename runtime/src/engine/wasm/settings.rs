//! The settings with which the module is compiled and run, and why each has its value.

use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    Strategy,
};

/// How the work of a cell is metered, which is decided when the module is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Metering {
    /// Checks a clock tick at loops and calls: any script can be stopped. The default.
    #[default]
    Epoch,
    /// Counts executed operations exactly and repeatably, and ends a cell that uses up its fuel. Slower than `Epoch`.
    Fuel {
        /// Units that one cell may use.
        per_cell: u64,
    },
    /// No metering at all. A cell that runs in a loop cannot be stopped, not even by its timeout: for measurements of trusted code only.
    Unmetered,
}

impl Metering {
    /// Returns the name of the profile, as it stands in the name of a compiled form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Epoch => "epoch",
            Self::Fuel { .. } => "fuel",
            Self::Unmetered => "unmetered",
        }
    }
}

/// Bytes of stack that the host functions which the module calls have, above the module's own: an overflow there would abort the process.
/// Only touched pages cost memory.
const HOST_STACK: usize = 4 << 20;

/// Bytes of address space that a memory reserves: with the whole 32-bit range reserved no access needs a bounds check.
const MEMORY_RESERVATION: usize = 4 << 30;

/// Fuel after which a cell yields to the host, so that the wall clock holds: a few milliseconds of work.
pub(super) const FUEL_YIELD_INTERVAL: u64 = 5_000_000;

/// How many kernels a pooling allocator keeps room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slots(pub(crate) u32);

/// Makes the engine for one metering profile, with so many bytes of native stack for the module's code; with `slots`, memory for that many
/// kernels is reserved ahead.
pub(super) fn engine(
    metering: Metering,
    stack: usize,
    slots: Option<Slots>,
) -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .max_wasm_stack(stack)
        .async_stack_size(stack.saturating_add(HOST_STACK))
        .memory_reservation(MEMORY_RESERVATION as u64)
        .memory_init_cow(true)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .epoch_interruption(metering == Metering::Epoch)
        .consume_fuel(matches!(metering, Metering::Fuel { .. }));
    // What CPython does not need stays off: each is code that a hostile module could reach.
    config
        .wasm_tail_call(false)
        .wasm_multi_memory(false)
        .wasm_relaxed_simd(false)
        .wasm_extended_const(false)
        .wasm_wide_arithmetic(false)
        .wasm_memory64(false);
    if let Some(Slots(slots)) = slots {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_core_instances(slots)
            .total_memories(slots)
            .total_tables(slots)
            // A kernel that is being made takes a stack too, besides those of all that run.
            .total_stacks(slots.saturating_mul(2))
            .max_memories_per_module(1)
            .max_tables_per_module(1)
            .max_core_instance_size(1 << 20)
            .max_memory_size(MEMORY_RESERVATION)
            .table_elements(TABLE_ELEMENTS)
            .linear_memory_keep_resident(KEEP_RESIDENT)
            .table_keep_resident(KEEP_RESIDENT)
            .async_stack_keep_resident(KEEP_RESIDENT)
            .pagemap_scan(Enabled::Auto);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    Engine::new(&config)
}

/// Entries of the function table that a slot has room for; CPython's has about nine thousand.
const TABLE_ELEMENTS: usize = 50_000;

/// Bytes of a slot that stay in memory when its kernel ends, to be cleaned by copying the few pages that were written instead of being
/// given back to the system, which would cost the next kernel a page fault each.
const KEEP_RESIDENT: usize = 4 << 20;

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use wasmtime::Module;

    use super::*;

    const HEADER: &[u8] = b"\0asm\x01\0\0\0";

    fn is_accepted(sections: &[u8]) -> bool {
        let engine = engine(Metering::Epoch, 1 << 20, None).unwrap();
        Module::validate(&engine, &[HEADER, sections].concat()).is_ok()
    }

    #[test]
    fn what_cpython_needs_is_accepted() {
        // A memory of one page.
        assert!(is_accepted(b"\x05\x03\x01\x00\x01"));
        // A function that drops a constant of 128 bits.
        let simd = b"\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x17\x01\x15\0\xfd\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1a\x0b";
        assert!(is_accepted(simd));
    }

    #[test]
    fn proposals_that_cpython_does_not_need_are_refused() {
        let proposals: [(&str, &[u8]); 6] = [
            ("memory64", b"\x05\x03\x01\x04\x01"),
            ("threads", b"\x05\x04\x01\x03\x01\x01"),
            ("multi-memory", b"\x05\x05\x02\0\x01\0\x01"),
            ("garbage collection", b"\x01\x03\x01\x5f\0"),
            ("exceptions", b"\x01\x04\x01\x60\0\0\x0d\x03\x01\0\0"),
            (
                "tail calls",
                b"\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x06\x01\x04\0\x12\0\x0b",
            ),
        ];
        for (name, sections) in proposals {
            assert!(!is_accepted(sections), "{name}");
        }
    }
}
