//! Where a kernel's socket is: a Unix socket that only the user can open, or loopback TCP where there are none.

use std::ffi::OsString;
use std::io;
#[cfg(unix)]
use std::path::{Path, PathBuf, absolute};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

#[cfg(unix)]
use crate::process::{SOCKET, Watched};

/// Bytes that the address of a Unix socket may have on every system, its final NUL left out.
#[cfg(unix)]
const MAX_PATH: usize = 103;

/// A listening socket.
#[derive(Debug)]
pub(super) enum Endpoint {
    #[cfg(unix)]
    Unix(UnixListener),
    #[cfg_attr(
        all(unix, not(test)),
        expect(dead_code, reason = "this system has Unix sockets")
    )]
    Tcp(TcpListener),
}

/// The reading and the writing half of a connection.
pub(super) type Halves = (
    Box<dyn AsyncRead + Send + Unpin>,
    Box<dyn AsyncWrite + Send + Unpin>,
);

impl Endpoint {
    /// Listens at a fresh address of the kind that this system has.
    pub(super) fn listen() -> io::Result<(Self, Address)> {
        #[cfg(unix)]
        // A child looks for it from another directory.
        return Self::listen_at_file(&socket_path(&absolute(std::env::temp_dir())?)?);
        #[cfg(not(unix))]
        Self::listen_at_loopback()
    }

    #[cfg(unix)]
    fn listen_at_file(path: &Path) -> io::Result<(Self, Address)> {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt as _;

        let listener = UnixListener::bind(path)?;
        let address = Address {
            text: path.into(),
            _watched: Watched::path(path),
        };
        // Whoever connects before this knows no token.
        set_permissions(path, Permissions::from_mode(0o600))?;
        Ok((Self::Unix(listener), address))
    }

    #[cfg(any(not(unix), test))]
    pub(super) fn listen_at_loopback() -> io::Result<(Self, Address)> {
        let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = Address {
            text: format!("tcp://{}", listener.local_addr()?).into(),
            #[cfg(unix)]
            _watched: None,
        };
        Ok((Self::Tcp(TcpListener::from_std(listener)?), address))
    }

    /// Waits for a connection.
    pub(super) async fn accept(&self) -> io::Result<Halves> {
        match self {
            #[cfg(unix)]
            Self::Unix(listener) => {
                let (read, write) = listener.accept().await?.0.into_split();
                Ok((Box::new(read), Box::new(write)))
            }
            Self::Tcp(listener) => {
                let stream = listener.accept().await?.0;
                stream.set_nodelay(true)?;
                let (read, write) = stream.into_split();
                Ok((Box::new(read), Box::new(write)))
            }
        }
    }
}

/// Tells whether a connection could not be accepted because its other side has given it up.
pub(in super::super) fn is_lost_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset};

    matches!(error.kind(), ConnectionAborted | ConnectionReset)
}

/// An address as a script's side reads it; the file of a Unix socket is removed with it.
#[derive(Debug)]
pub(super) struct Address {
    pub(super) text: OsString,
    /// Removes the file where this process is killed.
    #[cfg(unix)]
    _watched: Option<Watched>,
}

impl Drop for Address {
    fn drop(&mut self) {
        let is_file = !self.text.to_string_lossy().starts_with("tcp://");
        if is_file {
            // One that is gone already needs no removal.
            let _ = std::fs::remove_file(&self.text);
        }
    }
}

/// Returns a fresh path in the user's directory for temporary files, or in the system's where that path would be too long.
#[cfg(unix)]
fn socket_path(place: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let (prefix, suffix) = SOCKET;
    let name = format!("{prefix}{:032x}{suffix}", u128::from_ne_bytes(random));
    let path = place.join(&name);
    let is_short = path.as_os_str().len() <= MAX_PATH && !cfg!(target_os = "macos");
    Ok(if is_short {
        path
    } else {
        Path::new("/tmp").join(name)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_path_is_in_the_users_directory_unless_it_would_be_too_long() {
        let path = socket_path(Path::new("/t")).unwrap();
        let name = path
            .to_str()
            .unwrap()
            .strip_prefix("/t/hermes_rpc_")
            .unwrap();
        let digits = name.strip_suffix(".sock").unwrap();
        assert_eq!(digits.len(), 32);
        assert!(digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let long = Path::new("/").join("x".repeat(60));
        let path = socket_path(&long).unwrap();
        assert_eq!(path.parent(), Some(Path::new("/tmp")));
    }

    #[tokio::test]
    async fn a_socket_is_closed_to_others_and_removed_with_its_endpoint() {
        let (_endpoint, address) = Endpoint::listen().unwrap();
        let path = PathBuf::from(&address.text);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(address);
        assert!(!path.exists());
    }
}
