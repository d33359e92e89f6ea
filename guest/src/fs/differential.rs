//! The file system against the one of the machine that runs the tests.
//!
//! Random operations are done in both, below `/scratch` here and below a temporary directory there, and must give the
//! same answer: the same data, or the same error. A path has at most as many `..` as there are directories above
//! [`BASE`], so that none climbs out of the temporary directory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;

use proptest::prelude::*;

use super::{
    Access, DescriptorFlags, Errno, FileSystem, FileType, OpenFlags, OpenOptions, Stdio, Whence,
};

/// The directory of the test and those above it.
const BASE: [&str; 4] = ["t", "t/u", "t/u/v", "t/u/v/w"];

/// The numbers of Linux for the errors that can occur here.
const LINUX_ERRORS: [(i32, Errno); 14] = [
    (1, Errno::Perm),
    (2, Errno::Noent),
    (9, Errno::Badf),
    (16, Errno::Busy),
    (17, Errno::Exist),
    (20, Errno::Notdir),
    (21, Errno::Isdir),
    (22, Errno::Inval),
    (27, Errno::Fbig),
    (30, Errno::Rofs),
    (36, Errno::Nametoolong),
    (39, Errno::Notempty),
    (40, Errno::Loop),
    (75, Errno::Overflow),
];

#[derive(Debug, Clone)]
enum Operation {
    Open(u8, String, Mode),
    Close(u8),
    Read(u8, usize),
    Write(u8, Vec<u8>),
    Seek(u8, i64, Whence),
    SetSize(u8, u64),
    MakeDirectory(String),
    RemoveDirectory(String),
    Unlink(String),
    Rename(String, String),
    Link(String, String),
    Symlink(String, String),
    ReadLink(String),
    Stat(String, bool),
    List(String),
}

#[derive(Debug, Clone, Copy)]
enum Mode {
    Read,
    ReadWrite,
    Append,
    Truncate,
    Create,
    CreateNew,
}

/// What an operation answers when it succeeds.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Done,
    Data(Vec<u8>),
    Offset(u64),
    Target(String),
    /// Type, size and number of names; the latter two only where POSIX says what they are.
    Stat(u8, Option<u64>, Option<u64>),
    Names(BTreeSet<String>),
}

struct Silent;

impl Stdio for Silent {
    fn write(&mut self, _: u32, _: &[u8]) {}
}

/// The file system under test.
struct Ours {
    files: FileSystem,
    base: u32,
    open: BTreeMap<u8, u32>,
}

impl Ours {
    fn new() -> Result<Self, Errno> {
        let mut files = FileSystem::new(0);
        let scratch = files.open(3, b"scratch", OpenOptions::read(), 0)?;
        let mut base = scratch;
        for path in BASE {
            files.make_directory(scratch, path.as_bytes(), 0)?;
            base = files.open(scratch, path.as_bytes(), OpenOptions::read(), 0)?;
        }
        Ok(Self {
            files,
            base,
            open: BTreeMap::new(),
        })
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, Errno> {
        let (files, base) = (&mut self.files, self.base);
        let open = |slot: &u8| self.open.get(slot).copied().ok_or(Errno::Badf);
        match operation {
            Operation::Open(slot, path, mode) => {
                let fd = files.open(base, path.as_bytes(), our_options(*mode), 0)?;
                let kept = if files.stat(fd)?.file_type == FileType::Directory {
                    Some(fd)
                } else {
                    self.open.insert(*slot, fd)
                };
                kept.map_or(Ok(()), |fd| files.close(fd))?;
                Ok(Answer::Done)
            }
            Operation::Close(slot) => {
                let fd = self.open.remove(slot).ok_or(Errno::Badf)?;
                files.close(fd).map(|()| Answer::Done)
            }
            Operation::Read(slot, len) => {
                let mut out = vec![0; *len];
                let count = files.read(open(slot)?, &mut out)?;
                out.truncate(count);
                Ok(Answer::Data(out))
            }
            Operation::Write(slot, data) => {
                let count = files.write(open(slot)?, data, 0, &mut Silent)?;
                assert_eq!(count, data.len());
                Ok(Answer::Done)
            }
            Operation::Seek(slot, by, whence) => {
                files.seek(open(slot)?, *by, *whence).map(Answer::Offset)
            }
            Operation::SetSize(slot, size) => {
                files.set_size(open(slot)?, *size, 0).map(|()| Answer::Done)
            }
            Operation::MakeDirectory(path) => files
                .make_directory(base, path.as_bytes(), 0)
                .map(|()| Answer::Done),
            Operation::RemoveDirectory(path) => files
                .remove_directory(base, path.as_bytes(), 0)
                .map(|()| Answer::Done),
            Operation::Unlink(path) => files
                .unlink(base, path.as_bytes(), 0)
                .map(|()| Answer::Done),
            Operation::Rename(old, new) => {
                files.rename(base, old.as_bytes(), base, new.as_bytes(), 0)?;
                Ok(Answer::Done)
            }
            Operation::Link(old, new) => {
                files.link(base, old.as_bytes(), false, base, new.as_bytes(), 0)?;
                Ok(Answer::Done)
            }
            Operation::Symlink(target, path) => {
                files.symlink(target.as_bytes(), base, path.as_bytes(), 0)?;
                Ok(Answer::Done)
            }
            Operation::ReadLink(path) => {
                let mut out = [0; 64];
                let count = files.read_link(base, path.as_bytes(), &mut out)?;
                Ok(Answer::Target(
                    String::from_utf8_lossy(&out[..count]).into_owned(),
                ))
            }
            Operation::Stat(path, follow) => {
                let stat = files.stat_path(base, path.as_bytes(), *follow)?;
                let known = stat.file_type != FileType::Directory;
                Ok(Answer::Stat(
                    stat.file_type.code(),
                    known.then_some(stat.size),
                    known.then_some(stat.links),
                ))
            }
            Operation::List(path) => {
                let fd = files.open(base, path.as_bytes(), OpenOptions::read(), 0)?;
                let mut out = [0; 4096];
                let listed = files.read_directory(fd, &mut out, 2);
                files.close(fd)?;
                Ok(Answer::Names(names(&out[..listed?])))
            }
        }
    }
}

/// The file system of this machine.
struct Theirs {
    root: tempfile::TempDir,
    open: BTreeMap<u8, File>,
}

impl Theirs {
    fn new() -> io::Result<Self> {
        let root = tempfile::tempdir()?;
        for path in BASE {
            fs::create_dir(root.path().join(path))?;
        }
        Ok(Self {
            root,
            open: BTreeMap::new(),
        })
    }

