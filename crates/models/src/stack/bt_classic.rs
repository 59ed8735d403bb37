//! Bluetooth Classic between two devices, from the serial port profile down to the slots.
//!
//! ```text
//!  bytes -> module or SPP -> channel (RFCOMM, credits) -> piconet (slots, ARQ) -> air -> piconet
//!    -> channel (service, grant) -> module or SPP -> bytes
//! ```
//!
//! - [`packet`]: packet types with their capacity and airtime.
//! - [`rfcomm`]: RFCOMM frames in L2CAP, byte for byte.
//! - [`demodulator`]: packet error rates by signal strength.
//! - [`piconet`]: central (master) and peripheral (slave), polls, acknowledgement, supervision timeout.
//! - [`scan`]: page scan and inquiry scan.
//! - [`channel`]: an RFCOMM channel with its flow-control window, and the processing times of the
//!   two hosts.
//! - [`module`]: a serial-port module such as the HC-05, with a UART at either end of the channel.
//! - [`spp`]: the serial port profile of the ESP32's host stack, as an implementation of `Link`.
//! - [`slices`]: names of the time slices of these layers.
//!
//! Not modelled: inquiry, paging, pairing, encryption, power control, sniff mode, synchronous
//! packets, more than one peripheral, selection of packet types by channel quality, adaptive frequency
//! hopping, and reconnection after a lost link. The model draws the channel of a slot uniformly
//! from all 79 channels. The selection kernel of the standard (Core Specification, Vol 2, Part B,
//! 2.6) yields another sequence of channels. The sequence matters only for interference that hops
//! in the same sequence.

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
