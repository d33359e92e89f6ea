//! The table of open descriptors.
//!
//! It does not own the nodes: what it drops, it hands back to be released. Invariant: descriptors 0 to 3 are always
//! open, whatever a script closes or renumbers, so that the next cell still has its output and the root directory.

use super::Errno;
use super::tree::Ino;

/// The most descriptors open at once.
const MAX_DESCRIPTORS: usize = 1024;
/// Descriptors below this number cannot be closed: the three standard streams and the root directory.
const FIRST_FREE: u32 = 4;
/// The descriptor of the root directory, which wasi-libc finds as the one preopened directory.
pub(super) const ROOT_FD: u32 = 3;

/// What may be done with the data behind a descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// Whether it may be read.
    pub read: bool,
    /// Whether it may be written.
    pub write: bool,
}

impl Access {
    /// Reading only.
    pub const READ: Self = Self {
        read: true,
        write: false,
    };
    /// Writing only.
    pub const WRITE: Self = Self {
        read: false,
        write: true,
    };
    /// Reading and writing.
    pub const BOTH: Self = Self {
        read: true,
        write: true,
    };
}

/// The status flags of a descriptor, with the bits of preview 1. Only [`Self::APPEND`] changes anything: memory has
/// no slower storage behind it to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DescriptorFlags(u16);

impl DescriptorFlags {
    /// Every write goes to the end of the file.
    pub const APPEND: Self = Self(1);
    const ALL: u16 = 0b1_1111;

    /// Returns the flags with these bits, or `EINVAL` for bits that preview 1 does not know.
    pub fn from_bits(bits: u32) -> Result<Self, Errno> {
        match u16::try_from(bits) {
            Ok(bits) if bits & !Self::ALL == 0 => Ok(Self(bits)),
            _ => Err(Errno::Inval),
        }
    }

    /// Returns the bits of preview 1.
    pub const fn bits(self) -> u16 {
        self.0
    }

    pub(super) const fn append(self) -> bool {
        self.0 & Self::APPEND.0 != 0
    }
}

/// What a descriptor leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Standard input, which is always at its end.
    Input,
    /// A standard output stream, with the number that `Stdio` knows it by.
    Output(u32),
    Node(Ino),
}

/// One open descriptor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descriptor {
    pub(super) target: Target,
    pub(super) access: Access,
    pub(super) flags: DescriptorFlags,
    /// Where the next read or write takes place, in bytes.
    pub(super) offset: u64,
}

impl Descriptor {
    pub(super) const fn new(target: Target, access: Access, flags: DescriptorFlags) -> Self {
        Self {
            target,
            access,
            flags,
            offset: 0,
        }
    }
}

/// All open descriptors, each at its number.
#[derive(Debug)]
pub(super) struct DescriptorTable {
    slots: Vec<Option<Descriptor>>,
}

impl DescriptorTable {
    /// Returns a table with the standard streams and the root directory.
    pub(super) fn new() -> Self {
        let none = DescriptorFlags::default();
        Self {
            slots: vec![
                Some(Descriptor::new(Target::Input, Access::READ, none)),
                Some(Descriptor::new(Target::Output(1), Access::WRITE, none)),
                Some(Descriptor::new(Target::Output(2), Access::WRITE, none)),
                Some(Descriptor::new(Target::Node(Ino::ROOT), Access::READ, none)),
            ],
        }
    }

    pub(super) fn get(&self, fd: u32) -> Result<&Descriptor, Errno> {
        let slot = usize::try_from(fd)
            .ok()
            .and_then(|index| self.slots.get(index));
        slot.and_then(Option::as_ref).ok_or(Errno::Badf)
    }

    pub(super) fn get_mut(&mut self, fd: u32) -> Result<&mut Descriptor, Errno> {
        self.slot_mut(fd)
            .and_then(Option::as_mut)
            .ok_or(Errno::Badf)
    }

    /// Returns the lowest free number, with room for a descriptor there, or `EMFILE` when all are in use.
    pub(super) fn vacancy(&mut self) -> Result<u32, Errno> {
        let index = self
            .slots
            .iter()
            .position(Option::is_none)
            .unwrap_or(self.slots.len());
        if index >= MAX_DESCRIPTORS {
            return Err(Errno::Mfile);
        }
        if index == self.slots.len() {
            self.slots.try_reserve(1).map_err(|_| Errno::Nomem)?;
            self.slots.push(None);
        }
        u32::try_from(index).map_err(|_| Errno::Mfile)
    }

    /// Puts a descriptor at a number that [`Self::vacancy`] returned.
    pub(super) fn put(&mut self, fd: u32, descriptor: Descriptor) -> Result<(), Errno> {
        *self.slot_mut(fd).ok_or(Errno::Badf)? = Some(descriptor);
        Ok(())
    }

