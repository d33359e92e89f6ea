//! Several threads that search files, and one order of what they find: that of the walk.
//!
//! The walk hands out batches with numbers. A thread that has more rows than it may hold waits until all batches before
//! its own are done, and passes them on from there; the walk stays only so far ahead of the first batch that is not done.
//! So memory is bounded, and the answer does not depend on which thread was faster.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::page::{Page, Row};
use super::scanner::{Job, Scanner};
use super::tree::Met;
use super::watch::Watch;

/// Most files of a batch.
const BATCH_FILES: usize = 64;
/// Most directories of a batch, each of which is a handle that stays open.
const BATCH_DIRECTORIES: usize = 4;
/// Batches that wait for a thread.
const QUEUE_BATCHES: usize = 8;
/// How far the walk is ahead of the first batch that is not done.
const WINDOW_BATCHES: u64 = 64;
/// Rows that a batch holds before it waits for its turn, in bytes.
const BATCH_BYTES: usize = 1 << 20;
/// Most threads of a search, the walk's own included.
const MAX_THREADS: usize = 8;
/// How long a waiting thread goes without asking whether the search is over.
const PATIENCE: Duration = Duration::from_millis(20);

/// Searches all sources, and returns the page with the rows that belong on it.
pub(super) fn search(
    job: &Job,
    sources: impl Iterator<Item = Met>,
    page: Page,
    watch: &Watch,
) -> Page {
    let crew = Crew {
        enough_rows: page.enough_rows(),
        state: Mutex::new(State {
            queue: VecDeque::new(),
            is_closed: false,
            next: 0,
            done: BTreeMap::new(),
            page,
        }),
        changed: Condvar::new(),
        watch,
    };
    let threads = thread::available_parallelism().map_or(2, Into::into);
    let mut helpers = threads.clamp(2, MAX_THREADS) - 1;
    thread::scope(|scope| {
        let mut scanner = Scanner::new(job, watch);
        for batch in Batches::new(sources) {
            if watch.is_over() {
                break;
            }
            let number = batch.number;
            crew.hand_out(batch, &mut scanner);
            // A small tree is searched before a thread has begun.
            if helpers > 0 && number > 0 {
                let work = || crew.work(&mut Scanner::new(job, watch));
                if thread::Builder::new().spawn_scoped(scope, work).is_ok() {
                    helpers -= 1;
                } else {
                    helpers = 0;
                }
            }
        }
        crew.close();
        crew.work(&mut scanner);
    });
    crew.state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .page
}

/// Files that are next to each other in the order of the walk.
struct Batch {
    number: u64,
    sources: Vec<Met>,
}

/// Makes batches of sources.
struct Batches<I: Iterator<Item = Met>> {
    sources: std::iter::Peekable<I>,
    next: u64,
}

impl<I: Iterator<Item = Met>> Batches<I> {
    fn new(sources: I) -> Self {
        Self {
            sources: sources.peekable(),
            next: 0,
        }
    }
}

impl<I: Iterator<Item = Met>> Iterator for Batches<I> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut sources: Vec<Met> = vec![self.sources.next()?];
        let mut directories = 1;
        while sources.len() < BATCH_FILES && directories <= BATCH_DIRECTORIES {
            let Some(source) = self.sources.next() else {
                break;
            };
            let is_elsewhere = sources.last().is_some_and(|last| !last.is_beside(&source));
            directories += usize::from(is_elsewhere);
            sources.push(source);
        }
        let number = self.next;
        self.next += 1;
        Some(Batch { number, sources })
    }
}

/// What the threads share.
struct Crew<'c> {
    /// Number of rows of one batch behind which nothing can matter.
    enough_rows: Option<u64>,
    state: Mutex<State>,
    changed: Condvar,
    watch: &'c Watch,
}

struct State {
    queue: VecDeque<Batch>,
    is_closed: bool,
    /// Number of the first batch that is not done.
    next: u64,
    /// Rows of batches that are done before an earlier one.
    done: BTreeMap<u64, Vec<Row>>,
    page: Page,
}

impl Crew<'_> {
    /// Puts a batch into the queue; where there is no room, this thread searches one itself.
    fn hand_out(&self, batch: Batch, scanner: &mut Scanner<'_>) {
        let mut state = self.lock();
        loop {
            let is_far_ahead = batch.number >= state.next.saturating_add(WINDOW_BATCHES);
            if state.queue.len() < QUEUE_BATCHES && !is_far_ahead {
                state.queue.push_back(batch);
                drop(state);
                self.changed.notify_all();
                return;
            }
            if self.watch.is_over() {
                return;
            }
            state = match state.queue.pop_front() {
                Some(first) => {
                    drop(state);
                    self.search(first, scanner);
                    self.lock()
                }
                None => self.wait(state),
            };
        }
    }

    /// Tells the threads that no further batch comes.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Searches batches until there are none.
    fn work(&self, scanner: &mut Scanner<'_>) {
        let mut state = self.lock();
        while !self.watch.is_over() {
            state = match state.queue.pop_front() {
                Some(batch) => {
                    drop(state);
                    self.search(batch, scanner);
                    self.lock()
                }
                None if state.is_closed => return,
                None => self.wait(state),
            };
        }
    }

    fn search(&self, batch: Batch, scanner: &mut Scanner<'_>) {
        let Batch { number, sources } = batch;
        let (mut rows, mut bytes, mut count) = (Vec::new(), 0, 0_u64);
        let mut push = |row: Row| {
            bytes += row.cost();
            count += 1;
            rows.push(row);
            if bytes > BATCH_BYTES {
                bytes = 0;
                self.pass_on(number, &mut rows);
            }
            self.enough_rows.is_none_or(|enough| count < enough)
        };
        for source in sources {
            if self.watch.is_over() || !scanner.scan(source.open(), &|| source.shown(), &mut push) {
                break;
            }
        }
        let mut state = self.lock();
        state.done.insert(number, rows);
        while let Some(rows) = {
            let next = state.next;
            state.done.remove(&next)
        } {
            self.show(&mut state, rows);
            state.next += 1;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until all batches before this one are done, and passes rows of it on.
    fn pass_on(&self, number: u64, rows: &mut Vec<Row>) {
        let mut state = self.lock();
        while state.next < number {
            if self.watch.is_over() {
                rows.clear();
                return;
            }
            state = self.wait(state);
        }
        self.show(&mut state, mem::take(rows));
    }

    fn show(&self, state: &mut State, rows: Vec<Row>) {
        for row in rows {
            if !state.page.push(row) {
                self.watch.set_enough();
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked leaves nothing half done under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        let waited = self.changed.wait_timeout(state, PATIENCE);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
