//! Scheduling delay of the emulator: the time from a packet's virtual arrival to its delivery.

/// A packet delivered later than this is marked: a hundred times the duration of a system call.
pub const MARKED_NS: u64 = 1_000_000;

/// Histogram of the delays of all packets delivered, with 16 bins per octave.
///
/// It has about a thousand counters, whatever the number of packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lateness {
    counts: Vec<u64>,
    most_ns: u64,
}

/// Bins per octave.
const PARTS: u32 = 16;

impl Default for Lateness {
    fn default() -> Self {
        Self { counts: vec![0; place(u64::MAX) + 1], most_ns: 0 }
    }
}

/// Index of the bin that contains a number: exact below [`PARTS`], then [`PARTS`] bins per octave.
const fn place(ns: u64) -> usize {
    if ns < PARTS as u64 {
        return ns as usize;
    }
    let octave = 63 - ns.leading_zeros();
    let part = (ns >> (octave - PARTS.ilog2())) as usize - PARTS as usize;
    (octave - PARTS.ilog2() + 1) as usize * PARTS as usize + part
}

/// Lower bound of a bin.
const fn least(place: usize) -> u64 {
    let (octave, part) = (place / PARTS as usize, place % PARTS as usize);
    if octave == 0 { part as u64 } else { (PARTS as u64 + part as u64) << (octave - 1) }
}

impl Lateness {
    /// Counts one delay.
    pub fn add(&mut self, ns: u64) {
        self.counts[place(ns)] += 1;
        self.most_ns = self.most_ns.max(ns);
    }

    /// Number of delays counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Maximum, ns.
    #[must_use]
    pub const fn most_ns(&self) -> u64 {
        self.most_ns
    }

    /// Quantile, ns, rounded down to a bin. Returns 0 for an empty histogram.
    #[must_use]
    pub fn quantile_ns(&self, share: f64) -> u64 {
        let rank = (share.clamp(0.0, 1.0) * self.count().saturating_sub(1) as f64) as u64;
        let mut below = 0;
        for (place, &count) in self.counts.iter().enumerate() {
            below += count;
            if below > rank {
                return least(place);
            }
        }
        0
    }

    /// Bins that contain any delay, in ascending order: lower bound, ns, and count.
    #[must_use]
    pub fn bins(&self) -> Vec<(u64, u64)> {
        let bins = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        bins.map(|(place, &count)| (least(place), count)).collect()
    }

    /// Number of delays above [`MARKED_NS`], with the resolution of a bin.
    #[must_use]
    pub fn marked(&self) -> u64 {
        self.counts[place(MARKED_NS) + 1..].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_starts_at_most_one_sixteenth_below_its_numbers() {
        for exponent in 0..64 {
            for ns in [1u64 << exponent, (1u64 << exponent) + (1u64 << exponent) / 3, u64::MAX] {
                let begin = least(place(ns));
                assert!(begin <= ns && ns - begin <= ns / u64::from(PARTS), "{ns}: {begin}");
            }
        }
    }

    #[test]
    fn quantiles_match_the_counted_delays() {
        let mut late = Lateness::default();
        assert_eq!((late.quantile_ns(0.5), late.count()), (0, 0));
        (1..=1_000).for_each(|us| late.add(us * 1_000));
        late.add(5_000_000);
        let median = late.quantile_ns(0.5) as f64;
        assert!((median / 500_000.0 - 1.0).abs() < 1.0 / f64::from(PARTS), "{median}");
        assert_eq!((late.most_ns(), late.marked(), late.count()), (5_000_000, 1, 1_001));
        let bins = late.bins();
        assert!(bins.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(bins.iter().map(|bin| bin.1).sum::<u64>(), 1_001);
        assert_eq!(bins.last(), Some(&(least(place(5_000_000)), 1)));
    }
}
