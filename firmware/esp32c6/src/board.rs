//! Pins of an ESP32-C6-DevKitC-1, clocks, memory and scheduler. The README has the same table by connector.

use airlag_ends::console;
use airlag_ends::program::{Pins, Protocol};
use airlag_ends::settings::{COMMON, Role};
use airlag_ends::strobe::{self, Hold};
use esp_hal::clock::CpuClock;
use esp_hal::delay::Delay;
use esp_hal::gpio::{Input, InputConfig, Level, Output, OutputConfig, Pull};
use esp_hal::interrupt::software::SoftwareInterruptControl;
use esp_hal::peripherals::{BT, IEEE802154, WIFI};
use esp_hal::timer::timg::TimerGroup;
use esp_hal::usb_serial_jtag::UsbSerialJtag;
use static_cell::StaticCell;

use crate::serial::Port;

/// Name of the board.
pub const NAME: &str = "esp32c6-devkitc-1";

/// Heap in the memory that the boot loader has used, bytes: all of that memory.
const RECLAIMED: usize = 64 * 1024;

/// Number of settings of ESP-NOW or IEEE 802.15.4.
pub const RADIO_SETTINGS: usize = 5;
/// Number of settings of an image for one of them.
pub const SETTINGS: usize = COMMON + RADIO_SETTINGS;
/// State that the program and the host share.
pub type Shared = console::Shared<SETTINGS>;
/// Requests and probes of the host.
pub type Console = console::Console<SETTINGS>;

/// Creates the state that the program and the host share, for the image of this name. An image calls
/// this once.
pub fn share<P: Protocol<SETTINGS>>(image: &'static str) -> &'static Shared {
    static SHARED: StaticCell<Shared> = StaticCell::new();
    SHARED.init(Shared::new::<P>(NAME, image, Role::Receiver))
}

/// An output for pulses.
pub type Strobe = strobe::Strobe<Output<'static>, Microsecond>;

/// Hold of a pulse.
pub struct Microsecond;

impl Hold for Microsecond {
    fn hold() {
        Delay::new().delay_micros(1);
    }
}

/// The board. It has one radio, which is used for Wi-Fi, for Bluetooth LE or for IEEE 802.15.4.
pub struct Board {
    /// Pins of an end of a link. The board has no light for this purpose.
    pub pins: Pins<Input<'static>, Strobe, ()>,
    /// The serial port to the host.
    pub serial: Port,
    /// The radio for Wi-Fi.
    pub wifi: WIFI<'static>,
    /// The radio for Bluetooth LE.
    pub bluetooth: BT<'static>,
    /// The radio for IEEE 802.15.4.
    pub ieee802154: IEEE802154<'static>,
}

/// Starts the clocks and the scheduler, which the radio driver needs, and configures the pins.
#[must_use]
pub fn start() -> Board {
    let p = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    add_reclaimed();
    let interrupts = SoftwareInterruptControl::new(p.SW_INTERRUPT);
    esp_rtos::start(TimerGroup::new(p.TIMG0).timer0, interrupts.software_interrupt0);
    let output = OutputConfig::default();
    Board {
        pins: Pins {
            trigger: Input::new(p.GPIO18, InputConfig::default().with_pull(Pull::Down)),
            mark: Strobe::new(Output::new(p.GPIO19, Level::Low, output)),
            strobe: Strobe::new(Output::new(p.GPIO20, Level::Low, output)),
            light: (),
        },
        serial: UsbSerialJtag::new(p.USB_DEVICE).into_async(),
        wifi: p.WIFI,
        bluetooth: p.BT,
        ieee802154: p.IEEE802154,
    }
}

fn add_reclaimed() {
    esp_alloc::heap_allocator!(#[esp_hal::ram(reclaimed)] size: RECLAIMED);
}

/// Stops the board.
pub fn halt() -> ! {
    critical_section::with(|_| {
        loop {
            core::hint::spin_loop();
        }
    })
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    halt()
}
