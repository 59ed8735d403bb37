//! Clocks and pins of a Pico. The README has the same table with a picture.

use embassy_rp::gpio::{Input, Pull};
use embassy_rp::peripherals::{PIO0, PIO1, USB};
use embassy_rp::pio::{self, Pin, Pio};
use embassy_rp::{Peri, bind_interrupts, pac, usb};

/// Channels, from GP0 on.
pub const CHANNELS: u8 = 8;
/// Pin on which one state machine marks an edge for the other. It stays unconnected.
pub const MARK: u8 = 22;
/// Pins of the chip.
const PINS: u8 = 30;
/// System clock, as embassy sets it from the 12 MHz crystal: one cycle of a state machine.
pub const CYCLE_PS: u32 = 8_000;

bind_interrupts!(
    /// Interrupts that the images use.
    pub struct Irqs {
        PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
        PIO1_IRQ_0 => pio::InterruptHandler<PIO1>;
        USBCTRL_IRQ => usb::InterruptHandler<USB>;
    }
);

/// Pins and peripherals for the images.
pub struct Board {
    /// Time-stamps edges.
    pub stamping: Pio<'static, PIO0>,
    /// GP22: marks an edge.
    pub mark: Pin<'static, PIO0>,
    /// Makes triggers.
    pub triggering: Pio<'static, PIO1>,
    /// GP0: channel 0, and the output of triggers.
    pub trigger: Pin<'static, PIO1>,
    /// The USB device.
    pub usb: Peri<'static, USB>,
}

impl Board {
    /// Starts the clocks, 125 MHz, and configures the pins: pulled down, and inputs disabled.
    #[must_use]
    pub fn start() -> Self {
        let p = embassy_rp::init(Default::default());
        let mut stamping = Pio::new(p.PIO0, Irqs);
        let mut triggering = Pio::new(p.PIO1, Irqs);
        let mut mark = stamping.common.make_pio_pin(p.PIN_22);
        mark.set_pull(Pull::Down);
        let mut trigger = triggering.common.make_pio_pin(p.PIN_0);
        trigger.set_pull(Pull::Down);
        // A dropped input would lose its pull.
        core::mem::forget([
            Input::new(p.PIN_1, Pull::Down),
            Input::new(p.PIN_2, Pull::Down),
            Input::new(p.PIN_3, Pull::Down),
            Input::new(p.PIN_4, Pull::Down),
            Input::new(p.PIN_5, Pull::Down),
            Input::new(p.PIN_6, Pull::Down),
            Input::new(p.PIN_7, Pull::Down),
        ]);
        select(0);
        Self { stamping, mark, triggering, trigger, usb: p.USB }
    }
}

/// Makes the selected channels (one bit each in `channels`) and pin [`MARK`] visible to the PIO
/// state machines. No other pin may be visible, because the state machines compare all pins of the
/// chip at once. The inputs of all other pins are therefore disabled and forced low (data sheet,
/// section 2.19).
pub fn select(channels: u8) {
    for pin in 0..PINS {
        let is_seen = pin == MARK || pin < CHANNELS && channels >> pin & 1 == 1;
        let force =
            if is_seen { pac::io::vals::Inover::NORMAL } else { pac::io::vals::Inover::LOW };
        pac::IO_BANK0.gpio(usize::from(pin)).ctrl().modify(|w| w.set_inover(force));
        pac::PADS_BANK0.gpio(usize::from(pin)).modify(|w| w.set_ie(is_seen));
    }
}
