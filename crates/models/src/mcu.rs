//! What a microcontroller costs.
//!
//! - [`board`]: a board's name, clock and random streams.
//! - [`pin`]: outputs, and inputs that are noticed by interrupt, by polling or at a tick.
//! - [`spi`]: a bus at a clock, with gaps between bytes.
//! - [`deep_sleep`]: a board that starts anew for each message.
//! - [`delay`]: waiting on the board's own clock.
//! - [`software`]: processor time a program spends around its link.
//! - [`cpu`]: processor cycles, counted exactly.
//! - [`interrupt`]: exceptions of a Cortex-M4, and the loop they interrupt.
//! - [`flag`]: an input whose interrupt sets a flag that the main loop looks at.
//! - [`strobe`]: an output with the cycles and the slew of a real one.
//! - [`uart`]: a serial port with its real baud rate, read by polling, by interrupt or by DMA.
//!
//! Every cost is a named parameter and runs on the board's own clock.

pub mod board;
pub mod cpu;
pub mod deep_sleep;
pub mod delay;
pub mod flag;
pub mod interrupt;
pub mod pin;
pub mod software;
pub mod spi;
pub mod strobe;
pub mod uart;

pub use board::Board;
pub use cpu::Cpu;
pub use delay::Delay;
pub use flag::{FlagCosts, FlaggedInput};
pub use interrupt::{ExceptionCosts, Exceptions, SysTick};
pub use pin::{Input, Notice, Output};
pub use software::{Costed, Costs};
pub use spi::{Spi, SpiTarget, SpiTiming};
pub use strobe::{Strobe, StrobeCosts};
