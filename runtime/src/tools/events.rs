//! The log events that a test's own thread writes while it listens.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::Level;
use tracing::subscriber::DefaultGuard;

use super::log::CallRecord;
use crate::text::redact::Redactor;

/// Listens until it is dropped.
pub(super) struct Events {
    written: Written,
    _listening: DefaultGuard,
}

impl Events {
    /// Begins to listen to all events from the level `debug` on.
    pub(super) fn listen() -> Self {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(Level::DEBUG)
            .with_writer(move || writer.clone())
            .finish();
        let events = Self {
            written,
            _listening: tracing::subscriber::set_default(subscriber),
        };
        // Another thread that writes its first event in this moment may have found that nobody listens, and what it found is kept.
        while events.lines().is_empty() {
            tracing::callsite::rebuild_interest_cache();
            CallRecord::begin("", b"", &Redactor::default()).finish(None);
        }
        events.lock().clear();
        events
    }

    /// Returns one line for each event so far.
    pub(super) fn lines(&self) -> Vec<String> {
        String::from_utf8_lossy(&self.lock())
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        let Written(lines) = &self.written;
        lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
