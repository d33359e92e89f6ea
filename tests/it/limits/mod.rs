//! The limits of a cell: wall clock, interrupts, memory, stack, output, fuel.

mod flood;
mod fuel;
mod interrupts;
mod memory;
mod recursion;
mod time;
