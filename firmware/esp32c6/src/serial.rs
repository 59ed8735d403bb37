//! The USB port of the chip as the line to the host. Its serial port is built into the chip, which also debugs and
//! flashes through it, so its manufacturer and product are those of the chip.

use airlag_ends::console;
use embassy_time::{Duration, with_timeout};
use embedded_io_async::{Read, Write};
use esp_hal::Async;
use esp_hal::usb_serial_jtag::{UsbSerialJtag, UsbSerialJtagTx};

use crate::board::Console;

/// Peripheral of the port.
pub type Port = UsbSerialJtag<'static, Async>;

/// Bytes of a packet. A transfer ends with a packet that is not full, and a full one has 64.
const PACKET: usize = 63;
/// Time after which a host that fetches no packet is no longer waited for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Serves the host of an image for ESP-NOW or IEEE 802.15.4. Never returns.
#[embassy_executor::task]
pub async fn serve(port: Port, mut console: Console) -> ! {
    run(port, &mut console).await
}

/// Serves the host of an image with `ALL` settings. Never returns.
pub async fn run<const ALL: usize>(port: Port, console: &mut console::Console<ALL>) -> ! {
    let (mut receiver, mut sender) = port.split();
    let mut packet = [0; PACKET];
    loop {
        let Ok(len) = Read::read(&mut receiver, &mut packet).await;
        for &byte in &packet[..len] {
            let Some(frame) = console.receive(byte) else { continue };
            for piece in frame.chunks(PACKET) {
                // The host repeats a request whose reply it has not fetched.
                if with_timeout(PATIENCE, send(&mut sender, piece)).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Sends a packet, and waits until the host has fetched it.
async fn send(sender: &mut UsbSerialJtagTx<'static, Async>, packet: &[u8]) {
    // Methods of the trait: the type has blocking ones of the same name.
    let Ok(_) = Write::write(sender, packet).await;
    let Ok(()) = Write::flush(sender).await;
}
