//! A pulse long enough to be sampled.

use core::convert::Infallible;

use embassy_stm32::gpio::Output;
use embedded_hal::digital::{ErrorType, OutputPin};

/// Shortest pulse, in processor cycles: about 1 us at 168 MHz. Without this minimum, a strobe would
/// last only some 10 ns, because the programs lower a strobe immediately after they raise it. An
/// analyser at 10 MS/s would then see one strobe in ten. The minimum delays only the falling edge.
/// The rising edge, which is measured, is not delayed.
const HOLD_CYCLES: u32 = 168;

/// The strobe output.
pub struct Strobe(Output<'static>);

impl Strobe {
    /// A strobe on `pin`.
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
        cortex_m::asm::delay(HOLD_CYCLES);
        self.0.set_low();
        Ok(())
    }
}
