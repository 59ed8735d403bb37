//! # airlag-linux: devices of a Linux computer for a link
//!
//! **Input:** names of devices. **Output:** non-blocking access to them, and a tunnel between a network
//! interface and a radio in real time. **Used by:** the kernel.
//!
//! - [`tun`]: a network interface of a program.
//! - [`reactor`]: waits for file descriptors and times.
//! - [`spi`], [`pins`]: a bus and pins for drivers.
//! - [`radio`]: choice of the radio of a tunnel: [`nrf24`], a chip, or [`udp`], an emulation.
//! - [`key`]: the key of both ends.
//! - [`host`], [`tunnel`]: one end of a tunnel.
//! - [`doctor`]: checks of all requirements, with remedies.

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
