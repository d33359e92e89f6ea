//! Calls that have no session yet, since the place where they are to run is still looked for: an interrupt by name reaches them, too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::{Stop, StopCause};

use super::key::is_of;

/// The calls of a runtime that search now.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<Vec<(String, Arc<Stop>)>>);

impl Searches {
    /// Notes that a call for the owner's session searches, until what is returned is dropped.
    pub(crate) fn begin(&self, owner: &str, stop: &Arc<Stop>) -> Search<'_> {
        self.lock().push((owner.to_owned(), Arc::clone(stop)));
        Search {
            searches: self,
            owner: owner.to_owned(),
            stop: Arc::clone(stop),
        }
    }

    /// Stops the calls for an owner's sessions; returns how many there were.
    pub(crate) fn interrupt(&self, owner: &str, reason: Option<&str>) -> usize {
        let searches = self.lock();
        let stopped = searches.iter().filter(|(name, _)| is_of(name, owner));
        stopped
            .map(|(_, stop)| stop.trip(StopCause::Interrupt(reason.map(str::to_owned))))
            .count()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Arc<Stop>)>> {
        // Every change is complete before anything in it can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One call's search.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    searches: &'a Searches,
    owner: String,
    stop: Arc<Stop>,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        let mut searches = self.searches.lock();
        // Two calls may have one switch.
        let is_own = |(owner, stop): &(String, Arc<Stop>)| {
            *owner == self.owner && Arc::ptr_eq(stop, &self.stop)
        };
        if let Some(at) = searches.iter().position(is_own) {
            searches.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::child_owner;
    use super::*;

    #[test]
    fn an_interrupt_reaches_who_searches_now_and_nobody_else() {
        let searches = Searches::default();
        let stops = [(); 4].map(|()| Arc::new(Stop::default()));
        let [own, of_child, of_other, over] = &stops;
        let _own = searches.begin("a", own);
        let _of_child = searches.begin(&child_owner("a", "x"), of_child);
        let _of_other = searches.begin("ab", of_other);
        drop(searches.begin("a", over));
        drop(searches.begin("a", own));
        assert_eq!(searches.interrupt("a", Some("enough")), 2);
        let cause = StopCause::Interrupt(Some("enough".to_owned()));
        assert_eq!(
            stops.each_ref().map(|stop| stop.cause()),
            [Some(&cause), Some(&cause), None, None]
        );
        assert_eq!(searches.interrupt("b", None), 0);
    }
}
