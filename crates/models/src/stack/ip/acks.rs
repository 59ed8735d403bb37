//! Policy for TCP acknowledgements without return data.

use airlag_sim::{Clock, Duration, Instant};

/// Policy for acknowledgements without data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acks {
    /// Acknowledges immediately.
    AtOnce,
    /// Acknowledges after this delay (RFC 1122, 4.2.3.2).
    Delayed(Duration),
    /// Acknowledges at the next tick of a free-running timer: lwIP's `tcp_fasttmr`. If the period
    /// of a sender is a multiple of the tick, all of its messages have the same phase in the tick.
    Tick {
        /// Tick period, on the host's clock.
        period: Duration,
        /// Time of the first tick.
        phase: Duration,
    },
}

impl Acks {
    /// Delay of the acknowledgement of a segment that arrives at `now`. `None`: immediately.
    #[must_use]
    pub(super) fn delay(self, clock: &Clock, now: Instant) -> Option<Duration> {
        match self {
            Self::AtOnce => None,
            Self::Delayed(delay) => Some(delay),
            Self::Tick { period, .. } if period.is_zero() => None,
            Self::Tick { period, phase } => {
                let (period, phase) = (period.as_ns() as i64, phase.as_ns() as i64);
                let since = (clock.local_ns(now) - phase).rem_euclid(period);
                Some(Duration::from_ns((period - since) as u64))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_comes_whether_anything_waits_for_it_or_not() {
        let ticks = Acks::Tick { period: Duration::from_ms(250), phase: Duration::from_ms(40) };
        let wait = |ms: u64| {
            let now = Instant::START + Duration::from_ms(ms);
            ticks.delay(&Clock::exact(), now).map(|wait| wait.as_ns() / 1_000_000)
        };
        assert_eq!(wait(0), Some(40));
        assert_eq!(wait(41), Some(249));
        assert_eq!(wait(289), Some(1));
        // At the tick itself: the next one.
        assert_eq!(wait(290), Some(250));
    }
}
