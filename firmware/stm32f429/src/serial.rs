//! A serial port as a link: a wire to another board, or a transparent modem such as an HC-05 or a
//! SiK radio.

use airlag_app::control::Setting;
use airlag_drivers::Modem;
use airlag_ends::program::Protocol;
use airlag_ends::settings::{COMMON, LARGEST, Role, Settings, all, number, setting};
use embassy_stm32::usart::{self, BufferedUartRx, Error, RingBufferedUartRx};
use embedded_hal_nb::nb;
use embedded_io_async::{Read, Write};

/// Rate of the port: `AIRLAG_BAUD`, or 115200.
pub const BAUD: u32 = number(option_env!("AIRLAG_BAUD"), 115_200, "AIRLAG_BAUD is not a number");
/// Lowest and highest rate. UART5 is clocked with 42 MHz, and takes 16 clocks per bit or more.
const BAUDS: [u64; 2] = [1_200, 2_625_000];
const _: () = assert!(
    BAUD as u64 >= BAUDS[0] && BAUD as u64 <= BAUDS[1],
    "AIRLAG_BAUD must be 1200 to 2625000"
);

/// Number of settings of a serial port.
const SERIAL: usize = 1;
/// Number of settings of an image for a serial port.
pub const SERIAL_IMAGE: usize = COMMON + SERIAL;

/// Settings of the port.
const OWN: [Setting; SERIAL] = [setting("baud", "baud", BAUD as u64, BAUDS)];

/// The receiving half of a port, of which both halves have one rate.
pub trait Receiving: Read {
    /// Sets the rate, and drops bytes that have arrived. Returns whether the port accepts the rate.
    fn restart(&mut self, baud: u32) -> bool;
}

/// Configuration of a port until the host changes its rate.
#[must_use]
pub fn config() -> usart::Config {
    let mut config = usart::Config::default();
    config.baudrate = BAUD;
    config
}

/// The link, and its settings.
pub struct Serial<R, W>(Modem<R, W>);

impl<R: Receiving, W: Write> Serial<R, W> {
    /// Uses both halves of a port. A message is written at once, as on the virtual bench.
    pub const fn new(reader: R, writer: W) -> Self {
        Self(Modem::new(reader, writer, LARGEST))
    }
}

impl<R: Receiving, W: Write> Protocol<SERIAL_IMAGE> for Serial<R, W> {
    type Link = Modem<R, W>;

    fn settings(role: Role) -> [Setting; SERIAL_IMAGE] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SERIAL_IMAGE>) -> bool {
        let [baud] = settings.radio();
        self.0.reader().restart(baud as u32)
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.0
    }
}

impl Receiving for BufferedUartRx<'_> {
    fn restart(&mut self, baud: u32) -> bool {
        drain(self);
        self.set_baudrate(baud).is_ok()
    }
}

impl Receiving for RingBufferedUartRx<'_> {
    fn restart(&mut self, baud: u32) -> bool {
        drain(self);
        self.set_baudrate(baud).is_ok()
    }
}

/// Reads until nothing is left.
pub fn drain(port: &mut impl embedded_hal_nb::serial::Read<Error = Error>) {
    while !matches!(port.read(), Err(nb::Error::WouldBlock)) {}
}
