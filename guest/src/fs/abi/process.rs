//! The calls on the process: no arguments, a fixed environment, no sockets.

#![expect(
    unsafe_code,
    reason = "symbols for C are named here, and their pointers read"
)]

use super::super::Errno;
use super::super::environment::variables;
use super::memory::{Buffer, Out, bytes_mut};

/// What every call on a socket answers.
const NO_SOCKET: i32 = Errno::Notsock as i32;

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_args_sizes_get")]
extern "C" fn args_sizes_get(count: Out<'_, usize>, size: Out<'_, usize>) -> i32 {
    count.write(0);
    size.write(0);
    0
}

/// There is nothing to write.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_args_get")]
extern "C" fn args_get(_pointers: *mut *mut u8, _text: *mut u8) -> i32 {
    0
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_environ_sizes_get")]
extern "C" fn environ_sizes_get(count: Out<'_, usize>, size: Out<'_, usize>) -> i32 {
    count.write(variables().count());
    size.write(variables().map(<[u8]>::len).sum());
    0
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_environ_get")]
unsafe extern "C" fn environ_get(pointers: *mut *mut u8, text: *mut u8) -> i32 {
    let mut used = 0;
    for (index, variable) in variables().enumerate() {
        // SAFETY: wasi-libc passes as many pointers and bytes as `environ_sizes_get` has counted from the same table.
        unsafe {
            let start = text.add(used);
            bytes_mut(start, variable.len()).copy_from_slice(variable);
            pointers.add(index).write(start);
        }
        used += variable.len();
    }
    0
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sched_yield")]
extern "C" fn sched_yield() -> i32 {
    0
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_accept")]
extern "C" fn sock_accept(_fd: u32, _flags: u32, _out: *mut u32) -> i32 {
    NO_SOCKET
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_recv")]
extern "C" fn sock_recv(
    _fd: u32,
    _buffers: *const Buffer,
    _count: usize,
    _flags: u32,
    _done: *mut usize,
    _out: *mut u32,
) -> i32 {
    NO_SOCKET
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_send")]
extern "C" fn sock_send(
    _fd: u32,
    _buffers: *const Buffer,
    _count: usize,
    _flags: u32,
    _done: *mut usize,
) -> i32 {
    NO_SOCKET
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_shutdown")]
extern "C" fn sock_shutdown(_fd: u32, _how: u32) -> i32 {
    NO_SOCKET
}
