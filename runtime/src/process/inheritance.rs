//! Who may inherit what: no process gets a descriptor that is meant for another one.
//!
//! A kernel's child inherits descriptors at their own numbers, which for the moment of its start any process would inherit that is started
//! then. So no start overlaps with one of those. What a host starts by itself, beside this library, is not held back: it can inherit the
//! writing end of a kernel's output for as long as it runs, and has no use for it.

#[cfg(unix)]
use std::sync::RwLockWriteGuard;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

static STARTS: RwLock<()> = RwLock::new(());

/// Held while a process is started that inherits nothing but its standard streams.
pub(crate) fn plain_start() -> RwLockReadGuard<'static, ()> {
    STARTS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Held from the moment in which descriptors can be inherited until they are closed.
#[cfg(unix)]
pub(crate) fn start_with_descriptors() -> RwLockWriteGuard<'static, ()> {
    STARTS.write().unwrap_or_else(PoisonError::into_inner)
}
