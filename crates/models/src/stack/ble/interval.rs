//! Valid connection intervals: whole multiples of 1.25 ms from 7.5 ms to 4 s (Bluetooth Core
//! Specification 5.4, volume 6, part B, section 4.5.1).

use airlag_sim::Duration;

/// Unit of intervals, us.
const UNIT_US: u64 = 1_250;
/// Shortest interval, in units: 7.5 ms.
const SHORTEST: u64 = 6;
/// Longest interval, in units: 4 s.
const LONGEST: u64 = 3_200;

/// Time between two connection events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval(u16);

/// The interval is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a connection interval is a multiple of 1.25 ms from 7.5 ms to 4 s; the nearest is {nearest_us} us"
)]
pub struct IllegalInterval {
    /// Nearest valid interval, us.
    pub nearest_us: u64,
}

impl Interval {
    /// Interval of `us` microseconds.
    pub fn from_us(us: u64) -> Result<Self, IllegalInterval> {
        let units = ((us + UNIT_US / 2) / UNIT_US).clamp(SHORTEST, LONGEST);
        if units * UNIT_US == us {
            Ok(Self(units as u16))
        } else {
            Err(IllegalInterval { nearest_us: units * UNIT_US })
        }
    }

    /// Interval of `units` times 1.25 ms, the link layer's encoding.
    pub fn from_units(units: u16) -> Result<Self, IllegalInterval> {
        Self::from_us(u64::from(units) * UNIT_US)
    }

    /// In units of 1.25 ms.
    #[must_use]
    pub const fn units(self) -> u16 {
        self.0
    }

    /// Converts to a duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_us(self.0 as u64 * UNIT_US)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_multiples_of_1250_us_between_two_ends() {
        for us in [7_500, 8_750, 15_000, 30_000, 50_000, 4_000_000] {
            assert_eq!(Interval::from_us(us).map(Interval::duration), Ok(Duration::from_us(us)));
        }
    }

    #[test]
    fn an_interval_there_is_not_is_answered_with_the_nearest() {
        for (us, nearest_us) in
            [(0, 7_500), (5_000, 7_500), (8_000, 7_500), (8_200, 8_750), (9_000_000, 4_000_000)]
        {
            assert_eq!(Interval::from_us(us), Err(IllegalInterval { nearest_us }), "{us}");
        }
    }
}
