//! The standard streams: data to stdout, words for people to stderr.
//!
//! A reader that goes away (`| head`) is its own decision and never an error of this program.

use std::io::{self, Write};

/// Writes data to stdout, at once and as it is.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    unless_closed(
        stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush()),
    )
}

/// Writes words for a person to stderr.
pub(crate) fn complain(text: &str) {
    // Where nobody can be told, the exit code still tells.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Turns the error of a reader that has gone into success.
pub(crate) fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
        let closed = unless_closed(Err(io::ErrorKind::BrokenPipe.into()));
        assert_eq!(closed.map_err(|error| error.kind()), Ok(()));
        let full = unless_closed(Err(io::ErrorKind::StorageFull.into()));
        assert_eq!(
            full.map_err(|error| error.kind()),
            Err(io::ErrorKind::StorageFull)
        );
    }
}
