//! Radios that are seen through their software: a link layer of ours below, a host stack above.
//!
//! - [`ble`]: Bluetooth LE.
//! - [`virtual_time`]: the clock of software written over `embassy-time`.

pub mod ble;
pub mod virtual_time;
