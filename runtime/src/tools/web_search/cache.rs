//! Searches that were made a short while ago. Of several calls for the same search at once, one asks and the others wait for it.
//!
//! Only answers are kept. A call that ends before its search does leaves the search to the next one that waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::provider::SearchHit;
use crate::tools::ToolError;

/// Searches that are kept; the oldest goes first.
const MAX_SEARCHES: usize = 64;

/// The hits of one search, shared by those who asked for it.
pub(super) type Hits = Arc<Vec<SearchHit>>;

/// What makes two searches the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) provider: String,
    pub(super) query: String,
    pub(super) count: usize,
}

/// The place for the hits of one search; who holds it is the one who asks.
type Slot = Arc<tokio::sync::Mutex<Option<(Instant, Hits)>>>;

/// Keeps searches for a while.
#[derive(Debug)]
pub(super) struct SearchCache {
    ttl: Duration,
    slots: Mutex<VecDeque<(Key, Slot)>>,
}

impl SearchCache {
    /// Makes an empty cache; with a `ttl` of zero only searches at the same time are shared.
    pub(super) fn new(ttl: Duration) -> Self {
        Self {
            ttl,
            slots: Mutex::default(),
        }
    }

    /// Returns the hits of a search, which is made unless there are some.
    pub(super) async fn get_or_search(
        &self,
        key: Key,
        search: impl Future<Output = Result<Vec<SearchHit>, ToolError>>,
    ) -> Result<Hits, ToolError> {
        let asked_at = Instant::now();
        let slot = self.slot(key);
        let mut kept = slot.lock().await;
        if let Some((found_at, hits)) = kept.as_ref() {
            // What was found while this call waited is what it would have found.
            if *found_at >= asked_at || found_at.elapsed() < self.ttl {
                return Ok(Arc::clone(hits));
            }
        }
        let hits = Arc::new(search.await?);
        *kept = Some((Instant::now(), Arc::clone(&hits)));
        Ok(hits)
    }

    fn slot(&self, key: Key) -> Slot {
        // Every change of the list is whole.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slot)) = slots.iter().find(|(known, _)| *known == key) {
            return Arc::clone(slot);
        }
        if slots.len() >= MAX_SEARCHES {
            slots.pop_front();
        }
        let slot = Slot::default();
        slots.push_back((key, Arc::clone(&slot)));
        slot
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;

    fn key(query: &str) -> Key {
        Key {
            provider: "p".to_owned(),
            query: query.to_owned(),
            count: 10,
        }
    }

    /// Counts its searches; each finds the number of those before it.
    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Counted {
        async fn search(&self) -> Result<Vec<SearchHit>, ToolError> {
            let number = self.0.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            Ok(vec![SearchHit {
                title: number.to_string(),
                ..SearchHit::default()
            }])
        }

        async fn found_by(&self, cache: &SearchCache, query: &str) -> String {
            let hits = cache
                .get_or_search(key(query), self.search())
                .await
                .unwrap();
            hits[0].title.clone()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_search_is_kept_for_its_time() {
        let (cache, counted) = (
            SearchCache::new(Duration::from_mins(20)),
            Counted::default(),
        );
        assert_eq!(counted.found_by(&cache, "a").await, "0");
        tokio::time::advance(Duration::from_secs(1_199)).await;
        assert_eq!(counted.found_by(&cache, "a").await, "0");
        assert_eq!(counted.found_by(&cache, "b").await, "1");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(counted.found_by(&cache, "a").await, "2");
    }

    #[tokio::test(start_paused = true)]
    async fn of_many_calls_at_once_one_searches() {
        for ttl in [Duration::ZERO, Duration::from_mins(20)] {
            let (cache, counted) = (SearchCache::new(ttl), Counted::default());
            let found = join_all((0..20).map(|_| counted.found_by(&cache, "a"))).await;
            assert_eq!(found, vec!["0".to_owned(); 20]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn with_no_time_nothing_is_kept() {
        let (cache, counted) = (SearchCache::new(Duration::ZERO), Counted::default());
        assert_eq!(counted.found_by(&cache, "a").await, "0");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(counted.found_by(&cache, "a").await, "1");
    }

    #[tokio::test]
    async fn a_failure_is_not_kept() {
        let (cache, counted) = (
            SearchCache::new(Duration::from_mins(20)),
            Counted::default(),
        );
        let failed = cache
            .get_or_search(key("a"), async { Err(ToolError::new("no")) })
            .await;
        assert_eq!(failed.unwrap_err().to_string(), "no");
        assert_eq!(counted.found_by(&cache, "a").await, "0");
    }

    #[tokio::test]
    async fn a_search_that_is_dropped_is_made_by_the_next_one() {
        let (cache, counted) = (
            SearchCache::new(Duration::from_mins(20)),
            Counted::default(),
        );
        {
            let never = cache.get_or_search(key("a"), std::future::pending());
            let mut never = std::pin::pin!(never);
            assert!(futures_util::poll!(&mut never).is_pending());
        }
        assert_eq!(counted.found_by(&cache, "a").await, "0");
    }

    #[tokio::test]
    async fn the_oldest_search_goes_first() {
        let (cache, counted) = (
            SearchCache::new(Duration::from_mins(20)),
            Counted::default(),
        );
        for number in 0..=MAX_SEARCHES {
            counted.found_by(&cache, &number.to_string()).await;
        }
        assert_eq!(cache.slots.lock().unwrap().len(), MAX_SEARCHES);
        assert_eq!(counted.found_by(&cache, "1").await, "1");
        assert_eq!(
            counted.found_by(&cache, "0").await,
            (MAX_SEARCHES + 1).to_string()
        );
    }
}
