//! Trigger → strobe, with nothing in between.
//!
//! Every measurement contains this path: from the edge to the program, and from the program to a
//! pin. Measured alone it is the floor under everything else on the same board.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

/// Why an echo stopped.
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

/// Answers every trigger with a strobe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    answered: u32,
}

impl Echo {
    /// An echo that has answered nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { answered: 0 }
    }

    /// Triggers answered so far.
    #[must_use]
    pub const fn answered(&self) -> u32 {
        self.answered
    }

    /// Answers for ever.
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

    /// Answers one trigger. The strobe is low again when this returns.
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
