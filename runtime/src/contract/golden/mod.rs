//! Golden results: the whole JSON of every row of the documented tables, as literal text.
//!
//! A change of a key, of the order of keys or of a sentence shows here and nowhere else. Texts and numbers are the
//! smallest that tell the rows apart.

mod envelope;
mod local;
mod remote;
mod sample;
