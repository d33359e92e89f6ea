//! Values that come from outside the program: `config.yaml`, sizes, the mode's name, the user's directories. Read once, at the edge.

mod configuration;
mod file;
mod kind;
mod mode;
mod paths;
mod raw;
mod reader;
mod resolved;
mod setting;
mod size;
mod yaml;
mod zone;

pub use configuration::Config;
pub(crate) use mode::mode_or_strict;
pub(crate) use paths::{
    data_directory, hermes_home, spill_directory, user_hermes_home, web_cache_directory,
};
pub(crate) use resolved::Resolved;
pub(crate) use setting::Setting;
pub use setting::{EffectiveSetting, Origin};
pub use size::ByteSize;
