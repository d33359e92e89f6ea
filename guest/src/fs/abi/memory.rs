//! Pointers from wasi-libc, turned into slices and values.
//!
//! It relies on the contract of preview 1 that is stated in the module above; nothing here keeps a slice after the call.

#![expect(
    unsafe_code,
    reason = "a pointer and a length from C become a slice here and nowhere else"
)]

use std::mem::MaybeUninit;

use super::super::Errno;

/// Where a call puts one value, which wasi-libc need not have initialised.
pub(super) type Out<'a, T> = &'a mut MaybeUninit<T>;

/// One buffer of a vectored read or write, as C lays it out.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Buffer {
    start: *mut u8,
    len: usize,
}

/// Returns the bytes of a path or of another argument.
///
/// # Safety
/// `start` leads to `len` bytes that stay valid and unchanged for `'a`.
pub(super) const unsafe fn bytes<'a>(start: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for the bytes; C may pass null for an empty range only, which was dealt with.
    unsafe { std::slice::from_raw_parts(start, len) }
}

/// Returns the bytes that a call fills. They are only written, whatever was there before.
///
/// # Safety
/// `start` leads to `len` bytes that are valid for `'a` and that nothing else uses meanwhile.
pub(super) const unsafe fn bytes_mut<'a>(start: *mut u8, len: usize) -> &'a mut [u8] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: as in `bytes`, and the caller vouches that nothing else uses the range.
    unsafe { std::slice::from_raw_parts_mut(start, len) }
}

/// Fills buffers in turn and returns how many bytes there were in all.
///
/// An error after the first bytes ends the call but does not undo them, as in C.
///
/// # Safety
/// `buffers` leads to `count` buffers, each of which meets the contract of [`bytes_mut`].
pub(super) unsafe fn read_into(
    buffers: *const Buffer,
    count: usize,
    mut read: impl FnMut(&mut [u8], usize) -> Result<usize, Errno>,
) -> Result<usize, Errno> {
    // SAFETY: the caller vouches for the array of buffers.
    let buffers = unsafe { list(buffers, count) };
    transfer(buffers, |buffer, done| {
        // SAFETY: the caller vouches for each buffer, and the slices are used one after the other.
        let bytes = unsafe { bytes_mut(buffer.start, buffer.len) };
        read(bytes, done)
    })
}

/// Writes buffers in turn and returns how many bytes there were in all, with errors as in [`read_into`].
///
/// # Safety
/// `buffers` leads to `count` buffers, each of which meets the contract of [`bytes`].
pub(super) unsafe fn write_from(
    buffers: *const Buffer,
    count: usize,
    mut write: impl FnMut(&[u8], usize) -> Result<usize, Errno>,
) -> Result<usize, Errno> {
    // SAFETY: the caller vouches for the array of buffers.
    let buffers = unsafe { list(buffers, count) };
    transfer(buffers, |buffer, done| {
        // SAFETY: the caller vouches for each buffer.
        let bytes = unsafe { bytes(buffer.start, buffer.len) };
        write(bytes, done)
    })
}

const unsafe fn list<'a>(buffers: *const Buffer, count: usize) -> &'a [Buffer] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the callers above pass on what their own callers vouch for.
    unsafe { std::slice::from_raw_parts(buffers, count) }
}

fn transfer(
    buffers: &[Buffer],
    mut one: impl FnMut(&Buffer, usize) -> Result<usize, Errno>,
) -> Result<usize, Errno> {
    let mut done = 0;
    for buffer in buffers {
        match one(buffer, done) {
            Ok(count) => done += count,
            Err(errno) if done == 0 => return Err(errno),
            Err(_) => break,
        }
    }
    Ok(done)
}
