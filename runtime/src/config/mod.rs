//! Values that come from outside the program: sizes, the mode's name, the user's directories. Read once, at the edge.

mod mode;
mod paths;
mod size;

pub(crate) use mode::mode_or_strict;
pub(crate) use paths::{
    data_directory, hermes_home, spill_directory, user_hermes_home, web_cache_directory,
};
pub use size::ByteSize;
