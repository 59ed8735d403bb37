//! Conversion of sample numbers to nanoseconds.

use crate::error::Problem;

const NS_PER_S: u64 = 1_000_000_000;

/// A regular sampling grid that starts at instant 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    rate_hz: u64,
    /// Nanoseconds per sample, if this is an integer.
    period_ns: Option<u64>,
}

impl Grid {
    /// A grid with an integer sample rate in Hz, up to 1 GHz.
    pub fn new(rate_hz: u64) -> Option<Self> {
        if !(1..=NS_PER_S).contains(&rate_hz) {
            return None;
        }
        let period_ns = NS_PER_S.is_multiple_of(rate_hz).then_some(NS_PER_S / rate_hz);
        Some(Self { rate_hz, period_ns })
    }

    /// Sample rate, Hz.
    pub fn rate_hz(self) -> u64 {
        self.rate_hz
    }

    /// Time of a sample, rounded to the nearest nanosecond without accumulating errors. The sample number
    /// must not exceed one that [`checked`](Self::checked) accepted.
    #[inline]
    pub fn instant(self, sample: u64) -> i64 {
        match self.period_ns {
            Some(period) => sample.wrapping_mul(period).cast_signed(),
            None => self.checked(sample).unwrap_or(i64::MAX),
        }
    }

    /// Like [`instant`](Self::instant), for any sample.
    ///
    /// # Errors
    /// If the time exceeds 64-bit nanoseconds.
    pub fn checked(self, sample: u64) -> Result<i64, Problem> {
        let rate = u128::from(self.rate_hz);
        let ns = (u128::from(sample) * u128::from(NS_PER_S) + rate / 2) / rate;
        i64::try_from(ns).map_err(|_| Problem::TimeRange { found: format!("of sample {sample}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_periods_are_exact_and_others_do_not_add_up() {
        assert_eq!(Grid::new(40_000_000).unwrap().instant(469_460_321), 11_736_508_025);
        let thirds = Grid::new(3).unwrap();
        assert_eq!(thirds.instant(1), 333_333_333);
        assert_eq!(thirds.instant(2), 666_666_667);
        assert_eq!(thirds.instant(3_000_000), 1_000_000_000_000_000);
        assert_eq!(Grid::new(0), None);
        assert_eq!(Grid::new(1_000_000_001), None);
        assert!(Grid::new(1).unwrap().checked(u64::MAX).is_err());
    }
}
