//! Closed protocol stacks: they enter a bench at the `Link` trait, or behind a serial port.
//!
//! - [`bt_classic`]: Bluetooth BR/EDR with RFCOMM, as a serial-port module and as ESP32's SPP.

pub mod bt_classic;
