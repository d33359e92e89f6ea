//! The calls on descriptors, `fd_*`.

#![expect(
    unsafe_code,
    reason = "symbols for C are named here, and their pointers read"
)]

use super::super::content::len64;
use super::super::{DescriptorFlags, Errno, TimeUpdate, Whence};
use super::global::{answer, now, with_stdio};
use super::memory::{Buffer, Out, bytes_mut, read_into, write_from};

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_datasync")]
extern "C" fn fd_datasync(fd: u32) -> i32 {
    answer(|files| files.check_open(fd))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_sync")]
extern "C" fn fd_sync(fd: u32) -> i32 {
    answer(|files| files.check_open(fd))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_advise")]
extern "C" fn fd_advise(fd: u32, _offset: u64, _len: u64, _advice: u32) -> i32 {
    answer(|files| files.check_open(fd))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_allocate")]
extern "C" fn fd_allocate(fd: u32, offset: u64, len: u64) -> i32 {
    answer(|files| files.allocate(fd, offset, len, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_close")]
extern "C" fn fd_close(fd: u32) -> i32 {
    answer(|files| files.close(fd))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_renumber")]
extern "C" fn fd_renumber(from: u32, to: u32) -> i32 {
    answer(|files| files.renumber(from, to))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_get")]
extern "C" fn fd_fdstat_get(fd: u32, out: Out<'_, [u8; 24]>) -> i32 {
    answer(|files| {
        out.write(files.status(fd)?.to_wasi());
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_set_flags")]
extern "C" fn fd_fdstat_set_flags(fd: u32, flags: u32) -> i32 {
    answer(|files| files.set_flags(fd, DescriptorFlags::from_bits(flags)?))
}

/// Rights are not narrowed: they would only protect a script from itself.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_set_rights")]
extern "C" fn fd_fdstat_set_rights(fd: u32, _base: u64, _inheriting: u64) -> i32 {
    answer(|files| files.check_open(fd))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_get")]
extern "C" fn fd_filestat_get(fd: u32, out: Out<'_, [u8; 64]>) -> i32 {
    answer(|files| {
        out.write(files.stat(fd)?.to_wasi());
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_set_size")]
extern "C" fn fd_filestat_set_size(fd: u32, size: u64) -> i32 {
    answer(|files| files.set_size(fd, size, now()))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_set_times")]
extern "C" fn fd_filestat_set_times(fd: u32, accessed: u64, modified: u64, flags: u32) -> i32 {
    let now = now();
    answer(|files| {
        files.set_times(
            fd,
            TimeUpdate::from_wasi(accessed, modified, flags, now)?,
            now,
        )
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_read")]
unsafe extern "C" fn fd_read(
    fd: u32,
    buffers: *const Buffer,
    count: usize,
    out: Out<'_, usize>,
) -> i32 {
    answer(|files| {
        // SAFETY: wasi-libc passes buffers that meet the contract in the module above.
        let done = unsafe { read_into(buffers, count, |buffer, _| files.read(fd, buffer)) };
        out.write(done?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_pread")]
unsafe extern "C" fn fd_pread(
    fd: u32,
    buffers: *const Buffer,
    count: usize,
    offset: u64,
    out: Out<'_, usize>,
) -> i32 {
    answer(|files| {
        let read = |buffer: &mut [u8], done| files.pread(fd, buffer, after(offset, done)?);
        // SAFETY: wasi-libc passes buffers that meet the contract in the module above.
        out.write(unsafe { read_into(buffers, count, read) }?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_write")]
unsafe extern "C" fn fd_write(
    fd: u32,
    buffers: *const Buffer,
    count: usize,
    out: Out<'_, usize>,
) -> i32 {
    let now = now();
    answer(|files| {
        let done = with_stdio(|stdio| {
            // SAFETY: wasi-libc passes buffers that meet the contract in the module above.
            unsafe {
                write_from(buffers, count, |buffer, _| {
                    files.write(fd, buffer, now, stdio)
                })
            }
        });
        out.write(done?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_pwrite")]
unsafe extern "C" fn fd_pwrite(
    fd: u32,
    buffers: *const Buffer,
    count: usize,
    offset: u64,
    out: Out<'_, usize>,
) -> i32 {
    let now = now();
    answer(|files| {
        let write = |buffer: &[u8], done| files.pwrite(fd, buffer, after(offset, done)?, now);
        // SAFETY: wasi-libc passes buffers that meet the contract in the module above.
        out.write(unsafe { write_from(buffers, count, write) }?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_prestat_get")]
extern "C" fn fd_prestat_get(fd: u32, out: Out<'_, [u32; 2]>) -> i32 {
    answer(|files| {
        let len = u32::try_from(files.preopened(fd)?.len()).map_err(|_| Errno::Overflow)?;
        // The first word is the tag of a directory.
        out.write([0, len]);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_prestat_dir_name")]
unsafe extern "C" fn fd_prestat_dir_name(fd: u32, out: *mut u8, len: usize) -> i32 {
    answer(|files| {
        let path = files.preopened(fd)?.as_bytes();
        // SAFETY: wasi-libc passes `len` bytes at `out`, as the contract in the module above says.
        let out = unsafe { bytes_mut(out, len) };
        out.get_mut(..path.len())
            .ok_or(Errno::Nametoolong)?
            .copy_from_slice(path);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_readdir")]
unsafe extern "C" fn fd_readdir(
    fd: u32,
    out: *mut u8,
    len: usize,
    cookie: u64,
    used: Out<'_, usize>,
) -> i32 {
    answer(|files| {
        // SAFETY: wasi-libc passes `len` bytes at `out`, as the contract in the module above says.
        let out = unsafe { bytes_mut(out, len) };
        used.write(files.read_directory(fd, out, cookie)?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_seek")]
extern "C" fn fd_seek(fd: u32, by: i64, whence: u32, out: Out<'_, u64>) -> i32 {
    answer(|files| {
        out.write(files.seek(fd, by, Whence::from_wasi(whence)?)?);
        Ok(())
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_tell")]
extern "C" fn fd_tell(fd: u32, out: Out<'_, u64>) -> i32 {
    answer(|files| {
        out.write(files.seek(fd, 0, Whence::Current)?);
        Ok(())
    })
}

/// Returns the offset of the buffer that comes after `done` bytes.
fn after(offset: u64, done: usize) -> Result<u64, Errno> {
    offset.checked_add(len64(done)).ok_or(Errno::Fbig)
}
