//! The shells of project sessions, one for each owner.
//!
//! A kernel's identity has its directory in it, and the directory is what `cd` left in the shell: so the shell outlives the kernel.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::key::is_of;
use crate::process::{Environment, Shell};

/// Shells that are kept at least. Beyond the most, the one that was not used for longest goes first.
const FEWEST: usize = 64;

/// Keeps a shell for each owner of a session.
#[derive(Debug)]
pub(crate) struct Shells {
    most: usize,
    table: Mutex<HashMap<String, (Arc<Shell>, Instant)>>,
}

impl Shells {
    /// Keeps one for each of so many sessions.
    pub(crate) fn new(sessions: usize) -> Self {
        Self {
            most: sessions.max(FEWEST),
            table: Mutex::default(),
        }
    }

    /// Returns the owner's shell, which is made where there is none.
    pub(crate) fn of(&self, owner: &str) -> Arc<Shell> {
        let mut forgotten = Vec::new();
        let mut table = self.lock();
        let now = Instant::now();
        if let Some((shell, last_used)) = table.get_mut(owner) {
            *last_used = now;
            return Arc::clone(shell);
        }
        while table.len() >= self.most {
            let oldest = table.iter().min_by_key(|(_, (_, last_used))| *last_used);
            let Some(oldest) = oldest.map(|(owner, _)| owner.clone()) else {
                break;
            };
            forgotten.extend(table.remove(&oldest));
        }
        let shell = Arc::new(Shell::new(Environment::inherited()));
        table.insert(owner.to_owned(), (Arc::clone(&shell), now));
        drop(table);
        // What goes on in them is ended outside the lock.
        drop(forgotten);
        shell
    }

    /// Forgets the owner's shell, and those of its delegated children.
    pub(crate) fn forget(&self, owner: &str) {
        let is_forgotten = |each: &String, _: &mut _| is_of(each, owner);
        let forgotten: Vec<_> = self.lock().extract_if(is_forgotten).collect();
        // What goes on in them is ended outside the lock.
        drop(forgotten);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Arc<Shell>, Instant)>> {
        // Every change of the table is complete before anything in it can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::child_owner;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_shell_that_was_not_used_for_longest_goes_first() {
        let shells = Shells::new(100);
        let first = shells.of("first");
        let second = shells.of("second");
        for number in 2..100 {
            shells.of(&number.to_string());
        }
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        assert!(Arc::ptr_eq(&first, &shells.of("first")));
        shells.of("one more");
        assert_eq!(shells.lock().len(), 100);
        assert!(Arc::ptr_eq(&first, &shells.of("first")));
        shells.forget("first");
        assert!(!Arc::ptr_eq(&first, &shells.of("first")));
        drop(second);
    }

    #[test]
    fn with_an_owner_its_children_are_forgotten_and_nobody_else() {
        let shells = Shells::new(1);
        let of_child = child_owner("a", "x");
        let of_grandchild = child_owner(&of_child, "y");
        let of_other = child_owner("ab", "x");
        let names = ["a", &of_child, &of_grandchild, "ab", &of_other];
        let before = names.map(|name| shells.of(name));
        shells.forget("a");
        let is_kept = |(name, shell): (&str, _)| Arc::ptr_eq(shell, &shells.of(name));
        let kept: Vec<_> = names.into_iter().zip(&before).map(is_kept).collect();
        assert_eq!(kept, [false, false, false, true, true]);
    }
}
