//! A strobe pulse long enough for an analyser.

use core::convert::Infallible;

use embassy_nrf::gpio::Output;
use embedded_hal::digital::{ErrorType, OutputPin};

/// Shortest pulse, in processor cycles: 1 us at 64 MHz. Without this minimum, the program would
/// lower the strobe immediately after it has raised the strobe, and an analyser at 10 MS/s would
/// miss the pulse. The minimum does not delay the rising edge, which is the edge that is measured.
const HOLD_CYCLES: u32 = 64;

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
        cortex_m::asm::delay(HOLD_CYCLES);
        self.0.set_low();
        Ok(())
    }
}
