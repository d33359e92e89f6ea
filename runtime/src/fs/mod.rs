//! The door to the host's files: the granted directories, opened once, and the few ways to read and replace files in them.
//!
//! A script's path becomes a [`Place`] by way of the [`Grants`], or is refused; nothing in the runtime opens a host file
//! for a script in another way. What a file means (lines, binary formats, syntax) is not known here.

mod denial;
mod device;
mod directory;
mod grants;
mod identity;
mod kind;
mod missing;
mod overwrite;
mod place;
mod regular;
mod replacement;
mod scope;
mod seen;

pub(crate) use denial::{Homes, ReadDenial, ReadDenials, WriteDenials, leads_to, link_names};
pub(crate) use directory::{Directory, Entry, find_entry};
pub(crate) use grants::{Access, Grants};
use grants::{lexically_normal, resolve_existing};
pub(crate) use identity::FileIdentity;
pub(crate) use kind::Kind;
pub(crate) use missing::MissingDirectories;
pub(crate) use overwrite::{OldFile, WriteFault, overwrite};
pub(crate) use place::Place;
pub(crate) use regular::{OpenFault, RegularFile};
pub(crate) use replacement::Replacement;
pub use scope::ScopeError;
pub(crate) use scope::{NO_SCOPE, RelPath, Scope};
pub(crate) use seen::{FileWriters, SeenFiles, Unseen};
