//! A serial port on USB: the CDC-ACM class, which needs no driver on any system.

use core::cell::RefCell;

use airlag_app::stamper::LINE;
use embassy_futures::join::join4;
use embassy_rp::Peri;
use embassy_rp::peripherals::USB;
use embassy_rp::usb::Driver;
use embassy_time::{Duration, Timer};
use embassy_usb::class::cdc_acm::{CdcAcmClass, ControlChanged, Receiver, Sender, State};
use embassy_usb::driver::EndpointError;
use embassy_usb::{Builder, Config, UsbDevice};
use static_cell::StaticCell;

use crate::board::Irqs;
use crate::recorder::Recorder;

/// The peripheral that the port takes.
pub type Port = Peri<'static, USB>;
/// The USB controller as a device.
pub type Link = Driver<'static, USB>;

/// Bytes of a bulk packet at full speed.
pub const PACKET: usize = 64;
/// Time between two drains of the rings.
const TURN: Duration = Duration::from_micros(500);
/// USB identifiers that pid.codes reserves for tests. A product needs its own.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;

/// Starts the USB device of an image, and returns it with its serial port. A host and `airlag
/// record pico:` find the device by the manufacturer and by `product`.
pub fn open(
    port: Port,
    product: &'static str,
) -> (UsbDevice<'static, Link>, CdcAcmClass<'static, Link>) {
    static DESCRIPTORS: StaticCell<([u8; 256], [u8; 64], [u8; 64])> = StaticCell::new();
    static STATE: StaticCell<State<'static>> = StaticCell::new();
    let (configuration, bos, control) = DESCRIPTORS.init(([0; 256], [0; 64], [0; 64]));
    let mut config = Config::new(VENDOR, PRODUCT);
    (config.manufacturer, config.product) = (Some("airlag"), Some(product));
    let mut builder =
        Builder::new(Driver::new(port, Irqs), config, configuration, bos, &mut [], control);
    let class = CdcAcmClass::new(&mut builder, STATE.init(State::new()), PACKET as u16);
    (builder.build(), class)
}

/// Serves the host of an instrument. Never returns.
pub async fn serve(port: Port, recorder: Recorder) -> ! {
    let (mut device, class) = open(port, "Pico instrument");
    let (sender, receiver, changed) = class.split_with_control();
    let recorder = RefCell::new(recorder);
    join4(
        device.run(),
        send(sender, &recorder),
        receive(receiver, &recorder),
        keep_going(changed, &recorder),
    )
    .await
    .0
}

/// Sends frames to the host.
async fn send(mut sender: Sender<'static, Link>, recorder: &RefCell<Recorder>) {
    let mut line = [0; LINE];
    loop {
        sender.wait_connection().await;
        let framed = recorder.borrow_mut().frame(&mut line);
        let Some(len) = framed else {
            Timer::after(TURN).await;
            continue;
        };
        let _ = send_line(&mut sender, &line[..len]).await;
    }
}

/// Sends a frame in packets. After a full last packet, an empty one ends the transfer.
///
/// # Errors
///
/// If the host is gone.
pub async fn send_line(
    sender: &mut Sender<'static, Link>,
    line: &[u8],
) -> Result<(), EndpointError> {
    for packet in line.chunks(PACKET) {
        sender.write_packet(packet).await?;
    }
    if line.len() % PACKET == 0 { sender.write_packet(&[]).await } else { Ok(()) }
}

/// Receives orders of the host until it is unplugged.
async fn receive(mut receiver: Receiver<'static, Link>, recorder: &RefCell<Recorder>) {
    let mut packet = [0; PACKET];
    loop {
        receiver.wait_connection().await;
        match receiver.read_packet(&mut packet).await {
            Ok(len) => recorder.borrow_mut().receive(&packet[..len]),
            Err(_) => recorder.borrow_mut().stop(),
        }
    }
}

/// Drains the rings even while the host reads nothing, and stops the instrument when no program has
/// the port open.
async fn keep_going(port: ControlChanged<'static>, recorder: &RefCell<Recorder>) {
    loop {
        if !port.dtr() {
            recorder.borrow_mut().stop();
        }
        recorder.borrow_mut().drain();
        Timer::after(TURN).await;
    }
}
