//! LoRa frames in a capture file: LINKTYPE_LORATAP, version 0 (github.com/eriknl/LoRaTap).
//!
//! ```text
//!  version 0, padding, length (u16), frequency (u32, Hz), bandwidth (125 kHz steps), spreading
//!  factor, packet, maximum and current RSSI, SNR, sync word; then the payload. Big endian.
//! ```
//!
//! Some properties of a packet have no header field in LoRaTap: the coding rate, whether the packet
//! has a header and a CRC, the length of the preamble, and whether the chirps are inverted. The
//! comment of the packet contains these properties. For a bandwidth below 125 kHz, the header field
//! of the bandwidth is 0, and the comment also contains the bandwidth. The signal strength fields
//! are 255, which version 1 of LoRaTap defines as not available.

use std::fmt::Write;

use airlag_air::{Encapsulation, Frame};

use super::{packet, settings};

/// The encapsulation of [`settings::FAMILY`].
#[derive(Clone, Copy, Debug)]
pub struct LoraTap;

const NOT_AVAILABLE: u8 = 255;

impl Encapsulation for LoraTap {
    fn link_type(&self) -> u16 {
        270
    }

    fn description(&self) -> &'static str {
        "LoRa payload, without the radio's header and CRC"
    }

    fn wrap(&self, frame: &Frame, _: bool, data: &mut Vec<u8>, comment: &mut String) {
        let chirps = settings::chirps(frame.modulation);
        let (exponent, hz) = chirps
            .map_or((0, 0), |chirps| (chirps.spreading_factor.exponent(), chirps.bandwidth.hz()));
        let sent = packet::unpack(&frame.bytes);
        data.extend([0, 0, 0, 15]);
        data.extend((frame.band.centre_khz() * 1_000).to_be_bytes());
        data.extend([(hz / 125_000) as u8, exponent]);
        data.extend([NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE, 0]);
        data.push(sent.map_or(0, |sent| sent.sync_word));
        let Some(sent) = sent else {
            comment.push_str("not in the format of a LoRa frame");
            data.extend_from_slice(&frame.bytes);
            return;
        };
        data.extend_from_slice(sent.payload);
        let with = |flag: bool| if flag { "with" } else { "without" };
        // Writing into a string never fails.
        let _ = write!(
            comment,
            "{}coding rate 4/{}, {} header, {} CRC, preamble of {} symbols{}",
            if hz < 125_000 { format!("bandwidth {hz} Hz, ") } else { String::new() },
            sent.coding_rate.denominator(),
            with(sent.explicit_header),
            with(sent.crc),
            sent.preamble,
            if chirps.is_some_and(|chirps| chirps.inverted) { ", inverted chirps" } else { "" },
        );
    }
}
