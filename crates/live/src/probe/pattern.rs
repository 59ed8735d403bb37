//! Send times of requests, relative to the start of a session.

use std::num::NonZeroU32;

use airlag_sim::Duration;

/// Pattern of send times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One request per period.
    Periodic(Duration),
    /// A Poisson process with this mean interval. It samples every phase of a periodic process (RFC 2330,
    /// section 11.1.1).
    Poisson(Duration),
    /// Bursts of back-to-back requests, one burst per period.
    Bursts {
        /// Interval from the start of one burst to the next.
        period: Duration,
        /// Requests per burst.
        length: NonZeroU32,
    },
    /// One request per period, with an offset within the period. From one request to the next, the offset
    /// increases by the golden ratio times `link`, modulo `link`, where `link` is the suspected period of the
    /// link. Any number of requests therefore covers all phases of the suspected period evenly (R. Lehman's
    /// low-discrepancy sequence, D. Knuth, TAOCP 3, 6.4).
    Swept {
        /// Mean interval between requests.
        period: Duration,
        /// Suspected period of the link.
        link: Duration,
    },
    /// Requests at these times, in ascending order.
    Schedule(Vec<Duration>),
    /// Each request is sent as soon as the previous one is answered or has timed out.
    ClosedLoop,
}

/// Fractional part of the golden ratio times 2^64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Pattern {
    /// Send times, ns since the start, ascending. Empty for a closed loop.
    pub fn times_ns(&self, seed: u64) -> Box<dyn Iterator<Item = i64> + Send + '_> {
        let ns = |duration: Duration| duration.as_ns() as i64;
        match self {
            Self::Periodic(period) => {
                let period = ns(*period);
                Box::new((0..).map(move |nth: i64| nth * period))
            }
            Self::Poisson(mean) => {
                let mean = ns(*mean) as f64;
                let (mut draws, mut at) = (seed, 0.0);
                Box::new(std::iter::from_fn(move || {
                    let now = at as i64;
                    at -= mean * (1.0 - uniform(&mut draws)).ln();
                    Some(now)
                }))
            }
            Self::Bursts { period, length } => {
                let (period, length) = (ns(*period), i64::from(length.get()));
                Box::new((0..).map(move |nth: i64| nth / length * period))
            }
            Self::Swept { period, link } => {
                let (period, link) = (ns(*period), u128::from(link.as_ns()));
                Box::new((0..).map(move |nth: i64| {
                    let phase = u128::from((nth as u64).wrapping_mul(GOLDEN));
                    nth * period + ((phase * link) >> 64) as i64
                }))
            }
            Self::Schedule(times) => Box::new(times.iter().map(move |&at| ns(at))),
            Self::ClosedLoop => Box::new(std::iter::empty()),
        }
    }

    /// Mean interval between waits for a send time, ns. `None` for a closed loop, and for a schedule without
    /// intervals.
    pub(super) fn mean_interval_ns(&self) -> Option<i64> {
        match self {
            Self::Periodic(mean)
            | Self::Poisson(mean)
            | Self::Bursts { period: mean, .. }
            | Self::Swept { period: mean, .. } => Some(mean.as_ns() as i64),
            Self::Schedule(times) => {
                let [first, .., last] = times.as_slice() else { return None };
                Some((last.as_ns() - first.as_ns()) as i64 / (times.len() - 1) as i64)
            }
            Self::ClosedLoop => None,
        }
    }
}

/// Draws a number from 0 to 1 (Steele, Lea and Flood, SplitMix64, 2014).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(GOLDEN);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pattern: &Pattern, count: usize) -> Vec<i64> {
        pattern.times_ns(1).take(count).collect()
    }

    const MS: Duration = Duration::from_ms(1);

    #[test]
    fn periods_and_bursts() {
        assert_eq!(first(&Pattern::Periodic(MS), 3), [0, 1_000_000, 2_000_000]);
        let bursts = Pattern::Bursts { period: MS, length: NonZeroU32::new(2).expect("not 0") };
        assert_eq!(first(&bursts, 5), [0, 0, 1_000_000, 1_000_000, 2_000_000]);
        let times = vec![Duration::from_us(3), MS];
        assert_eq!(first(&Pattern::Schedule(times), 9), [3_000, 1_000_000]);
        assert!(first(&Pattern::ClosedLoop, 9).is_empty());
    }

    #[test]
    fn poisson_gaps_are_exponential() {
        let times = first(&Pattern::Poisson(MS), 20_001);
        let gaps: Vec<f64> =
            times.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let over = gaps.iter().filter(|&&gap| gap > 1.0).count() as f64 / gaps.len() as f64;
        // Four standard errors.
        assert!((mean - 1.0).abs() < 4.0 / 20_000_f64.sqrt(), "{mean}");
        assert!((over - (-1.0_f64).exp()).abs() < 4.0 * (0.2325 / 20_000.0_f64).sqrt(), "{over}");
    }

    #[test]
    fn a_sweep_covers_every_phase_of_the_link_in_ascending_order() {
        let link = Duration::from_us(30_000);
        let swept = Pattern::Swept { period: Duration::from_ms(90), link };
        let times = first(&swept, 300);
        assert!(times.is_sorted());
        let mut phases: Vec<i64> = times.iter().map(|at| at % 30_000_000).collect();
        phases.sort_unstable();
        let widest = phases.windows(2).map(|pair| pair[1] - pair[0]).max().expect("gaps");
        // Requests with even spacing would be 100 us apart. In the sequence, three gap lengths
        // occur (Steinhaus), the largest of which is 2.6 times that.
        assert!(widest < 262_000, "{widest}");
    }
}
