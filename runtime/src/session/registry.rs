//! The table of sessions: the cap, idleness, and eviction. Its lock is never held while a kernel works.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::engine::StopCause;

use super::key::SessionKey;
use super::lease::{Lease, Session};

/// Bounds of the time between two looks for idle sessions.
const REAP_EVERY: (Duration, Duration) = (Duration::from_secs(30), Duration::from_mins(5));

/// All sessions of one runtime.
#[derive(Debug)]
pub(crate) struct Registry {
    /// Sessions kept at most; one more is kept while all are busy.
    cap: usize,
    /// How long a session may go unused.
    idle: Duration,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    entries: HashMap<SessionKey, Entry>,
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
    pub(crate) fn new(cap: usize, idle: Duration) -> Arc<Self> {
        Arc::new(Self {
            cap: cap.max(1),
            idle,
            table: Mutex::default(),
        })
    }

    /// Returns a lease of the key's session, which is made where there is none. With `reset` an existing one is dropped first.
    pub(crate) fn acquire(self: &Arc<Self>, key: &SessionKey, reset: bool) -> Lease {
        let mut table = self.table();
        let now = Instant::now();
        let mut dropped = table.take_idle(now, self.idle);
        let existing = if reset {
            table.entries.remove(key)
        } else {
            None
        };
        let state_reset = existing.is_some();
        dropped.extend(existing.map(|entry| entry.session));
        let entry = table.entries.entry(key.clone()).or_insert_with(|| Entry {
            session: Arc::new(Session::new(key.clone())),
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
        let running: Vec<_> = self
            .table()
            .of(owner)
            .filter_map(|entry| entry.session.running())
            .collect();
        for stop in &running {
            stop.trip(StopCause::Interrupt(reason.map(str::to_owned)));
        }
        running.len()
    }

    /// Drops an owner's sessions and ends their running cells; returns how many there were.
    pub(crate) fn close(&self, owner: &str) -> usize {
        self.interrupt(owner, Some("session closed"));
        let mut table = self.table();
        let dropped: Vec<_> = table
            .entries
            .extract_if(|key, _| key.owner == owner)
            .collect();
        drop(table);
        dropped.len()
    }

    /// Returns how many sessions there are.
    pub(crate) fn len(&self) -> usize {
        self.table().entries.len()
    }

    /// Forgets a session whose kernel ended, unless another cell waits for it.
    pub(crate) fn forget(&self, key: &SessionKey) {
        let mut table = self.table();
        if table
            .entries
            .get(key)
            .is_some_and(|entry| entry.attached <= 1)
        {
            table.entries.remove(key);
        }
    }

    pub(super) fn release(&self, session: &Arc<Session>) {
        let mut table = self.table();
        if let Some(entry) = table.entries.get_mut(&session.key)
            && Arc::ptr_eq(&entry.session, session)
        {
            entry.attached = entry.attached.saturating_sub(1);
            entry.last_used = Instant::now();
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
    }
}

impl Table {
    fn of(&self, owner: &str) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |(key, _)| key.owner == owner)
            .map(|(_, entry)| entry)
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

    /// Removes the least recently used sessions beyond the cap; never one that is in use, and never `current`.
    fn take_over_cap(&mut self, cap: usize, current: &SessionKey) -> Vec<Arc<Session>> {
        let mut taken = Vec::new();
        while self.entries.len() > cap {
            let oldest = self
                .entries
                .iter()
                .filter(|(key, entry)| entry.attached == 0 && *key != current)
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
    use crate::engine::Stop;
    use crate::guard::Mode;

    use super::*;

    fn key(owner: &str) -> SessionKey {
        SessionKey {
            owner: owner.to_owned(),
            mode: Mode::Strict,
            workdir: None,
            tools: Vec::new(),
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
        let registry = Registry::new(2, Duration::from_mins(30));
        for owner in ["a", "b", "a", "c"] {
            drop(registry.acquire(&key(owner), false));
        }
        assert_eq!(owners(&registry), ["a", "c"]);
    }

    #[tokio::test]
    async fn a_busy_session_is_never_evicted() {
        let registry = Registry::new(1, Duration::from_mins(30));
        let busy = registry.acquire(&key("busy"), false);
        drop(registry.acquire(&key("other"), false));
        assert_eq!(owners(&registry), ["busy", "other"]);
        drop(busy);
        drop(registry.acquire(&key("third"), false));
        assert_eq!(owners(&registry), ["third"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_session_is_dropped_by_the_next_acquire() {
        let registry = Registry::new(4, Duration::from_secs(10));
        drop(registry.acquire(&key("old"), false));
        tokio::time::advance(Duration::from_secs(11)).await;
        drop(registry.acquire(&key("new"), false));
        assert_eq!(owners(&registry), ["new"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_session_is_dropped_by_the_background_pass() {
        let registry = Registry::new(4, Duration::from_secs(10));
        drop(registry.acquire(&key("old"), false));
        // The clock is paused: it jumps from one timer to the next, and nothing is waited for.
        tokio::time::sleep(REAP_EVERY.0 * 2).await;
        assert_eq!(registry.len(), 0);
    }

    #[tokio::test]
    async fn a_reset_reports_that_there_was_a_session() {
        let registry = Registry::new(4, Duration::from_mins(30));
        assert!(!registry.acquire(&key("a"), true).state_reset);
        assert!(registry.acquire(&key("a"), true).state_reset);
        assert!(!registry.acquire(&key("a"), false).state_reset);
    }

    #[tokio::test]
    async fn an_interrupt_reaches_the_running_cell_and_no_other() {
        let registry = Registry::new(4, Duration::from_mins(30));
        let lease = registry.acquire(&key("a"), false);
        let stop = Arc::new(Stop::default());
        lease
            .run(&stop, async |_| {
                assert_eq!(registry.interrupt("b", None), 0);
                assert_eq!(registry.interrupt("a", Some("enough")), 1);
            })
            .await;
        assert_eq!(
            stop.cause(),
            Some(&StopCause::Interrupt(Some("enough".to_owned())))
        );
        assert_eq!(registry.interrupt("a", None), 0);
    }
}
