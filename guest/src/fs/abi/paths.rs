//! The calls on paths, `path_*`.

#![expect(
    unsafe_code,
    reason = "symbols for C are named here, and their pointers read"
)]

use super::super::{OpenOptions, TimeUpdate};
use super::global::{answer, now};
use super::memory::{Out, bytes, bytes_mut};

/// The bit of a lookup that asks to follow a symbolic link at the end of the path.
const FOLLOW: u32 = 1;

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_create_directory")]
unsafe extern "C" fn path_create_directory(at: u32, path: *const u8, len: usize) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    answer(|files| files.make_directory(at, path, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_filestat_get")]
unsafe extern "C" fn path_filestat_get(
    at: u32,
    lookup: u32,
    path: *const u8,
    len: usize,
    out: Out<'_, [u8; 64]>,
) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    answer(|files| {
        out.write(files.stat_path(at, path, lookup & FOLLOW != 0)?.to_wasi());
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_filestat_set_times")]
unsafe extern "C" fn path_filestat_set_times(
    at: u32,
    lookup: u32,
    path: *const u8,
    len: usize,
    accessed: u64,
    modified: u64,
    flags: u32,
) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    let now = now();
    answer(|files| {
        let update = TimeUpdate::from_wasi(accessed, modified, flags, now)?;
        files.set_path_times(at, path, lookup & FOLLOW != 0, update, now)
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_link")]
unsafe extern "C" fn path_link(
    old_at: u32,
    lookup: u32,
    old: *const u8,
    old_len: usize,
    new_at: u32,
    new: *const u8,
    new_len: usize,
) -> i32 {
    // SAFETY: wasi-libc passes paths of these lengths, as the contract in the module above says.
    let (old, new) = unsafe { (bytes(old, old_len), bytes(new, new_len)) };
    answer(|files| files.link(old_at, old, lookup & FOLLOW != 0, new_at, new, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_open")]
unsafe extern "C" fn path_open(
    at: u32,
    lookup: u32,
    path: *const u8,
    len: usize,
    flags: u32,
    rights: u64,
    _inheriting: u64,
    status: u32,
    out: Out<'_, u32>,
) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    answer(|files| {
        let options = OpenOptions::from_wasi(lookup, flags, rights, status)?;
        out.write(files.open(at, path, options, now())?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_readlink")]
unsafe extern "C" fn path_readlink(
    at: u32,
    path: *const u8,
    len: usize,
    out: *mut u8,
    out_len: usize,
    used: Out<'_, usize>,
) -> i32 {
    // SAFETY: wasi-libc passes a path and a buffer of these lengths, as the contract in the module above says.
    let (path, out) = unsafe { (bytes(path, len), bytes_mut(out, out_len)) };
    answer(|files| {
        used.write(files.read_link(at, path, out)?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_remove_directory")]
unsafe extern "C" fn path_remove_directory(at: u32, path: *const u8, len: usize) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    answer(|files| files.remove_directory(at, path, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_rename")]
unsafe extern "C" fn path_rename(
    old_at: u32,
    old: *const u8,
    old_len: usize,
    new_at: u32,
    new: *const u8,
    new_len: usize,
) -> i32 {
    // SAFETY: wasi-libc passes paths of these lengths, as the contract in the module above says.
    let (old, new) = unsafe { (bytes(old, old_len), bytes(new, new_len)) };
    answer(|files| files.rename(old_at, old, new_at, new, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_symlink")]
unsafe extern "C" fn path_symlink(
    target: *const u8,
    target_len: usize,
    at: u32,
    path: *const u8,
    len: usize,
) -> i32 {
    // SAFETY: wasi-libc passes paths of these lengths, as the contract in the module above says.
    let (target, path) = unsafe { (bytes(target, target_len), bytes(path, len)) };
    answer(|files| files.symlink(target, at, path, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_unlink_file")]
unsafe extern "C" fn path_unlink_file(at: u32, path: *const u8, len: usize) -> i32 {
    // SAFETY: wasi-libc passes a path of `len` bytes, as the contract in the module above says.
    let path = unsafe { bytes(path, len) };
    answer(|files| files.unlink(at, path, now()))
}
