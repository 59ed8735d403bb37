//! One end of a link: a Pico with an nRF24L01+ on SPI0. The README has the pins as a table.
//!
//! The light is on during set-up, and after an error, until the next reset. A run after which it is off
//! had no error.

use airlag_app::{Receiver, Sender};
use airlag_drivers::Nrf24;
use airlag_drivers::nrf24::Role;
use airlag_link::Link;
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::pac;
use embassy_rp::peripherals::SPI0;
use embassy_rp::spi::{self, Blocking, Spi};
use embedded_hal_bus::spi::ExclusiveDevice;

use crate::delay::AtLeast;
use crate::settings::{self, LARGEST, SIZE, SPI_HZ};
use crate::strobe::Strobe;

/// SPI0 with the radio as its only chip.
pub type Bus =
    ExclusiveDevice<BlockingAsync<Spi<'static, SPI0, Blocking>>, Output<'static>, AtLeast>;

/// The radio's driver on this board.
pub type Radio = Nrf24<Bus, Output<'static>, Input<'static>>;

/// Bit of the light on the board, GP25.
const LIGHT: u32 = 1 << 25;

/// Pins of one end.
pub struct End {
    /// GP14: starts a transfer.
    pub trigger: Input<'static>,
    /// GP15: a message arrived.
    pub strobe: Strobe,
    /// SPI0 on GP16, GP18 and GP19, with CSN on GP17.
    bus: Bus,
    /// GP20: chip enable.
    enable: Output<'static>,
    /// GP21: interrupt, active low.
    interrupt: Input<'static>,
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
            strobe: Strobe::new(Output::new(p.PIN_15, Level::Low)),
            bus,
            enable: Output::new(p.PIN_20, Level::Low),
            interrupt: Input::new(p.PIN_21, Pull::None),
        }
    }

    /// Sends a message at every rising edge of the trigger.
    pub async fn send(self) -> ! {
        let Self { mut trigger, bus, enable, interrupt, .. } = self;
        let mut link = set_up(bus, enable, interrupt, Role::Transmitter).await;
        let Ok(mut sender) = Sender::<LARGEST>::new(SIZE) else { halt() };
        loop {
            let _ = sender.run(&mut trigger, &mut link).await;
            light(true);
        }
    }

    /// Raises the strobe for every message with correct content.
    pub async fn receive(self) -> ! {
        let Self { mut strobe, bus, enable, interrupt, .. } = self;
        let mut link = set_up(bus, enable, interrupt, Role::Receiver).await;
        let mut receiver = Receiver::<LARGEST>::new();
        loop {
            let _ = receiver.run(&mut link, &mut strobe).await;
            light(true);
        }
    }
}

/// Sets the radio up as one end of the link. Halts without a radio on the bus.
async fn set_up(
    bus: Bus,
    enable: Output<'static>,
    interrupt: Input<'static>,
    role: Role,
) -> impl Link {
    let Ok(config) = settings::nrf24(role) else { halt() };
    let radio: Radio = match Nrf24::new(bus, enable, interrupt, &mut AtLeast, config).await {
        Ok(radio) => radio,
        Err(_) => halt(),
    };
    light(false);
    radio
}

fn light(on: bool) {
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
