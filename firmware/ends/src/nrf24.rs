//! An nRF24L01+ on an SPI bus.

use airlag_app::control::Setting;
use airlag_drivers::Nrf24 as Driver;
use airlag_drivers::nrf24::{self, Address, Config, ConfigError, Turning};
use airlag_link::airtime::nrf24::Rate;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use crate::delay::AtLeast;
use crate::program::Protocol;
use crate::settings::{Role, SPI_IMAGE, SPI_RADIO, Settings, all, setting};

/// Settings of the radio.
const OWN: [Setting; SPI_RADIO] = [
    setting("channel", "", 76, [0, 125]),
    setting("retransmissions", "", 5, [0, 15]),
    // In steps of 250 us (nRF24L01+ v1.0, 9.1, SETUP_RETR), rounded down.
    setting("retransmit_delay", "us", 1000, [250, 4000]),
];

/// The radio, which sends and receives one direction at a time.
pub struct Nrf24<S, C, I>(Turning<S, C, I, AtLeast>);

impl<S: SpiDevice, C: OutputPin, I: Wait> Nrf24<S, C, I> {
    /// Takes the bus of the radio, CE and IRQ. `None` if the settings of the image are invalid.
    pub fn new(bus: S, enable: C, interrupt: I) -> Option<Self> {
        let defaults = OWN.map(|setting| setting.value);
        let config = config(nrf24::Role::Receiver, defaults).ok()?;
        let driver = Driver::unconfigured(bus, enable, interrupt, config);
        Some(Self(Turning::new(driver, AtLeast)))
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait> Protocol<SPI_IMAGE> for Nrf24<S, C, I> {
    type Link = Turning<S, C, I, AtLeast>;

    fn settings(role: Role) -> [Setting; SPI_IMAGE] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SPI_IMAGE>) -> bool {
        let role = match settings.role {
            Role::Sender | Role::RoundTrip => nrf24::Role::Transmitter,
            Role::Receiver | Role::Responder | Role::Fixture => nrf24::Role::Receiver,
        };
        let Ok(config) = config(role, settings.radio()) else { return false };
        self.0.radio().configure(&mut AtLeast, config).await.is_ok()
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.0
    }
}

/// Configuration of the chip. All other values are those of the profile `nrf24-2m`.
fn config(role: nrf24::Role, radio: [u64; SPI_RADIO]) -> Result<Config, ConfigError> {
    let [channel, retransmissions, retransmit_delay_us] = radio;
    let address = Address::new(&[0xE7, 0xD3, 0xF0])?;
    let mut config = Config::new(role, Rate::Mbps2, address);
    config.channel = channel as u8;
    config.retransmit_count = retransmissions as u8;
    config.retransmit_delay_us = (retransmit_delay_us / 250 * 250) as u16;
    Ok(config)
}
