//! A serial port on USB as the line to the host: the CDC-ACM class, which needs no driver on any system.

use embassy_futures::join::join;
use embassy_nrf::usb::Driver;
use embassy_nrf::usb::vbus_detect::HardwareVbusDetect;
use embassy_nrf::{Peri, peripherals};
use embassy_usb::class::cdc_acm::{CdcAcmClass, Sender, State};
use embassy_usb::driver::EndpointError;
use embassy_usb::{Builder, Config};
use static_cell::StaticCell;

use crate::board::{Console, Irqs};

/// Peripheral of the port.
pub type Port = Peri<'static, peripherals::USBD>;
type Link = Driver<'static, HardwareVbusDetect>;

/// Bytes of a bulk packet at full speed.
const PACKET: usize = 64;
/// USB identifiers that pid.codes reserves for tests. A product needs its own.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;

/// Serves the host, which finds the board by its manufacturer. Never returns.
#[embassy_executor::task]
pub async fn serve(port: Port, mut console: Console) -> ! {
    static DESCRIPTORS: StaticCell<([u8; 256], [u8; 64], [u8; 64])> = StaticCell::new();
    static STATE: StaticCell<State<'static>> = StaticCell::new();
    let (configuration, bos, control) = DESCRIPTORS.init(([0; 256], [0; 64], [0; 64]));
    let mut config = Config::new(VENDOR, PRODUCT);
    (config.manufacturer, config.product) = (Some("airlag"), Some("nRF52840 link"));
    let driver = Driver::new(port, Irqs, HardwareVbusDetect::new(Irqs));
    let mut builder = Builder::new(driver, config, configuration, bos, &mut [], control);
    let class = CdcAcmClass::new(&mut builder, STATE.init(State::new()), PACKET as u16);
    let mut device = builder.build();
    join(device.run(), answer(class, &mut console)).await.0
}

async fn answer(class: CdcAcmClass<'static, Link>, console: &mut Console) -> ! {
    let (mut sender, mut receiver) = class.split();
    let mut packet = [0; PACKET];
    loop {
        receiver.wait_connection().await;
        let Ok(len) = receiver.read_packet(&mut packet).await else { continue };
        for &byte in &packet[..len] {
            let Some(frame) = console.receive(byte) else { continue };
            // Without a host, the reply is lost.
            let _ = send(&mut sender, frame).await;
        }
    }
}

/// Sends a frame in packets. After a full last packet, an empty one ends the transfer.
async fn send(sender: &mut Sender<'static, Link>, frame: &[u8]) -> Result<(), EndpointError> {
    for packet in frame.chunks(PACKET) {
        sender.write_packet(packet).await?;
    }
    if frame.len().is_multiple_of(PACKET) { sender.write_packet(&[]).await } else { Ok(()) }
}
