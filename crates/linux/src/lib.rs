//! # airlag-linux: what a computer with Linux lends to a link
//!
//! **Enters:** names of devices. **Leaves:** what is behind them, so that nothing ever waits where it
//! must not.
//!
//! - [`tun`]: a network interface whose packets a program sends and receives.

#![forbid(unsafe_code)]

pub mod tun;

pub use tun::Tun;
