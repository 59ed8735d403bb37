//! A pulse that is long enough for an analyser.

use core::convert::Infallible;
use core::marker::PhantomData;

use embedded_hal::digital::{ErrorType, OutputPin};

/// Minimum time of a board between the edges of a pulse. Without it, the programs would lower a
/// strobe within a few cycles after raising it, and an analyser at 10 MS/s would miss most strobes.
pub trait Hold {
    /// Blocks for 1 us or longer.
    fn hold();
}

/// An output whose pulses last at least as long as `H` holds. The rising edge, which is measured,
/// is not delayed.
pub struct Strobe<P, H> {
    pin: P,
    hold: PhantomData<H>,
}

impl<P, H> Strobe<P, H> {
    /// Creates a strobe on `pin`.
    #[must_use]
    pub const fn new(pin: P) -> Self {
        Self { pin, hold: PhantomData }
    }
}

impl<P, H> ErrorType for Strobe<P, H> {
    type Error = Infallible;
}

impl<P: OutputPin<Error = Infallible>, H: Hold> OutputPin for Strobe<P, H> {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.pin.set_high()
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        H::hold();
        self.pin.set_low()
    }
}
