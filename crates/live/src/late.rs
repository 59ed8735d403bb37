//! How late we were ourselves: from the instant at which the bench had a packet to that at which it
//! was handed over.

/// A packet handed over later than this is marked: a hundred times what a call takes.
pub const MARKED_NS: u64 = 1_000_000;

/// Lateness of every packet that was handed over, counted in steps of one part in sixteen.
///
/// A day of packets fits: it takes a thousand counters, however many they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lateness {
    counts: Vec<u64>,
    most_ns: u64,
}

/// Parts of an octave.
const PARTS: u32 = 16;

impl Default for Lateness {
    fn default() -> Self {
        Self { counts: vec![0; place(u64::MAX) + 1], most_ns: 0 }
    }
}

/// Which counter holds a number: exact below [`PARTS`], then [`PARTS`] to an octave.
const fn place(ns: u64) -> usize {
    if ns < PARTS as u64 {
        return ns as usize;
    }
    let octave = 63 - ns.leading_zeros();
    let part = (ns >> (octave - PARTS.ilog2())) as usize - PARTS as usize;
    (octave - PARTS.ilog2() + 1) as usize * PARTS as usize + part
}

/// The least number that a counter holds.
const fn least(place: usize) -> u64 {
    let (octave, part) = (place / PARTS as usize, place % PARTS as usize);
    if octave == 0 { part as u64 } else { (PARTS as u64 + part as u64) << (octave - 1) }
}

impl Lateness {
    /// Counts one.
    pub fn add(&mut self, ns: u64) {
        self.counts[place(ns)] += 1;
        self.most_ns = self.most_ns.max(ns);
    }

    /// How many were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The most, ns.
    #[must_use]
    pub const fn most_ns(&self) -> u64 {
        self.most_ns
    }

    /// What a share of them stayed below or at, ns, to one part in sixteen; 0 where there is none.
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

    /// How many were later than [`MARKED_NS`], to one part in sixteen.
    #[must_use]
    pub fn marked(&self) -> u64 {
        self.counts[place(MARKED_NS) + 1..].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_the_counter_that_begins_at_most_one_part_below() {
        for exponent in 0..64 {
            for ns in [1u64 << exponent, (1u64 << exponent) + (1u64 << exponent) / 3, u64::MAX] {
                let begin = least(place(ns));
                assert!(begin <= ns && ns - begin <= ns / u64::from(PARTS), "{ns}: {begin}");
            }
        }
    }

    #[test]
    fn quantiles_are_those_of_what_was_counted() {
        let mut late = Lateness::default();
        assert_eq!((late.quantile_ns(0.5), late.count()), (0, 0));
        (1..=1_000).for_each(|us| late.add(us * 1_000));
        late.add(5_000_000);
        let median = late.quantile_ns(0.5) as f64;
        assert!((median / 500_000.0 - 1.0).abs() < 1.0 / f64::from(PARTS), "{median}");
        assert_eq!((late.most_ns(), late.marked(), late.count()), (5_000_000, 1, 1_001));
    }
}
