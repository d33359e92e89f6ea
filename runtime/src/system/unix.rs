//! Unix: modes and owners of files, signals, names of any bytes.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown,
};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use cap_std::fs::{Dir, MetadataExt as _, OpenOptionsExt as _};
use rustix::fs::{Access, OFlags, RenameFlags, access, renameat_with};
use rustix::io::Errno;
use rustix::process::geteuid;
use tempfile::Builder;
use tokio::process::{ChildStdout, Command};

use super::namespace::{has_users, is_nobody_known};

const USER_ONLY: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;
/// Bits of a file's mode that another file takes over.
const MODE_BITS: u32 = 0o7777;
const WRITABLE_BY_OTHERS: u32 = 0o022;
const WRITABLE_BY_ALL: u32 = 0o002;
/// In a directory with this bit only the owner of a file may rename or remove it.
const STICKY: u32 = 0o1000;

/// Has a directory made that nobody but the user may enter.
pub(crate) fn allow_user_only(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder.mode(USER_ONLY)
}

/// Has a temporary directory made that nobody but the user may enter.
pub(crate) fn private_temporary(builder: &mut Builder<'_, '_>) -> io::Result<tempfile::TempDir> {
    builder
        .permissions(Permissions::from_mode(USER_ONLY))
        .tempdir()
}

/// Has a new file made that nobody but the user may read.
pub(crate) fn hide_new_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(PRIVATE_FILE)
}

/// Has an open that follows no link at the end of the path, and waits for nobody.
pub(crate) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(bits(OFlags::NOFOLLOW | OFlags::NONBLOCK))
}

/// Tells whether such an open failed because there is a link.
pub(crate) fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// Tells whether something failed because this process or the system has too many open files.
pub(crate) fn is_out_of_files(error: &io::Error) -> bool {
    let number = error.raw_os_error();
    [Errno::MFILE, Errno::NFILE]
        .iter()
        .any(|each| number == Some(each.raw_os_error()))
}

/// Has an open that does not wait for the other end of a pipe, and takes no terminal.
pub(crate) fn open_regular(options: &mut cap_std::fs::OpenOptions) {
    options.custom_flags(bits(OFlags::NONBLOCK | OFlags::NOCTTY));
}

fn bits(flags: OFlags) -> i32 {
    // They are small positive bits of a C `int`.
    flags.bits().cast_signed()
}

/// Tells whether an entry is known to be the user's own.
pub(crate) fn belongs_to_user(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw() && has_users()
}

/// Tells whether only the user can write an entry.
pub(crate) fn is_private(metadata: &Metadata) -> bool {
    belongs_to_user(metadata) && metadata.mode() & WRITABLE_BY_OTHERS == 0
}

/// Tells whether somebody other than the user, the administrator and a group can change an entry.
pub(crate) fn others_may_change(metadata: &Metadata) -> bool {
    let is_theirs = metadata.uid() != 0 && !belongs_to_user(metadata);
    // The mode of a link says nothing.
    is_theirs || !metadata.is_symlink() && metadata.mode() & WRITABLE_BY_ALL != 0
}

/// Tells whether somebody other than the user, the administrator and a group can put another file in the place of one in a directory.
///
/// Users without a number in this user namespace are taken for the administrator: where only one has a number, `/` is theirs.
pub(crate) fn others_may_replace_in(directory: &Metadata) -> bool {
    let is_administrators = directory.uid() == 0 || is_nobody_known(directory.uid());
    let is_theirs = !is_administrators && !belongs_to_user(directory);
    is_theirs || directory.mode() & WRITABLE_BY_ALL != 0 && directory.mode() & STICKY == 0
}

/// Tells whether a file is a program that the user may start.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

/// Returns the number of the signal that ended a process.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns the name that these bytes of an encoded name are.
pub(crate) fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

/// Has a program started as the leader of a process group.
pub(crate) fn group_of_its_own(mut command: Command) -> Command {
    command.process_group(0);
    command
}

/// Reads what is in a pipe already.
pub(crate) fn read_now(pipe: &mut ChildStdout, buffer: &mut [u8]) -> io::Result<usize> {
    // The executor's pipes never block: where nothing is left the read fails.
    Ok(rustix::io::read(pipe, buffer)?)
}

/// Says no: what is on the search path is this system's own.
pub(crate) fn has_foreign_shell(_: &Path) -> bool {
    false
}

/// Returns nothing: shells are on the search path.
pub(crate) fn shell_directories() -> Vec<PathBuf> {
    Vec::new()
}

/// Returns the path that a shell printed.
pub(crate) fn path_of_shell(printed: &[u8]) -> PathBuf {
    OsStr::from_bytes(printed).into()
}

/// Returns the absolute path of an entry, without links.
pub(crate) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Gives a file another name in the same file system if that is free, in one step; `None` where the file system has no such step.
pub(crate) fn rename_to_free(
    from_dir: &Dir,
    from: &OsStr,
    to_dir: &Dir,
    to: &OsStr,
) -> Option<io::Result<()>> {
    match renameat_with(from_dir, from, to_dir, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => None,
        renamed => Some(renamed.map_err(Into::into)),
    }
}

/// Has a new file made that nobody but the user may read.
pub(crate) fn hide_new_file_in(options: &mut cap_std::fs::OpenOptions) {
    options.mode(PRIVATE_FILE);
}

/// Gives a file the owner and the mode of an older one.
pub(crate) fn make_like(file: &File, old: &cap_std::fs::Metadata) -> io::Result<()> {
    // Only root may give a file away; for others the file becomes their own, as with every rename.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(Permissions::from_mode(old.mode() & MODE_BITS))
}

/// Returns numbers that tell a file from every other: device and inode.
pub(crate) fn entry_of(metadata: &cap_std::fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Returns when the content was last changed, in seconds and nanoseconds.
pub(crate) fn modified_at(metadata: &cap_std::fs::Metadata) -> (i64, i64) {
    (metadata.mtime(), metadata.mtime_nsec())
}

/// Returns when the metadata was last changed, in seconds and nanoseconds; nobody can set it.
pub(crate) fn changed_at(metadata: &cap_std::fs::Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

/// Returns the error of a path that is longer than the system takes.
pub(crate) fn name_too_long() -> io::Error {
    Errno::NAMETOOLONG.into()
}
