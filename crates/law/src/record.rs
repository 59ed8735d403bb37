//! Transmissions of a transmitter: start, end and spectrum.

use std::collections::BTreeMap;

/// One transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// First bit, ns since the observation began.
    pub begin_ns: u64,
    /// Last bit, ns.
    pub end_ns: u64,
    /// Lower spectrum edge, kHz.
    pub low_khz: u32,
    /// Upper spectrum edge, kHz.
    pub high_khz: u32,
}

/// Successive transmissions of one transmitter within an observation time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    sent: Vec<Transmission>,
    observed_ns: u64,
}

impl Record {
    /// Creates a record of `observed_ns`; transmissions that begin later are dropped.
    #[must_use]
    pub fn new(mut sent: Vec<Transmission>, observed_ns: u64) -> Self {
        sent.retain(|one| one.begin_ns < observed_ns);
        sent.sort_by_key(|one| one.begin_ns);
        Self { sent, observed_ns }
    }

    /// Transmissions in the order of their starts.
    #[must_use]
    pub fn sent(&self) -> &[Transmission] {
        &self.sent
    }

    /// Total airtime, ns.
    #[must_use]
    pub fn airtime_ns(&self) -> u64 {
        self.sent.iter().map(Transmission::ns).sum()
    }

    /// Duration of the longest transmission, ns.
    #[must_use]
    pub fn longest_ns(&self) -> u64 {
        self.sent.iter().map(Transmission::ns).max().unwrap_or(0)
    }

    /// Length of the longest sequence, ns: from the start of a transmission to the end of the last
    /// one before a gap. `gap_ns` is the shortest gap after a sequence of a given length.
    #[must_use]
    pub fn longest_sequence_ns(&self, gap_ns: impl Fn(u64) -> u64) -> u64 {
        let mut longest = 0;
        let mut sequence: Option<(u64, u64)> = None;
        for one in &self.sent {
            let begin = match sequence {
                Some((begin, end)) if one.begin_ns < end.saturating_add(gap_ns(end - begin)) => {
                    begin
                }
                _ => one.begin_ns,
            };
            sequence = Some((begin, one.end_ns));
            longest = longest.max(one.end_ns - begin);
        }
        longest
    }

    /// Returns the largest share of time on the air within any time window of `window_ns`. A
    /// shorter record is extrapolated.
    #[must_use]
    pub fn share_within(&self, window_ns: u64) -> f64 {
        if window_ns >= self.observed_ns {
            return self.airtime_ns() as f64 / self.observed_ns.max(1) as f64;
        }
        let ahead = most_within(self.sent.iter().map(|one| (one.begin_ns, one.end_ns)), window_ns);
        // A window with the maximum begins or ends with a transmission, so the search also runs
        // backwards.
        let last = self.sent.last().map_or(0, |one| one.end_ns);
        let mirrored = self.sent.iter().rev().map(|one| (last - one.end_ns, last - one.begin_ns));
        ahead.max(most_within(mirrored, window_ns)) as f64 / window_ns as f64
    }

    /// Splits the record by channel.
    #[must_use]
    pub fn channels(&self) -> Vec<Self> {
        let mut by_channel: BTreeMap<(u32, u32), Vec<Transmission>> = BTreeMap::new();
        for one in &self.sent {
            by_channel.entry((one.low_khz, one.high_khz)).or_default().push(*one);
        }
        let alone = |sent| Self { sent, observed_ns: self.observed_ns };
        by_channel.into_values().map(alone).collect()
    }

    /// Splits the record into transmissions for which `belongs` is true, and the others.
    #[must_use]
    pub fn split(&self, belongs: impl Fn(&Transmission) -> bool) -> (Self, Self) {
        let (one, other) = self.sent.iter().partition(|one| belongs(one));
        let alone = |sent| Self { sent, observed_ns: self.observed_ns };
        (alone(one), alone(other))
    }
}

impl Transmission {
    /// Duration, ns.
    #[must_use]
    pub const fn ns(&self) -> u64 {
        self.end_ns - self.begin_ns
    }

