//! Trigger → strobe without a link.
//!
//! Every measurement includes this path, from the edge to the program and from the program to a
//! pin. Without a link, this path alone is the smallest latency that can be measured on a board.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

/// Reason why an echo stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EchoError<T, S> {
    /// The trigger input could not be read.
    #[error("the trigger input failed")]
    Trigger(T),
    /// The strobe output could not be driven.
    #[error("the strobe output failed")]
    Strobe(S),
}

/// Responds to every trigger with a strobe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    answered: u32,
}

impl Echo {
    /// Creates an echo.
    #[must_use]
    pub const fn new() -> Self {
        Self { answered: 0 }
    }

    /// Number of triggers answered.
    #[must_use]
    pub const fn answered(&self) -> u32 {
        self.answered
    }

    /// Responds to triggers until an error.
    pub async fn run<T: Wait, S: OutputPin>(
        &mut self,
        trigger: &mut T,
        strobe: &mut S,
    ) -> EchoError<T::Error, S::Error> {
        loop {
            if let Err(error) = self.step(trigger, strobe).await {
                return error;
            }
        }
    }

    /// Responds to one trigger. The strobe is low again when this function returns.
    pub async fn step<T: Wait, S: OutputPin>(
        &mut self,
        trigger: &mut T,
        strobe: &mut S,
    ) -> Result<(), EchoError<T::Error, S::Error>> {
        trigger.wait_for_rising_edge().await.map_err(EchoError::Trigger)?;
        strobe.set_high().map_err(EchoError::Strobe)?;
        strobe.set_low().map_err(EchoError::Strobe)?;
        self.answered = self.answered.wrapping_add(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
