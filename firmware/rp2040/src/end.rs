//! One end of a link: a Pico with a radio on SPI0. The README has the pins as a table.
//!
//! The light is on during set-up, and after an error, until the next start. A run after which it is off
//! had no error.

use airlag_ends::delay::AtLeast;
use airlag_ends::program::{self, Program};
use airlag_ends::settings::{Role, SPI_IMAGE};
use airlag_ends::strobe::{self, Hold};
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_executor::Spawner;
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::pac;
use embassy_rp::spi::{self, Spi};
use embedded_hal_bus::spi::ExclusiveDevice;
use static_cell::StaticCell;

use crate::console;
use crate::radio::{Bus, Pins, Radio};
use crate::serial::Port;

/// Highest SPI clock of the radios (nRF24L01+ v1.0, 8.3; SX1276 rev. 7, table 9). The dividers of the RP2040
/// are even: from 125 MHz the next clock below is 8.93 MHz.
const SPI_HZ: u32 = 10_000_000;
/// Bit of the light on the board, GP25.
const LIGHT: u32 = 1 << 25;

/// Requests and probes of the host.
pub type Console = airlag_ends::console::Console<SPI_IMAGE>;
/// State that the program and the host share.
type Shared = airlag_ends::console::Shared<SPI_IMAGE>;
/// An output for pulses.
pub type Strobe = strobe::Strobe<Output<'static>, Microsecond>;

/// Hold of a pulse.
pub struct Microsecond;

impl Hold for Microsecond {
    /// Waits for 128 cycles, which are 1.02 us at 125 MHz. With this argument, the function runs 43
    /// iterations of a loop: 42 of three cycles, and the last one of two. With the call, a pulse lasts 1.18
    /// us in the emulator.
    fn hold() {
        cortex_m::asm::delay(84);
    }
}

/// Pins of one end.
pub struct End {
    /// GP14: trigger input, which starts a transfer.
    pub trigger: Input<'static>,
    /// GP13: marks the instant of a transfer that the board itself starts.
    mark: Strobe,
    /// GP15: marks the arrival of a message.
    pub strobe: Strobe,
    /// SPI0 on GP16, GP18 and GP19, with CSN on GP17.
    bus: Bus,
    /// GP20 to GP22.
    pins: Pins,
    /// USB, to the host.
    port: Port,
}

impl End {
    /// Starts the clocks, 125 MHz, and configures the pins. The light is on until the radio is set up.
    #[must_use]
    pub fn start() -> Self {
        let p = embassy_rp::init(Default::default());
        core::mem::forget(Output::new(p.PIN_25, Level::High));
        let mut config = spi::Config::default();
        config.frequency = SPI_HZ;
        let spi = Spi::new_blocking(p.SPI0, p.PIN_18, p.PIN_19, p.PIN_16, config);
        let select = Output::new(p.PIN_17, Level::High);
        let Ok(bus) = ExclusiveDevice::new(BlockingAsync::new(spi), select, AtLeast);
        Self {
            trigger: Input::new(p.PIN_14, Pull::Down),
            mark: Strobe::new(Output::new(p.PIN_13, Level::Low)),
            strobe: Strobe::new(Output::new(p.PIN_15, Level::Low)),
            bus,
            pins: Pins { driven: p.PIN_20, first: p.PIN_21, second: p.PIN_22 },
            port: p.USB,
        }
    }

    /// Runs in this role until the host changes it. `image` is the name of the image.
    pub async fn run<R: Radio>(self, spawner: Spawner, image: &'static str, role: Role) -> ! {
        static SHARED: StaticCell<Shared> = StaticCell::new();
        let shared = &*SHARED.init(Shared::new::<R>("pico", image, role));
        let console = Console::new(shared);
        let Ok(serving) = console::serve(self.port, "Pico link", console) else { halt() };
        spawner.spawn(serving);
        let Self { trigger, mark, strobe, bus, pins, .. } = self;
        let Some(radio) = R::new(bus, pins) else { halt() };
        let pins = program::Pins { trigger, mark, strobe, light: Light };
        Program::new(pins, radio, shared).run().await
    }
}

/// The light on the board.
struct Light;

impl program::Light for Light {
    fn switch(&mut self, on: bool) {
        light(on);
    }
}

/// Switches the light on the board.
pub fn light(on: bool) {
    if on {
        pac::SIO.gpio_out(0).value_set().write_value(LIGHT);
    } else {
        pac::SIO.gpio_out(0).value_clr().write_value(LIGHT);
    }
}

/// Stops with the light on.
pub fn halt() -> ! {
    light(true);
    cortex_m::interrupt::disable();
    loop {
        cortex_m::asm::wfi();
    }
}
