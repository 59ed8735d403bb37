//! Ordered triggers → the time from each to the next.
//!
//! Trigger `n` comes at `n` periods plus a lateness of up to half a period, as on the virtual bench. The
//! board's timer or state machine makes the pulses.

use airlag_link::edges::{Phase, Triggers};

/// 2^32 over the golden ratio: multiples of it, modulo 2^32, cover a range evenly (Knuth, The Art of
/// Computer Programming, volume 3, section 6.4).
const GOLDEN: u32 = 0x9E37_79B9;

/// Endless iterator over the times between triggers, in ticks of the board.
#[derive(Clone, Debug)]
pub struct Gaps {
    phase: Phase,
    period: u64,
    /// Lateness of the previous trigger, ticks.
    late: u64,
    /// State of the generator, or of the sweep.
    state: u32,
}

impl Gaps {
    /// Gaps of `triggers`, in ticks of `tick_ps`. The period is rounded to a tick.
    #[must_use]
    pub fn new(triggers: &Triggers, tick_ps: u32) -> Self {
        let tick = u64::from(tick_ps.max(1));
        let period = (triggers.period_ns.saturating_mul(1_000) + tick / 2) / tick;
        // With a state of zero, the generator would return zero forever.
        let state = if triggers.seed == 0 { GOLDEN } else { triggers.seed };
        Self { phase: triggers.phase, period, late: 0, state }
    }
}

impl Iterator for Gaps {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let part = match self.phase {
            Phase::Frozen => 0,
            Phase::Swept => {
                self.state = self.state.wrapping_add(GOLDEN);
                self.state
            }
            Phase::Uniform => {
                // Xorshift (Marsaglia, 2003), with a final multiplication because its low bits are weak.
                self.state ^= self.state << 13;
                self.state ^= self.state >> 17;
                self.state ^= self.state << 5;
                self.state.wrapping_mul(GOLDEN)
            }
        };
        let late = ((u128::from(self.period / 2) * u128::from(part)) >> 32) as u64;
        let gap = self.period + late - self.late;
        self.late = late;
        Some(gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Lateness of the first `count` triggers, ticks of 8 ns.
    fn lateness(phase: Phase, count: usize) -> Vec<u64> {
        let triggers = Triggers { phase, period_ns: 203_000_004, pulse_ns: 10_000, seed: 1 };
        let period = 25_375_001;
        let gaps = Gaps::new(&triggers, 8_000).take(count);
        let at = gaps.scan(0, |at, gap| {
            *at += gap;
            Some(*at)
        });
        at.zip(1..).map(|(at, nth)| at - nth * period).collect()
    }

    #[test]
    fn frozen_triggers_are_a_period_apart() {
        assert!(lateness(Phase::Frozen, 100).iter().all(|&late| late == 0));
    }

    #[test]
    fn late_triggers_cover_half_a_period() {
        for (phase, most_missing) in [(Phase::Uniform, 60), (Phase::Swept, 0)] {
            let late = lateness(phase, 400);
            assert!(late.iter().all(|&late| late < 25_375_001 / 2));
            // 400 random numbers leave 27 of 200 equal parts empty on average.
            let parts: std::collections::BTreeSet<u64> =
                late.iter().map(|late| late * 400 / 25_375_001).collect();
            assert!(parts.len() + most_missing >= 200, "{phase:?}: {}", parts.len());
        }
    }
}