    fn apply(&mut self, operation: &Operation) -> io::Result<Answer> {
        let full = |path: &str| {
            format!(
                "{}/{}/{path}",
                self.root.path().display(),
                BASE[BASE.len() - 1]
            )
        };
        let bad = || io::Error::from_raw_os_error(9);
        let open = |slot: &u8| self.open.get(slot).ok_or_else(bad);
        match operation {
            Operation::Open(slot, path, mode) => {
                let file = their_options(*mode).open(full(path))?;
                if !file.metadata()?.is_dir() {
                    self.open.insert(*slot, file);
                }
                Ok(Answer::Done)
            }
            Operation::Close(slot) => {
                self.open.remove(slot).ok_or_else(bad)?;
                Ok(Answer::Done)
            }
            Operation::Read(slot, len) => {
                let mut out = vec![0; *len];
                let count = open(slot)?.read(&mut out)?;
                out.truncate(count);
                Ok(Answer::Data(out))
            }
            Operation::Write(slot, data) => open(slot)?.write_all(data).map(|()| Answer::Done),
            Operation::Seek(slot, by, whence) => {
                let origin = match whence {
                    // A negative position wraps to one that the kernel refuses as negative.
                    Whence::Start => SeekFrom::Start(by.cast_unsigned()),
                    Whence::Current => SeekFrom::Current(*by),
                    Whence::End => SeekFrom::End(*by),
                };
                open(slot)?.seek(origin).map(Answer::Offset)
            }
            Operation::SetSize(slot, size) => open(slot)?.set_len(*size).map(|()| Answer::Done),
            Operation::MakeDirectory(path) => fs::create_dir(full(path)).map(|()| Answer::Done),
            Operation::RemoveDirectory(path) => fs::remove_dir(full(path)).map(|()| Answer::Done),
            Operation::Unlink(path) => fs::remove_file(full(path)).map(|()| Answer::Done),
            Operation::Rename(old, new) => fs::rename(full(old), full(new)).map(|()| Answer::Done),
            Operation::Link(old, new) => fs::hard_link(full(old), full(new)).map(|()| Answer::Done),
            Operation::Symlink(target, path) => {
                std::os::unix::fs::symlink(target, full(path)).map(|()| Answer::Done)
            }
            Operation::ReadLink(path) => {
                let target = fs::read_link(full(path))?;
                Ok(Answer::Target(target.to_string_lossy().into_owned()))
            }
            Operation::Stat(path, true) => fs::metadata(full(path)).map(|stat| their_stat(&stat)),
            Operation::Stat(path, false) => {
                fs::symlink_metadata(full(path)).map(|stat| their_stat(&stat))
            }
            Operation::List(path) => {
                let mut names = BTreeSet::new();
                for entry in fs::read_dir(full(path))? {
                    names.insert(entry?.file_name().to_string_lossy().into_owned());
                }
                Ok(Answer::Names(names))
            }
        }
    }
}

fn our_options(mode: Mode) -> OpenOptions {
    let (access, flags) = match mode {
        Mode::Read => (Access::READ, OpenFlags::default()),
        Mode::ReadWrite => (Access::BOTH, OpenFlags::default()),
        Mode::Append => (Access::WRITE, OpenFlags::CREATE),
        Mode::Truncate => (Access::WRITE, OpenFlags::CREATE | OpenFlags::TRUNCATE),
        Mode::Create => (Access::BOTH, OpenFlags::CREATE),
        Mode::CreateNew => (Access::BOTH, OpenFlags::CREATE | OpenFlags::EXCLUSIVE),
    };
    let status = match mode {
        Mode::Append => DescriptorFlags::APPEND,
        _ => DescriptorFlags::default(),
    };
    OpenOptions {
        access,
        flags,
        status,
        follow: true,
    }
}

fn their_options(mode: Mode) -> fs::OpenOptions {
    let mut options = File::options();
    match mode {
        Mode::Read => options.read(true),
        Mode::ReadWrite => options.read(true).write(true),
        Mode::Append => options.append(true).create(true),
        Mode::Truncate => options.write(true).create(true).truncate(true),
        Mode::Create => options.read(true).write(true).create(true).truncate(false),
        Mode::CreateNew => options.read(true).write(true).create_new(true),
    };
    options
}

fn their_stat(stat: &Metadata) -> Answer {
    let file_type = if stat.is_dir() {
        FileType::Directory
    } else if stat.is_symlink() {
        FileType::SymbolicLink
    } else {
        FileType::RegularFile
    };
    let known = !stat.is_dir();
    Answer::Stat(
        file_type.code(),
        known.then_some(stat.len()),
        known.then_some(stat.nlink()),
    )
}

/// Takes the names out of a listing.
fn names(mut listing: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    while let Some((header, rest)) = listing.split_first_chunk::<24>() {
        let (name, rest) = rest.split_at(usize::from(header[16]));
        names.insert(String::from_utf8_lossy(name).into_owned());
        listing = rest;
    }
    names
}

fn translated(answer: io::Result<Answer>) -> Result<Answer, Errno> {
    answer.map_err(|error| {
        let known = LINUX_ERRORS
            .iter()
            .find(|(number, _)| Some(*number) == error.raw_os_error());
        known.map_or_else(
            || panic!("an error that is not in the table: {error}"),
            |(_, errno)| *errno,
        )
    })
}

/// Paths of up to three names, and so of up to three `..`.
fn path() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "c"]);
    let step = prop_oneof![
        8 => name.prop_map(str::to_owned),
        1 => Just("./a".to_owned()),
        1 => Just("a/..".to_owned()),
        1 => Just("b/../c".to_owned()),
        1 => Just("a/.".to_owned()),
        1 => Just("b/".to_owned()),
    ];
    let end = prop::sample::select(vec!["", "", "", "", "", "/"]);
    (prop::collection::vec(step, 1..=3), end).prop_map(|(steps, end)| steps.join("/") + end)
}

