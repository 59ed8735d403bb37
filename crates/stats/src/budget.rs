//! Latency budget: transfers split into named parts, and statistics of the parts.
//!
//! A [`Timeline`] is one transfer, divided into named parts that add up to the latency of the transfer, to the
//! nanosecond. A [`Budget`] summarises the timelines of a run. The budget contains one [`Item`] per name of a
//! part. It also contains the timelines of two transfers: one with the median latency and one with the p99
//! latency. The totals of all items add up to the sum of all latencies. The means of all items add up to the mean
//! latency.
//!
//! The meaning of the names is up to the caller: `N` is any type that identifies a part.

use std::collections::BTreeMap;

use crate::dist::quantiles;

/// Time spent on one activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<N> {
    /// Name of the activity.
    pub name: N,
    /// Duration, ns.
    pub ns: i64,
}

/// One transfer as parts that add up to its latency, in time order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline<N> {
    latency_ns: i64,
    parts: Vec<Part<N>>,
}

/// Parts that are negative or do not add up to the latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uneven {
    /// Latency, ns.
    pub latency_ns: i64,
    /// Sum of the parts, ns.
    pub sum_ns: i64,
}

impl std::fmt::Display for Uneven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { latency_ns, sum_ns } = self;
        write!(
            f,
            "the parts of a transfer of {latency_ns} ns must not be negative and must add up to it; they add up to {sum_ns} ns"
        )
    }
}

impl std::error::Error for Uneven {}

impl<N> Timeline<N> {
    /// Creates a transfer of `latency_ns` from its parts in time order.
    ///
    /// # Errors
    ///
    /// [`Uneven`] if the parts do not add up to the latency, or one is negative.
    pub fn new(latency_ns: i64, parts: Vec<Part<N>>) -> Result<Self, Uneven> {
        let sum_ns = parts.iter().fold(0_i64, |sum, part| sum.saturating_add(part.ns));
        if sum_ns != latency_ns || parts.iter().any(|part| part.ns < 0) {
            return Err(Uneven { latency_ns, sum_ns });
        }
        Ok(Self { latency_ns, parts })
    }

    /// Time from trigger to completion, ns: the sum of the parts.
    #[must_use]
    pub const fn latency_ns(&self) -> i64 {
        self.latency_ns
    }

    /// Parts in time order.
    #[must_use]
    pub fn parts(&self) -> &[Part<N>] {
        &self.parts
    }
}

/// Statistics of the time that the transfers of a run spend on one activity. A transfer without the
/// activity counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item<N> {
    /// Name of the activity.
    pub name: N,
    /// Sum over all transfers, ns.
    pub total_ns: i128,
    /// Mean per transfer, ns.
    pub mean_ns: f64,
    /// Median over the transfers, ns (type 7).
    pub p50_ns: f64,
    /// 99 % quantile over the transfers, ns.
    pub p99_ns: f64,
}

/// A selected transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<N> {
    /// Index among the given transfers.
    pub index: usize,
    /// Its parts.
    pub timeline: Timeline<N>,
}

/// Latency budget of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget<N> {
    /// Number of transfers.
    pub n: usize,
    /// Sum of all latencies, ns. Equals the sum of every [`Item::total_ns`].
    pub total_ns: i128,
    /// Mean latency, ns.
    pub mean_ns: f64,
    /// Items in the order in which the activities occur in a transfer.
    pub items: Vec<Item<N>>,
    /// Transfer with the median latency. For an even number of transfers, the faster of the two in
    /// the middle.
    pub median: Chosen<N>,
    /// Transfer whose latency is the 99 % quantile.
    pub p99: Chosen<N>,
}

impl<N: Copy + Ord> Budget<N> {
    /// Summarises `transfers`. Returns `None` if there are none.
    #[must_use]
    pub fn of(transfers: &[Timeline<N>]) -> Option<Self> {
        let n = transfers.len();
        let mut order: Vec<usize> = (0..n).collect();
        // The first of equal latencies.
        order.sort_by_key(|&index| (transfers[index].latency_ns, index));
        let chosen = |percent: usize| {
            let rank = (n * percent).div_ceil(100).checked_sub(1)?;
            let index = *order.get(rank)?;
            Some(Chosen { index, timeline: transfers[index].clone() })
        };
        let (median, p99) = (chosen(50)?, chosen(99)?);
        let total_ns = transfers.iter().map(|one| i128::from(one.latency_ns)).sum();
        let items = items(transfers);
        Some(Self { n, total_ns, mean_ns: mean(total_ns, n), items, median, p99 })
    }

    /// Returns the mean time per transfer spent on the activities that `counts` selects, ns.
    pub fn mean_of(&self, counts: impl Fn(N) -> bool) -> f64 {
        let picked = self.items.iter().filter(|item| counts(item.name));
        mean(picked.map(|item| item.total_ns).sum(), self.n)
    }
}

impl<N: Copy + Ord> Timeline<N> {
    /// Returns the time that this transfer spends on the activities that `counts` selects, ns.
    pub fn spent(&self, counts: impl Fn(N) -> bool) -> i64 {
        self.parts.iter().filter(|part| counts(part.name)).map(|part| part.ns).sum()
    }
}

/// Accumulated values of a name.
#[derive(Default)]
struct Tally {
    /// Time of each transfer that contains the name, ns.
    spent_ns: Vec<i64>,
    /// Sum of the relative positions of its first occurrence.
    first: f64,
}

fn items<N: Copy + Ord>(transfers: &[Timeline<N>]) -> Vec<Item<N>> {
    let mut tallies: BTreeMap<N, Tally> = BTreeMap::new();
    for transfer in transfers {
        let mut spent: BTreeMap<N, (i64, i64)> = BTreeMap::new();
        let mut at = 0;
        for part in &transfer.parts {
            spent.entry(part.name).or_insert((at, 0)).1 += part.ns;
            at += part.ns;
        }
        for (name, (first, ns)) in spent {
            let tally = tallies.entry(name).or_default();
            tally.spent_ns.push(ns);
            tally.first += first as f64 / transfer.latency_ns.max(1) as f64;
        }
    }
    let mut found: Vec<(f64, Item<N>)> =
        tallies.into_iter().map(|(name, tally)| item(name, tally, transfers.len())).collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.into_iter().map(|(_, item)| item).collect()
}

/// The item of a name, and the mean relative position of its first occurrence.
fn item<N>(name: N, mut tally: Tally, n: usize) -> (f64, Item<N>) {
    let first = tally.first / tally.spent_ns.len().max(1) as f64;
    let total_ns = tally.spent_ns.iter().map(|&ns| i128::from(ns)).sum();
    tally.spent_ns.resize(n, 0);
    let ends = quantiles(&tally.spent_ns, &[0.5, 0.99]);
    let (p50_ns, p99_ns) = (ends[0], ends[1]);
    (first, Item { name, total_ns, mean_ns: mean(total_ns, n), p50_ns, p99_ns })
}

fn mean(total_ns: i128, n: usize) -> f64 {
    total_ns as f64 / n.max(1) as f64
}

#[cfg(test)]
mod tests;
