//! The guest's allocator for Rust code: libc's, with a reserve for the moment when the memory limit is reached.
//!
//! Rust aborts when a small allocation fails, which would end the kernel. CPython reports `MemoryError` instead, so the few small
//! allocations on the Rust side live off the reserve until the script has seen its exception and freed something. The report of a
//! `MemoryError` takes it back as well.
#![expect(unsafe_code, reason = "a global allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// Bytes set aside. A cell needs far less to fail in an orderly way. Nobody touches them, so they cost no page until they are given back.
const RESERVE: Layout = match Layout::from_size_align(4 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("4 MiB at 16 bytes is a valid layout"),
};

/// The largest allocation that may use up the reserve; larger ones are made with fallible calls.
const SMALL: usize = 16 << 10;

static HELD: AtomicPtr<u8> = AtomicPtr::new(null_mut());

struct Reserving;

#[global_allocator]
static ALLOCATOR: Reserving = Reserving;

// SAFETY: every call is forwarded to `System` with the caller's own layout; the reserve is a separate block with its own fixed layout.
unsafe impl GlobalAlloc for Reserving {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is ours.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() && layout.size() <= SMALL && release() {
            // SAFETY: as above.
            return unsafe { System.alloc(layout) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from `System` with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: `block` came from `System` with this layout.
        let moved = unsafe { System.realloc(block, layout, size) };
        if moved.is_null() && size <= SMALL && release() {
            // SAFETY: a failed `realloc` leaves the block as it was.
            return unsafe { System.realloc(block, layout, size) };
        }
        moved
    }
}

/// Sets the reserve aside if it is not there; called at the start of each cell. Where memory is so short that as much would not be left
/// for the cell, the cell goes without a reserve.
pub(crate) fn hold() {
    if HELD.load(Relaxed).is_null() {
        // SAFETY: the layout has a size.
        let (reserve, left) = unsafe { (System.alloc(RESERVE), System.alloc(RESERVE)) };
        if left.is_null() {
            give_back(reserve);
        } else {
            give_back(left);
            HELD.store(reserve, Relaxed);
        }
    }
}

fn give_back(block: *mut u8) {
    if !block.is_null() {
        // SAFETY: the block was allocated with this very layout, and its only holder gives it away.
        unsafe { System.dealloc(block, RESERVE) };
    }
}

/// Gives the reserve back to libc, from where CPython allocates too; returns whether it was there.
pub(crate) fn release() -> bool {
    let held = HELD.swap(null_mut(), Relaxed);
    give_back(held);
    !held.is_null()
}
