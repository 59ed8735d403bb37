//! TCP/IP between two ends, over whatever carries packets: the protocols are smoltcp's, unmodified.
//!
//! - [`port`]: what carries packets; a radio implements it.
//! - [`stack`]: smoltcp in virtual time, polled when a packet comes, when room for one comes, when a
//!   timer of its own is due, and when its program asks.
//! - [`acks`]: when an acknowledgement is sent by itself.
//! - [`udp`], [`tcp`], [`websocket`]: ends of a connection, as links.
//! - [`bare`]: packets of somebody else's stack.
//! - [`connection`]: whichever of them, as one link.
//! - [`slices`]: what they spend time on.
//!
//! ```text
//!  program │ send │ socket ─► smoltcp ─► port │ … │ port │ receive │ smoltcp ─► socket │ read │ program
//! ```
//!
//! The three costs are the host's: a call into the stack, a packet on its way up through it, and
//! handing over what was read. They run on the board's clock. Timers of the stack are those of
//! smoltcp in microseconds of that clock: a retransmission waits a second at least (RFC 6298, 2.4).
//!
//! A packet log of Linux is held against it in `tests/linux.rs`, which names what differs: smoltcp begins
//! with a congestion window of 2 KiB, so that a first message that is longer waits for a round trip where
//! lwIP and Linux do not, and a lost segment waits five times as long as with Linux.
//!
//! What it leaves out: address resolution and configuration, more than one connection.

pub mod acks;
pub mod bare;
pub mod connection;
mod device;
pub mod port;
pub mod slices;
pub mod stack;
pub mod tcp;
pub mod udp;
pub mod websocket;

pub use acks::Acks;
pub use bare::Bare;
pub use connection::{Connection, Transport};
pub use device::Device;
pub use port::{Port, PortUser};
pub use stack::{Host, Stack, Stall};
pub use tcp::{Role, Tcp, TcpConfig};
pub use udp::Udp;
pub use websocket::{WebSocket, Writes};

#[cfg(test)]
mod tests;
