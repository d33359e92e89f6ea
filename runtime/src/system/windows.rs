//! Windows: what a user makes below the own profile is closed to others by its access list; processes end with codes only.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::UNIX_EPOCH;

use cap_std::fs::{Dir, MetadataExt as _};
use futures_util::FutureExt as _;
use tempfile::Builder;
use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStdout, Command};

/// `FILE_FLAG_OPEN_REPARSE_POINT`: a link is opened itself, and is then no regular file.
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;

/// Leaves a directory as it is made: its access list is its parent's.
pub(crate) fn allow_user_only(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}

/// Makes a temporary directory, in the user's own place for them.
pub(crate) fn private_temporary(builder: &mut Builder<'_, '_>) -> io::Result<tempfile::TempDir> {
    builder.tempdir()
}

/// Leaves a new file as it is made: its access list is its directory's.
pub(crate) fn hide_new_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Has an open that follows no link at the end of the path: what is opened then is the link, which is no regular file.
pub(crate) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OPEN_REPARSE_POINT)
}

/// Says no: such an open succeeds here.
pub(crate) fn is_link(_: &io::Error) -> bool {
    false
}

/// Says no: handles do not run out here before memory does.
pub(crate) fn is_out_of_files(_: &io::Error) -> bool {
    false
}

/// Leaves an open as it is: nothing in a directory blocks one here.
pub(crate) fn open_regular(_: &mut cap_std::fs::OpenOptions) {}

/// Trusts the place: whose an entry is, the standard library does not tell here.
pub(crate) fn belongs_to_user(_: &Metadata) -> bool {
    true
}

/// Trusts the place: who may write an entry, the standard library does not tell here.
pub(crate) fn is_private(_: &Metadata) -> bool {
    true
}

/// Trusts the place, as above.
pub(crate) fn others_may_change(_: &Metadata) -> bool {
    false
}

/// Trusts the place, as above.
pub(crate) fn others_may_replace_in(_: &Metadata) -> bool {
    false
}

/// Tells whether a file is there: its name says whether it is a program.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns nothing: there are no signals here.
pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// Returns the name that these bytes of an encoded name are; what is no text becomes a replacement character.
pub(crate) fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_ref()),
        Cow::Owned(text) => Cow::Owned(text.into()),
    }
}

/// Has a program started that gets no interrupt of the host's console.
pub(crate) fn group_of_its_own(mut command: Command) -> Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    command
}

/// Reads what has come out of a pipe already.
pub(crate) fn read_now(pipe: &mut ChildStdout, buffer: &mut [u8]) -> io::Result<usize> {
    let read = pipe.read(buffer).now_or_never();
    read.unwrap_or_else(|| Err(io::ErrorKind::WouldBlock.into()))
}

/// Tells whether a `bash` in that directory is the one that runs commands in another system: that of Windows itself does.
pub(crate) fn has_foreign_shell(directory: &Path) -> bool {
    std::env::var_os("SystemRoot").is_some_and(|root| directory.starts_with(root))
}

/// Returns where Git for Windows brings its bash, which need not be on the search path.
pub(crate) fn shell_directories() -> Vec<PathBuf> {
    let programs = [
        ("ProgramFiles", r"Git\bin"),
        ("LOCALAPPDATA", r"Programs\Git\bin"),
    ];
    let place = |(variable, below)| Some(PathBuf::from(std::env::var_os(variable)?).join(below));
    programs.into_iter().filter_map(place).collect()
}

/// Returns the path that a shell printed: the bash of Git for Windows writes `/c/x` for `C:\\x`.
pub(crate) fn path_of_shell(printed: &[u8]) -> PathBuf {
    let printed = String::from_utf8_lossy(printed);
    let drive = printed.strip_prefix('/').and_then(|rest| {
        let mut letters = rest.chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        let rest = letters.as_str();
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{letter}:{rest}/"))
    });
    drive.map_or_else(|| PathBuf::from(&*printed), PathBuf::from)
}

/// Returns the absolute path of an entry, without links, in the form that users write.
pub(crate) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    let verbatim = path.canonicalize()?;
    let plain = verbatim
        .to_str()
        .and_then(|text| text.strip_prefix(r"\\?\"));
    // Only a drive has a plain form that means the same.
    let plain = plain.filter(|text| text.as_bytes().get(1) == Some(&b':'));
    Ok(plain.map_or_else(|| verbatim.clone(), PathBuf::from))
}

/// Returns nothing: a rename replaces what has the name.
pub(crate) fn rename_to_free(_: &Dir, _: &OsStr, _: &Dir, _: &OsStr) -> Option<io::Result<()>> {
    None
}

/// Leaves a new file as it is made: its access list is its directory's.
pub(crate) fn hide_new_file_in(_: &mut cap_std::fs::OpenOptions) {}

/// Makes a file as read-only as an older one.
pub(crate) fn make_like(file: &File, old: &cap_std::fs::Metadata) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(old.permissions().readonly());
    file.set_permissions(permissions)
}

/// Returns a number that tells a file from most others: when it was made.
pub(crate) fn entry_of(metadata: &cap_std::fs::Metadata) -> (u64, u64) {
    (0, metadata.creation_time())
}

/// Returns when the content was last changed, in seconds and nanoseconds.
pub(crate) fn modified_at(metadata: &cap_std::fs::Metadata) -> (i64, i64) {
    let since = metadata
        .modified()
        .ok()
        .and_then(|time| time.into_std().duration_since(UNIX_EPOCH).ok())
        .unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    (seconds, since.subsec_nanos().into())
}

/// Returns nothing that changes: the standard library does not tell.
pub(crate) fn changed_at(_: &cap_std::fs::Metadata) -> (i64, i64) {
    (0, 0)
}

/// Returns the error of a path that is longer than the system takes.
pub(crate) fn name_too_long() -> io::Error {
    io::ErrorKind::InvalidFilename.into()
}
