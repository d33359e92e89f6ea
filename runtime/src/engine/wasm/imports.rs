//! Every function that the module can call, and nothing else.
//!
//! Four functions of WASI (two clocks, random bytes, sleep) and its exit, and the module `hermes`: output, tool call, tool description,
//! and taking what waits. The module's file system lives in its own memory. Invariants: a number from the module never sizes a host
//! buffer beyond the module's own memory, every range is checked, and a bad one is a trap of the module.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wasmtime::{Caller, Extern, Linker, Memory, Result, bail, format_err};

use crate::tools::{bounds, no_authority};

use super::state::GuestState;

/// Name of the module of WASI's functions.
const WASI: &str = "wasi_snapshot_preview1";
/// Name of the module of our own.
const HERMES: &str = "hermes";

/// WASI's error numbers that are answered here.
mod errno {
    pub(super) const SUCCESS: i32 = 0;
    pub(super) const INVAL: i32 = 28;
    pub(super) const NOTSUP: i32 = 58;
}

/// Bytes of random data that are made at a time.
const RANDOM_CHUNK: usize = 4096;

/// Resolution that is reported for the clocks, in nanoseconds.
const CLOCK_RESOLUTION: u64 = 1_000;

/// Links every import.
pub(super) fn link(linker: &mut Linker<GuestState>) -> Result<()> {
    let clocks = Clocks {
        start: Instant::now(),
    };
    link_clocks(linker, clocks)?;
    link_random_and_exit(linker)?;
    link_sleep(linker, clocks)?;
    link_hermes(linker)
}

/// The clocks that a sandbox can read.
#[derive(Clone, Copy)]
struct Clocks {
    /// Zero of the monotonic clock.
    start: Instant,
}

impl Clocks {
    /// Returns the time of a clock by its number in WASI.
    fn now(self, clock: u32) -> Option<Duration> {
        match clock {
            0 => Some(
                SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default(),
            ),
            // The two CPU clocks of a sandbox are its monotonic clock: nobody else's work shows through them.
            1..=3 => Some(self.start.elapsed()),
            _ => None,
        }
    }
}

fn link_clocks(linker: &mut Linker<GuestState>, clocks: Clocks) -> Result<()> {
    linker.func_wrap(
        WASI,
        "clock_time_get",
        move |mut caller: Caller<'_, GuestState>,
              clock: u32,
              _precision: i64,
              into: u32|
              -> Result<i32> {
            let Some(now) = clocks.now(clock) else {
                return Ok(errno::INVAL);
            };
            store(&mut caller, into, &nanoseconds(now).to_le_bytes())?;
            Ok(errno::SUCCESS)
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_res_get",
        |mut caller: Caller<'_, GuestState>, _clock: i32, into: u32| -> Result<i32> {
            store(&mut caller, into, &CLOCK_RESOLUTION.to_le_bytes())?;
            Ok(errno::SUCCESS)
        },
    )?;
    Ok(())
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn link_random_and_exit(linker: &mut Linker<GuestState>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "random_get",
        |mut caller: Caller<'_, GuestState>, into: u32, length: u32| -> Result<i32> {
            let memory = memory(&mut caller)?;
            let target = range_mut(memory.data_mut(&mut caller), into, length)?;
            for chunk in target.chunks_mut(RANDOM_CHUNK) {
                getrandom::fill(chunk).map_err(|error| format_err!("no random bytes: {error}"))?;
            }
            Ok(errno::SUCCESS)
        },
    )?;
    linker.func_wrap(
        WASI,
        "proc_exit",
        |mut caller: Caller<'_, GuestState>, code: i32| -> Result<()> {
            caller.data_mut().exit_code = Some(code);
            bail!("the interpreter exited with code {code}")
        },
    )?;
    Ok(())
}

/// Links `poll_oneoff` for what CPython uses it for: to sleep until one moment.
fn link_sleep(linker: &mut Linker<GuestState>, clocks: Clocks) -> Result<()> {
    linker.func_wrap_async(
        WASI,
        "poll_oneoff",
        move |mut caller: Caller<'_, GuestState>,
              (subscriptions, events, count, into): (u32, u32, u32, u32)| {
            Box::new(async move {
                if count != 1 {
                    return Ok(errno::NOTSUP);
                }
                let memory = memory(&mut caller)?;
                let subscription = *range(memory.data(&caller), subscriptions, SUBSCRIPTION_SIZE)?
                    .first_chunk::<{ SUBSCRIPTION_SIZE as usize }>()
                    .ok_or_else(|| format_err!("a subscription is 48 bytes"))?;
                let Some(duration) = sleep_time(&subscription, clocks) else {
                    return Ok(errno::NOTSUP);
                };
                tokio::time::sleep(duration).await;
                let mut event = [0_u8; EVENT_SIZE];
                event[..8].copy_from_slice(&subscription[..8]);
                store(&mut caller, events, &event)?;
                store(&mut caller, into, &1_u32.to_le_bytes())?;
                Ok(errno::SUCCESS)
            })
        },
    )?;
    Ok(())
}

/// Bytes of WASI's subscription and event.
const SUBSCRIPTION_SIZE: u32 = 48;
const EVENT_SIZE: usize = 32;

