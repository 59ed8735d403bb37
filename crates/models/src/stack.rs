//! Closed protocol stacks: radios whose firmware cannot be run here. They enter a bench at the
//! [`Link`](airlag_link::Link) trait, or behind a serial port, and put real frames on the air.
//!
//! - [`bt_classic`]: Bluetooth BR/EDR with RFCOMM, as a serial-port module and as ESP32's SPP.
//! - [`espnow`]: ESP-NOW of the ESP32, between two access points.
//! - [`ieee802154`]: raw IEEE 802.15.4.

pub mod bt_classic;
pub mod espnow;
pub mod ieee802154;
