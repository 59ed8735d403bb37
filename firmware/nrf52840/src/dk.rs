//! Pins of an nRF52840 DK (PCA10056). The README has the same table by connector.

use airlag_ends::program::Pins;
use embassy_nrf::gpio::{Input, Level, Output, OutputDrive, Pull};
use embassy_nrf::uarte::{self, Baudrate, Uarte};

use crate::board::{Board, Irqs, Light, Strobe, clocks};

/// The serial port to the debug probe of the board, which is a serial port of the host.
pub type Serial = Uarte<'static>;

/// Starts the clocks and configures the pins. The light is on.
#[must_use]
pub fn start() -> Board<Serial> {
    let p = embassy_nrf::init(clocks());
    let mut config = uarte::Config::default();
    config.baudrate = Baudrate::Baud115200;
    Board {
        name: "nrf52840-dk",
        pins: Pins {
            trigger: Input::new(p.P1_03, Pull::Down),
            mark: Strobe::new(Output::new(p.P1_04, Level::Low, OutputDrive::Standard)),
            strobe: Strobe::new(Output::new(p.P1_05, Level::Low, OutputDrive::Standard)),
            light: Light::new(Output::new(p.P0_13, Level::Low, OutputDrive::Standard)),
        },
        radio: (p.RADIO, p.TIMER0),
        random: p.RNG,
        serial: Uarte::new(p.UARTE0, p.P0_08, p.P0_06, Irqs, config),
    }
}