/// Reads a subscription to a clock: the kind at byte 8, the clock at 16, the time at 24, the flags at 40.
fn sleep_time(bytes: &[u8; SUBSCRIPTION_SIZE as usize], clocks: Clocks) -> Option<Duration> {
    if bytes[8] != 0 {
        return None;
    }
    let clock = u32::from_le_bytes(*bytes[16..].first_chunk()?);
    let time = Duration::from_nanos(u64::from_le_bytes(*bytes[24..].first_chunk()?));
    let is_absolute = bytes[40] & 1 == 1;
    if is_absolute {
        Some(time.saturating_sub(clocks.now(clock)?))
    } else {
        Some(time)
    }
}

fn link_hermes(linker: &mut Linker<GuestState>) -> Result<()> {
    linker.func_wrap(
        HERMES,
        "output",
        |mut caller: Caller<'_, GuestState>, stream: u32, from: u32, length: u32| -> Result<()> {
            let memory = memory(&mut caller)?;
            let (bytes, state) = memory.data_and_store_mut(&mut caller);
            let bytes = range(bytes, from, length)?;
            match stream {
                1 => state.output.stdout.push(bytes),
                2 => state.output.stderr.push(bytes),
                3 => state.output.traceback.push(bytes),
                _ => bail!("no stream {stream}"),
            }
            Ok(())
        },
    )?;
    linker.func_wrap(
        HERMES,
        "tools",
        |mut caller: Caller<'_, GuestState>| -> Result<u32> {
            let text = caller.data().tools.to_string();
            Ok(hand_over(&mut caller, text))
        },
    )?;
    linker.func_wrap(
        HERMES,
        "take",
        |mut caller: Caller<'_, GuestState>, into: u32, length: u32| -> Result<()> {
            let bytes = std::mem::take(&mut caller.data_mut().waiting);
            if bytes.len() != length as usize {
                bail!("{length} bytes were taken where {} wait", bytes.len());
            }
            store(&mut caller, into, &bytes)
        },
    )?;
    linker.func_wrap_async(
        HERMES,
        "call",
        |mut caller: Caller<'_, GuestState>,
         (name, name_length, arguments, arguments_length): (u32, u32, u32, u32)| {
            Box::new(async move {
                let memory = memory(&mut caller)?;
                let bytes = memory.data(&caller);
                let name_length = name_length.min(MAX_NAME_LENGTH);
                let name = String::from_utf8_lossy(range(bytes, name, name_length)?).into_owned();
                let arguments = range(bytes, arguments, arguments_length)?;
                let mut work = arguments.len();
                let answer = match (bounds::refuse(arguments), caller.data().authority.clone()) {
                    (Some(refusal), _) => refusal,
                    (None, Some(authority)) => authority.call(&name, arguments).await,
                    (None, None) => no_authority(),
                };
                work += answer.len();
                if work > YIELD_ABOVE {
                    // The host's own work costs the module neither fuel nor epochs: without a pause the wall clock would not be looked at.
                    tokio::task::yield_now().await;
                }
                Ok(hand_over(&mut caller, answer))
            })
        },
    )?;
    Ok(())
}

/// Bytes of a tool's name that are read.
#[expect(clippy::cast_possible_truncation, reason = "a small constant")]
const MAX_NAME_LENGTH: u32 = bounds::MAX_NAME as u32;

/// Bytes of arguments and answer above which a call gives the host a chance to stop the cell.
const YIELD_ABOVE: usize = 64 << 10;

/// Set in an announced length when every byte of the text is ASCII, which spares the module the decoding.
const ASCII: u32 = 1 << 31;

/// Bytes of the largest answer that is handed over; no sandbox could hold a larger one and work with it.
const MAX_ANSWER: usize = 1 << 30;

/// Leaves a text for the module to take and announces it.
fn hand_over(caller: &mut Caller<'_, GuestState>, text: String) -> u32 {
    let text = if text.len() > MAX_ANSWER {
        format!(
            r#"{{"error": "the answer of {} bytes is too large for the sandbox"}}"#,
            text.len()
        )
    } else {
        text
    };
    let kind = if text.is_ascii() { ASCII } else { 0 };
    // At most `MAX_ANSWER`, which leaves the highest bit free.
    let length = u32::try_from(text.len()).unwrap_or(0);
    caller.data_mut().waiting = text.into_bytes();
    kind | length
}

fn memory(caller: &mut Caller<'_, GuestState>) -> Result<Memory> {
    match caller.get_export("memory") {
        Some(Extern::Memory(memory)) => Ok(memory),
        _ => bail!("the module exports no memory"),
    }
}

fn store(caller: &mut Caller<'_, GuestState>, into: u32, bytes: &[u8]) -> Result<()> {
    let memory = memory(caller)?;
    Ok(memory.write(caller, into as usize, bytes)?)
}

fn range(memory: &[u8], from: u32, length: u32) -> Result<&[u8]> {
    let (from, length) = (from as usize, length as usize);
    from.checked_add(length)
        .and_then(|end| memory.get(from..end))
        .ok_or_else(|| format_err!("{length} bytes at {from} are outside of the module's memory"))
}

fn range_mut(memory: &mut [u8], from: u32, length: u32) -> Result<&mut [u8]> {
    let (from, length) = (from as usize, length as usize);
    from.checked_add(length)
        .and_then(|end| memory.get_mut(from..end))
        .ok_or_else(|| format_err!("{length} bytes at {from} are outside of the module's memory"))
}
