//! A module with its own IP stack behind a serial port, such as a Wi-Fi module with AT commands.
//!
//! ```text
//!  program -> line: command + datagram -> module: decode -> socket -> port
//!  program <- line: event + datagram   <- module: encode <- socket <- port
//! ```
//!
//! A datagram crosses the serial line as a whole, inside a command of the host or inside an event
//! of the module. The module processes a command after the last byte of the command. Commands and
//! events add bytes around the datagram. In extended data mode, these bytes form a frame with a
//! length field. With AT commands, these bytes are text before the binary data. A firmware with AT
//! commands also confirms each command, and the host waits for this response.
//!
//! - [`Format`]: bit rate of the serial line, and number of bits per byte.
//! - [`Config`]: framing, buffers, and processing times of host and module.
//! - [`start`]: places the module between a serial line and a socket, and returns the host's end of
//!   the line as a link.
//!
//! The module has one processor for both directions. It takes the next datagram from its socket as
//! soon as the line has started the previous event; the socket drops datagrams beyond its capacity.
//!
//! Not modelled: commands other than those with data, a transparent mode without framing, and a
//! host that stops the module by flow control.

mod line;
mod link;
mod module;
mod slices;

pub use line::Format;
pub use link::{Attached, Refused};
pub use module::{BUFFER_OVERFLOW, DATAGRAM_LOSS, Incident, start};

use airlag_sim::Duration;

/// Framing, buffers and times of host and module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The line, in both directions.
    pub line: Format,
    /// Bytes around a datagram from the host.
    pub command: usize,
    /// Bytes around a datagram from the module.
    pub event: usize,
    /// Bytes of the response to a command, for which the host waits. 0: no response.
    pub reply: usize,
    /// Largest datagram, bytes.
    pub datagram: usize,
    /// Size of the module's buffer for commands that it has not handled yet, bytes.
    pub input_buffer: usize,
    /// Whether the host waits while the input buffer is full. Otherwise a command that does not fit
    /// is lost.
    pub flow_control: bool,
    /// Time of the module from the last byte of a command to its datagram in the socket.
    pub decode: Duration,
    /// Time of the module from a datagram in the socket to the first byte of its event.
    pub encode: Duration,
    /// Share of datagrams that are lost in each direction, for losses whose location is not known.
    pub loss: f64,
    /// Time of the host from the call of its program to the first byte of a command.
    pub write: Duration,
    /// Time of the host from a received event to its datagram in the program.
    pub read: Duration,
    /// Period at which a waiting program polls for an event. Zero: an interrupt wakes it.
    pub poll: Duration,
}

#[cfg(test)]
mod tests;
