//! Where the time of a run went: transfers cut into named parts, and what they come to.
//!
//! A [`Timeline`] is one transfer whose parts add up to its latency, to the nanosecond; nothing else
//! can be made one. A [`Budget`] is what a run's timelines come to: one [`Item`] a name, and two
//! real transfers, the median one and the p99 one. There is no mean transfer, so what stands for it
//! are the items: their totals add up to the total of all latencies, and so their means to the mean.
//!
//! What the names mean is the caller's business: `N` is whatever tells parts apart.

use std::collections::BTreeMap;

use crate::dist::quantiles;

/// Time spent on one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<N> {
    /// On what.
    pub name: N,
    /// How long, ns.
    pub ns: i64,
}

/// One transfer as parts that add up to its latency, in the order they were spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline<N> {
    latency_ns: i64,
    parts: Vec<Part<N>>,
}

/// Parts that are no transfer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uneven {
    /// What they should add up to, ns.
    pub latency_ns: i64,
    /// What they add up to, ns.
    pub sum_ns: i64,
}

impl std::fmt::Display for Uneven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { latency_ns, sum_ns } = self;
        write!(
            f,
            "parts of a transfer of {latency_ns} ns are not negative and add up to it, not to {sum_ns} ns"
        )
    }
}

impl std::error::Error for Uneven {}

impl<N> Timeline<N> {
    /// A transfer of `latency_ns` that was spent on `parts`, in this order.
    ///
    /// # Errors
    ///
    /// [`Uneven`] when they do not add up to it, or one is negative.
    pub fn new(latency_ns: i64, parts: Vec<Part<N>>) -> Result<Self, Uneven> {
        let sum_ns = parts.iter().fold(0_i64, |sum, part| sum.saturating_add(part.ns));
        if sum_ns != latency_ns || parts.iter().any(|part| part.ns < 0) {
            return Err(Uneven { latency_ns, sum_ns });
        }
        Ok(Self { latency_ns, parts })
    }

    /// From trigger to completion, ns: the sum of the parts.
    #[must_use]
    pub const fn latency_ns(&self) -> i64 {
        self.latency_ns
    }

    /// In the order they were spent.
    #[must_use]
    pub fn parts(&self) -> &[Part<N>] {
        &self.parts
    }
}

/// What a run spent on one thing. A transfer that spent nothing on it counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item<N> {
    /// On what.
    pub name: N,
    /// All transfers together, ns.
    pub total_ns: i128,
    /// A transfer on average, ns.
    pub mean_ns: f64,
    /// Half of the transfers spent at most this, ns (type 7).
    pub p50_ns: f64,
    /// 99 % of the transfers spent at most this, ns.
    pub p99_ns: f64,
}

/// One of the transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<N> {
    /// Which one: its place among the transfers given.
    pub index: usize,
    /// Where its time went.
    pub timeline: Timeline<N>,
}

/// Where the time of a run went.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget<N> {
    /// Transfers.
    pub n: usize,
    /// All latencies together, ns: the sum of every [`Item::total_ns`].
    pub total_ns: i128,
    /// Mean latency, ns.
    pub mean_ns: f64,
    /// One a name, in the order in which transfers come to them.
    pub items: Vec<Item<N>>,
    /// The transfer that half of all do not exceed: the lower one where two are in the middle.
    pub median: Chosen<N>,
    /// The transfer that 99 % of all do not exceed.
    pub p99: Chosen<N>,
}

impl<N: Copy + Ord> Budget<N> {
    /// What `transfers` come to; `None` when there are none.
    #[must_use]
    pub fn of(transfers: &[Timeline<N>]) -> Option<Self> {
        let n = transfers.len();
        let mut order: Vec<usize> = (0..n).collect();
        // Of equal latencies the one that came first.
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

    /// What transfers spent on average on the names that `counts` picks, ns.
    pub fn mean_of(&self, counts: impl Fn(N) -> bool) -> f64 {
        let picked = self.items.iter().filter(|item| counts(item.name));
        mean(picked.map(|item| item.total_ns).sum(), self.n)
    }
}

impl<N: Copy + Ord> Timeline<N> {
    /// What the transfer spent on the names that `counts` picks, ns.
    pub fn spent(&self, counts: impl Fn(N) -> bool) -> i64 {
        self.parts.iter().filter(|part| counts(part.name)).map(|part| part.ns).sum()
    }
}

/// What is known of a name while transfers are counted.
#[derive(Default)]
struct Tally {
    /// Of each transfer that has the name, ns.
    spent_ns: Vec<i64>,
    /// When it first comes, as a share of the transfer, summed over them.
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

/// The item of a name, and when transfers that have it come to it.
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
