//! Bidirectional link by role reversal. An end with data is the transmitter until the data is sent,
//! and otherwise listens.
//!
//! If both ends send at once, messages arrive only by retransmission, because neither can receive
//! while it sends.

use airlag_link::airtime::nrf24::SETTLE_NS;
use airlag_link::{Capability, Delivery, Link};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::config::Role;
use super::register::{at, config as config_bits};
use super::{Error, Nrf24, Outcome};

/// An end of a bidirectional link.
pub struct Turning<S, C, I, D> {
    radio: Nrf24<S, C, I>,
    delay: D,
}

impl<S, C, I, D> Turning<S, C, I, D> {
    /// Creates the link on a radio of either role.
    #[must_use]
    pub const fn new(radio: Nrf24<S, C, I>, delay: D) -> Self {
        Self { radio, delay }
    }

    /// Returns the radio, which is set up between two runs.
    pub const fn radio(&mut self) -> &mut Nrf24<S, C, I> {
        &mut self.radio
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Turning<S, C, I, D> {
    /// Switches between receiver and transmitter in standby, as section 8.3.1 requires. For a
    /// receiver it first waits for any acknowledgement that the chip may be about to send.
    async fn turn(&mut self, role: Role) -> Outcome<(), S, C, I> {
        if self.radio.config.role == role {
            return Ok(());
        }
        self.radio.enable(false)?;
        if self.radio.config.acknowledge && role == Role::Transmitter {
            let answer_ns = SETTLE_NS + self.radio.config.frame().duration_ns(0);
            self.delay.delay_us(answer_ns.div_ceil(1_000) as u32).await;
        }
        self.radio.config.role = role;
        let powered = self.radio.config.config_register() | config_bits::PWR_UP;
        self.radio.write_register(at::CONFIG, &[powered]).await?;
        if role == Role::Receiver {
            // Payloads that arrived earlier are in the FIFO, and their flag may be cleared.
            self.radio.drained = false;
            self.radio.enable(true)?;
        }
        Ok(())
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Link for Turning<S, C, I, D> {
    type Error = Error<S::Error, C::Error, I::Error>;

    fn capability(&self) -> Capability {
        self.radio.capability()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        self.turn(Role::Transmitter).await?;
        self.radio.transmit(chunk).await
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        self.radio.drain().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        self.turn(Role::Receiver).await?;
        let (_, len) = self.radio.listen(buffer).await?;
        Ok(len)
    }
}
