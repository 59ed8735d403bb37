//! Requests and probes of the host on USB, for a board that is an end of a link.

use embassy_futures::join::join;
use embassy_usb::class::cdc_acm::CdcAcmClass;

use crate::end::Console;
use crate::serial::{self, Link, PACKET, Port, send_line};

/// Serves the host. Never returns.
#[embassy_executor::task]
pub async fn serve(port: Port, product: &'static str, mut console: Console) -> ! {
    let (mut device, class) = serial::open(port, product);
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
            let _ = send_line(&mut sender, frame).await;
        }
    }
}
