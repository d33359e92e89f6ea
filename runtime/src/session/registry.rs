//! The table of sessions: the cap, idleness, and eviction. Its lock is never held while a kernel works.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::fs::FileWriters;

use super::key::SessionKey;
use super::lease::{Lease, Session};

/// Bounds of the time between two looks for idle sessions.
const REAP_EVERY: (Duration, Duration) = (Duration::from_secs(30), Duration::from_mins(5));

/// The reason that an interrupted cell of a closed session shows.
const CLOSED: &str = "session closed";

/// All sessions of one runtime.
#[derive(Debug)]
pub(crate) struct Registry {
    /// Sessions kept at most, pinned ones not counted; one more is kept while all are busy.
    cap: usize,
    /// How long a session may go unused.
    idle: Duration,
    /// What else is looked after when idle sessions are dropped, on a thread that may block.
    housekeeping: Option<fn()>,
    table: Mutex<Table>,
    /// Which session wrote a file last.
    writers: Arc<FileWriters>,
}

#[derive(Debug, Default)]
struct Table {
    entries: HashMap<SessionKey, Entry>,
    /// Sessions that a reset replaced while a cell ran in them.
    replaced: Vec<Weak<Session>>,
    reaper: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Entry {
    session: Arc<Session>,
    last_used: Instant,
    /// Leases that are held.
    attached: usize,
}

impl Registry {
    /// Makes an empty table that keeps at most `cap` sessions, each for at most `idle` after its last use.
    pub(crate) fn new(cap: usize, idle: Duration, housekeeping: Option<fn()>) -> Arc<Self> {
        Arc::new(Self {
            cap: cap.max(1),
            idle,
            housekeeping,
            table: Mutex::default(),
            writers: Arc::default(),
        })
    }

    /// Returns a lease of the key's session, which is made where there is none.
    ///
    /// With `reset` an existing one is replaced: the cell that runs in it goes on to its end there, and the new one does not wait for it.
    pub(crate) fn acquire(self: &Arc<Self>, key: &SessionKey, reset: bool) -> Lease {
        let mut table = self.table();
        let now = Instant::now();
        let mut dropped = table.take_idle(now, self.idle);
        let replaced = if reset { table.replace(key) } else { None };
        let state_reset = replaced.is_some();
        dropped.extend(replaced);
        let entry = table.entries.entry(key.clone()).or_insert_with(|| Entry {
            session: Arc::new(Session::new(key.clone(), Arc::clone(&self.writers))),
            last_used: now,
            attached: 0,
        });
        entry.last_used = now;
        entry.attached += 1;
        let session = Arc::clone(&entry.session);
        dropped.extend(table.take_over_cap(self.cap, key));
        self.ensure_reaper(&mut table);
        drop(table);
        // Kernels are torn down outside the lock. One that a cell still uses goes with that cell's lease.
        drop(dropped);
        Lease::new(Arc::clone(self), session, state_reset)
    }

    /// Ends the running cells of an owner's sessions; returns how many there were.
    pub(crate) fn interrupt(&self, owner: &str, reason: Option<&str>) -> usize {
        let sessions = self.table().of(owner);
        sessions
            .iter()
            .filter(|session| session.interrupt(reason))
            .count()
    }

    /// Drops an owner's sessions and ends their running cells; cells that wait get a fresh session. Returns how many sessions there were.
    pub(crate) fn close(&self, owner: &str) -> usize {
        let mut table = self.table();
        let sessions = table.of(owner);
        table.entries.retain(|key, _| !key.belongs_to(owner));
        drop(table);
        for session in &sessions {
            session.close(CLOSED);
        }
        sessions.len()
    }

    /// Returns how many sessions there are.
    pub(crate) fn len(&self) -> usize {
        self.table().entries.len()
    }

