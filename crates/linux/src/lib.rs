//! # airlag-linux: devices of a Linux computer for a link
//!
//! **Input:** names of devices. **Output:** non-blocking access to them, and a tunnel between a network
//! interface and a radio in real time. **Used by:** the kernel.
//!
//! - [`tun`]: a network interface of a program.
//! - [`reactor`]: waits for file descriptors and times.
//! - [`spi`], [`pins`]: an SPI bus and pins for drivers.
//! - [`radio`]: choice of the radio of a tunnel: either a chip ([`nrf24`]) or an emulation
//!   ([`udp`]).
//! - [`key`]: the key that both ends of a tunnel share.
//! - [`host`], [`tunnel`]: one end of a tunnel.
//! - [`doctor`]: checks of all requirements, with a remedy for each problem.

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
