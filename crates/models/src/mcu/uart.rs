//! A serial port of an STM32F4: 8N1, 16 times oversampled, at the rate of its divider.
//!
//! ```text
//!  write -> transmit (copy, wait for the bit clock) -> wire -> receive (sample, fetch, check) -> read
//! ```
//!
//! - [`baud`]: the divider that a program requests, and the resulting bit duration.
//! - [`wire`]: bytes with the instants of their first and last edge.
//! - [`transmit`]: `Write` of `embedded-io-async`.
//! - [`ring`]: a DMA ring with half, full and idle-line interrupts.
//! - [`receive`]: `Read` of `embedded-io-async`, fed by polling, by interrupt or by DMA.
//!
//! Both ports are analytic: the path of a byte through the port is computed in cycles when the byte
//! is put on the wire, and only the event that a read needs is scheduled.
//!
//! The model omits parity, frame lengths other than that of 8N1, flow control and noise. It also
//! omits the framing errors of two ports whose bit rates differ by more than the receiver tolerance
//! (RM0090, "USART receiver tolerance to clock deviation": about 4 %).

pub mod baud;
pub mod receive;
pub mod ring;
pub mod transmit;
pub mod wire;

pub use baud::{Baud, BaudError, Rounding};
pub use receive::{Faults, ReadCosts, Receiver, Reception};
pub use ring::Ring;
pub use transmit::{Transmitter, WriteCosts};
pub use wire::Wire;
