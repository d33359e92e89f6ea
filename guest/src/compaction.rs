//! Fills the holes that the initialisation left in the heap, so that what a cell allocates lies together at its end.
//!
//! The heap of the snapshot is full of small holes between objects that stay. A cell's first allocations would fall into them, all over
//! the heap, and each would copy a page of the snapshot. Filled with blocks that nobody frees, the holes cost nothing: their zeroes are not
//! even part of the module.
#![expect(unsafe_code, reason = "both allocators are C interfaces")]

use std::ffi::c_void;
use std::ptr::write_bytes;

use pyo3::ffi;

/// Sizes that CPython's allocator for small objects serves: multiples of 8 up to this, in bytes.
const LARGEST_SMALL: usize = 512;
const SMALL_STEP: usize = 8;

/// The largest hole that is worth filling, in bytes.
const LARGEST_HOLE: usize = 128 << 10;

/// Size above which holes are looked for by halving, and below which by steps.
const COARSE: usize = 1 << 10;

/// Size of the block that marks the end of the heap: larger than any hole, so that it is placed behind all of them, in bytes.
const MARK: usize = 2 << 20;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

/// Fills the holes; the interpreter must be running, and the snapshot be taken soon.
pub(crate) fn fill_holes() {
    // SAFETY: the mark is a block of our own that is given back below.
    let mark = unsafe { malloc(MARK) };
    if mark.is_null() {
        return;
    }
    fill_small_objects(mark);
    fill_heap(mark);
    // SAFETY: nobody has used or freed the block.
    unsafe { free(mark) };
}

/// Takes every free slot of the allocator for small objects that lies before the mark.
fn fill_small_objects(mark: *mut c_void) {
    let mut behind = Vec::new();
    for size in (SMALL_STEP..=LARGEST_SMALL).rev().step_by(SMALL_STEP) {
        // SAFETY: the interpreter is running, and the guest has one thread.
        behind.extend(fill(size, mark, || unsafe { ffi::PyObject_Malloc(size) }));
    }
    // Given back only now: while they were taken, no smaller size could use their pools.
    for block in behind {
        // SAFETY: the block came from `PyObject_Malloc` and nobody uses it.
        unsafe { ffi::PyObject_Free(block) };
    }
}

/// Takes every hole of libc's heap that lies before the mark, the largest first.
fn fill_heap(mark: *mut c_void) {
    let mut size = LARGEST_HOLE;
    while size >= SMALL_STEP {
        // SAFETY: the result is a block of `size` bytes or null.
        if let Some(block) = fill(size, mark, || unsafe { malloc(size) }) {
            // SAFETY: the block came from `malloc` and nobody uses it.
            unsafe { free(block) };
        }
        size = if size > COARSE {
            size / 2
        } else {
            size - SMALL_STEP
        };
    }
}

/// Takes blocks of one size for good until one lies behind the mark, and returns that one; `None` when there is no memory left.
fn fill(size: usize, mark: *mut c_void, allocate: impl Fn() -> *mut c_void) -> Option<*mut c_void> {
    loop {
        let block = allocate();
        if block.is_null() || block > mark {
            return (!block.is_null()).then_some(block);
        }
        // SAFETY: the block is ours and has this size.
        unsafe { write_bytes(block.cast::<u8>(), 0, size) };
    }
}
