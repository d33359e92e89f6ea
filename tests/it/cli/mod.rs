//! The commands of `hermes-exec` but `serve`: what is printed where, and the exit codes.

mod artifact;
mod config;
mod copy;
mod exit;
mod input;
mod manifest;
mod run;
mod schema;
mod signals;
