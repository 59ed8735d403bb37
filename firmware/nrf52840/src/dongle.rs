//! Pins of an nRF52840 Dongle (PCA10059). The README has the same table.

use airlag_ends::program::Pins;
use embassy_nrf::config::Reg0Voltage;
use embassy_nrf::gpio::{Input, Level, Output, OutputDrive, Pull};

use crate::board::{Board, Light, Strobe, clocks};
use crate::usb::Port;

/// Starts the clocks and configures the pins. The light is on.
#[must_use]
pub fn start() -> Board<Port> {
    let mut config = clocks();
    // An erased chip supplies its pins from USB with 1.8 V, which does not suffice for the light. The boot loader
    // of the dongle sets 3.0 V, and only erasing the chip changes that.
    config.dcdc.reg0_voltage = Some(Reg0Voltage::_3V0);
    let p = embassy_nrf::init(config);
    Board {
        name: "nrf52840-dongle",
        pins: Pins {
            trigger: Input::new(p.P0_13, Pull::Down),
            mark: Strobe::new(Output::new(p.P0_15, Level::Low, OutputDrive::Standard)),
            strobe: Strobe::new(Output::new(p.P0_17, Level::Low, OutputDrive::Standard)),
            light: Light::new(Output::new(p.P0_06, Level::Low, OutputDrive::Standard)),
        },
        radio: (p.RADIO, p.TIMER0),
        random: p.RNG,
        serial: p.USBD,
    }
}
