//! Radios that are seen through their software: a link layer of ours below, a host stack above.
//!
//! - [`ble`]: Bluetooth LE.

pub mod ble;
