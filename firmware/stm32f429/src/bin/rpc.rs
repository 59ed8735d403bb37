//! The benchmark service behind the serial port. It exchanges packets like those of a radio, each
//! preceded by its length, with any other device that has a serial port.

#![no_std]
#![no_main]

use airlag_ends::program::Light;
use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Peripheral};
use airlag_rpc::{Entropy, Instant};
use airlag_stm32f429::board::{self, Board, Port};
use airlag_stm32f429::polled::Polled;
use airlag_stm32f429::serial::config;
use embassy_executor::Spawner;
use embassy_stm32::rng::{self, Rng};
use embassy_stm32::usart::Uart;
use embassy_stm32::{bind_interrupts, peripherals};
use embassy_time::Instant as Clock;
use embedded_io_async::{Read, Write};

bind_interrupts!(struct Irqs {
    HASH_RNG => rng::InterruptHandler<peripherals::RNG>;
});

/// Bytes of a packet: those of Bluetooth LE with an MTU of 247.
const PACKET: usize = 244;
/// Longest request: an echo of 256 bytes with its encoding.
const REQUEST: usize = 320;
/// Largest number of waiting responses.
const CALLS: usize = 2;
/// Secret key of the board's identity. This one is public, so a product needs its own.
const IDENTITY: [u8; 32] = [9; 32];

/// Content of the flash memory: the low bytes of the addresses.
static MEMORY: [u8; 8_192] = {
    let mut bytes = [0; 8_192];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
};

type Server<E> = Peripheral<BenchmarkServer<Flash<&'static [u8]>>, E, REQUEST, CALLS>;

/// Memory of the server: a request, two responses and an encryption tag. The stack is additional.
const _: () = assert!(size_of::<Server<fn(&mut [u8])>>() < 1_800);

/// Waits for a packet and returns its length. `None` if the packet is too long.
async fn packet(port: &mut impl Read, into: &mut [u8; PACKET]) -> Option<usize> {
    let mut length = [0];
    port.read_exact(&mut length).await.ok()?;
    let length = usize::from(length[0]);
    port.read_exact(into.get_mut(..length)?).await.ok()?;
    Some(length)
}

/// The responding end, created in its own function, because it is on the stack during its creation.
#[inline(never)]
fn server(mut random: Rng<'static, peripherals::RNG>) -> Server<impl Entropy> {
    let entropy = move |bytes: &mut [u8]| random.fill_bytes(bytes);
    let service = BenchmarkServer(Flash::new(&MEMORY[..]));
    Peripheral::new(service, IDENTITY, entropy, Config::new(PACKET, CALLS as u8))
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { serial: Port { port, rx, tx, .. }, mut pins, random, .. } = Board::start();
    let Ok(uart) = Uart::new_blocking(port, rx, tx, config()) else { board::halt() };
    let port = Polled::<0>::new(uart.split());
    let (mut tx, mut rx) = (&port, &port);
    let mut end = server(Rng::new(random, Irqs));
    let mut bytes = [0; PACKET];
    pins.light.switch(false);
    loop {
        let Some(length) = packet(&mut rx, &mut bytes).await else {
            pins.light.switch(true);
            continue;
        };
        let now = Instant(Clock::now().as_micros() * 1_000);
        // The central is notified of a rejection.
        let _ = end.received(&bytes[..length], now);
        while let Some(length) = end.outgoing(&mut bytes) {
            let sent = tx.write_all(&[length as u8]).await;
            if sent.is_err() || tx.write_all(&bytes[..length]).await.is_err() {
                pins.light.switch(true);
            }
        }
    }
}
