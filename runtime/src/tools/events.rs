//! The log events that a test's own thread writes while it listens.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::Level;
use tracing::subscriber::DefaultGuard;

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
        Self {
            written,
            _listening: tracing::subscriber::set_default(subscriber),
        }
    }

    /// Returns one line for each event so far.
    pub(super) fn lines(&self) -> Vec<String> {
        let written = self
            .written
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&written)
            .lines()
            .map(str::to_owned)
            .collect()
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
