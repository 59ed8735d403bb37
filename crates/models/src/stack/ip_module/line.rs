//! One direction of a serial line, which carries frames one after the other.

use std::cell::Cell;

use airlag_sim::{Clock, Duration, Instant};

const NS_PER_S: u128 = 1_000_000_000;

/// Bit rate and bits of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits per second.
    pub baud: u64,
    /// Bits of a byte with start, parity and stop bits: 10 for 8N1, 11 for 8E1.
    pub bits: u64,
}

impl Format {
    /// Duration of `bytes` without gaps, ns. The sum is rounded up, not each byte.
    #[must_use]
    pub fn duration_ns(&self, bytes: usize) -> u64 {
        let bits = bytes as u128 * u128::from(self.bits);
        (bits * NS_PER_S).div_ceil(u128::from(self.baud.max(1))) as u64
    }
}

/// One direction of a line, at the rate of its sender's clock.
pub(super) struct Line {
    format: Format,
    clock: Clock,
    /// Start of the last frame, and the end of its last byte.
    last: Cell<(Instant, Instant)>,
}

impl Line {
    pub(super) const fn new(format: Format, clock: Clock) -> Self {
        Self { format, clock, last: Cell::new((Instant::START, Instant::START)) }
    }

    /// Adds a frame of `bytes` after all earlier frames, and returns its start and end.
    pub(super) fn carry(&self, now: Instant, bytes: usize) -> (Instant, Instant) {
        let begin = self.last.get().1.max(now);
        let end = self.clock.after(begin, Duration::from_ns(self.format.duration_ns(bytes)));
        self.last.set((begin, end));
        (begin, end)
    }

    /// Start of the last frame, which may be in the future.
    pub(super) const fn started(&self) -> Instant {
        self.last.get().0
    }

    /// Silence after which a receiver detects the end of a frame: one byte (RM0090, "Idle
    /// character").
    pub(super) fn pause(&self) -> Duration {
        Duration::from_ns(self.format.duration_ns(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_takes_its_bits_and_follows_the_frame_before() {
        let line = Line::new(Format { baud: 3_000_000, bits: 10 }, Clock::exact());
        // 525 bytes of 10 bits at 3 Mbaud: 1.75 ms.
        let at = |us| Instant::START + Duration::from_us(us);
        assert_eq!(line.carry(at(100), 525), (at(100), at(1_850)));
        assert_eq!(line.carry(at(500), 525), (at(1_850), at(3_600)));
        assert_eq!(line.started(), at(1_850));
        assert_eq!(Format { baud: 5_250_000, bits: 11 }.duration_ns(519), 1_087_429);
    }
}
