//! The manufacturer's controller as a transport of the host.
//!
//! The transport of esp-radio 0.18.0 is one of bt-hci 0.8, and the host needs one of bt-hci 0.10.

use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::pin;

use bt_hci::ReadHciError;
use bt_hci::transport::{PacketKind, PacketToController, PacketToHost, Transport, WithIndicator};
use embedded_io::{ErrorKind, ErrorType};
use embedded_io_async::{Read, Write};
use esp_radio::ble::controller::BleConnector;

/// Longest packet to the controller, bytes: the buffer of esp-radio 0.18.0, which holds the indicator and the header of
/// a packet of 251 B.
const PACKET: usize = 256;

/// The controller does not understand the host, or the host the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

impl core::fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("a packet of the host controller interface is not understood")
    }
}

impl core::error::Error for Mismatch {}

impl embedded_io::Error for Mismatch {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidData
    }
}

impl<E: embedded_io::Error> From<ReadHciError<E>> for Mismatch {
    fn from(_: ReadHciError<E>) -> Self {
        Self
    }
}

/// The host controller interface.
#[derive(Clone, Copy)]
pub struct Hci(pub &'static RefCell<BleConnector<'static>>);

impl Hci {
    /// Drops what the controller has sent to an earlier host.
    pub fn clear(&self) {
        let mut packet = [0; PACKET];
        while esp_radio::ble::have_hci_read_data() {
            if self.0.borrow_mut().read(&mut packet).is_err() {
                return;
            }
        }
    }
}

impl ErrorType for Hci {
    type Error = Mismatch;
}

/// Packets of the controller as bytes. The controller adds a packet as a whole, so that only its first byte is
/// waited for.
struct Bytes(Hci);

impl ErrorType for Bytes {
    type Error = Mismatch;
}

impl Read for Bytes {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Mismatch> {
        poll_fn(|context| {
            // Borrowed only while it is polled: the host writes while it waits for a packet.
            let mut connector = self.0.0.borrow_mut();
            pin!(Read::read(&mut *connector, buffer)).poll(context).map_err(|_| Mismatch)
        })
        .await
    }
}

impl Transport for Hci {
    async fn read<'a, P: PacketToHost<'a>>(&self, buffer: &'a mut [u8]) -> Result<P, Mismatch> {
        let mut bytes = Bytes(*self);
        let kind = PacketKind::read_async(&mut bytes).await.map_err(|_| Mismatch)?;
        P::read_hci_async(kind, &mut bytes, buffer).await.map_err(|_| Mismatch)
    }

    async fn write<P: PacketToController>(&self, packet: &P) -> Result<(), Mismatch> {
        let packet = WithIndicator::new(packet);
        let mut bytes = [0; PACKET];
        let len = packet.size();
        let bytes = bytes.get_mut(..len).ok_or(Mismatch)?;
        packet.write_hci(&mut *bytes).map_err(|_| Mismatch)?;
        poll_fn(|context| {
            let mut connector = self.0.borrow_mut();
            pin!(Write::write(&mut *connector, bytes)).poll(context)
        })
        .await
        .map(|_| ())
        .map_err(|_| Mismatch)
    }
}
