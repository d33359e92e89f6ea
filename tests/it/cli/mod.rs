//! `hermes-exec run` and `hermes-exec artifact`: what is printed where, and the exit codes.

mod artifact;
mod exit;
mod input;
mod run;
mod signals;
