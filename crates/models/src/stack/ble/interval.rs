//! Valid connection intervals.
//!
//! | set of intervals | shortest interval | longest interval | step | source |
//! |---|---|---|---|---|
//! | [`Values::Baseline`] | 7.5 ms | 4 s | 1.25 ms | Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1 |
//! | [`Values::Extended`] | 375 us | 4 s | 125 us | section 4.5.1 of version 6.2 of the specification, Shorter Connection Intervals |
//! | [`Values::LowLatency`], in addition to the baseline | 1 ms | 7 ms | 1 ms | low latency packet mode of Nordic's SoftDevice Controller |

use airlag_sim::Duration;

/// Unit of intervals in packets of version 6.2, us.
const FINE_US: u64 = 125;
/// Unit of intervals in packets of earlier versions, us.
const UNIT_US: u64 = 1_250;
/// Unit of the low latency packet mode, us, and its longest interval.
const LOW_LATENCY_US: u64 = 1_000;
const LONGEST_LOW_LATENCY_US: u64 = 7_000;
/// Shortest intervals, us.
const SHORTEST_US: u64 = 7_500;
const SHORTEST_EXTENDED_US: u64 = 375;
/// Longest interval, us.
const LONGEST_US: u64 = 4_000_000;

/// Set of connection intervals that both controllers support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Multiples of 1.25 ms from 7.5 ms on.
    Baseline,
    /// Multiples of 125 us from 375 us on.
    Extended,
    /// The baseline, and whole milliseconds from 1 to 7 ms.
    LowLatency,
}

/// Time between two connection events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval(u16);

/// Error of an invalid interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a connection interval is {}; the nearest is {nearest_us} us", values.text())]
pub struct IllegalInterval {
    /// Values that the controllers support.
    pub values: Values,
    /// Nearest valid interval, us.
    pub nearest_us: u64,
}

impl Values {
    const fn text(self) -> &'static str {
        match self {
            Self::Baseline => "a multiple of 1.25 ms from 7.5 ms to 4 s",
            Self::Extended => "a multiple of 125 us from 375 us to 4 s",
            Self::LowLatency => {
                "1 to 7 ms in steps of 1 ms, or a multiple of 1.25 ms from 7.5 ms to 4 s"
            }
        }
    }

    /// Valid interval that is nearest to `us`.
    fn nearest_us(self, us: u64) -> u64 {
        let grid =
            |step: u64, low: u64, high: u64| ((us + step / 2) / step * step).clamp(low, high);
        match self {
            Self::Extended => grid(FINE_US, SHORTEST_EXTENDED_US, LONGEST_US),
            Self::LowLatency if us < (LONGEST_LOW_LATENCY_US + SHORTEST_US) / 2 => {
                grid(LOW_LATENCY_US, LOW_LATENCY_US, LONGEST_LOW_LATENCY_US)
            }
            Self::Baseline | Self::LowLatency => grid(UNIT_US, SHORTEST_US, LONGEST_US),
        }
    }
}

impl Interval {
    /// Interval of `us` microseconds that every controller supports.
    pub fn from_us(us: u64) -> Result<Self, IllegalInterval> {
        Self::among(Values::Baseline, us)
    }

    /// Interval of `us` microseconds that is one of `values`.
    pub fn among(values: Values, us: u64) -> Result<Self, IllegalInterval> {
        let nearest_us = values.nearest_us(us);
        if nearest_us == us {
            Ok(Self((us / FINE_US) as u16))
        } else {
            Err(IllegalInterval { values, nearest_us })
        }
    }

    /// Interval of `units` times 1.25 ms, the link layer's encoding.
    pub fn from_units(units: u16) -> Result<Self, IllegalInterval> {
        Self::from_us(u64::from(units) * UNIT_US)
    }

    /// Interval of `units` times 125 us, the encoding of the connection rate update.
    pub fn from_fine_units(units: u16) -> Result<Self, IllegalInterval> {
        Self::among(Values::Extended, u64::from(units) * FINE_US)
    }

    /// Returns the interval in units of 1.25 ms, rounded down.
    #[must_use]
    pub const fn units(self) -> u16 {
        self.0 / (UNIT_US / FINE_US) as u16
    }

    /// Returns the interval in units of 125 us.
    #[must_use]
    pub const fn fine_units(self) -> u16 {
        self.0
    }

    /// Returns true if every controller supports the interval, and a connection can be created with
    /// it.
    #[must_use]
    pub fn is_baseline(self) -> bool {
        Values::Baseline.nearest_us(self.us()) == self.us()
    }

    const fn us(self) -> u64 {
        self.0 as u64 * FINE_US
    }

    /// Converts to a duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_us(self.us())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_multiples_of_1250_us_between_two_ends() {
        for us in [7_500, 8_750, 15_000, 30_000, 50_000, 4_000_000] {
            let interval = Interval::from_us(us).expect("a valid one");
            assert_eq!(interval.duration(), Duration::from_us(us));
            assert_eq!(Interval::from_units(interval.units()), Ok(interval));
            assert_eq!(Interval::from_fine_units(interval.fine_units()), Ok(interval));
            assert!(interval.is_baseline());
        }
    }

    #[test]
    fn an_interval_there_is_not_is_answered_with_the_nearest() {
        for (us, nearest_us) in
            [(0, 7_500), (5_000, 7_500), (8_000, 7_500), (8_200, 8_750), (9_000_000, 4_000_000)]
        {
            let values = Values::Baseline;
            assert_eq!(Interval::from_us(us), Err(IllegalInterval { values, nearest_us }), "{us}");
        }
    }

    #[test]
    fn extended_intervals_are_multiples_of_125_us_from_three_of_them_on() {
        let among = |us| Interval::among(Values::Extended, us);
        for us in [375, 500, 750, 1_000, 1_125, 7_375, 7_500, 4_000_000] {
            let interval = among(us).expect("a valid one");
            assert_eq!(u64::from(interval.fine_units()) * 125, us);
            assert_eq!(interval.is_baseline(), us >= 7_500, "{us}");
        }
        for (us, nearest_us) in
            [(0, 375), (250, 375), (800, 750), (820, 875), (5_000_000, 4_000_000)]
        {
            let values = Values::Extended;
            assert_eq!(among(us), Err(IllegalInterval { values, nearest_us }), "{us}");
        }
        assert!(!among(7_625).expect("a valid one").is_baseline(), "not a multiple of 1.25 ms");
    }

    #[test]
    fn low_latency_intervals_are_whole_milliseconds_below_the_baseline() {
        let among = |us| Interval::among(Values::LowLatency, us);
        for us in [1_000, 2_000, 7_000, 7_500, 8_750] {
            assert_eq!(among(us).map(Interval::duration), Ok(Duration::from_us(us)));
        }
        for (us, nearest_us) in
            [(0, 1_000), (750, 1_000), (1_600, 2_000), (7_200, 7_000), (7_300, 7_500)]
        {
            let values = Values::LowLatency;
            assert_eq!(among(us), Err(IllegalInterval { values, nearest_us }), "{us}");
        }
    }
}
