//! Sessions of a runtime: how many are kept, who shares them, how they end, and that they run side by side.

mod concurrency;
mod registry;
mod waiting;
