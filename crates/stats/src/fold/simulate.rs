//! Synthetic runs for tests: a seeded generator, and several shapes of delay.

use crate::pair::{NONE, Outcome, Transfers};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number with a uniform distribution from 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Normal (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let r = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        r * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.uniform())
    }
}

pub const MS: f64 = 1e6;
pub const US: f64 = 1e3;

/// Triggers every `period` ns from a generator that shares the analyser's clock.
pub fn regular(n: usize, period: f64) -> Vec<f64> {
    (0..n).map(|i| i as f64 * period).collect()
}

/// Returns random triggers with a mean interval of `mean` ns, at least a fifth of that.
pub fn poisson(n: usize, mean: f64, random: &mut Random) -> Vec<f64> {
    let mut at = 0.0;
    (0..n)
        .map(|_| {
            at += 0.2 * mean + random.exponential(0.8 * mean);
            at
        })
        .collect()
}

/// Builds a run on a 10 ns grid. `latency` receives index and trigger instant. `None` is a loss.
pub fn run(triggers: &[f64], mut latency: impl FnMut(usize, f64) -> Option<f64>) -> Transfers {
    let grid = |ns: f64| (ns / 10.0).round() as i64 * 10;
    let mut out = Transfers::default();
    for (i, &t) in triggers.iter().enumerate() {
        let done = latency(i, t).map_or(NONE, |l| grid(t + l));
        out.trigger_ns.push(grid(t));
        out.completion_ns.push(done);
        out.outcome.push(if done == NONE { Outcome::Lost } else { Outcome::Delivered });
    }
    out.end_ns = triggers.last().map_or(0, |t| grid(t + 1e9));
    out
}

/// Returns the latency of a link with a clock whose instants are `phase` plus multiples of `period`. A
/// transfer completes `fixed` ns after the first clock instant that is not before the trigger at `at`.
/// With probability `slip`, the transfer skips this instant and waits for the next one, which it again
/// skips with probability `slip`, and so on. The latency has normally distributed jitter with the
/// standard deviation `jitter`.
pub fn slotted(
    random: &mut Random,
    at: f64,
    period: f64,
    phase: f64,
    fixed: f64,
    slip: f64,
    jitter: f64,
) -> f64 {
    let mut turn = ((at - phase) / period).ceil();
    while random.uniform() < slip {
        turn += 1.0;
    }
    turn * period + phase - at + fixed + jitter * random.normal()
}
