//! # airlag-linux: devices of a Linux computer for a link
//!
//! **Input:** names of devices. **Output:** non-blocking access to them, and a tunnel between a network
//! interface and a radio in real time. **Used by:** the kernel.
//!
//! - [`tun`]: a network interface whose packets a program sends and receives (TUN).
//! - [`reactor`]: waits until a file descriptor has an event or a time is reached.
//! - [`spi`], [`pins`]: an SPI bus and GPIO pins of this computer, for drivers of chips.
//! - [`radio`]: the radio that was chosen for a tunnel: a chip ([`nrf24`]) or an emulation
//!   ([`udp`]).
//! - [`key`]: the key that both ends of a tunnel share.
//! - [`host`], [`tunnel`]: the end of a tunnel on this computer.
//! - [`doctor`]: checks of all requirements of a tunnel, with a remedy for each problem.

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