/// Targets without `..`. None ends with a slash: Linux refuses to create through such a link before
/// it looks where the link leads, which is the one known difference.
fn target() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "a/b", "b/a", "."]).prop_map(str::to_owned)
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::{
        Close, Link, List, MakeDirectory, Open, Read, ReadLink, RemoveDirectory, Rename, Seek,
        SetSize, Stat, Symlink, Unlink, Write,
    };
    let slot = || 0..3_u8;
    let mode = prop::sample::select(vec![
        Mode::Read,
        Mode::ReadWrite,
        Mode::Append,
        Mode::Truncate,
        Mode::Create,
        Mode::CreateNew,
    ]);
    let whence = prop::sample::select(vec![Whence::Start, Whence::Current, Whence::End]);
    prop_oneof![
        4 => (slot(), path(), mode).prop_map(|(slot, path, mode)| Open(slot, path, mode)),
        1 => slot().prop_map(Close),
        2 => (slot(), 0..40_usize).prop_map(|(slot, len)| Read(slot, len)),
        3 => (slot(), prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(slot, data)| Write(slot, data)),
        2 => (slot(), -30..60_i64, whence).prop_map(|(slot, by, whence)| Seek(slot, by, whence)),
        1 => (slot(), 0..60_u64).prop_map(|(slot, size)| SetSize(slot, size)),
        4 => path().prop_map(MakeDirectory),
        2 => path().prop_map(RemoveDirectory),
        2 => path().prop_map(Unlink),
        3 => (path(), path()).prop_map(|(old, new)| Rename(old, new)),
        2 => (path(), path()).prop_map(|(old, new)| Link(old, new)),
        2 => (target(), path()).prop_map(|(target, path)| Symlink(target, path)),
        1 => path().prop_map(ReadLink),
        2 => (path(), any::<bool>()).prop_map(|(path, follow)| Stat(path, follow)),
        2 => path().prop_map(List),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_operations_answer_as_linux_does(operations in prop::collection::vec(operation(), 1..60)) {
        let mut ours = Ours::new()?;
        let mut theirs = Theirs::new()?;
        for operation in &operations {
            let expected = translated(theirs.apply(operation));
            prop_assert_eq!(ours.apply(operation), expected, "{:?}", operation);
        }
        for path in [".", "a", "b", "c", "a/a", "a/b", "b/a", "c/c"] {
            let list = Operation::List(path.to_owned());
            prop_assert_eq!(ours.apply(&list), translated(theirs.apply(&list)), "{}", path);
        }
    }
}
