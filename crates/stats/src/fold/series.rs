//! A run as floats relative to its origin, with a limited length.

use crate::grid::gcd;
use crate::pair::{NONE, Transfers};

/// Largest number of transfers. Crystals wander by parts in 10^8 over minutes, so a longer stretch adds cost
/// without resolution.
const CAP: usize = 4096;

/// Finest grid, ns. The fastest analysers in use sample at 500 MHz, and a step or two of quantisation is noise.
const FINEST_GRID_NS: f64 = 10.0;

/// A stretch of a run: at most 4096 completed transfers, from its middle.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Trigger instants of completed transfers, ns from the first.
    pub trigger: Vec<f64>,
    /// Completion instants, on the same scale.
    pub completion: Vec<f64>,
    /// Their difference, ns.
    pub latency: Vec<f64>,
    /// Common step of all instants, ns, at least 10.
    pub grid_ns: f64,
    /// Period of the triggers, ns. `None` if they are irregular.
    pub trigger_period_ns: Option<f64>,
}

impl Series {
    /// Extracts the completed transfers of a run.
    #[must_use]
    pub fn of(transfers: &Transfers) -> Self {
        let n = transfers.trigger_ns.len().min(transfers.completion_ns.len());
        let done: Vec<usize> = (0..n).filter(|&i| transfers.completion_ns[i] != NONE).collect();
        let skip = done.len().saturating_sub(CAP) / 2;
        let done = &done[skip..done.len().min(skip + CAP)];
        let (Some(&first), Some(&last)) = (done.first(), done.last()) else {
            return Self { grid_ns: FINEST_GRID_NS, ..Self::default() };
        };
        let origin = transfers.trigger_ns[first];
        let from_origin = |at: i64| (at - origin) as f64;
        let (mut step, mut out) = (0u64, Self::default());
        for &i in done {
            let (t, c) = (transfers.trigger_ns[i], transfers.completion_ns[i]);
            step = gcd(gcd(step, t.abs_diff(origin)), c.abs_diff(t));
            out.trigger.push(from_origin(t));
            out.completion.push(from_origin(c));
            out.latency.push((c - t) as f64);
        }
        out.grid_ns = (step as f64).max(FINEST_GRID_NS);
        out.trigger_period_ns = regular_period(&transfers.trigger_ns[first..=last]);
        out
    }

    /// Number of transfers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.latency.len()
    }

    /// Whether there are no transfers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.latency.is_empty()
    }

    /// Time from the first to the last trigger, ns.
    #[must_use]
    pub fn span_ns(&self) -> f64 {
        self.trigger.last().copied().unwrap_or(0.0)
    }
}

/// Mean period of triggers, if 95 % of them are within 1 % of a multiple of the median interval. A
/// generator that pauses is regular. A swept or random generator is not.
fn regular_period(triggers: &[i64]) -> Option<f64> {
    let gaps: Vec<f64> = triggers.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
    let middle = median(&gaps)?;
    if middle <= 0.0 {
        return None;
    }
    let (mut time, mut periods, mut kept) = (0.0, 0.0, 0usize);
    for &gap in &gaps {
        let whole = (gap / middle).round();
        if whole >= 1.0 && (gap - whole * middle).abs() < 0.01 * middle {
            (time, periods, kept) = (time + gap, periods + whole, kept + 1);
        }
    }
    (kept * 20 >= gaps.len() * 19).then(|| time / periods)
}

/// Median (the upper one of two middle values).
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Value of rank `floor(n p)`.
pub(crate) fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut copy = values.to_vec();
    if copy.is_empty() {
        return None;
    }
    let rank = ((copy.len() as f64 * p) as usize).min(copy.len() - 1);
    Some(*copy.select_nth_unstable_by(rank, f64::total_cmp).1)
}

/// Standard deviation of a normal sample from its median absolute deviation. The factor is 1 / Phi^-1(3/4).
pub(crate) fn robust_sd(values: &[f64]) -> f64 {
    let Some(centre) = median(values) else { return 0.0 };
    let off: Vec<f64> = values.iter().map(|v| (v - centre).abs()).collect();
    1.4826 * median(&off).unwrap_or(0.0)
}

/// Correlation of the rank of each value with the rank of the next value. Under the null hypothesis that
/// the values are exchangeable, the correlation has mean 0 and standard deviation 1/sqrt(n) (Wald and
/// Wolfowitz, "An exact test for randomness in the non-parametric case based on serial correlation", 1943).
pub(crate) fn rank_serial_correlation(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 3 {
        return 0.0;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut rank = vec![0.0; n];
    let mut i = 0;
    while i < n {
        let mut j = i;
        while j < n && values[order[j]] == values[order[i]] {
            j += 1;
        }
        for &k in &order[i..j] {
            rank[k] = (i + j - 1) as f64 / 2.0;
        }
        i = j;
    }
    correlation(&rank[..n - 1], &rank[1..])
}

/// Pearson correlation. 0 if one side does not vary.
pub(crate) fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        xx += (a - mx) * (a - mx);
        yy += (b - my) * (b - my);
        xy += (a - mx) * (b - my);
    }
    if xx * yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}
