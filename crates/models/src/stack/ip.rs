//! TCP/IP between two ends, over any port that carries packets. The protocol code is smoltcp,
//! unmodified.
//!
//! - [`port`]: the interface to a carrier of packets, implemented by radios.
//! - [`stack`]: smoltcp in virtual time. It is polled when a packet arrives, when room for a packet
//!   becomes free, when one of its timers is due, and on calls of its program.
//! - [`acks`]: policy for acknowledgements without data.
//! - [`udp`], [`tcp`], [`websocket`]: ends of a connection, as links.
//! - [`bare`]: packets of an external stack.
//! - [`connection`]: any of these as one link.
//! - [`slices`]: time slices.
//!
//! ```text
//!  program │ send │ socket ─► smoltcp ─► port │ … │ port │ receive │ smoltcp ─► socket │ read │ program
//! ```
//!
//! The three costs are those of the host: a call into the stack, the path of a packet up through
//! it, and the handover of data that was read. They run on the board's clock. Timers of the stack
//! are those of smoltcp in microseconds of that clock: a retransmission waits at least a second
//! (RFC 6298, 2.4).
//!
//! `tests/linux.rs` compares this model with a packet log of Linux and names the differences.
//! smoltcp starts with a congestion window of 2 KiB, so a longer first message waits for a round
//! trip, unlike with lwIP and Linux. A lost segment waits five times as long as with Linux.
//!
//! Not modelled: address resolution and configuration, and more than one connection.

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
