//! Many devices around a few receivers, on one air: the share of messages that arrives.
//!
//! - [`area`]: positions of devices and receivers, and the paths between them.
//! - [`lorawan`]: uplinks of LoRaWAN devices to gateways, at random times on several channels.
//! - [`ble`]: advertisements of Bluetooth LE tags to scanners, at random times on three channels.
//! - [`ieee802154`]: frames of IEEE 802.15.4 devices to a coordinator, with CSMA-CA.

pub mod area;
pub mod ble;
pub mod ieee802154;
pub mod lorawan;

pub use airlag_air::PathLoss;
pub use airlag_air::quantity::{Db, Dbm, Metres};
pub use area::Area;

/// A signal is negligible if it is at least 10 dB weaker than the signal that a device needs at the
/// limit of its range. A negligible signal is not received, and does not harm a received frame: a
/// frame survives an interferer of its own kind that is 6 dB weaker (LoRa), 9 dB (Bluetooth LE) or
/// less (IEEE 802.15.4). The rest covers the range of signal levels over which a demodulator changes
/// from losing frames to receiving them.
const NEGLIGIBLE: Db = Db(10.0);

/// Share of frames whose loss defines the range of a device.
const LOST: f64 = 0.01;
