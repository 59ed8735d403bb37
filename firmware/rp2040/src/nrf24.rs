//! An nRF24L01+: CE on GP20, IRQ on GP21.

use airlag_app::control::Setting;
use airlag_drivers::Nrf24 as Driver;
use airlag_drivers::nrf24::{self, Address, Config, ConfigError, Turning};
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use airlag_link::airtime::nrf24::Rate;
use embassy_rp::gpio::{Input, Level, Output, Pull};

use crate::delay::AtLeast;
use crate::end::{RADIO_SETTINGS, SETTINGS};
use crate::radio::{Bus, Pins, Radio};

/// Settings of the radio.
const OWN: [Setting; RADIO_SETTINGS] = [
    setting("channel", "", 76, [0, 125]),
    setting("retransmissions", "", 5, [0, 15]),
    // In steps of 250 us (nRF24L01+ v1.0, 9.1, SETUP_RETR), rounded down.
    setting("retransmit_delay", "us", 1000, [250, 4000]),
];

/// The radio on this board, which sends and receives one direction at a time.
pub struct Nrf24(Turning<Bus, Output<'static>, Input<'static>, AtLeast>);

impl Radio for Nrf24 {
    fn new(bus: Bus, pins: Pins) -> Option<Self> {
        let enable = Output::new(pins.driven, Level::Low);
        let interrupt = Input::new(pins.first, Pull::None);
        let defaults = OWN.map(|setting| setting.value);
        let config = config(nrf24::Role::Receiver, defaults).ok()?;
        let driver = Driver::unconfigured(bus, enable, interrupt, config);
        Some(Self(Turning::new(driver, AtLeast)))
    }
}

impl Protocol<SETTINGS> for Nrf24 {
    type Link = Turning<Bus, Output<'static>, Input<'static>, AtLeast>;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
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

/// Configuration of the chip. All other values are those of the profile `nrf24-2m`, as in
/// `firmware/stm32f429`.
fn config(role: nrf24::Role, radio: [u64; RADIO_SETTINGS]) -> Result<Config, ConfigError> {
    let [channel, retransmissions, retransmit_delay_us] = radio;
    let address = Address::new(&[0xE7, 0xD3, 0xF0])?;
    let mut config = Config::new(role, Rate::Mbps2, address);
    config.channel = channel as u8;
    config.retransmit_count = retransmissions as u8;
    config.retransmit_delay_us = (retransmit_delay_us / 250 * 250) as u16;
    Ok(config)
}
