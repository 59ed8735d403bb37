//! Protocol stacks: radios that are seen through their software. They enter a bench at the
//! [`Link`](airlag_link::Link) trait, or behind a serial port, and put real frames on the air. Most
//! are closed, and their firmware cannot be run here; an open one runs unmodified.
//!
//! - [`ble`]: Bluetooth LE.
//! - [`bt_classic`]: Bluetooth BR/EDR with RFCOMM, as a serial-port module and as ESP32's SPP.
//! - [`espnow`]: ESP-NOW of the ESP32, between two access points.
//! - [`ethernet`]: two hosts at a switch, by wire.
//! - [`ieee802154`]: raw IEEE 802.15.4.
//! - [`wifi`]: IEEE 802.11.
//! - [`ip`]: TCP/IP over whatever carries packets.
//! - [`thread`]: UDP over 6LoWPAN over secured IEEE 802.15.4, as OpenThread does it.
//! - [`virtual_time`]: the clock of software written over `embassy-time`.

pub mod ble;
pub mod bt_classic;
pub mod espnow;
pub mod ethernet;
mod frames;
pub mod ieee802154;
pub mod ip;
pub mod thread;
pub mod virtual_time;
pub mod wifi;
