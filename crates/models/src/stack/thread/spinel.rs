//! A radio co-processor: a radio with its MAC behind a serial line, controlled by Spinel frames.
//!
//! ```text
//!  host                                     co-processor
//!   │ transmit request: frame + 22 B ─────► │ CSMA, frame, ACK
//!   │ ◄───────────────── transmit done: 44 B │
//!   │ ◄────────── every frame heard + 31 B │ a buffer of 2 KiB; what does not fit is dropped
//! ```
//!
//! Each arrow is one HDLC-lite frame: flag, content with escaped octets, FCS of two octets, flag.

use std::collections::VecDeque;

use airlag_sim::{Clock, Duration, Instant};
use crc::{CRC_16_IBM_SDLC, Crc, Table};

/// Length of header, command and property, octets.
const PROPERTY: usize = 3;
/// Size of the frame length field, octets.
const LENGTH: usize = 2;
/// Metadata after a frame to send, octets: channel, backoffs, retries, four flags, two times of
/// four octets, final channel, power (`RadioSpinel::Request` of `SPINEL_PROP_STREAM_RAW`).
const TRANSMIT_METADATA: usize = 7 + 8 + 2;
/// Metadata after a received frame, octets: signal, noise, flags, and structures of 10, 1 and 5
/// octets with their lengths (`NcpBase::PackRadioFrame`).
const RECEIVE_METADATA: usize = 4 + 12 + 3 + 7;
/// Length of a transmit result, octets: status, two flags, key and counter
/// (`NcpBase::LinkRawTransmitDone`), without the acknowledgement.
const DONE: usize = 3 + 5;
/// Length of an acknowledgement's PSDU, octets.
const ACK: usize = airlag_link::airtime::ieee802154::ACK_PSDU;

/// Octets that are escaped: flag, escape, and those of flow control and vendors (`hdlc.cpp`,
/// `HdlcByteNeedsEscape`).
const ESCAPED: [u8; 5] = [0x7E, 0x7D, 0x11, 0x13, 0xF8];
const FCS: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_IBM_SDLC);

/// Length of `psdu` on the line to the radio, octets.
#[must_use]
pub fn transmit_len(psdu: &[u8]) -> usize {
    hdlc_len(psdu, PROPERTY + LENGTH + TRANSMIT_METADATA)
}

/// Length of a received `psdu` on the line, octets.
#[must_use]
pub fn received_len(psdu: &[u8]) -> usize {
    hdlc_len(psdu, PROPERTY + LENGTH + RECEIVE_METADATA)
}

/// Length of the transmit result of an acknowledged frame on the line, octets.
#[must_use]
pub fn done_len() -> usize {
    hdlc_len(&[], PROPERTY + DONE + LENGTH + ACK + RECEIVE_METADATA)
}

/// Length of an HDLC-lite frame of `bytes` and `more` octets without escapes.
fn hdlc_len(bytes: &[u8], more: usize) -> usize {
    let check = FCS.checksum(bytes).to_le_bytes();
    let escaped = |octets: &[u8]| octets.iter().filter(|octet| ESCAPED.contains(octet)).count();
    2 + bytes.len() + more + check.len() + escaped(bytes) + escaped(&check)
}

/// Type of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Ten bits per octet at this rate.
    Uart(u32),
    /// USB 2.0 bulk transfers at full speed: 19 packets of 64 octets per millisecond (5.8.4).
    Usb,
}

impl Line {
    /// Duration of `octets`.
    #[must_use]
    pub const fn duration(self, octets: usize) -> Duration {
        Duration::from_ns(match self {
            Self::Uart(baud) => octets as u64 * 10_000_000_000 / baud as u64,
            Self::Usb => octets.div_ceil(64) as u64 * 1_000_000 / 19,
        })
    }
}

/// A serial line and the delays of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial {
    /// Type.
    pub line: Line,
    /// Delay of drivers and operating system, each way.
    pub latency: Duration,
    /// Transmit buffer of the co-processor, octets: `OPENTHREAD_CONFIG_NCP_TX_BUFFER_SIZE`.
    pub buffer: usize,
}

/// One direction of a line, which carries one frame after the other.
#[derive(Debug, Default)]
pub struct Way {
    free: Instant,
    /// Frames in transit, with their ends.
    held: VecDeque<(Instant, usize)>,
}

impl Way {
    /// Creates an idle direction.
    #[must_use]
    pub const fn new() -> Self {
        Self { free: Instant::START, held: VecDeque::new() }
    }

    /// Returns the start and the end of `octets` on the line if they are handed over now.
    pub fn pass(
        &mut self,
        line: Line,
        octets: usize,
        clock: &Clock,
        now: Instant,
    ) -> (Instant, Instant) {
        let begin = self.free.max(now);
        self.free = clock.after(begin, line.duration(octets));
        self.held.push_back((self.free, octets));
        (begin, self.free)
    }

    /// Octets still in transit at `now`.
    pub fn waiting(&mut self, now: Instant) -> usize {
        while self.held.front().is_some_and(|&(end, _)| end <= now) {
            self.held.pop_front();
        }
        self.held.iter().map(|&(_, octets)| octets).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_of_127_octets_takes_13_ms_at_115200_baud() {
        let octets = transmit_len(&[0xAA; 127]);
        assert_eq!(octets, 127 + 22 + 4);
        assert_eq!(Line::Uart(115_200).duration(octets).as_ns() / 1_000, 13_281);
        assert_eq!(Line::Usb.duration(octets).as_ns(), 157_894);
    }

    #[test]
    fn octets_that_mean_something_to_the_line_take_two() {
        assert_eq!(received_len(&[0x7E; 10]) - received_len(&[0x20; 10]), 10);
    }

    #[test]
    fn what_is_handed_over_together_goes_one_after_the_other() {
        let (mut way, line, clock) = (Way::new(), Line::Uart(1_000_000), Clock::exact());
        let first = way.pass(line, 100, &clock, Instant::START);
        let second = way.pass(line, 50, &clock, Instant::START);
        assert_eq!(first, (Instant::START, Instant::from_ns(1_000_000)));
        assert_eq!(second, (first.1, Instant::from_ns(1_500_000)));
        assert_eq!(way.waiting(Instant::START), 150);
        assert_eq!(way.waiting(first.1), 50);
    }
}
