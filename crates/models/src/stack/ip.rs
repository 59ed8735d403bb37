//! TCP/IP between two ends, over any port that carries packets. The protocol code is smoltcp,
//! unmodified.
//!
//! - [`port`]: the interface to a carrier of packets. Radios implement this interface.
//! - [`stack`]: smoltcp in virtual time. The stack is polled when a packet arrives, when the port
//!   has room for another packet, when a timer of the stack is due, and when the program calls the
//!   stack.
//! - [`acks`]: policy for TCP acknowledgements without data.
//! - [`udp`], [`tcp`], [`websocket`]: links that are ends of a connection.
//! - [`bare`]: IP packets of an external stack.
//! - [`connection`]: one type of link for UDP, TCP, WebSocket and bare packets.
//! - [`slices`]: time slices.
//!
//! ```text
//!  program │ send │ socket ─► smoltcp ─► port │ … │ port │ receive │ smoltcp ─► socket │ read │ program
//! ```
//!
//! The host has three costs of processor time: a call into the stack, the path of a packet up
//! through the stack, and the handover of data that the program has read. These costs run on the
//! board's clock. The timers of the stack are those of smoltcp, and count microseconds of the
//! board's clock. A retransmission waits at least a second (RFC 6298, 2.4).
//!
//! `tests/linux.rs` compares this model of TCP/IP with a packet log of Linux and documents the
//! differences. smoltcp starts with a congestion window of 2 KiB. With smoltcp, a first message of
//! more than 2 KiB therefore waits for a round trip. With lwIP and Linux, the message does not
//! wait. With smoltcp, the retransmission of a lost segment waits five times as long as with Linux.
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
