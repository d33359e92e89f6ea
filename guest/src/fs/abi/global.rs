//! The one file system of the module, and the receiver of its output.
//!
//! The guest has one thread, and nothing that runs inside a call comes back here; a call that does all the same is
//! answered with `EBUSY` and never gets a second reference.

#![expect(
    unsafe_code,
    reason = "a global that changes needs one cell with a hand-written borrow rule"
)]

use std::cell::{Cell, UnsafeCell};
use std::time::{SystemTime, UNIX_EPOCH};

use super::super::{Errno, FileSystem, Stdio};

static FILES: Single<Option<FileSystem>> = Single::new(None);
static STDIO: Single<Option<Box<dyn Stdio>>> = Single::new(None);

/// Runs `action` on the file system of the module, which is made at the first call.
///
/// Answers `EBUSY` from within a call of the file system, such as [`Stdio::write`].
pub fn with_file_system<T>(action: impl FnOnce(&mut FileSystem) -> T) -> Result<T, Errno> {
    FILES.with(|files| action(files.get_or_insert_with(|| FileSystem::new(now()))))
}

/// Sets what receives standard output and standard error; before that, they are discarded.
///
/// Answers `EBUSY` from within [`Stdio::write`].
pub fn set_stdio(stdio: Box<dyn Stdio>) -> Result<(), Errno> {
    STDIO.with(|current| *current = Some(stdio))
}

/// Runs one operation and returns the number that goes back to wasi-libc: 0, or an error.
pub(super) fn answer(operation: impl FnOnce(&mut FileSystem) -> Result<(), Errno>) -> i32 {
    match with_file_system(operation).flatten() {
        Ok(()) => 0,
        Err(errno) => i32::from(errno.code()),
    }
}

/// Runs `action` with the receiver of the output.
pub(super) fn with_stdio<T>(
    action: impl FnOnce(&mut dyn Stdio) -> Result<T, Errno>,
) -> Result<T, Errno> {
    STDIO
        .with(|stdio| match stdio {
            Some(stdio) => action(stdio.as_mut()),
            None => action(&mut Discard),
        })
        .flatten()
}

/// Returns the time in nanoseconds since 1970, from the host's clock.
pub(super) fn now() -> u64 {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

/// Receives output that nobody has asked for.
struct Discard;

impl Stdio for Discard {
    fn write(&mut self, _fd: u32, _bytes: &[u8]) {}
}

/// A value that is lent to one borrower at a time, on the one thread that there is.
struct Single<T> {
    is_lent: Cell<bool>,
    value: UnsafeCell<T>,
}

// SAFETY: a module for wasm32-wasip1 without the atomics feature has one thread; nothing is ever shared between two.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    const fn new(value: T) -> Self {
        Self {
            is_lent: Cell::new(false),
            value: UnsafeCell::new(value),
        }
    }

    fn with<R>(&self, action: impl FnOnce(&mut T) -> R) -> Result<R, Errno> {
        if self.is_lent.replace(true) {
            return Err(Errno::Busy);
        }
        // SAFETY: `is_lent` was false, so that no other reference is alive; it stays true until this one is gone.
        let result = action(unsafe { &mut *self.value.get() });
        self.is_lent.set(false);
        Ok(result)
    }
}
