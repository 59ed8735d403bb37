//! An RFM95W or another SX127x module in LoRa mode on an SPI bus.

use airlag_app::control::Setting;
use airlag_drivers::Sx127x as Driver;
use airlag_drivers::sx127x::{Config, Idle};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use crate::delay::AtLeast;
use crate::program::Protocol;
use crate::settings::{Role, SPI_IMAGE, SPI_RADIO, Settings, all, setting};

/// Settings of the radio. 915 MHz at 14 dBm is not licence-free everywhere: check the local
/// regulations.
const OWN: [Setting; SPI_RADIO] = [
    setting("frequency", "kHz", 915_000, [137_000, 1_020_000]),
    // A factor of 6 needs implicit headers (SX1276 rev. 7, 4.1.1.2).
    setting("spreading_factor", "", 7, [7, 12]),
    // 125, 250 or 500, rounded down.
    setting("bandwidth", "kHz", 250, [125, 500]),
];

/// The radio, and the pin that resets it.
pub struct Sx127x<S, I, R> {
    driver: Driver<S, I>,
    reset: R,
}

impl<S: SpiDevice, I: Wait, R: OutputPin> Sx127x<S, I, R> {
    /// Takes the bus of the radio, NRESET, DIO0 and DIO5. `None` if the settings of the image are
    /// invalid.
    pub fn new(bus: S, reset: R, dio0: I, dio5: I) -> Option<Self> {
        let config = config(OWN.map(|setting| setting.value))?;
        Some(Self { driver: Driver::unconfigured(bus, dio0, dio5, config), reset })
    }
}

impl<S: SpiDevice, I: Wait, R: OutputPin> Protocol<SPI_IMAGE> for Sx127x<S, I, R> {
    type Link = Driver<S, I>;

    fn settings(role: Role) -> [Setting; SPI_IMAGE] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SPI_IMAGE>) -> bool {
        let Some(config) = config(settings.radio()) else { return false };
        self.driver.configure(&mut self.reset, &mut AtLeast, config).await.is_ok()
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.driver
    }
}

/// Configuration of the chip. All other values are those of the profile `lora-sf7-250k`. `None` for
/// an invalid spreading factor.
fn config(radio: [u64; SPI_RADIO]) -> Option<Config> {
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
