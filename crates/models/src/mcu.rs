//! Costs of a microcontroller.
//!
//! - [`board`]: name, clock and random streams of a board.
//! - [`pin`]: outputs, and inputs whose edges are detected by interrupt, by polling or at a timer
//!   tick.
//! - [`spi`]: a bus with a clock and gaps between bytes.
//! - [`deep_sleep`]: a board that sleeps between messages and restarts for each message.
//! - [`delay`]: delays on the board's own clock.
//! - [`software`]: processor time that a program takes before and after it uses its link.
//! - [`cpu`]: programs timed in exact processor cycles.
//! - [`interrupt`]: exceptions of a Cortex-M4, and the loop that these exceptions interrupt.
//! - [`flag`]: an input whose interrupt sets a flag that the main loop polls.
//! - [`strobe`]: an output with a delay in processor cycles and with the slew of a real pin.
//! - [`uart`]: a serial port with its actual baud rate, read by polling, by interrupt or by DMA.
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