    /// Takes a lease back. The last one out of a session without a kernel takes the session along.
    pub(super) fn release(&self, session: &Arc<Session>) {
        let mut table = self.table();
        if let Some(entry) = table.entries.get_mut(&session.key)
            && Arc::ptr_eq(&entry.session, session)
        {
            entry.attached = entry.attached.saturating_sub(1);
            entry.last_used = Instant::now();
            if entry.attached == 0 && session.is_empty() {
                table.entries.remove(&session.key);
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Every change of the table is complete before anything in it can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the task that drops idle sessions; it ends with the registry, or with the runtime that it was started on.
    fn ensure_reaper(self: &Arc<Self>, table: &mut Table) {
        if table.reaper.as_ref().is_none_or(JoinHandle::is_finished) {
            let every = (self.idle / 6).clamp(REAP_EVERY.0, REAP_EVERY.1);
            table.reaper = Some(tokio::spawn(reap(Arc::downgrade(self), every)));
        }
    }
}

async fn reap(registry: Weak<Registry>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        let Some(registry) = registry.upgrade() else {
            return;
        };
        let idle = registry.table().take_idle(Instant::now(), registry.idle);
        drop(idle);
        if let Some(housekeeping) = registry.housekeeping {
            // Nobody waits for it; what it does not get done is done the next time.
            drop(tokio::task::spawn_blocking(housekeeping));
        }
    }
}

impl Table {
    /// Returns the sessions of an owner and of its delegated children, those that were replaced and are still in use included.
    fn of(&self, owner: &str) -> Vec<Arc<Session>> {
        let kept = self
            .entries
            .values()
            .map(|entry| Arc::clone(&entry.session));
        let replaced = self.replaced.iter().filter_map(Weak::upgrade);
        kept.chain(replaced)
            .filter(|session| session.key.belongs_to(owner))
            .collect()
    }

    /// Takes a session out of the table for another of the same key; an interrupt still finds its running cell.
    fn replace(&mut self, key: &SessionKey) -> Option<Arc<Session>> {
        let session = self.entries.remove(key)?.session;
        self.replaced.retain(|session| session.strong_count() > 0);
        self.replaced.push(Arc::downgrade(&session));
        Some(session)
    }

    /// Removes the sessions that nobody has used for `idle`.
    fn take_idle(&mut self, now: Instant, idle: Duration) -> Vec<Arc<Session>> {
        self.entries
            .extract_if(|_, entry| {
                entry.attached == 0 && now.duration_since(entry.last_used) >= idle
            })
            .map(|(_, entry)| entry.session)
            .collect()
    }

    /// Removes the least recently used sessions beyond the cap; never one that is in use or pinned, and never `current`.
    fn take_over_cap(&mut self, cap: usize, current: &SessionKey) -> Vec<Arc<Session>> {
        let mut taken = Vec::new();
        let counted = |table: &Self| table.entries.keys().filter(|key| !key.is_pinned).count();
        while counted(self) > cap {
            let oldest = self
                .entries
                .iter()
                .filter(|(key, entry)| entry.attached == 0 && !key.is_pinned && *key != current)
                .min_by_key(|(_, entry)| entry.last_used)
                .map(|(key, _)| key.clone());
            match oldest.and_then(|key| self.entries.remove(&key)) {
                Some(entry) => taken.push(entry.session),
                None => break,
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use crate::engine::{Stop, StopCause};
    use crate::guard::Mode;
    use crate::session::{NoTurn, child_owner};

    use super::*;

    fn key(owner: &str) -> SessionKey {
        SessionKey {
            owner: owner.to_owned(),
            mode: Mode::Strict,
            workdir: None,
            interpreter: None,
            tools: Vec::new(),
            is_pinned: false,
        }
    }

    fn owners(registry: &Registry) -> Vec<String> {
        let mut owners: Vec<_> = registry
            .table()
            .entries
            .keys()
            .map(|key| key.owner.clone())
            .collect();
        owners.sort();
        owners
    }

    #[tokio::test]
    async fn the_least_recently_used_session_goes_first() {
        let registry = Registry::new(2, Duration::from_mins(30), None);
        for owner in ["a", "b", "a", "c"] {
            run_one(&registry, owner).await;
        }
        assert_eq!(owners(&registry), ["a", "c"]);
    }

    #[tokio::test]
    async fn a_busy_session_is_never_evicted() {
        let registry = Registry::new(1, Duration::from_mins(30), None);
        run_one(&registry, "busy").await;
        let busy = registry.acquire(&key("busy"), false);
        run_one(&registry, "other").await;
        assert_eq!(owners(&registry), ["busy", "other"]);
        drop(busy);
        run_one(&registry, "third").await;
        assert_eq!(owners(&registry), ["third"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_session_is_dropped_by_the_next_acquire() {
        let registry = Registry::new(4, Duration::from_secs(10), None);
        run_one(&registry, "old").await;
        tokio::time::advance(Duration::from_secs(11)).await;
        run_one(&registry, "new").await;
        assert_eq!(owners(&registry), ["new"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_session_is_dropped_by_the_background_pass() {
        let registry = Registry::new(4, Duration::from_secs(10), None);
        run_one(&registry, "old").await;
        // The clock is paused: it jumps from one timer to the next, and nothing is waited for.
        tokio::time::sleep(REAP_EVERY.0 * 2).await;
        assert_eq!(registry.len(), 0);
    }

    #[tokio::test]
    async fn a_pinned_session_is_neither_evicted_nor_counted() {
        let registry = Registry::new(1, Duration::from_mins(30), None);
        for child in ["1", "2", "3"] {
            let key = SessionKey {
                is_pinned: true,
                ..key(&child_owner("a", child))
            };
            let lease = registry.acquire(&key, false);
            lease.turn(&stop()).await.unwrap().slot.executed += 1;
        }
        run_one(&registry, "a").await;
        run_one(&registry, "ab").await;
        let pinned = ["a::child::1", "a::child::2", "a::child::3"];
        assert_eq!(owners(&registry), [&pinned[..], &["ab"]].concat());
        assert_eq!(registry.close("a::child::2"), 1);
        assert_eq!(registry.close("a"), 2);
        assert_eq!(owners(&registry), ["ab"]);
    }

    /// Runs a cell, as far as the table can tell, and leaves its kernel behind.
    async fn run_one(registry: &Arc<Registry>, owner: &str) {
        let lease = registry.acquire(&key(owner), false);
        let stop = stop();
        lease.turn(&stop).await.unwrap().slot.executed += 1;
    }

    fn stop() -> Arc<Stop> {
        Arc::new(Stop::default())
    }

    #[tokio::test]
    async fn an_interrupt_reaches_the_running_cell_and_no_other() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        let lease = registry.acquire(&key("a"), false);
        let stop = stop();
        let turn = lease.turn(&stop).await.unwrap();
        assert_eq!(registry.interrupt("b", None), 0);
        assert_eq!(registry.interrupt("a", Some("enough")), 1);
        drop(turn);
        let cause = StopCause::Interrupt(Some("enough".to_owned()));
        assert_eq!(stop.cause(), Some(&cause));
        assert_eq!(registry.interrupt("a", None), 0);
    }

    #[tokio::test]
    async fn a_cell_that_is_stopped_while_it_waits_has_no_turn() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        let (first, second) = (
            registry.acquire(&key("a"), false),
            registry.acquire(&key("a"), false),
        );
        let running = stop();
        let turn = first.turn(&running).await.unwrap();
        let waiting = stop();
        waiting.trip(StopCause::Interrupt(None));
        assert_eq!(second.turn(&waiting).await.unwrap_err(), NoTurn::Stopped);
        assert_eq!(running.cause(), None);
        drop(turn);
        // Nor where it need not wait any more.
        assert_eq!(second.turn(&waiting).await.unwrap_err(), NoTurn::Stopped);
    }

    #[tokio::test]
    async fn closing_ends_the_running_cell_and_sends_the_waiting_one_elsewhere() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        let (first, second) = (
            registry.acquire(&key("a"), false),
            registry.acquire(&key("a"), false),
        );
        let (running, waiting) = (stop(), stop());
        let turn = first.turn(&running).await.unwrap();
        assert_eq!(registry.close("a"), 1);
        let cause = StopCause::Interrupt(Some(CLOSED.to_owned()));
        assert_eq!(running.cause(), Some(&cause));
        drop(turn);
        assert_eq!(second.turn(&waiting).await.unwrap_err(), NoTurn::Closed);
        assert_eq!(waiting.cause(), None);
    }

    #[tokio::test]
    async fn a_reset_replaces_a_session_whose_cell_an_interrupt_still_reaches() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        assert!(!registry.acquire(&key("a"), true).state_reset);
        let old = registry.acquire(&key("a"), false);
        let running = stop();
        let turn = old.turn(&running).await.unwrap();
        let new = registry.acquire(&key("a"), true);
        assert!(new.state_reset);
        new.turn(&stop()).await.unwrap();
        assert_eq!(registry.interrupt("a", None), 1);
        assert_eq!(running.cause(), Some(&StopCause::Interrupt(None)));
        drop(turn);
        drop(old);
        assert_eq!(registry.len(), 1);
    }

    #[tokio::test]
    async fn a_cell_of_a_session_that_was_closed_takes_nothing_of_the_new_one_along() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        let old = registry.acquire(&key("a"), false);
        registry.close("a");
        let new = registry.acquire(&key("a"), false);
        drop(old);
        assert_eq!(registry.len(), 1);
        drop(new);
    }

    #[tokio::test]
    async fn the_last_lease_of_a_session_without_a_kernel_takes_it_along() {
        let registry = Registry::new(4, Duration::from_mins(30), None);
        let (first, second) = (
            registry.acquire(&key("a"), false),
            registry.acquire(&key("a"), false),
        );
        drop(first);
        assert_eq!(registry.len(), 1);
        drop(second);
        assert_eq!(registry.len(), 0);
    }
}
