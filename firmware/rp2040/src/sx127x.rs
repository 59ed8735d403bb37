//! An RFM95W or another SX127x module in LoRa mode: NRESET on GP20, DIO0 on GP21, DIO5 on GP22.

use airlag_app::control::Setting;
use airlag_drivers::Sx127x as Driver;
use airlag_drivers::sx127x::{Config, Idle};
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use embassy_rp::gpio::{Input, Level, Output, Pull};

use crate::delay::AtLeast;
use crate::end::{RADIO_SETTINGS, SETTINGS};
use crate::radio::{Bus, Pins, Radio};

/// Settings of the radio. 915 MHz at 14 dBm is not licence-free everywhere: check the local regulations.
const OWN: [Setting; RADIO_SETTINGS] = [
    setting("frequency", "kHz", 915_000, [137_000, 1_020_000]),
    // A factor of 6 needs implicit headers (SX1276 rev. 7, 4.1.1.2).
    setting("spreading_factor", "", 7, [7, 12]),
    // 125, 250 or 500, rounded down.
    setting("bandwidth", "kHz", 250, [125, 500]),
];

/// The radio on this board.
pub struct Sx127x {
    driver: Driver<Bus, Input<'static>>,
    reset: Output<'static>,
}

impl Radio for Sx127x {
    fn new(bus: Bus, pins: Pins) -> Option<Self> {
        let reset = Output::new(pins.driven, Level::High);
        let dio0 = Input::new(pins.first, Pull::None);
        let dio5 = Input::new(pins.second, Pull::None);
        let config = config(OWN.map(|setting| setting.value))?;
        Some(Self { driver: Driver::unconfigured(bus, dio0, dio5, config), reset })
    }
}

impl Protocol<SETTINGS> for Sx127x {
    type Link = Driver<Bus, Input<'static>>;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let Some(config) = config(settings.radio()) else { return false };
        self.driver.configure(&mut self.reset, &mut AtLeast, config).await.is_ok()
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.driver
    }
}

/// Configuration of the chip. All other values are those of the profile `lora-sf7-250k`, as in
/// `firmware/stm32f429`. `None` for an invalid spreading factor.
fn config(radio: [u64; RADIO_SETTINGS]) -> Option<Config> {
    let [frequency_khz, spreading_factor, bandwidth_khz] = radio;
    let factor = SpreadingFactor::new(spreading_factor as u8)?;
    let bandwidth = match bandwidth_khz {
        ..250 => Bandwidth::Khz125,
        250..500 => Bandwidth::Khz250,
        500.. => Bandwidth::Khz500,
    };
    let frame = Frame::new(factor, bandwidth, CodingRate::Cr4_5);
    Some(Config::new(frequency_khz as u32 * 1_000, frame).idle(Idle::Sleep))
}
