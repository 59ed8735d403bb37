//! A scan of the band: on which channels others send.
//!
//! The received power detector is bit 0 of RPD: more than -64 dBm for 40 us or longer, in receive mode for
//! as long after the radio has settled (section 6.4).

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::config::Role;
use super::register::at;
use super::{ConfigError, Error, Nrf24, Outcome, SETTLE_US};

/// What the power detector takes beyond settling (section 6.4).
const DETECTOR_US: u32 = 40;

impl<S: SpiDevice, C: OutputPin, I: Wait> Nrf24<S, C, I> {
    /// Listens `looks` times on a channel. Returns how often the power detector found a signal. A look takes
    /// 0.17 ms and the time of the bus. Afterwards the radio listens on its own channel again if it is a
    /// receiver.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Channel`] for a channel above 125, and those of the bus and of the pin.
    pub async fn busy<D: DelayNs>(
        &mut self,
        channel: u8,
        looks: u16,
        delay: &mut D,
    ) -> Outcome<u16, S, C, I> {
        if channel > 125 {
            return Err(Error::Config(ConfigError::Channel(channel)));
        }
        self.enable(false)?;
        self.turn(Role::Receiver).await?;
        let mut found = 0;
        for _ in 0..looks {
            self.enable(false)?;
            self.write_register(at::RF_CH, &[channel]).await?;
            self.enable(true)?;
            delay.delay_us(SETTLE_US + DETECTOR_US).await;
            found += u16::from(self.read_register(at::RPD).await? & 1);
        }
        self.enable(false)?;
        self.write_register(at::RF_CH, &[self.config.channel]).await?;
        self.enable(true)?;
        Ok(found)
    }
}
