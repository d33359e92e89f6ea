//! How a kernel runs cells: the interface that every engine has, and the engines.
//!
//! Engines differ in transport and isolation only. They say what they saw ([`CellEnd`]) and know nothing of the contract's words.

mod cell;
mod kernel;
pub(crate) mod native;
mod stop;
pub(crate) mod wasm;

use cell::Retire;
pub(crate) use cell::{Cell, CellEnd, Limits, Verdict};
pub(crate) use kernel::Kernel;
pub(crate) use stop::{Stop, StopCause};
