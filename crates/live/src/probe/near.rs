//! The clock of this computer: nanoseconds since 1970, without steps during a session.
//!
//! It is set from the system clock once and then follows the monotonic clock, which NTP slews but never steps.
//! A correction of the system clock during a session therefore does not appear as a step of the far clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that does not step.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    start_ns: i64,
}

impl Clock {
    /// Starts a clock with the current system time.
    #[must_use]
    pub fn start() -> Self {
        // The pair of readings with the shortest duration has the smallest error.
        let pair = || {
            let before = Instant::now();
            let day = day_ns();
            (before.elapsed(), before, day)
        };
        let (took, start, start_ns) =
            (0..8).map(|_| pair()).min_by_key(|pair| pair.0).unwrap_or_else(pair);
        Self { start, start_ns: start_ns - nanos(took) / 2 }
    }

    /// Current time, ns.
    #[must_use]
    pub fn now_ns(&self) -> i64 {
        self.start_ns + nanos(self.start.elapsed())
    }

    /// Converts a recent kernel timestamp of the system clock, ns. A timestamp that is not recent, because
    /// the system clock was stepped since, is replaced by the current time.
    #[must_use]
    pub fn of_day_ns(&self, stamp_ns: i64) -> i64 {
        let age = day_ns() - stamp_ns;
        self.now_ns() - if (0..RECENT_NS).contains(&age) { age } else { 0 }
    }

    /// Waits until `at_ns`, or until `ends` returns true. Returns immediately if `at_ns` has passed. The
    /// result is false if `ends` returned true first.
    pub fn wait(&self, at_ns: i64, ends: impl Fn() -> bool) -> bool {
        loop {
            let left = at_ns - self.now_ns();
            if left <= 0 {
                return true;
            }
            if ends() {
                return false;
            }
            if left > SPIN_NS {
                std::thread::sleep(Duration::from_nanos((left - SPIN_NS) as u64).min(TURN));
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

/// Maximum age of a kernel timestamp when it is read, ns.
const RECENT_NS: i64 = 1_000_000_000;
/// Final part of a wait that is spent spinning, ns. On two virtual cores, `benches/probe_peers.py` found 0.7
/// % of the messages more than 50 µs late with 60 µs, and 0.3 % with 200 µs.
pub(super) const SPIN_NS: i64 = 200_000;
/// Interval at which waiting threads check for the end of the session.
pub(super) const TURN: Duration = Duration::from_millis(30);

/// System clock, ns since 1970.
#[must_use]
pub fn day_ns() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, nanos)
}

const fn nanos(duration: Duration) -> i64 {
    duration.as_nanos() as i64
}
