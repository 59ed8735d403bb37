//! One end of a link, which a host controls through the ST-LINK of the board.

use airlag_ends::console::{self, Shared};
use airlag_ends::program::{Pins, Program, Protocol};
use airlag_ends::settings::{Role, SPI_IMAGE};
use embassy_executor::{SpawnError, SpawnToken, Spawner};
use embassy_stm32::interrupt::typelevel::{self, Binding};
use embassy_stm32::peripherals::USART3;
use embassy_stm32::usart::{BufferedInterruptHandler, BufferedUart, Config};
use embedded_io_async::{Read, Write};
use static_cell::StaticCell;

use crate::board::{Host, Input, Light, Strobe, halt};
use crate::serial::SERIAL_IMAGE;

/// Name of the board.
const BOARD: &str = "nucleo-f429zi";
/// Rate of the port to the host.
const BAUD: u32 = 115_200;

/// Requests and probes of the host of an image with `ALL` settings.
type Console<const ALL: usize> = console::Console<ALL>;

/// Pins of an end, and the port to its host.
pub struct End {
    pins: Pins<Input, Strobe, Light>,
    host: BufferedUart<'static>,
}

impl End {
    /// Opens the port to the host. An image binds the interrupt, so that an image without a host
    /// has no memory for it.
    #[must_use]
    pub fn new(
        pins: Pins<Input, Strobe, Light>,
        host: Host,
        irqs: impl Binding<typelevel::USART3, BufferedInterruptHandler<USART3>> + 'static,
    ) -> Self {
        static QUEUES: StaticCell<[[u8; console::FRAME]; 2]> = StaticCell::new();
        let [tx_queue, rx_queue] = QUEUES.init([[0; console::FRAME]; 2]);
        let Host { port, tx, rx } = host;
        let mut config = Config::default();
        config.baudrate = BAUD;
        // Each byte wakes the console: the end of a request is one of them.
        config.eager_reads = Some(1);
        let opened = BufferedUart::new(port, rx, tx, tx_queue, rx_queue, irqs, config);
        let Ok(host) = opened else { halt() };
        Self { pins, host }
    }

    /// Runs the image of this name for a radio, in this role until the host changes it.
    pub async fn run_radio<P: Protocol<SPI_IMAGE>>(
        self,
        spawner: Spawner,
        image: &'static str,
        role: Role,
        radio: Option<P>,
    ) -> ! {
        static SHARED: StaticCell<Shared<SPI_IMAGE>> = StaticCell::new();
        let Some(radio) = radio else { halt() };
        let shared = SHARED.init(Shared::new::<P>(BOARD, image, role));
        self.run(spawner, serve_radio, shared, radio).await
    }

    /// Runs the image of this name for a wire or a modem, as a receiver until the host changes the
    /// role.
    pub async fn run_serial<P: Protocol<SERIAL_IMAGE>>(
        self,
        spawner: Spawner,
        image: &'static str,
        serial: P,
    ) -> ! {
        static SHARED: StaticCell<Shared<SERIAL_IMAGE>> = StaticCell::new();
        let shared = SHARED.init(Shared::new::<P>(BOARD, image, Role::Receiver));
        self.run(spawner, serve_serial, shared, serial).await
    }

    async fn run<P: Protocol<ALL>, T, const ALL: usize>(
        self,
        spawner: Spawner,
        serve: fn(BufferedUart<'static>, Console<ALL>) -> Result<SpawnToken<T>, SpawnError>,
        shared: &'static Shared<ALL>,
        protocol: P,
    ) -> ! {
        let Ok(serving) = serve(self.host, Console::new(shared)) else { halt() };
        spawner.spawn(serving);
        Program::new(self.pins, protocol, shared).run().await
    }
}

#[embassy_executor::task]
async fn serve_radio(host: BufferedUart<'static>, console: Console<SPI_IMAGE>) -> ! {
    serve(host, console).await
}

#[embassy_executor::task]
async fn serve_serial(host: BufferedUart<'static>, console: Console<SERIAL_IMAGE>) -> ! {
    serve(host, console).await
}

/// Serves the host. Never returns.
async fn serve<const ALL: usize>(host: BufferedUart<'static>, mut console: Console<ALL>) -> ! {
    let (mut tx, mut rx) = host.split();
    let mut byte = [0];
    loop {
        let Ok(_) = rx.read(&mut byte).await else { continue };
        let Some(frame) = console.receive(byte[0]) else { continue };
        let _ = tx.write_all(frame).await;
        // The queue is empty again before the next frame.
        let _ = tx.flush().await;
    }
}
