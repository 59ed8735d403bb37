//! Scans of a device for others: page scan and inquiry scan.
//!
//! A connectable or discoverable device listens for one scan window in every scan interval, on its
//! own scan channel (Bluetooth Core Specification, Vol 2, Part B, 8.3.1 and 8.4.1). An interlaced
//! scan has two windows in every interval. During a scan window, the device neither receives from
//! its piconet nor sends in it. The specification leaves it to the controller when scan windows and
//! link traffic take place. In this model, a gap separates the two windows of an interlaced scan,
//! and the device serves its link in this gap.

use airlag_sim::{Duration, Instant};

/// Scan schedule of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scans {
    /// Interval from the start of one round to the start of the next.
    pub interval: Duration,
    /// Windows per round.
    pub windows: u64,
    /// Length of a window.
    pub window: Duration,
    /// Time from the end of a window to the next one of the round.
    pub gap: Duration,
    /// Initial phase of the first round; less than an interval.
    pub phase: Duration,
}

impl Scans {
    /// End of the window that is open at an instant, if any.
    #[must_use]
    pub fn open_until(&self, at: Instant) -> Option<Instant> {
        let interval = self.interval.as_ns().max(1);
        let pitch = (self.window + self.gap).as_ns().max(1);
        let since = (at.as_ns() + interval - self.phase.as_ns() % interval) % interval;
        let (nth, within) = (since / pitch, since % pitch);
        let open = nth < self.windows && within < self.window.as_ns();
        open.then(|| at + Duration::from_ns(self.window.as_ns() - within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_open_in_every_interval_and_nowhere_else() {
        let ms = Duration::from_ms;
        let scans =
            Scans { interval: ms(100), windows: 2, window: ms(10), gap: ms(5), phase: ms(30) };
        let open = |at_ms: u64| scans.open_until(Instant::START + ms(at_ms));
        let until = |at_ms: u64| Some(Instant::START + ms(at_ms));
        for round in [0, 100, 900] {
            assert_eq!(open(round + 30), until(round + 40));
            assert_eq!(open(round + 39), until(round + 40));
            assert_eq!(open(round + 40), None, "the gap");
            assert_eq!(open(round + 45), until(round + 55));
            assert_eq!(open(round + 55), None);
            assert_eq!(open(round + 60), None, "no third one");
            assert_eq!(open(round + 29), None);
        }
    }
}
