//! Bluetooth Classic between two devices, from the serial port profile down to the slots.
//!
//! ```text
//!  bytes -> module or SPP -> channel (RFCOMM, credits) -> piconet (slots, ARQ) -> air -> piconet
//!    -> channel (service, grant) -> module or SPP -> bytes
//! ```
//!
//! - [`packet`]: packet types, how much each carries and how long it is on the air.
//! - [`rfcomm`]: frames of RFCOMM in L2CAP, as bytes.
//! - [`demodulator`]: how often each is read, by its strength.
//! - [`piconet`]: master and slave, polls, acknowledgement, supervision.
//! - [`scan`]: when a device listens for others instead.
//! - [`channel`]: one RFCOMM channel with its window, and what the two hosts take.
//! - [`module`]: a serial-port module as the HC-05: a UART on either side of the channel.
//! - [`spp`]: the serial port of ESP32's host stack, as a `Link`.
//! - [`slices`]: what they spend time on.
//!
//! What it leaves out: inquiry, paging, pairing, encryption, power control, sniff mode, synchronous
//! packets, more than one slave, the choice of packet types by channel quality, adaptive frequency
//! hopping, and connecting again once a link is gone. The channel of a slot is drawn evenly from the
//! 79; the standard's selection kernel (Core Specification, Vol 2, Part B, 2.6) permutes them in an
//! order that only matters against interference that knows it.

pub mod channel;
mod config;
pub mod demodulator;
pub mod module;
pub mod packet;
pub mod piconet;
pub mod rfcomm;
pub mod scan;
pub mod slices;
pub mod spp;

pub use channel::{Channel, HostTiming, Window};
pub use config::{Config, Role};
pub use demodulator::EveryPacket;
pub use module::{Module, ModuleTiming};
pub use packet::{PacketSet, PacketType};
pub use piconet::Piconet;
pub use scan::Scans;
pub use spp::{Spp, SppTiming};

#[cfg(test)]
mod tests;
