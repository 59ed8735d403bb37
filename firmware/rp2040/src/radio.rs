//! A radio on SPI0, as an end of a link.

use airlag_ends::program::Protocol;
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::Peri;
use embassy_rp::gpio::Output;
use embassy_rp::peripherals::{PIN_20, PIN_21, PIN_22, SPI0};
use embassy_rp::spi::{Blocking, Spi};
use embedded_hal_bus::spi::ExclusiveDevice;

use crate::delay::AtLeast;
use crate::end::SETTINGS;

/// SPI0 with the radio as its only chip.
pub type Bus =
    ExclusiveDevice<BlockingAsync<Spi<'static, SPI0, Blocking>>, Output<'static>, AtLeast>;

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
pub trait Radio: Protocol<SETTINGS> + Sized {
    /// Takes its bus and its pins. `None` if the settings of the image are invalid.
    fn new(bus: Bus, pins: Pins) -> Option<Self>;
}
