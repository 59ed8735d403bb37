//! The benchmark service behind the serial port of an nRF52840 DK. It exchanges packets like those of a radio, each
//! preceded by its length, as the image of the Nucleo does.

#![no_std]
#![no_main]

use airlag_ends::program::Light;
use airlag_nrf52840::dk;
use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Peripheral};
use airlag_rpc::{Entropy, Instant};
use embassy_executor::Spawner;
use embassy_nrf::mode::Blocking;
use embassy_nrf::rng::Rng;
use embassy_nrf::uarte::{UarteRx, UarteTx};
use embassy_time::Instant as Clock;

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

/// Waits for a packet and returns its length. `None` if the packet is too long or damaged.
async fn packet(port: &mut UarteRx<'static>, into: &mut [u8; PACKET]) -> Option<usize> {
    let mut length = [0];
    port.read(&mut length).await.ok()?;
    let length = usize::from(length[0]);
    let packet = into.get_mut(..length).filter(|packet| !packet.is_empty())?;
    port.read(packet).await.ok()?;
    Some(length)
}

/// Sends a packet and its length at once, because the port's DMA reads both from memory.
async fn reply(port: &mut UarteTx<'static>, bytes: &[u8]) -> bool {
    let mut line = [0; 1 + PACKET];
    line[0] = bytes.len() as u8;
    line[1..=bytes.len()].copy_from_slice(bytes);
    port.write(&line[..=bytes.len()]).await.is_ok()
}

/// The responding end, created in its own function, because it is on the stack during its creation.
#[inline(never)]
fn server(mut random: Rng<'static, Blocking>) -> Server<impl Entropy> {
    let entropy = move |bytes: &mut [u8]| random.blocking_fill_bytes(bytes);
    let service = BenchmarkServer(Flash::new(&MEMORY[..]));
    Peripheral::new(service, IDENTITY, entropy, Config::new(PACKET, CALLS as u8))
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let mut board = dk::start();
    let (mut tx, mut rx) = board.serial.split();
    let mut end = server(Rng::new_blocking(board.random));
    let mut bytes = [0; PACKET];
    board.pins.light.switch(false);
    loop {
        let Some(length) = packet(&mut rx, &mut bytes).await else {
            board.pins.light.switch(true);
            continue;
        };
        let now = Instant(Clock::now().as_micros() * 1_000);
        // The central is notified of a rejection.
        let _ = end.received(&bytes[..length], now);
        while let Some(length) = end.outgoing(&mut bytes) {
            if !reply(&mut tx, &bytes[..length]).await {
                board.pins.light.switch(true);
            }
        }
    }
}
