//! `hermes-exec run` and `hermes-exec artifact`: what is printed where, and the exit codes.

mod artifact;
mod copy;
mod exit;
mod input;
mod manifest;
mod run;
mod signals;
