//! Token buckets that limit the rates of responses and Diffie-Hellman operations.

use core::time::Duration;

use crate::time::Instant;

/// Capacity of a bucket, and time per added token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    burst: u32,
    each: Duration,
}

/// Responses to greetings that may be old. A handshake needs two at each end.
pub(super) const ANSWERS: Rate = Rate { burst: 8, each: Duration::from_millis(100) };
/// Responses to greetings that are current but may be replayed.
pub(super) const AGAIN: Rate = Rate { burst: 8, each: Duration::from_millis(10) };
/// Handshakes begun or answered. Each needs two multiplications on Curve25519, about 1 ms on a small
/// computer.
pub(super) const EXCHANGES: Rate = Rate { burst: 8, each: Duration::from_millis(100) };

/// A token bucket.
#[derive(Debug)]
pub(super) struct Limit {
    rate: Rate,
    left: u32,
    /// Time up to which tokens were added.
    since: Instant,
}

impl Limit {
    pub(super) const fn new(rate: Rate) -> Self {
        Self { left: rate.burst, since: Instant::from_ns(0), rate }
    }

    /// Takes a token. Returns false if there is none.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let Rate { burst, each } = self.rate;
        let more = now.since(self.since).as_nanos() / each.as_nanos();
        let room = burst - self.left;
        if more >= u128::from(room) {
            (self.left, self.since) = (burst, now);
        } else {
            self.left += more as u32;
            self.since = self.since + each * more as u32;
        }
        let any = self.left > 0;
        self.left -= u32::from(any);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_answered_as_often_as_the_rate_says() {
        let mut limit = Limit::new(ANSWERS);
        // 10 000 per second for ten seconds.
        let at = |nth: u64| Instant::from_ns(nth * 100_000);
        let answered = (0..100_000).filter(|&nth| limit.take(at(nth))).count();
        assert!((100..=108).contains(&answered), "{answered}");
    }

    #[test]
    fn what_was_not_used_is_there_later_and_no_more_than_that() {
        let mut limit = Limit::new(ANSWERS);
        let at = |ms: u64| Instant::from_ns(ms * 1_000_000);
        for ms in [1_000, 100_000] {
            let answered = (0..20).filter(|_| limit.take(at(ms))).count();
            assert_eq!(answered, 8, "at {ms} ms");
        }
        assert!(!limit.take(at(100_050)) && limit.take(at(100_110)));
    }
}
