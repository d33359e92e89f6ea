//! One sandbox: an instance of the module that runs cells one after another.

use std::sync::Arc;

use wasmtime::{AsContextMut, Instance, Memory, Result, Store, Trap, TypedFunc, bail, format_err};

use crate::engine::{Cell, CellEnd, Limits, Retire, StopCause, Verdict};
use crate::text::clip::Printed;

use super::state::{GuestState, Output};
use super::ticker::Ticker;

/// Bytes that one of the module's output buffers holds at most; a larger length in its memory is a lie.
const BUFFER_CAPACITY: usize = 16 << 10;

/// A fresh or a used sandbox.
pub(crate) struct WasmKernel {
    store: Store<GuestState>,
    memory: Memory,
    run: TypedFunc<u32, i32>,
    stdout: BufferAddress,
    stderr: BufferAddress,
    /// Makes long cells yield, where the engine does not count fuel for that.
    ticker: Option<Arc<Ticker>>,
}

impl std::fmt::Debug for WasmKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WasmKernel")
            .field("state", self.store.data())
            .finish_non_exhaustive()
    }
}

/// Where in the module's memory one of its output buffers lies: a 32-bit length, then the bytes.
#[derive(Debug, Clone, Copy)]
struct BufferAddress(usize);

impl BufferAddress {
    fn find(instance: &Instance, store: &mut Store<GuestState>, name: &str) -> Result<Self> {
        let global = instance
            .get_global(&mut *store, name)
            .ok_or_else(|| format_err!("no export `{name}`"))?;
        let Some(address) = global.get(&mut *store).i32() else {
            bail!("`{name}` is not an address")
        };
        Ok(Self(u32::from_ne_bytes(address.to_ne_bytes()) as usize))
    }

    /// Returns what the buffer holds; nothing when its length is not one that the module's own code would write.
    fn bytes(self, memory: &[u8]) -> &[u8] {
        let start = self.0 + 4;
        memory
            .get(self.0..start)
            .and_then(<[u8]>::first_chunk)
            .map(|length| u32::from_le_bytes(*length) as usize)
            .filter(|length| *length <= BUFFER_CAPACITY)
            .and_then(|length| memory.get(start..start + length))
            .unwrap_or_default()
    }

    fn clear(self, memory: &mut [u8]) {
        if let Some(length) = memory.get_mut(self.0..self.0 + 4) {
            length.fill(0);
        }
    }
}

impl WasmKernel {
    pub(super) fn new(
        mut store: Store<GuestState>,
        instance: Instance,
        ticker: Option<Arc<Ticker>>,
    ) -> Result<Self> {
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| format_err!("no export `memory`"))?;
        let run = instance.get_typed_func(&mut store, "hermes_run")?;
        let stdout = BufferAddress::find(&instance, &mut store, "HERMES_STDOUT")?;
        let stderr = BufferAddress::find(&instance, &mut store, "HERMES_STDERR")?;
        Ok(Self {
            store,
            memory,
            run,
            stdout,
            stderr,
            ticker,
        })
    }

    /// Runs one cell. After a verdict that the kernel does not survive it must be dropped.
    pub(crate) async fn run(&mut self, cell: Cell) -> CellEnd {
        let Cell {
            code,
            limits,
            authority,
            stop,
        } = cell;
        let length = u32::try_from(code.len()).unwrap_or(u32::MAX);
        let state = self.store.data_mut();
        state.waiting = code.into_bytes();
        state.authority = Some(Arc::clone(&authority));
        state.exit_code = None;
        let fuel = self.fill(limits);
        // Also when this future is dropped in the middle of the cell.
        let retire = Retire(authority);
        let ticking = self.ticker.as_ref().map(|ticker| ticker.ticking());
        let outcome = stop
            .bound(limits.timeout, self.run.call_async(&mut self.store, length))
            .await;
        drop(ticking);
        drop(retire);
        let verdict = self.verdict(outcome);
        let fuel_used = fuel.map(|limit| limit - self.store.get_fuel().unwrap_or(0).min(limit));
        let state = self.store.data_mut();
        state.authority = None;
        // An answer that nobody took is no business of the next cell.
        state.waiting = Vec::new();
        let Output {
            stdout,
            stderr,
            traceback,
        } = self.collect();
        CellEnd {
            verdict,
            stdout: Printed::Whole(stdout),
            stderr,
            traceback,
            fuel_used,
        }
    }

    /// Gives the cell its fuel and returns how much, where fuel is metered.
    fn fill(&mut self, limits: Limits) -> Option<u64> {
        let fuel = limits.fuel?;
        self.store.set_fuel(fuel).ok().map(|()| fuel)
    }

    fn verdict(&self, outcome: Result<Result<i32>, StopCause>) -> Verdict {
        match outcome {
            Err(StopCause::Timeout) => Verdict::TimedOut,
            Err(StopCause::Interrupt(reason)) => Verdict::Interrupted(reason),
            Ok(Ok(0)) => Verdict::Ended,
            Ok(Ok(1)) => Verdict::Raised,
            Ok(Ok(2)) => Verdict::Exited(None),
            Ok(Ok(other)) => Verdict::Died(format!("the interpreter answered {other}")),
            Ok(Err(error)) => match (error.downcast_ref::<Trap>(), self.store.data().exit_code) {
                (Some(Trap::OutOfFuel), _) => Verdict::OutOfFuel,
                (Some(trap), _) => Verdict::Died(trap.to_string()),
                (None, Some(code)) => {
                    Verdict::Died(format!("the interpreter exited with code {code}"))
                }
                (None, None) => Verdict::Died(error.root_cause().to_string()),
            },
        }
    }

    /// Takes what the cell wrote, with what is left in the module's own buffers.
    fn collect(&mut self) -> Output {
        let mut store = self.store.as_context_mut();
        let (memory, state) = self.memory.data_and_store_mut(&mut store);
        state.output.stdout.push(self.stdout.bytes(memory));
        state.output.stderr.push(self.stderr.bytes(memory));
        self.stdout.clear(memory);
        self.stderr.clear(memory);
        std::mem::take(&mut state.output)
    }
}
