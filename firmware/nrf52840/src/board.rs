//! Common parts of both boards: clocks, the pins of an end, and the light.

use airlag_ends::console;
use airlag_ends::program::{self, Pins, Protocol};
use airlag_ends::settings::{COMMON, Role};
use airlag_ends::strobe::{self, Hold};
use embassy_nrf::config::{Config, HfclkSource, LfclkSource};
use embassy_nrf::gpio::{Input, Output};
use embassy_nrf::{Peri, bind_interrupts, peripherals, rng, uarte, usb};
use static_cell::StaticCell;

use crate::radio;

bind_interrupts!(
    /// Interrupts that the images use.
    pub struct Irqs {
        CLOCK_POWER => usb::vbus_detect::InterruptHandler;
        RADIO => radio::InterruptHandler;
        RNG => rng::InterruptHandler<peripherals::RNG>;
        UARTE0 => uarte::InterruptHandler<peripherals::UARTE0>;
        USBD => usb::InterruptHandler<peripherals::USBD>;
    }
);

/// The radio of the chip, and the timer that it needs.
pub type Peripherals = (Peri<'static, peripherals::RADIO>, Peri<'static, peripherals::TIMER0>);

/// Number of settings of a radio.
pub const RADIO_SETTINGS: usize = 5;
/// Number of settings of an image.
pub const SETTINGS: usize = COMMON + RADIO_SETTINGS;
/// State that the program and the host share.
pub type Shared = console::Shared<SETTINGS>;
/// Requests and probes of the host.
pub type Console = console::Console<SETTINGS>;

/// Creates the state that the program and the host share, for the image of this name on a board. An image calls
/// this once.
pub fn share<P: Protocol<SETTINGS>>(board: &'static str, image: &'static str) -> &'static Shared {
    static SHARED: StaticCell<Shared> = StaticCell::new();
    SHARED.init(Shared::new::<P>(board, image, Role::Receiver))
}

/// A board with one of its serial ports.
pub struct Board<S> {
    /// Name of the board.
    pub name: &'static str,
    /// Pins of an end of a link.
    pub pins: Pins<Input<'static>, Strobe, Light>,
    /// The radio of the chip, and the timer that it needs.
    pub radio: Peripherals,
    /// The generator of random numbers.
    pub random: Peri<'static, peripherals::RNG>,
    /// The serial port to the host.
    pub serial: S,
}

/// An output for pulses.
pub type Strobe = strobe::Strobe<Output<'static>, Microsecond>;

/// Hold of a pulse.
pub struct Microsecond;

impl Hold for Microsecond {
    /// Waits for at least 64 cycles, which are 1 us. The function runs one iteration of a loop per two cycles
    /// of its argument, and one more. An iteration takes three cycles or more.
    fn hold() {
        cortex_m::asm::delay(64);
    }
}

/// The light of a board, which is on while its pin is low.
pub struct Light(Output<'static>);

impl Light {
    /// Creates a light on `pin`.
    #[must_use]
    pub const fn new(pin: Output<'static>) -> Self {
        Self(pin)
    }
}

impl program::Light for Light {
    fn switch(&mut self, on: bool) {
        if on { self.0.set_low() } else { self.0.set_high() }
    }
}

/// Clocks from both crystals: the radio needs the fast one, and the time base counts the slow one.
#[must_use]
pub fn clocks() -> Config {
    let mut config = Config::default();
    config.hfclk_source = HfclkSource::ExternalXtal;
    config.lfclk_source = LfclkSource::ExternalXtal;
    config
}

/// Stops the board. Its light stays as it is.
pub fn halt() -> ! {
    cortex_m::interrupt::disable();
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    halt()
}
