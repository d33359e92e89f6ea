//! Scripts that mean harm: each attack has its own end, and afterwards the session, or a fresh kernel of it, is healthy.

mod attack;
mod corruption;
mod exhaustion;
mod files;
mod host_calls;
mod stubborn;
