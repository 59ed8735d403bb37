//! What a set of latencies looks like: exact order statistics, each with how far to trust it.
//!
//! Quantiles interpolate linearly between the closest ranks (type 7 of R. J. Hyndman and Y. Fan,
//! "Sample quantiles in statistical packages", The American Statistician 50 (1996) 361), as numpy
//! and R do by default. Lost transfers are not latencies: they are in [`Delivery`], and a
//! [`Steps`] curve that knows of them ends below 1.

mod select;

use crate::interval::{quantile_ranks, wilson};
use crate::pair::{Outcome, Transfers};
use crate::places::{ANY, Places};
use select::{extremes, order_statistics};

/// The quantiles of every [`Summary`].
pub const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// Added from [`FAR_TAIL_FROM`] values on.
pub const FAR_TAIL: f64 = 0.999;

/// With fewer values [`FAR_TAIL`] lies between the two largest and says nothing of its own.
pub const FAR_TAIL_FROM: usize = 1_000;

/// A quantile and where it may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantile {
    /// Which: 0.5 is the median.
    pub p: f64,
    /// Of the values at hand, ns.
    pub value_ns: f64,
    /// Lower end of the 95 % interval for the distribution behind them; `None`: they are too few
    /// to bound it.
    pub low_ns: Option<i64>,
    /// Upper end.
    pub high_ns: Option<i64>,
}

/// How much one latency differs from the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Mean of the absolute differences, ns.
    pub mean_ns: f64,
    /// Their median, ns.
    pub p50_ns: f64,
    /// Their 99 % quantile, ns.
    pub p99_ns: f64,
}

/// Latencies in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How many.
    pub n: usize,
    /// Smallest, ns.
    pub min_ns: i64,
    /// Largest, ns.
    pub max_ns: i64,
    /// Mean, ns.
    pub mean_ns: f64,
    /// Standard deviation of the distribution behind the values: divided by `n - 1`, where
    /// numpy divides by `n` unless told otherwise. `None` for a single value.
    pub std_ns: Option<f64>,
    /// [`QUANTILES`], and [`FAR_TAIL`] where there are values enough.
    pub quantiles: Vec<Quantile>,
    /// Between neighbours; `None` for a single value.
    pub jitter: Option<Jitter>,
}

impl Summary {
    /// Summarises latencies in the order they were measured; `None` when there are none.
    ///
    /// The values are not moved or copied as a whole: a few passes count them.
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

    /// One of the quantiles this summary holds, ns.
    #[must_use]
    pub fn quantile(&self, p: f64) -> Option<Quantile> {
        self.quantiles.iter().copied().find(|q| q.p == p)
    }
}

/// Name of the quantile at level `p`: `p50`, `p99.9`.
///
/// Of the percentages that give `p` up to rounding, the one with the fewest digits. 100 times `p` is
/// not always among these: 0.29 would be called `p28.999999999999996`.
#[must_use]
pub fn quantile_name(p: f64) -> String {
    let percent = 100.0 * p;
    let gives_p = |text: &String| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        (read - percent).abs() <= 2.0 * f64::EPSILON * percent.abs()
    };
    // Seventeen digits tell any two numbers apart.
    let shortest = (0..17).map(|digits| format!("{percent:.digits$}")).find(gives_p);
    format!("p{}", shortest.unwrap_or_else(|| percent.to_string()))
}

/// Quantiles of `values` at `levels`, which may come in any order; empty without values.
#[must_use]
pub fn quantiles(values: &[i64], levels: &[f64]) -> Vec<f64> {
    if values.is_empty() {
        return Vec::new();
    }
    let places: Vec<Place> = levels.iter().map(|&p| Place::of(p, values.len())).collect();
    let known = Known::of(values, places.iter().flat_map(|place| [place.rank, place.next]));
    places.iter().map(|&place| known.interpolate(place)).collect()
}

/// As [`quantiles`], each with its 95 % interval.
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

/// A quantile among transfers of which some never arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Among {
    /// Its value, ns; `None`: so many never arrive.
    pub value_ns: Option<f64>,
    /// Lower end of the 95 % interval, ns; `None` where what arrived does not bound it.
    pub low_ns: Option<i64>,
    /// Upper end.
    pub high_ns: Option<i64>,
}

/// The `p` quantile, with its 95 % interval, of `of` transfers of which those that arrived took
/// `latencies_ns` and the others longer than any: as [`bounded_quantiles`] when all arrived.
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

/// Between which ranks a quantile lies.
#[derive(Clone, Copy)]
struct Place {
    rank: usize,
    next: usize,
    /// How far from the one to the other.
    part: f64,
}

impl Place {
    fn of(p: f64, n: usize) -> Self {
        let exact = (n - 1) as f64 * p.clamp(0.0, 1.0);
        let rank = exact as usize;
        Self { rank, next: (rank + 1).min(n - 1), part: exact - rank as f64 }
    }
}

/// Order statistics looked up by rank.
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
    // Whole and rest apart: a sum beyond 2^53 would lose its last digits as a float.
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

/// How many transfers arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// Completed, in time or late.
    pub delivered: usize,
    /// Not completed although the window was seen to its end.
    pub lost: usize,
    /// Delivered of all whose fate is known.
    pub ratio: f64,
    /// Lower end of its 95 % interval (Wilson).
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Delivery {
    /// Counts a run; of one at several places the interval is that of [`Places`]. `None` when the fate of no transfer is known. Censored transfers count
    /// neither way.
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

/// An empirical distribution function as the corners of its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Distinct latencies, ns, ascending.
    pub value_ns: Vec<i64>,
    /// Share of transfers that took at most that long.
    pub share: Vec<f64>,
}

/// The distribution function of `latencies_ns` among `of` transfers: with losses counted in `of`
/// the curve ends at the delivery ratio, where it belongs.
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
