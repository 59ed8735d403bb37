//! A transmitter that powers down between messages.
//!
//! In power down, an nRF24L01+ draws 0.9 uA, compared with 26 uA in standby-I, and its registers
//! keep their values (Product Specification v1.0, sections 5.1 and 6.1.2). The first frame of a
//! message is delayed until the crystal oscillator is running.

use airlag_link::{Capability, Delivery, Link};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::register::{at, config as config_bits};
use super::{Error, Nrf24, Outcome, POWER_UP_US};

/// The sending end of a one-way link.
pub struct Resting<S, C, I, D> {
    pub(super) radio: Nrf24<S, C, I>,
    delay: D,
    is_up: bool,
    /// Outcome of the last chunk, returned by [`Link::flush`].
    delivery: Delivery,
}

impl<S, C, I, D> Resting<S, C, I, D> {
    /// Creates the link on a transmitter that is powered up.
    #[must_use]
    pub const fn new(radio: Nrf24<S, C, I>, delay: D) -> Self {
        Self { radio, delay, is_up: true, delivery: Delivery::Sent }
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Resting<S, C, I, D> {
    /// Power down to standby-I (section 6.1.7, Tpd2stby).
    async fn power_up(&mut self) -> Outcome<(), S, C, I> {
        if !core::mem::replace(&mut self.is_up, true) {
            let powered = self.radio.config.config_register() | config_bits::PWR_UP;
            self.radio.write_register(at::CONFIG, &[powered]).await?;
            self.delay.delay_us(POWER_UP_US).await;
        }
        Ok(())
    }

    /// Powers the chip down. Its FIFO is kept, so it must be empty.
    ///
    /// # Errors
    ///
    /// Errors of the bus and of the pin.
    pub async fn power_down(&mut self) -> Outcome<(), S, C, I> {
        self.radio.enable(false)?;
        self.radio.write_register(at::CONFIG, &[self.radio.config.config_register()]).await?;
        self.is_up = false;
        Ok(())
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Link for Resting<S, C, I, D> {
    type Error = Error<S::Error, C::Error, I::Error>;

    fn capability(&self) -> Capability {
        self.radio.capability()
    }

    /// Returns a chunk as sent; [`Link::flush`] returns its outcome, because only the end of a
    /// message allows power down. After a loss, which ends a message, it powers down at once.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        self.power_up().await?;
        self.delivery = self.radio.transmit(chunk).await?;
        if self.delivery == Delivery::Lost {
            self.power_down().await?;
            return Ok(Delivery::Lost);
        }
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        let delivery = match self.radio.drain().await? {
            Delivery::Sent => self.delivery,
            drained => drained,
        };
        self.power_down().await?;
        Ok(delivery)
    }

    /// A transmitter receives nothing but acknowledgements.
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        self.power_up().await?;
        let (_, len) = self.radio.listen(buffer).await?;
        Ok(len)
    }
}
