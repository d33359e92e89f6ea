//! Standard output and standard error: two buffers that the host can read in the guest's memory.
//!
//! A `print` costs a copy, not a call to the host. The host reads what is left in the buffers when a cell ends in whatever way, a
//! timeout or a trap included, so nothing that was written is ever lost. Invariant: `length <= CAPACITY`.
#![expect(
    unsafe_code,
    reason = "the buffers are exported symbols that the host reads between calls"
)]

use std::cell::UnsafeCell;
use std::ptr::addr_of_mut;

use crate::fs::Stdio;
use crate::host::{self, Stream};

/// Bytes that a buffer holds before it is handed to the host. The host refuses to read more than this.
const CAPACITY: usize = 16 << 10;

/// One buffer; the layout is known to the host: a 32-bit length, then the bytes.
#[repr(C)]
struct Layout {
    length: u32,
    bytes: [u8; CAPACITY],
}

/// An exported buffer.
#[repr(transparent)]
pub(crate) struct Buffer(UnsafeCell<Layout>);

// SAFETY: the guest has one thread.
unsafe impl Sync for Buffer {}

impl Buffer {
    const fn new() -> Self {
        Self(UnsafeCell::new(Layout {
            length: 0,
            bytes: [0; CAPACITY],
        }))
    }

    fn write(&self, stream: Stream, bytes: &[u8]) {
        // SAFETY: the guest has one thread, and nothing below calls back into this function.
        let Layout {
            length,
            bytes: buffer,
        } = unsafe { &mut *self.0.get() };
        let used = *length as usize;
        if bytes.len() > CAPACITY - used {
            host::output(stream, &buffer[..used]);
            *length = 0;
            if bytes.len() >= CAPACITY {
                host::output(stream, bytes);
                return;
            }
        }
        let start = *length as usize;
        buffer[start..start + bytes.len()].copy_from_slice(bytes);
        *length = u32::try_from(start + bytes.len()).unwrap_or(0);
    }

    /// Forgets what is in the buffer: used once, so that no text of the initialisation is part of the snapshot.
    fn clear(&self) {
        // SAFETY: the guest has one thread.
        unsafe { *addr_of_mut!((*self.0.get()).length) = 0 }
    }
}

#[unsafe(no_mangle)]
static HERMES_STDOUT: Buffer = Buffer::new();
#[unsafe(no_mangle)]
static HERMES_STDERR: Buffer = Buffer::new();

/// The standard streams as the file system sees them.
pub(crate) struct Streams;

impl Stdio for Streams {
    fn write(&mut self, fd: u32, bytes: &[u8]) {
        if fd == 1 {
            HERMES_STDOUT.write(Stream::Stdout, bytes);
        } else {
            HERMES_STDERR.write(Stream::Stderr, bytes);
        }
    }
}

/// Empties both buffers before the snapshot is taken.
pub(crate) fn clear() {
    HERMES_STDOUT.clear();
    HERMES_STDERR.clear();
}
