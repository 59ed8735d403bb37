//! Distribution of latencies: exact order statistics with confidence intervals.
//!
//! Quantiles are interpolated linearly between the closest ranks, which is the default of numpy and
//! R (type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
//! Statistician 50 (1996) 361). Lost transfers have no latency; [`Delivery`] counts them. A
//! distribution function ([`Steps`]) that includes lost transfers ends below 1.

mod select;

use crate::interval::{quantile_ranks, wilson};
use crate::pair::{Outcome, Transfers};
use crate::places::{ANY, Places};
use select::{extremes, order_statistics};

/// Quantiles of every [`Summary`].
pub const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// Additional quantile for [`FAR_TAIL_FROM`] values or more.
pub const FAR_TAIL: f64 = 0.999;

/// Smallest number of values for [`FAR_TAIL`]. With fewer, it lies between the two largest values.
pub const FAR_TAIL_FROM: usize = 1_000;

/// A quantile with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantile {
    /// Probability. 0.5 is the median.
    pub p: f64,
    /// Sample quantile, ns.
    pub value_ns: f64,
    /// Lower end of the 95 % confidence interval. `None` if there are too few values.
    pub low_ns: Option<i64>,
    /// Upper end of the 95 % confidence interval. `None` if there are too few values.
    pub high_ns: Option<i64>,
}

/// Differences between consecutive latencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Mean of the absolute differences, ns.
    pub mean_ns: f64,
    /// Median of the absolute differences, ns.
    pub p50_ns: f64,
    /// 99 % quantile of the absolute differences, ns.
    pub p99_ns: f64,
}

/// Summary of latencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Number of latencies.
    pub n: usize,
    /// Smallest latency, ns.
    pub min_ns: i64,
    /// Largest latency, ns.
    pub max_ns: i64,
    /// Mean latency, ns.
    pub mean_ns: f64,
    /// Standard deviation with divisor `n - 1`. The default of numpy is `n`. `None` for a single
    /// value.
    pub std_ns: Option<f64>,
    /// [`QUANTILES`], and [`FAR_TAIL`] with enough values.
    pub quantiles: Vec<Quantile>,
    /// Jitter. `None` for a single value.
    pub jitter: Option<Jitter>,
}

impl Summary {
    /// Summarises latencies in the order of measurement. Returns `None` for an empty slice.
    ///
    /// Counts the values in a few passes, without copying or moving them.
    #[must_use]
    pub fn of(latencies_ns: &[i64]) -> Option<Self> {
        let n = latencies_ns.len();
        if n == 0 {
            return None;
        }
        let mut levels = QUANTILES.to_vec();
        if n >= FAR_TAIL_FROM {
            levels.push(FAR_TAIL);
        }
        let (min_ns, max_ns) = extremes(latencies_ns);
        let mean_ns = mean(latencies_ns);
        let squares: f64 = latencies_ns.iter().map(|&v| (v as f64 - mean_ns).powi(2)).sum();
        Some(Self {
            n,
            min_ns,
            max_ns,
            mean_ns,
            std_ns: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
            quantiles: bounded_quantiles(latencies_ns, &levels),
            jitter: jitter(latencies_ns),
        })
    }

    /// One of the quantiles in this summary, ns.
    #[must_use]
    pub fn quantile(&self, p: f64) -> Option<Quantile> {
        self.quantiles.iter().copied().find(|q| q.p == p)
    }
}

/// Name of the quantile at level `p`, such as `p50` or `p99.9`.
///
/// Uses the percentage with the fewest digits that rounds to `p`. The product 100 `p` is not always suitable:
/// for 0.29 it gives `p28.999999999999996`.
#[must_use]
pub fn quantile_name(p: f64) -> String {
    let percent = 100.0 * p;
    let gives_p = |text: &String| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        (read - percent).abs() <= 2.0 * f64::EPSILON * percent.abs()
    };
    // Seventeen digits distinguish any two numbers.
    let shortest = (0..17).map(|digits| format!("{percent:.digits$}")).find(gives_p);
    format!("p{}", shortest.unwrap_or_else(|| percent.to_string()))
}

/// Quantiles of `values` at `levels` in any order. Empty without values.
#[must_use]
pub fn quantiles(values: &[i64], levels: &[f64]) -> Vec<f64> {
    if values.is_empty() {
        return Vec::new();
    }
    let places: Vec<Place> = levels.iter().map(|&p| Place::of(p, values.len())).collect();
    let known = Known::of(values, places.iter().flat_map(|place| [place.rank, place.next]));
    places.iter().map(|&place| known.interpolate(place)).collect()
}

/// Like [`quantiles`], each with its 95 % confidence interval.
#[must_use]
pub fn bounded_quantiles(values: &[i64], levels: &[f64]) -> Vec<Quantile> {
    let n = values.len();
    if n == 0 {
        return Vec::new();
    }
    let places: Vec<_> = levels.iter().map(|&p| (Place::of(p, n), quantile_ranks(n, p))).collect();
    let ranks = places.iter().flat_map(|&(place, (low, high))| {
        [place.rank, place.next].into_iter().chain(low).chain(high)
    });
    let known = Known::of(values, ranks);
    let bounded = levels.iter().zip(&places).map(|(&p, &(place, (low, high)))| Quantile {
        p,
        value_ns: known.interpolate(place),
        low_ns: low.map(|rank| known.at(rank)),
        high_ns: high.map(|rank| known.at(rank)),
    });
    bounded.collect()
}

