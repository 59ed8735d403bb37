//! Synthetic latencies for tests. The same seed gives the same values everywhere.

use crate::pair::{NONE, Outcome, Transfers};

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn seed(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform between 0 and 1, both excluded.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Normal with mean 0 and standard deviation 1.
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * libm::log(self.uniform())).sqrt()
            * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// Exponential with mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }

    /// `n` values in whole ns.
    pub(crate) fn series(
        &mut self,
        n: usize,
        mut next: impl FnMut(&mut Self, usize) -> f64,
    ) -> Vec<i64> {
        (0..n).map(|index| next(self, index).round() as i64).collect()
    }
}

/// Latency of a transfer from its index and the start phase of the run, ns.
type Latency = fn(&mut Noise, usize, f64) -> f64;

/// Kinds of runs without findings, scaled to 1 ms. Transfers of the last ones are dependent, as with a slow
/// clock.
pub(crate) const CLEAN: [(&str, Latency); 8] = [
    ("constant with jitter", |noise, _, _| 5e6 + 2e3 * noise.normal()),
    ("uniform", |noise, _, _| 1e6 + 10e6 * noise.uniform()),
    ("log-normal", |noise, _, _| 2e6 + 1e6 * libm::exp(0.8 * noise.normal())),
    ("exponential tail", |noise, _, _| 3e6 + 1e6 * noise.exponential()),
    ("two modes", |noise, _, _| {
        let late = if noise.uniform() < 0.3 { 4e6 } else { 0.0 };
        2e6 + late + 1e5 * noise.normal()
    }),
    ("retries", |noise, _, _| {
        let retries = (noise.exponential() / 1.2).floor();
        15e6 + 1.16e6 * retries + 2e3 * noise.normal()
    }),
    ("fast beat", |noise, index, start| {
        1e6 + 30e6 * (start + index as f64 * 0.381_966_011_25).fract() + 1e4 * noise.normal()
    }),
    ("slow beat", |noise, index, start| {
        1e6 + 10e6 * (start + index as f64 * 0.034_7).fract() + 1e5 * noise.normal()
    }),
];

/// A clean run of a kind, with a random start phase.
pub(crate) fn clean(kind: usize, n: usize, seed: u64) -> Vec<i64> {
    let mut noise = Noise::seed(seed);
    let start = noise.uniform();
    noise.series(n, |noise, index| CLEAN[kind].1(noise, index, start))
}

/// Transfers every `period_ns` with these latencies. `None` is a loss.
pub(crate) fn run_with_losses(period_ns: i64, latencies_ns: &[Option<i64>]) -> Transfers {
    let n = latencies_ns.len() as i64;
    let trigger_ns: Vec<i64> = (0..n).map(|index| 1_000_000 + index * period_ns).collect();
    let pairs = trigger_ns.iter().zip(latencies_ns);
    Transfers {
        completion_ns: pairs.map(|(&t, latency)| latency.map_or(NONE, |l| t + l)).collect(),
        outcome: latencies_ns
            .iter()
            .map(|latency| latency.map_or(Outcome::Lost, |_| Outcome::Delivered))
            .collect(),
        trigger_ns,
        end_ns: 1_000_000 + n * period_ns,
        ..Transfers::default()
    }
}

/// Transfers every `period_ns` with these latencies.
pub(crate) fn run(period_ns: i64, latencies_ns: &[i64]) -> Transfers {
    let all: Vec<Option<i64>> = latencies_ns.iter().copied().map(Some).collect();
    run_with_losses(period_ns, &all)
}
