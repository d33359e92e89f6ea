//! The machine that the guest sees while its initialisation runs: a clock that stands still, random bytes of a fixed
//! seed, a place for its output, and no host.
//!
//! Nothing here depends on the real machine, and nothing that the guest names is trusted: memory is looked up with
//! bounds, output is capped.

use anyhow::{Result, bail};
use wasmtime::{Caller, Engine, ExternType, Linker, Module, Val, format_err};

/// What the guest may import of WASI; of the module [`HOST`] it may import anything.
pub(crate) const WASI: &str = "wasi_snapshot_preview1";
const WASI_IMPORTS: &[&str] = &[
    "clock_time_get",
    "clock_res_get",
    "random_get",
    "poll_oneoff",
    "proc_exit",
];

/// The module of the host's own functions.
pub(crate) const HOST: &str = "hermes";

/// Of its functions those that the initialisation may call.
const OFFERED: &[&str] = &["output", "take"];

/// What the clock of the day shows, in nanoseconds since 1970. The others show zero: what the guest measures from them begins now.
const NOW: u64 = 1_749_600_000_000_000_000;

/// What `poll_oneoff` answers: not supported.
const ERRNO_NOTSUP: i32 = 58;

/// What is kept of the guest's output, in bytes.
const MAX_OUTPUT: usize = 1 << 20;

/// The machine that the guest sees.
#[derive(Debug)]
pub(crate) struct Machine {
    printed: Vec<u8>,
    random: u64,
    waiting: Vec<u8>,
}

impl Machine {
    /// Returns a machine where `waiting` waits to be taken by the guest.
    pub(crate) fn new(waiting: Vec<u8>) -> Self {
        Self {
            printed: Vec::new(),
            random: 0,
            waiting,
        }
    }

    /// Returns how many bytes wait, as the guest counts them.
    pub(crate) fn waiting(&self) -> Option<u32> {
        u32::try_from(self.waiting.len()).ok()
    }

    /// Returns what the guest printed.
    pub(crate) fn output(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }

    /// Returns the next byte of a fixed sequence (splitmix64).
    pub(crate) fn next_random(&mut self) -> u8 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let [byte, ..] = (mixed ^ (mixed >> 31)).to_le_bytes();
        byte
    }
}

/// Checks that a module imports nothing that the runtime does not provide.
pub(crate) fn check_imports(module: &Module) -> Result<()> {
    for import in module.imports() {
        let known = import.module() == HOST
            || (import.module() == WASI && WASI_IMPORTS.contains(&import.name()));
        if !known {
            bail!(
                "the guest imports `{}.{}`, which the runtime does not provide\nhint: of `{WASI}` it may import {}; \
                 everything else has to be defined in the guest crate",
                import.module(),
                import.name(),
                WASI_IMPORTS.join(", ")
            );
        }
    }
    Ok(())
}

/// Returns what a module imports; the functions of the host, except for the output, end the initialisation.
pub(crate) fn linker(engine: &Engine, module: &Module) -> Result<Linker<Machine>> {
    let mut linker = Linker::new(engine);
    define(&mut linker).map_err(plain)?;
    for import in module
        .imports()
        .filter(|import| import.module() == HOST && !OFFERED.contains(&import.name()))
    {
        let ExternType::Func(kind) = import.ty() else {
            bail!(
                "the guest imports `{HOST}.{}`, which is no function",
                import.name()
            )
        };
        let name = import.name().to_owned();
        let refuse = move |_: Caller<'_, Machine>, _: &[Val], _: &mut [Val]| {
            Err(format_err!(
                "`{HOST}.{name}` was called; there is no host yet"
            ))
        };
        linker
            .func_new(HOST, import.name(), kind, refuse)
            .map_err(plain)?;
    }
    Ok(linker)
}

fn define(linker: &mut Linker<Machine>) -> wasmtime::Result<()> {
    linker.func_wrap(
        WASI,
        "clock_time_get",
        |caller: Caller<'_, Machine>, clock: i32, _precision: i64, at: u32| {
            answer(caller, at, if clock == 0 { NOW } else { 0 })
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_res_get",
        |caller: Caller<'_, Machine>, _clock: i32, at: u32| answer(caller, at, 1),
    )?;
    linker.func_wrap(
        WASI,
        "random_get",
        |mut caller: Caller<'_, Machine>, at: u32, length: u32| {
            let memory = memory(&mut caller)?;
            let (data, machine) = memory.data_and_store_mut(&mut caller);
            let bytes = range(at, length).and_then(|range| data.get_mut(range));
            bytes
                .ok_or_else(out_of_bounds)?
                .fill_with(|| machine.next_random());
            Ok(0)
        },
    )?;
    linker.func_wrap(WASI, "poll_oneoff", |_: u32, _: u32, _: u32, _: u32| {
        ERRNO_NOTSUP
    })?;
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> wasmtime::Result<()> {
        Err(format_err!("the guest exited with code {code}"))
    })?;
    linker.func_wrap(
        HOST,
        "output",
        |mut caller: Caller<'_, Machine>, _stream: i32, at: u32, length: u32| {
            let memory = memory(&mut caller)?;
            let (data, machine) = memory.data_and_store_mut(&mut caller);
            let bytes = range(at, length)
                .and_then(|range| data.get(range))
                .ok_or_else(out_of_bounds)?;
            let room = MAX_OUTPUT.saturating_sub(machine.printed.len());
            machine.printed.extend(bytes.iter().take(room));
            Ok(())
        },
    )?;
    linker.func_wrap(
        HOST,
        "take",
        |mut caller: Caller<'_, Machine>, at: u32, length: u32| {
            let memory = memory(&mut caller)?;
            let (data, machine) = memory.data_and_store_mut(&mut caller);
            let target = range(at, length)
                .and_then(|range| data.get_mut(range))
                .ok_or_else(out_of_bounds)?;
            let bytes = std::mem::take(&mut machine.waiting);
            if bytes.len() != target.len() {
                return Err(format_err!(
                    "the guest takes {} bytes where {} wait",
                    target.len(),
                    bytes.len()
                ));
            }
            target.copy_from_slice(&bytes);
            Ok(())
        },
    )?;
    Ok(())
}

fn answer(mut caller: Caller<'_, Machine>, at: u32, value: u64) -> wasmtime::Result<i32> {
    let memory = memory(&mut caller)?;
    let target = range(at, 8).and_then(|range| memory.data_mut(&mut caller).get_mut(range));
    target
        .ok_or_else(out_of_bounds)?
        .copy_from_slice(&value.to_le_bytes());
    Ok(0)
}

fn memory(caller: &mut Caller<'_, Machine>) -> wasmtime::Result<wasmtime::Memory> {
    let memory = caller
        .get_export("memory")
        .and_then(wasmtime::Extern::into_memory);
    memory.ok_or_else(|| format_err!("the guest exports no `memory`"))
}

fn range(at: u32, length: u32) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(at).ok()?;
    Some(start..start.checked_add(usize::try_from(length).ok()?)?)
}

fn out_of_bounds() -> wasmtime::Error {
    format_err!("the guest named memory that it does not have")
}

/// The engine's error as one of ours, with its chain.
pub(crate) fn plain(error: wasmtime::Error) -> anyhow::Error {
    anyhow::Error::from_boxed(error.into())
}