/// A quantile over transfers that include lost ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Among {
    /// Value, ns. `None` if it falls on a lost transfer.
    pub value_ns: Option<f64>,
    /// Lower end of the 95 % confidence interval, ns. `None` if unbounded.
    pub low_ns: Option<i64>,
    /// Upper end of the 95 % confidence interval, ns. `None` if unbounded.
    pub high_ns: Option<i64>,
}

/// Returns the `p` quantile of the latency of all transfers, lost transfers included, with its 95 %
/// confidence interval. `of` is the number of all transfers. `latencies_ns` contains the latencies
/// of the transfers that arrived. Lost transfers count as slower than all transfers that arrived.
/// If all transfers arrived, the result equals that of [`bounded_quantiles`].
#[must_use]
pub fn among(latencies_ns: &[i64], of: usize, p: f64) -> Among {
    let (arrived, n) = (latencies_ns.len(), of.max(latencies_ns.len()));
    if n == 0 {
        return Among::default();
    }
    let (place, (low, high)) = (Place::of(p, n), quantile_ranks(n, p));
    let there = |rank: &usize| *rank < arrived;
    let (low, high) = (low.filter(there), high.filter(there));
    let ends = there(&place.next).then_some([place.rank, place.next]);
    let known = Known::of(latencies_ns, ends.into_iter().flatten().chain(low).chain(high));
    Among {
        value_ns: ends.map(|_| known.interpolate(place)),
        low_ns: low.map(|rank| known.at(rank)),
        high_ns: high.map(|rank| known.at(rank)),
    }
}

/// Ranks between which a quantile lies.
#[derive(Clone, Copy)]
struct Place {
    rank: usize,
    next: usize,
    /// Relative position between the two ranks.
    part: f64,
}

impl Place {
    fn of(p: f64, n: usize) -> Self {
        let exact = (n - 1) as f64 * p.clamp(0.0, 1.0);
        let rank = exact as usize;
        Self { rank, next: (rank + 1).min(n - 1), part: exact - rank as f64 }
    }
}

/// Order statistics by rank.
struct Known {
    ranks: Vec<usize>,
    values: Vec<i64>,
}

impl Known {
    fn of(values: &[i64], ranks: impl Iterator<Item = usize>) -> Self {
        let mut ranks: Vec<usize> = ranks.collect();
        ranks.sort_unstable();
        ranks.dedup();
        let values = order_statistics(values, &ranks);
        Self { ranks, values }
    }

    fn at(&self, rank: usize) -> i64 {
        self.ranks.binary_search(&rank).map_or(0, |position| self.values[position])
    }

    fn interpolate(&self, place: Place) -> f64 {
        let (low, high) = (self.at(place.rank), self.at(place.next));
        low as f64 + high.abs_diff(low) as f64 * place.part
    }
}

fn mean(values: &[i64]) -> f64 {
    let sum: i128 = values.iter().map(|&v| i128::from(v)).sum();
    // Quotient and remainder are computed separately, because a sum above 2^53 would lose digits as
    // a float.
    let n = values.len() as i128;
    (sum / n) as f64 + (sum % n) as f64 / n as f64
}

fn jitter(latencies_ns: &[i64]) -> Option<Jitter> {
    let pairs = latencies_ns.windows(2);
    let steps: Vec<i64> =
        pairs.map(|w| i64::try_from(w[1].abs_diff(w[0])).unwrap_or(i64::MAX)).collect();
    let found = quantiles(&steps, &[0.5, 0.99]);
    let &[p50_ns, p99_ns] = found.as_slice() else { return None };
    Some(Jitter { mean_ns: mean(&steps), p50_ns, p99_ns })
}

/// Delivery ratio of transfers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// Completed transfers, including late ones.
    pub delivered: usize,
    /// Transfers without a completion in a fully observed window.
    pub lost: usize,
    /// Share of delivered transfers among those with a known outcome.
    pub ratio: f64,
    /// Lower end of the 95 % confidence interval (Wilson).
    pub low: f64,
    /// Upper end of the 95 % confidence interval (Wilson).
    pub high: f64,
}

impl Delivery {
    /// Counts a run. Returns `None` if no outcome is known. Censored transfers are not counted. For
    /// several locations, the interval of [`Places`] is used.
    #[must_use]
    pub fn of(transfers: &Transfers) -> Option<Self> {
        let delivered = transfers.count(Outcome::Delivered) + transfers.count(Outcome::Late);
        let lost = transfers.count(Outcome::Lost);
        let (mut low, mut high) = wilson(delivered, delivered + lost)?;
        if let Some(places) = Places::of(transfers, ANY) {
            (low, high) = places.mean_interval;
        }
        let ratio = delivered as f64 / (delivered + lost) as f64;
        Some(Self { delivered, lost, ratio, low, high })
    }
}

/// An empirical distribution function as a step curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Distinct latencies, ns, ascending.
    pub value_ns: Vec<i64>,
    /// Share of transfers whose latency is at most the value at the same index.
    pub share: Vec<f64>,
}

/// Returns the distribution function of `latencies_ns` among `of` transfers. With losses in `of`, the curve
/// ends at the delivery ratio.
#[must_use]
pub fn steps(latencies_ns: &[i64], of: usize) -> Steps {
    let mut sorted = latencies_ns.to_vec();
    sorted.sort_unstable();
    let mut steps = Steps { value_ns: Vec::new(), share: Vec::new() };
    for (index, &value) in sorted.iter().enumerate() {
        if sorted.get(index + 1) != Some(&value) {
            steps.value_ns.push(value);
            steps.share.push((index + 1) as f64 / of.max(sorted.len()) as f64);
        }
    }
    steps
}

#[cfg(test)]
mod tests;
