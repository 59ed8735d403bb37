//! Clock of a board, with frequency error and tick.
//!
//! The crystal of a board has a frequency error of some parts per billion, and the scheduler's tick
//! has a phase. Frequency error and phase both affect the latency. If the trigger period is a
//! multiple of the tick period, all triggers of a run occur at the same phase of the tick, apart
//! from the drift between the crystals of the two boards. A rounding error would add to this drift.
//! Times are therefore converted between board and simulation exactly, in both directions: in whole
//! nanoseconds, with products in 128 bits.

use crate::time::{Duration, Instant};

const BILLION: i128 = 1_000_000_000;

/// Largest frequency error of a crystal. Larger than that of any crystal sold, and small enough
/// that local time always advances.
const MAX_PPB: i32 = 100_000_000;

/// A clock with a frequency error of `ppb` parts per billion, positive if it is fast, and an
/// optional tick.
///
/// Local time is an `i64` in nanoseconds: the reading of the board's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    ppb: i32,
    offset_ns: i64,
    tick: Duration,
    phase: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self::exact()
    }
}

impl Clock {
    /// Creates a clock that equals virtual time and has no tick.
    #[must_use]
    pub const fn exact() -> Self {
        Self { ppb: 0, offset_ns: 0, tick: Duration::ZERO, phase: Duration::ZERO }
    }

    /// Returns the clock with a frequency error of `ppb` parts per billion (negative: slow),
    /// limited to a tenth.
    #[must_use]
    pub const fn with_ppb(mut self, ppb: i32) -> Self {
        self.ppb = if ppb > MAX_PPB {
            MAX_PPB
        } else if ppb < -MAX_PPB {
            -MAX_PPB
        } else {
            ppb
        };
        self
    }

    /// Returns the clock with a reading of `offset_ns` at the start of the simulation.
    #[must_use]
    pub const fn with_offset_ns(mut self, offset_ns: i64) -> Self {
        self.offset_ns = offset_ns;
        self
    }

    /// Returns the clock with a tick every `period` of local time, the first at `phase`.
    #[must_use]
    pub const fn with_tick(mut self, period: Duration, phase: Duration) -> Self {
        self.tick = period;
        self.phase = phase;
        self
    }

    /// Frequency error, parts per billion; positive if fast.
    #[must_use]
    pub const fn ppb(&self) -> i32 {
        self.ppb
    }

    /// Period of the tick; zero without a tick.
    #[must_use]
    pub const fn tick(&self) -> Duration {
        self.tick
    }

    const fn rate(&self) -> i128 {
        BILLION + self.ppb as i128
    }

    /// Local time at `at`, ns.
    #[must_use]
    pub const fn local_ns(&self, at: Instant) -> i64 {
        if self.ppb == 0 {
            return at.as_ns() as i64 + self.offset_ns;
        }
        (at.as_ns() as i128 * self.rate()).div_euclid(BILLION) as i64 + self.offset_ns
    }

    /// First instant at which local time is `local_ns` or more.
    #[must_use]
    pub const fn instant_of(&self, local_ns: i64) -> Instant {
        let elapsed = local_ns as i128 - self.offset_ns as i128;
        if elapsed <= 0 {
            return Instant::START;
        }
        if self.ppb == 0 {
            return Instant::from_ns(elapsed as u64);
        }
        // local = floor(t * rate / 1e9) >= elapsed <=> t >= ceil(elapsed * 1e9 / rate)
        let rate = self.rate();
        Instant::from_ns(((elapsed * BILLION + rate - 1) / rate) as u64)
    }

    /// Instant at which `wait` of local time has passed since `from`.
    #[must_use]
    pub const fn after(&self, from: Instant, wait: Duration) -> Instant {
        if self.ppb == 0 {
            return Instant::from_ns(from.as_ns().saturating_add(wait.as_ns()));
        }
        self.after_with_drift(from, wait)
    }

    /// Not inlined, so that callers of [`after`](Self::after) do not include these divisions.
    #[inline(never)]
    const fn after_with_drift(&self, from: Instant, wait: Duration) -> Instant {
        self.instant_of(self.local_ns(from) + wait.as_ns() as i64)
    }

    /// Virtual time from `from` until `wait` of local time has passed.
    #[must_use]
    pub const fn span(&self, from: Instant, wait: Duration) -> Duration {
        self.after(from, wait).since(from)
    }

    /// Returns the first tick later than `at`. Without a tick, returns `at` itself.
    #[must_use]
    pub const fn next_tick(&self, at: Instant) -> Instant {
        if self.tick.is_zero() {
            return at;
        }
        let (period, phase) = (self.tick.as_ns() as i64, self.phase.as_ns() as i64);
        let since = self.local_ns(at) - phase;
        let next = phase + (since.div_euclid(period) + 1) * period;
        self.instant_of(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn twenty_ppm_is_two_hundred_microseconds_in_ten_seconds() {
        let fast = Clock::exact().with_ppb(20_000);
        assert_eq!(fast.local_ns(Instant::from_ns(10_000_000_000)), 10_000_200_000);
        let slow = Clock::exact().with_ppb(-20_000);
        assert_eq!(slow.local_ns(Instant::from_ns(10_000_000_000)), 9_999_800_000);
    }

    #[test]
    fn a_tick_comes_after_the_instant_and_keeps_its_phase() {
        let clock = Clock::exact().with_tick(Duration::from_ms(10), Duration::from_us(1_300));
        assert_eq!(clock.next_tick(Instant::START).as_ns(), 1_300_000);
        assert_eq!(clock.next_tick(Instant::from_ns(1_300_000)).as_ns(), 11_300_000);
        assert_eq!(clock.next_tick(Instant::from_ns(11_299_999)).as_ns(), 11_300_000);
    }

    proptest! {
        #[test]
        fn instant_of_is_the_first_instant_that_shows_it(
            ppb in -200_000_i32..200_000, offset in -1_000_000_i64..1_000_000,
            at in 0_u64..1_000_000_000_000_000,
        ) {
            let clock = Clock::exact().with_ppb(ppb).with_offset_ns(offset);
            let shown = clock.local_ns(Instant::from_ns(at));
            let first = clock.instant_of(shown);
            prop_assert!(clock.local_ns(first) >= shown);
            prop_assert!(first.as_ns() <= at);
            if first > Instant::START {
                prop_assert!(clock.local_ns(Instant::from_ns(first.as_ns() - 1)) < shown);
            }
        }

        #[test]
        fn ticks_are_one_period_apart_within_a_nanosecond(
            ppb in -200_000_i32..200_000, at in 0_u64..1_000_000_000_000, phase in 0_u64..10_000_000,
        ) {
            let tick = Duration::from_ms(10);
            let clock = Clock::exact().with_ppb(ppb).with_tick(tick, Duration::from_ns(phase));
            let first = clock.next_tick(Instant::from_ns(at));
            let second = clock.next_tick(first);
            prop_assert!(first.as_ns() > at);
            let local = clock.local_ns(second) - clock.local_ns(first);
            prop_assert!((local - 10_000_000).abs() <= 1, "{}", local);
        }
    }
}
