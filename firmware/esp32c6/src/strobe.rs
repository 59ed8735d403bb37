//! A strobe pulse long enough for an analyser.

use core::convert::Infallible;

use embedded_hal::digital::{ErrorType, OutputPin};
use esp_hal::delay::Delay;
use esp_hal::gpio::Output;

/// Shortest pulse, microseconds. The program lowers the strobe as soon as it has raised it, which an
/// analyser at 10 MS/s would miss. The rising edge, which is measured, is not delayed.
const HOLD_US: u32 = 1;

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
        Delay::new().delay_micros(HOLD_US);
        self.0.set_low();
        Ok(())
    }
}
