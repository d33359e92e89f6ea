//! The standard library in the sandbox: what is there, what works, and how the rest refuses.

mod archives;
mod derivation;
mod modules;
mod programs;
mod refusals;
mod zones;
