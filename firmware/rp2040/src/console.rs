//! Requests of the host on USB, for a board that is an end of a link.
//!
//! Nothing here runs while the host is silent, so a connected host does not delay a message.

use core::cell::RefCell;

use airlag_app::Control;
use airlag_app::control::LINE;
use embassy_futures::join::join;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_usb::class::cdc_acm::CdcAcmClass;

use crate::serial::{self, Link, PACKET, Port, send_line};
use crate::settings::{COUNTERS, SETTINGS};

/// State that the program and the host share.
pub struct Shared {
    /// Settings, state and counters.
    pub control: RefCell<Control<SETTINGS, COUNTERS>>,
    /// Signals that the host has requested a start or a stop.
    pub changed: Signal<NoopRawMutex, ()>,
}

impl Shared {
    /// Shares the control of an image.
    #[must_use]
    pub const fn new(control: Control<SETTINGS, COUNTERS>) -> Self {
        Self { control: RefCell::new(control), changed: Signal::new() }
    }
}

/// Serves the host. Never returns.
#[embassy_executor::task]
pub async fn serve(port: Port, product: &'static str, shared: &'static Shared) -> ! {
    let (mut device, class) = serial::open(port, product);
    join(device.run(), answer(class, shared)).await.0
}

async fn answer(class: CdcAcmClass<'static, Link>, shared: &Shared) -> ! {
    let (mut sender, mut receiver) = class.split();
    let (mut packet, mut line) = ([0; PACKET], [0; LINE]);
    loop {
        receiver.wait_connection().await;
        let Ok(len) = receiver.read_packet(&mut packet).await else { continue };
        for &byte in &packet[..len] {
            let Some(len) = reply(byte, shared, &mut line) else { continue };
            // Without a host, the reply is lost.
            let _ = send_line(&mut sender, &line[..len]).await;
        }
    }
}

/// Processes a byte, and returns the length of the reply to the request that it completes.
fn reply(byte: u8, shared: &Shared, line: &mut [u8; LINE]) -> Option<usize> {
    let mut control = shared.control.borrow_mut();
    if control.receive(byte) {
        shared.changed.signal(());
    }
    let reply = control.poll()?;
    line[..reply.len()].copy_from_slice(reply);
    Some(reply.len())
}
