//! A radio co-processor: a radio with its MAC behind a serial line, spoken to in Spinel frames.
//!
//! ```text
//!  host                                     co-processor
//!   │ transmit request: frame + 22 B ─────► │ CSMA, frame, ACK
//!   │ ◄───────────────── transmit done: 44 B │
//!   │ ◄────────── every frame heard + 31 B │ a buffer of 2 KiB; what does not fit is dropped
//! ```
//!
//! Each is an HDLC-lite frame: flag, content with some octets escaped, check of two octets, flag.

use std::collections::VecDeque;

use airlag_sim::{Clock, Duration, Instant};
use crc::{CRC_16_IBM_SDLC, Crc, Table};

/// Octets of header, command and property.
const PROPERTY: usize = 3;
/// Octets of a frame's length.
const LENGTH: usize = 2;
/// Octets behind a frame to be sent: channel, backoffs, retries, four flags, two times of four octets,
/// channel afterwards, power (`RadioSpinel::Request` of `SPINEL_PROP_STREAM_RAW`).
const TRANSMIT_METADATA: usize = 7 + 8 + 2;
/// Octets behind a frame that was heard: signal, noise, flags, and structures of 10, 1 and 5 octets with
/// their lengths (`NcpBase::PackRadioFrame`).
const RECEIVE_METADATA: usize = 4 + 12 + 3 + 7;
/// Octets of what became of a frame: status, two flags, key and counter
/// (`NcpBase::LinkRawTransmitDone`), besides its acknowledgement.
const DONE: usize = 3 + 5;
/// Octets of an acknowledgement's PSDU.
const ACK: usize = airlag_link::airtime::ieee802154::ACK_PSDU;

/// Flag, escape, and what flow control and vendors use (`hdlc.cpp`, `HdlcByteNeedsEscape`).
const ESCAPED: [u8; 5] = [0x7E, 0x7D, 0x11, 0x13, 0xF8];
const FCS: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_IBM_SDLC);

/// Octets on the line of `psdu` on its way to the radio.
#[must_use]
pub fn transmit_len(psdu: &[u8]) -> usize {
    hdlc_len(psdu, PROPERTY + LENGTH + TRANSMIT_METADATA)
}

/// Octets on the line of `psdu` that was heard.
#[must_use]
pub fn received_len(psdu: &[u8]) -> usize {
    hdlc_len(psdu, PROPERTY + LENGTH + RECEIVE_METADATA)
}

/// Octets on the line of what became of an acknowledged frame.
#[must_use]
pub fn done_len() -> usize {
    hdlc_len(&[], PROPERTY + DONE + LENGTH + ACK + RECEIVE_METADATA)
}

/// Octets of an HDLC-lite frame of `bytes` and `more` that need no escape.
fn hdlc_len(bytes: &[u8], more: usize) -> usize {
    let check = FCS.checksum(bytes).to_le_bytes();
    let escaped = |octets: &[u8]| octets.iter().filter(|octet| ESCAPED.contains(octet)).count();
    2 + bytes.len() + more + check.len() + escaped(bytes) + escaped(&check)
}

/// What the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Ten bits an octet at this rate.
    Uart(u32),
    /// Bulk transfers of USB 2.0 at full speed: 19 packets of 64 octets a millisecond (5.8.4).
    Usb,
}

impl Line {
    /// How long `octets` take.
    #[must_use]
    pub const fn duration(self, octets: usize) -> Duration {
        Duration::from_ns(match self {
            Self::Uart(baud) => octets as u64 * 10_000_000_000 / baud as u64,
            Self::Usb => octets.div_ceil(64) as u64 * 1_000_000 / 19,
        })
    }
}

/// A serial line and what its ends add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial {
    /// What it is.
    pub line: Line,
    /// What drivers and operating system add, each way.
    pub latency: Duration,
    /// Octets the co-processor holds for its host: `OPENTHREAD_CONFIG_NCP_TX_BUFFER_SIZE`.
    pub buffer: usize,
}

/// One way of a line: one frame after the other.
#[derive(Debug, Default)]
pub struct Way {
    free: Instant,
    /// What is not through yet, and when it will be.
    held: VecDeque<(Instant, usize)>,
}

impl Way {
    /// One on which nothing was sent yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { free: Instant::START, held: VecDeque::new() }
    }

    /// When `octets` that are handed over now begin and end on the line.
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

    /// Octets that are not through by `now`.
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