    /// Closes a descriptor and returns what it led to; the first four stay open and return nothing.
    pub(super) fn close(&mut self, fd: u32) -> Result<Option<Target>, Errno> {
        self.get(fd)?;
        if fd < FIRST_FREE {
            return Ok(None);
        }
        let closed = self.slot_mut(fd).and_then(Option::take);
        Ok(closed.map(|descriptor| descriptor.target))
    }

    /// Moves `from` to the number `to` and returns what `to` led to before.
    ///
    /// With one of the first four on either side nothing moves.
    pub(super) fn renumber(&mut self, from: u32, to: u32) -> Result<Option<Target>, Errno> {
        let moved = *self.get(from)?;
        self.get(to)?;
        if from == to || from < FIRST_FREE || to < FIRST_FREE {
            return Ok(None);
        }
        let closed = self.slot_mut(to).and_then(|slot| slot.replace(moved));
        if let Some(slot) = self.slot_mut(from) {
            *slot = None;
        }
        Ok(closed.map(|descriptor| descriptor.target))
    }

    fn slot_mut(&mut self, fd: u32) -> Option<&mut Option<Descriptor>> {
        self.slots.get_mut(usize::try_from(fd).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(table: &mut DescriptorTable, descriptor: Descriptor) -> Result<u32, Errno> {
        let fd = table.vacancy()?;
        table.put(fd, descriptor)?;
        Ok(fd)
    }

    fn file() -> Descriptor {
        Descriptor::new(
            Target::Node(Ino::ROOT),
            Access::READ,
            DescriptorFlags::default(),
        )
    }

    #[test]
    fn the_lowest_free_number_is_used_first() {
        let mut table = DescriptorTable::new();
        assert_eq!(
            [insert(&mut table, file()), insert(&mut table, file())],
            [Ok(4), Ok(5)]
        );
        assert_eq!(table.close(4), Ok(Some(Target::Node(Ino::ROOT))));
        assert_eq!(table.close(4), Err(Errno::Badf));
        assert_eq!(
            [insert(&mut table, file()), insert(&mut table, file())],
            [Ok(4), Ok(6)]
        );
    }

    #[test]
    fn the_first_four_survive_closing_and_renumbering() {
        let mut table = DescriptorTable::new();
        assert_eq!(insert(&mut table, file()), Ok(4));
        for fd in 0..4 {
            assert_eq!(table.close(fd), Ok(None));
            assert_eq!(table.renumber(4, fd), Ok(None));
            assert_eq!(table.renumber(fd, 4), Ok(None));
        }
        let targets = [0, 1, 2, 3, 4].map(|fd| table.get(fd).map(|descriptor| descriptor.target));
        let root = Target::Node(Ino::ROOT);
        assert_eq!(
            targets,
            [
                Target::Input,
                Target::Output(1),
                Target::Output(2),
                root,
                root
            ]
            .map(Ok)
        );
    }

    #[test]
    fn renumbering_closes_the_old_target_and_moves_the_offset() {
        let mut table = DescriptorTable::new();
        let moved = Descriptor {
            offset: 9,
            ..file()
        };
        assert_eq!(
            [insert(&mut table, file()), insert(&mut table, moved)],
            [Ok(4), Ok(5)]
        );
        assert_eq!(table.renumber(5, 4), Ok(Some(Target::Node(Ino::ROOT))));
        assert_eq!(table.get(4).map(|descriptor| descriptor.offset), Ok(9));
        assert_eq!(table.get(5).err(), Some(Errno::Badf));
        assert_eq!(table.renumber(5, 4), Err(Errno::Badf));
        assert_eq!(table.renumber(4, 5), Err(Errno::Badf));
    }

    #[test]
    fn there_are_1024_descriptors_and_no_more() {
        let mut table = DescriptorTable::new();
        for fd in 4..1024 {
            assert_eq!(insert(&mut table, file()), Ok(fd));
        }
        assert_eq!(insert(&mut table, file()), Err(Errno::Mfile));
    }

    #[test]
    fn unknown_status_bits_are_refused() {
        assert_eq!(DescriptorFlags::from_bits(1), Ok(DescriptorFlags::APPEND));
        assert_eq!(
            DescriptorFlags::from_bits(31).map(DescriptorFlags::bits),
            Ok(31)
        );
        assert_eq!(DescriptorFlags::from_bits(32), Err(Errno::Inval));
        assert_eq!(DescriptorFlags::from_bits(1 << 16), Err(Errno::Inval));
    }
}
