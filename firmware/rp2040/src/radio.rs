//! A radio on SPI0, as an end of a link.

use airlag_ends::delay::AtLeast;
use airlag_ends::program::Protocol;
use airlag_ends::settings::SPI_IMAGE;
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::Peri;
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::peripherals::{PIN_20, PIN_21, PIN_22, SPI0};
use embassy_rp::spi::{Blocking, Spi};
use embedded_hal_bus::spi::ExclusiveDevice;

/// SPI0 with the radio as its only chip.
pub type Bus =
    ExclusiveDevice<BlockingAsync<Spi<'static, SPI0, Blocking>>, Output<'static>, AtLeast>;
/// An nRF24L01+: CE on GP20, IRQ on GP21.
pub type Nrf24 = airlag_ends::nrf24::Nrf24<Bus, Output<'static>, Input<'static>>;
/// An SX127x: NRESET on GP20, DIO0 on GP21, DIO5 on GP22.
pub type Sx127x = airlag_ends::sx127x::Sx127x<Bus, Input<'static>, Output<'static>>;

/// Pins of the radio besides its bus.
pub struct Pins {
    /// GP20: to the radio.
    pub driven: Peri<'static, PIN_20>,
    /// GP21: from the radio.
    pub first: Peri<'static, PIN_21>,
    /// GP22: from the radio, if it has a second output.
    pub second: Peri<'static, PIN_22>,
}

/// A radio with its driver.
pub trait Radio: Protocol<SPI_IMAGE> + Sized {
    /// Takes its bus and its pins. `None` if the settings of the image are invalid.
    fn new(bus: Bus, pins: Pins) -> Option<Self>;
}

impl Radio for Nrf24 {
    fn new(bus: Bus, pins: Pins) -> Option<Self> {
        let enable = Output::new(pins.driven, Level::Low);
        airlag_ends::nrf24::Nrf24::new(bus, enable, Input::new(pins.first, Pull::None))
    }
}

impl Radio for Sx127x {
    fn new(bus: Bus, pins: Pins) -> Option<Self> {
        let reset = Output::new(pins.driven, Level::High);
        let dio0 = Input::new(pins.first, Pull::None);
        airlag_ends::sx127x::Sx127x::new(bus, reset, dio0, Input::new(pins.second, Pull::None))
    }
}
