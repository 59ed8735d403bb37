//! Timing of a link, measured during operation.
//!
//! Two values are measured. The first value is the transmission time per byte. The second value is the
//! response time: the time from a burst to its response, minus the transmission time of the bytes of the
//! response. The response time is estimated like the round-trip time of TCP (RFC 6298), with two differences.
//! First, responses are numbered, so each response is a valid sample, whereas section 3 of the RFC excludes
//! ambiguous samples. Second, the smallest timeout is a clock tick of a board, whereas section 2.4 of the RFC
//! has one second, which covers effects on the Internet.

use core::time::Duration;

/// Resolution of measurements: clocks and schedulers of boards have ticks of 1 ms to 10 ms.
const GRANULARITY: Duration = Duration::from_millis(10);
/// Timeout before the first measurement: RFC 6298, section 2.1.
const FIRST: Duration = Duration::from_secs(1);
/// Longest timeout: RFC 6298, section 2.5, permits 60 s or more.
const LONGEST: Duration = Duration::from_secs(60);
/// Largest number of doublings of the timeout, with which the first timeout reaches the longest.
const DOUBLED: u32 = 6;
/// Ratio of the duration of a burst to that of its response. It leaves nine tenths of the capacity to
/// data.
const WORTH: u32 = 8;
/// Largest number of frames in a burst: half a window, to leave room for repeats among new frames.
const MOST: u128 = crate::wire::WINDOW as u128 / 2;

/// Measured timing of a link.
#[derive(Clone, Debug)]
pub struct Times {
    /// Length of a full frame, bytes.
    frame: usize,
    /// Recently sent bytes, and their duration.
    bytes: u128,
    took: Duration,
    /// Smoothed time of a response beyond its bytes, and its mean deviation: SRTT and RTTVAR.
    smoothed: Option<(Duration, Duration)>,
    /// RTO before doubling, and the number of doublings.
    timeout: Duration,
    doubled: u32,
}

impl Times {
    /// Timing of an unknown link with frames of up to `frame` bytes.
    #[must_use]
    pub const fn new(frame: usize) -> Self {
        Self { frame, bytes: 0, took: Duration::ZERO, smoothed: None, timeout: FIRST, doubled: 0 }
    }

    /// Records the duration of sent bytes. With each burst, the weight of the earlier ones decreases
    /// by an eighth.
    pub fn sent(&mut self, bytes: usize, took: Duration) {
        self.bytes = self.bytes - self.bytes / 8 + bytes as u128;
        self.took = self.took * 7 / 8 + took;
    }

    fn of(&self, bytes: usize) -> Duration {
        let ns = self.took.as_nanos() * bytes as u128 / self.bytes.max(1);
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    /// Duration of a full frame.
    #[must_use]
    pub fn frame(&self) -> Duration {
        self.of(self.frame)
    }

    /// Records a response of `bytes` that arrived `after` the burst was sent (RFC 6298, sections 2.2 and
    /// 2.3).
    pub fn answered(&mut self, bytes: usize, after: Duration) {
        let sample = after.saturating_sub(self.of(bytes));
        let (smoothed, deviation) = match self.smoothed {
            None => (sample, sample / 2),
            Some((smoothed, deviation)) => {
                let off = smoothed.abs_diff(sample);
                ((smoothed * 7 + sample) / 8, (deviation * 3 + off) / 4)
            }
        };
        self.smoothed = Some((smoothed, deviation));
        self.timeout = (smoothed + (deviation * 4).max(GRANULARITY)).min(LONGEST);
        self.doubled = 0;
    }

    /// Records a missing response (section 5.5).
    pub fn unanswered(&mut self) {
        self.doubled = (self.doubled + 1).min(DOUBLED);
    }

    /// Timeout of a response beyond its bytes.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        (self.timeout * (1 << self.doubled)).min(LONGEST)
    }

    /// Largest expected time of a response beyond its bytes, while responses arrive. This time includes
    /// waits for a free channel, which may become longer.
    #[must_use]
    pub const fn usual(&self) -> Duration {
        self.timeout
    }

    /// Returns the smallest number of frames per burst that justifies the time of a response.
    #[must_use]
    pub fn burst(&self) -> usize {
        let Some((smoothed, _)) = self.smoothed else { return 1 };
        let frame = self.frame().as_nanos().max(1);
        // A response has about a quarter of the length of a full frame: a report, sometimes with
        // data.
        let costs = smoothed.as_nanos() + frame / 4;
        (costs * u128::from(WORTH)).div_ceil(frame).clamp(1, MOST) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_timeout_is_that_of_rfc_6298() {
        let mut times = Times::new(100);
        assert_eq!(times.timeout(), ms(1_000));
        times.sent(100, ms(100));
        // The response arrives 100 ms after the 20 ms of its bytes: SRTT 100, RTTVAR 50.
        times.answered(20, ms(120));
        assert_eq!(times.timeout(), ms(300));
        // SRTT 110, RTTVAR (3 * 50 + 80) / 4 = 57.5.
        times.answered(20, ms(200));
        assert_eq!(times.timeout(), ms(340));
        times.unanswered();
        times.unanswered();
        assert_eq!(times.timeout(), ms(1_360));
        for _ in 0..10 {
            times.unanswered();
        }
        assert_eq!(times.timeout(), ms(340 * 64));
        assert_eq!(times.usual(), ms(340));
        times.answered(20, ms(130));
        assert_eq!(times.timeout(), times.usual());
        times = Times::new(100);
        (0..9).for_each(|_| times.unanswered());
        assert_eq!(times.timeout(), LONGEST);
    }

    #[test]
    fn a_link_that_is_always_the_same_has_a_timeout_of_a_tick_more() {
        let mut times = Times::new(100);
        (0..100).for_each(|_| times.answered(0, ms(50)));
        assert_eq!(times.timeout(), ms(60));
    }

    #[test]
    fn bursts_are_long_where_answers_are_slow() {
        for (frame, answer, burst) in [(200, 0, 2), (1, 0, 2), (10, 20, 18), (1, 100, 48)] {
            let mut times = Times::new(100);
            times.sent(100, ms(frame));
            assert_eq!(times.burst(), 1, "nothing is known yet");
            times.answered(0, ms(answer));
            assert_eq!(times.burst(), burst, "{frame} ms and {answer} ms");
        }
    }

    #[test]
    fn what_a_frame_takes_follows_the_link() {
        let mut times = Times::new(255);
        times.sent(27, ms(27));
        assert_eq!(times.frame(), ms(255));
        (0..60).for_each(|_| times.sent(1_000, ms(3_000)));
        let frame = times.frame();
        assert!(frame > ms(750) && frame <= ms(770), "{frame:?}");
    }
}