    /// Centre frequency, kHz.
    #[must_use]
    pub const fn centre_khz(&self) -> u32 {
        self.low_khz + (self.high_khz - self.low_khz) / 2
    }
}

/// Longest total of consecutive `stretches` within a window that begins with one of them.
fn most_within(stretches: impl Iterator<Item = (u64, u64)> + Clone, window_ns: u64) -> u64 {
    let (mut most, mut whole) = (0, 0);
    let mut ends = stretches.clone().peekable();
    for (begin, end) in stretches {
        let until = begin + window_ns;
        while let Some((from, to)) = ends.next_if(|&(_, to)| to <= until) {
            whole += to - from;
        }
        let cut = ends.peek().map_or(0, |&(from, _)| until.saturating_sub(from.max(begin)));
        most = most.max(whole + cut);
        if end <= until {
            whole -= end - begin;
        } else {
            // A transmission that is longer than the window does not fit into it, and must not
            // count later.
            ends.next();
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(stretches: &[(u64, u64)], observed_ns: u64) -> Record {
        let sent = |&(begin_ns, end_ns): &(u64, u64)| Transmission {
            begin_ns,
            end_ns,
            low_khz: 868_000,
            high_khz: 868_200,
        };
        Record::new(stretches.iter().map(sent).collect(), observed_ns)
    }

    #[test]
    fn the_worst_stretch_begins_or_ends_with_a_transmission() {
        let one = record(&[(0, 10), (50, 70), (90, 95)], 200);
        assert!((one.share_within(45) - 25.0 / 45.0).abs() < 1e-12);
        // Searches backwards from the end of the second transmission.
        assert!((one.share_within(65) - 25.0 / 65.0).abs() < 1e-12);
        assert!((one.share_within(15) - 1.0).abs() < 1e-12);
        assert_eq!((one.airtime_ns(), one.longest_ns()), (35, 20));
    }

    #[test]
    fn a_short_observation_goes_on_as_it_was() {
        let one = record(&[(0, 10), (50, 70)], 100);
        assert!((one.share_within(3_600_000) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn short_gaps_belong_to_a_sequence() {
        let one = record(&[(0, 10), (12, 20), (30, 35)], 100);
        assert_eq!(one.longest_sequence_ns(|_| 5), 20);
        assert_eq!(one.longest_sequence_ns(|_| 2), 10);
        assert_eq!(one.longest_sequence_ns(|_| 11), 35);
    }

    #[test]
    fn a_gap_may_have_to_be_as_long_as_the_sequence_before_it() {
        let gap = |sequence_ns: u64| sequence_ns.max(4);
        assert_eq!(record(&[(0, 10), (20, 25)], 100).longest_sequence_ns(gap), 10);
        assert_eq!(record(&[(0, 10), (19, 25)], 100).longest_sequence_ns(gap), 25);
        assert_eq!(record(&[(0, 2), (5, 6), (10, 11)], 100).longest_sequence_ns(gap), 11);
    }

    proptest! {
        #[test]
        fn no_stretch_holds_more_than_the_worst(
            steps in prop::collection::vec((0_u64..30, 1_u64..30), 1..12),
            window in 1_u64..200,
        ) {
            let mut at = 0;
            let stretches: Vec<(u64, u64)> = steps.iter().map(|&(gap, length)| {
                let begin = at + gap;
                at = begin + length;
                (begin, at)
            }).collect();
            let built = record(&stretches, 10_000);
            let within = |from: u64| -> u64 {
                stretches.iter().map(|&(begin, end)| {
                    end.min(from + window).saturating_sub(begin.max(from))
                }).sum()
            };
            let most = (0..at + 1).map(within).max().unwrap_or(0) as f64 / window as f64;
            // A window may also start before the observation.
            let before = stretches.iter().map(|&(_, end)| -> u64 {
                stretches.iter().map(|&(b, e)| {
                    e.min(end).saturating_sub(b.max(end.saturating_sub(window)))
                }).sum()
            }).max().unwrap_or(0) as f64 / window as f64;
            prop_assert!((built.share_within(window) - most.max(before)).abs() < 1e-12);
        }
    }
}
