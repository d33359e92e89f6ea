//! The shells of project sessions, one for each owner.
//!
//! A kernel's identity has its directory in it, and the directory is what `cd` left in the shell: so the shell outlives the kernel. One that
//! a kernel or a cell has, or in which a command goes on, is never given up for others.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::key::is_of;
use crate::process::{Environment, Shell};

/// Shells that are kept at least, those in use not counted. Beyond the most, the one that was not used for longest goes first.
const FEWEST: usize = 64;

/// Keeps a shell for each owner of a session.
#[derive(Debug)]
pub(crate) struct Shells {
    most: usize,
    table: Mutex<HashMap<String, Entry>>,
}

#[derive(Debug)]
struct Entry {
    shell: Arc<Shell>,
    last_used: Instant,
}

impl Shells {
    /// Keeps so many shells besides those in use, and at least 64.
    pub(crate) fn new(sessions: usize) -> Self {
        Self {
            most: sessions.max(FEWEST),
            table: Mutex::default(),
        }
    }

    /// Returns the owner's shell, which is made where there is none.
    pub(crate) fn of(&self, owner: &str) -> ShellInUse<'_> {
        let mut table = self.lock();
        let now = Instant::now();
        let (shell, given_up) = if let Some(entry) = table.get_mut(owner) {
            entry.last_used = now;
            (Arc::clone(&entry.shell), Vec::new())
        } else {
            let shell = Arc::new(Shell::new(Environment::inherited()));
            let entry = Entry {
                shell: Arc::clone(&shell),
                last_used: now,
            };
            table.insert(owner.to_owned(), entry);
            (shell, give_up(&mut table, self.most))
        };
        drop(table);
        // What they hold is removed outside the lock.
        drop(given_up);
        ShellInUse {
            shells: self,
            owner: owner.to_owned(),
            shell,
        }
    }

    /// Forgets the owner's shell, and those of its delegated children; returns whether there was anything in one of them.
    pub(crate) fn forget(&self, owner: &str) -> bool {
        let is_forgotten = |each: &String, _: &mut _| is_of(each, owner);
        let forgotten: Vec<_> = self.lock().extract_if(is_forgotten).collect();
        // What goes on in them is ended outside the lock.
        forgotten.iter().any(|(_, entry)| !entry.shell.is_fresh())
    }

    /// Notes that the owner's shell was in use until now.
    fn touch(&self, owner: &str) {
        if let Some(entry) = self.lock().get_mut(owner) {
            entry.last_used = Instant::now();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        // Every change of the table is complete before anything in it can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Returns whether nobody has the shell, and nothing goes on in it. Only the table, which is locked, could give it to anybody.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.shell) == 1 && !self.shell.is_at_work()
    }
}

/// Takes the idle shells in which nothing is, and of the others those beyond the most.
fn give_up(table: &mut HashMap<String, Entry>, most: usize) -> Vec<Entry> {
    let is_nothing = |_: &String, entry: &mut Entry| entry.is_idle() && entry.shell.is_fresh();
    let mut taken: Vec<Entry> = table
        .extract_if(is_nothing)
        .map(|(_, entry)| entry)
        .collect();
    let mut idle: Vec<_> = table
        .iter()
        .filter(|(_, entry)| entry.is_idle())
        .map(|(owner, entry)| (entry.last_used, owner))
        .collect();
    let surplus = idle.len().saturating_sub(most);
    idle.sort_unstable();
    let owners: Vec<_> = idle
        .into_iter()
        .take(surplus)
        .map(|(_, owner)| owner.clone())
        .collect();
    taken.extend(owners.iter().filter_map(|owner| table.remove(owner)));
    taken
}

/// A shell that somebody uses, from when it was asked for until this is dropped.
#[derive(Debug)]
pub(crate) struct ShellInUse<'a> {
    shells: &'a Shells,
    owner: String,
    shell: Arc<Shell>,
}

impl ShellInUse<'_> {
    /// Returns the shell for somebody who has it for longer.
    pub(crate) fn shared(&self) -> Arc<Shell> {
        Arc::clone(&self.shell)
    }
}

impl Deref for ShellInUse<'_> {
    type Target = Shell;

    fn deref(&self) -> &Shell {
        &self.shell
    }
}

impl Drop for ShellInUse<'_> {
    fn drop(&mut self) {
        self.shells.touch(&self.owner);
    }
}

#[cfg(test)]
mod tests;
