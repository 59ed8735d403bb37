//! A strobe pulse long enough for an analyser.

use core::convert::Infallible;

use embassy_rp::gpio::Output;
use embedded_hal::digital::{ErrorType, OutputPin};

/// Argument of the delay function. The loop of this function takes three cycles of this core per
/// two units of the argument. The delay of 129 cycles gives a pulse of 1 us at 125 MHz. Without the
/// delay, the program would lower the strobe within a few cycles after raising it, and an analyser
/// that samples at 10 MS/s would miss the pulse. The rising edge, which is measured, is not
/// delayed.
const HOLD: u32 = 84;

/// The strobe output.
pub struct Strobe(Output<'static>);

impl Strobe {
    /// Creates a strobe on `pin`.
    #[must_use]
    pub const fn new(pin: Output<'static>) -> Self {
        Self(pin)
    }
}

impl ErrorType for Strobe {
    type Error = Infallible;
}

impl OutputPin for Strobe {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set_high();
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        cortex_m::asm::delay(HOLD);
        self.0.set_low();
        Ok(())
    }
}
