//! Path from the radio to packets: payloads are concatenated until the buffer contains a plausible
//! packet.
//!
//! Radio payloads do not mark where a packet begins. When the buffer contains a complete packet,
//! the packet is forwarded, and all data after the end of the packet is discarded. If the discarded
//! data contained the beginning of the next packet, the rest of the next packet is invalid. The
//! contents of a full buffer are discarded.

use std::convert::Infallible;

use airlag_drivers::nrf24::register::{command, status};
use airlag_sim::Duration;
use airlag_sim::channel::Sender;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::spi::SpiDevice;

use super::{PIECE, Raw};

/// Buffer size, bytes.
const BUFFER: usize = 4_096;
/// RX_EMPTY in FIFO_STATUS.
const RX_EMPTY: u8 = 1;

/// Forwards data that looks like packets.
pub(super) async fn run(mut raw: Raw, sleep: Duration, packets: Sender<Vec<u8>>) {
    let mut buffer = Vec::with_capacity(BUFFER);
    loop {
        raw.sleep_on(sleep).await;
        let Ok(()) = read_all(&mut raw, &mut buffer).await;
        if let Some(len) = packet_len(&buffer) {
            packets.send(buffer[..len].to_vec());
            buffer.clear();
        } else if buffer.len() + 3 * PIECE >= BUFFER {
            buffer.clear();
        }
    }
}

/// Reads the contents of the FIFO. The radio is in standby meanwhile and cannot receive.
async fn read_all(raw: &mut Raw, buffer: &mut Vec<u8>) -> Result<(), Infallible> {
    if raw.fifo_status().await? & RX_EMPTY != 0 {
        return Ok(());
    }
    raw.ce.set_low()?;
    while raw.fifo_status().await? & RX_EMPTY == 0 {
        let mut bytes = [command::R_RX_PL_WID, 0];
        raw.spi.transfer_in_place(&mut bytes).await?;
        let width = usize::from(bytes[1]).min(PIECE);
        let mut bytes = [command::R_RX_PAYLOAD; 1 + PIECE];
        raw.spi.transfer_in_place(&mut bytes[..=width]).await?;
        buffer.extend_from_slice(&bytes[1..=width]);
    }
    raw.clear(status::RX_DR).await?;
    raw.ce.set_high()
}

/// Length of the IPv4 packet in the buffer, if it is complete.
fn packet_len(buffer: &[u8]) -> Option<usize> {
    let header = buffer.get(..20)?;
    let len = usize::from(u16::from_be_bytes([header[2], header[3]]));
    let is_packet = header[0] >> 4 == 4 && (20..=buffer.len()).contains(&len);
    is_packet.then_some(len)
}
