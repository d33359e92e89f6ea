//! The socket through which a kernel's scripts call the host's tools.
//!
//! Every request carries the kernel's token and is answered by the authority of the cell that runs now, whichever connection it came on.
//! Nothing of a request is believed before its token was compared.

mod connection;
mod endpoint;
mod request;
mod seats;
mod server;

#[cfg(any(windows, test))]
pub(super) use endpoint::is_lost_connection;
pub(super) use server::{RpcServer, Token};
