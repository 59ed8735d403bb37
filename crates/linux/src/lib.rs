//! # airlag-linux: what a computer with Linux lends to a link
//!
//! **Enters:** names of devices. **Leaves:** what is behind them, so that nothing ever waits where it
//! must not; and a tunnel between a network interface and a radio, in real time. **Next on the way:** the
//! kernel.
//!
//! - [`tun`]: a network interface whose packets a program sends and receives.
//! - [`reactor`]: waits for descriptors and instants.
//! - [`spi`], [`pins`]: a bus and pins, as drivers want them.
//! - [`radio`]: which radio a tunnel has: [`nrf24`], a chip, or [`udp`], none.
//! - [`key`]: the key of both ends.
//! - [`host`], [`tunnel`]: one end of a tunnel, until it is ended.
//! - [`doctor`]: what of all this is missing here, and how to mend it.

#![forbid(unsafe_code)]

pub mod doctor;
pub mod host;
pub mod key;
pub mod nrf24;
pub mod pins;
pub mod radio;
pub mod reactor;
pub mod spi;
pub mod tun;
pub mod tunnel;
pub mod udp;

pub use tun::Tun;
