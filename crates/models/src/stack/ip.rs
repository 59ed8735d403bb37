//! TCP/IP between two ends, over any port that carries packets. The protocol code is smoltcp,
//! unmodified.
//!
//! - [`port`]: the interface to a carrier of packets, implemented by radios.
//! - [`stack`]: smoltcp in virtual time. It is polled when a packet arrives, when the port has room
//!   for another packet, when one of the stack's timers is due, and on calls of the program.
//! - [`acks`]: policy for acknowledgements without data.
//! - [`udp`], [`tcp`], [`websocket`]: ends of a connection, as links.
//! - [`bare`]: packets of an external stack.
//! - [`connection`]: UDP, TCP, WebSocket or bare packets behind one type of link.
//! - [`slices`]: time slices.
//!
//! ```text
//!  program │ send │ socket ─► smoltcp ─► port │ … │ port │ receive │ smoltcp ─► socket │ read │ program
//! ```
//!
//! The host has three costs of processor time: a call into the stack, the path of a packet up
//! through the stack, and the handover of data that the program has read. These times run on the
//! board's clock. Timers of the stack are those of smoltcp, in microseconds of the board's clock: a
//! retransmission waits at least a second (RFC 6298, 2.4).
//!
//! `tests/linux.rs` compares this model of TCP/IP with a packet log of Linux and documents the
//! differences. smoltcp starts with a congestion window of 2 KiB. A longer first message therefore
//! waits for a round trip with smoltcp, but not with lwIP and Linux. A lost segment waits five
//! times as long as with Linux.
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
