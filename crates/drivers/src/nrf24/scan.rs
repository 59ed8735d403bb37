//! Scan of the band for occupied channels.
//!
//! The received power detector is bit 0 of RPD. It detects signals above -64 dBm that last 40 us or
//! longer, and is valid 40 us after the radio has settled in receive mode (section 6.4).

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::config::Role;
use super::register::at;
use super::{ConfigError, Error, Nrf24, Outcome, SETTLE_US};

/// Integration time of the power detector after settling (section 6.4).
const DETECTOR_US: u32 = 40;

impl<S: SpiDevice, C: OutputPin, I: Wait> Nrf24<S, C, I> {
    /// Samples the power detector `looks` times on a channel. Returns the number of samples in
    /// which the power detector found a signal. A sample takes 0.17 ms plus the time of the SPI
    /// transfers. After the last sample, the radio receives on its configured channel.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Channel`] for a channel above 125, and errors of the bus and of the pin.
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
