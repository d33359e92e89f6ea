//! `hermes_tools`: the functions that a script gets, what becomes of a call, and what it may reach.

mod custom;
mod dispatch;
mod files;
mod helpers;
mod protected;
mod results;
mod terminal;
mod writing;
