//! Metrics of a setting: name, unit, and how a number and its interval come of several runs.
//!
//! A new metric is one entry of [`METRICS`], and a [`Figure`] where one number of each run is averaged.
//! Quantiles are of all messages, a lost one taking longer than any, so that losing messages never
//! looks quick. Mean and longest latency are of the messages that arrive.

use std::borrow::Borrow;

use airlag_stats::clusters::{
    End, Share, mean, mean_bound, pooled, quantile, quantile_bound, share_bound,
};

use super::Run;
use super::limit::Unreadable;

/// Probability that an interval misses its true value.
pub const MISS: f64 = 0.05;

/// One number of each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Mean latency of the messages that arrive, ns.
    Mean,
    /// Longest latency, ns.
    Longest,
    /// User data of a saturated sender, kbit/s.
    Goodput,
    /// Charge of one more message at the sender, nC.
    Charge,
    /// Mean current of the sender at the rate of the messages, idle current included, nA.
    Current,
    /// Life of a CR2032 at that current, years.
    Lifetime,
}

impl Figure {
    /// How many there are.
    pub const COUNT: usize = 6;
}

/// How a metric comes of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// This quantile of all messages.
    Quantile(f64),
    /// Share of messages that do not arrive.
    Lost,
    /// Mean of one figure a run.
    MeanOf(Figure),
    /// Largest figure of all runs: a larger one is always possible, so it has no upper bound.
    LargestOf(Figure),
}

/// Units that a metric is written in, and the size of each in the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units(pub &'static [(&'static str, f64)]);

/// Times; both micro signs are typed in practice.
pub const TIMES: Units =
    Units(&[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)]);
/// Shares.
pub const SHARES: Units = Units(&[("", 1.0), ("%", 0.01)]);
/// Data rates.
pub const RATES: Units = Units(&[("kbit/s", 1.0), ("bit/s", 1e-3), ("Mbit/s", 1e3)]);
/// Charges.
pub const CHARGES: Units =
    Units(&[("nC", 1.0), ("uC", 1e3), ("µC", 1e3), ("μC", 1e3), ("mC", 1e6)]);
/// Currents.
pub const CURRENTS: Units =
    Units(&[("nA", 1.0), ("uA", 1e3), ("µA", 1e3), ("μA", 1e3), ("mA", 1e6), ("A", 1e9)]);
/// Lives of a battery; a year has 365.25 days.
pub const LIVES: Units = Units(&[("y", 1.0), ("w", 7.0 / 365.25), ("d", 1.0 / 365.25)]);

/// A metric.
#[derive(Debug, PartialEq)]
pub struct Metric {
    /// As the command line has it.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Units it is written in, and their size in its own unit, which is the first.
    pub units: Units,
    /// Whether larger is better.
    pub rises: bool,
    kind: Kind,
}

/// Every metric.
pub static METRICS: [Metric; 10] = [
    one("mean", "mean latency of what arrives", TIMES, Kind::MeanOf(Figure::Mean)),
    one("p50", "median latency of all messages", TIMES, Kind::Quantile(0.5)),
    one("p95", "95 % quantile of the latency of all messages", TIMES, Kind::Quantile(0.95)),
    one("p99", "99 % quantile of the latency of all messages", TIMES, Kind::Quantile(0.99)),
    one("max", "longest latency seen", TIMES, Kind::LargestOf(Figure::Longest)),
    one("loss", "share of messages that never arrive", SHARES, Kind::Lost),
    Metric {
        rises: true,
        ..one("goodput", "saturated goodput", RATES, Kind::MeanOf(Figure::Goodput))
    },
    one(
        "charge",
        "charge of one more message at the sender",
        CHARGES,
        Kind::MeanOf(Figure::Charge),
    ),
    one(
        "current",
        "mean current of the sender at the period of the messages, one a minute without one",
        CURRENTS,
        Kind::MeanOf(Figure::Current),
    ),
    Metric {
        rises: true,
        ..one("lifetime", "life of a CR2032 at that current", LIVES, Kind::MeanOf(Figure::Lifetime))
    },
];

const fn one(name: &'static str, about: &'static str, units: Units, kind: Kind) -> Metric {
    Metric { name, about, units, rises: false, kind }
}

/// The metric of this name.
///
/// # Errors
///
/// [`Unreadable::Metric`], with the nearest name.
pub fn find(name: &str) -> Result<&'static Metric, Unreadable> {
    METRICS.iter().find(|metric| metric.name == name).ok_or_else(|| {
        let nearest = airlag_rig::profile::nearest(name, METRICS.iter().map(|one| one.name));
        Unreadable::Metric { name: name.chars().take(20).collect(), nearest: nearest.to_owned() }
    })
}

/// A value and its 95 % interval in the metric's own unit; an end is none where nothing bounds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value; none where too few messages arrive.
    pub value: Option<f64>,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Metric {
    /// The figure of each run that it needs.
    #[must_use]
    pub const fn figure(&self) -> Option<Figure> {
        match self.kind {
            Kind::MeanOf(figure) | Kind::LargestOf(figure) => Some(figure),
            Kind::Quantile(_) | Kind::Lost => None,
        }
    }

    /// Whether a larger value is always possible.
    #[must_use]
    pub const fn is_unbounded(&self) -> bool {
        matches!(self.kind, Kind::LargestOf(_))
    }

    /// Its value over several runs; infinite on its worse side where there is none.
    #[must_use]
    pub fn value(&self, runs: &[impl Borrow<Run>]) -> f64 {
        let value = match self.kind {
            Kind::Quantile(level) => quantile(&pooled(&fates(runs)), level),
            Kind::Lost => {
                let lost = lost(runs);
                let count = |of: fn(&Share) -> usize| lost.iter().map(of).sum::<usize>() as f64;
                count(|run| run.count) / count(|run| run.of)
            }
            Kind::MeanOf(figure) => mean(&figures(runs, figure)),
            Kind::LargestOf(figure) => largest(&figures(runs, figure)),
        };
        let worst = if self.rises { f64::NEG_INFINITY } else { f64::INFINITY };
        if value.is_finite() { value } else { worst }
    }

    /// Its value and interval over several runs; a single run has no interval.
    #[must_use]
    pub fn estimate(&self, runs: &[impl Borrow<Run>]) -> Estimate {
        let finite = |value: f64| value.is_finite().then_some(value);
        let bound =
            |end| if runs.len() > 1 { finite(self.bound(runs, MISS / 2.0, end)) } else { None };
        Estimate {
            value: finite(self.value(runs)),
            low: bound(End::Lower),
            high: bound(End::Upper),
        }
    }

    /// Bound of its true value, which lies beyond it with probability `miss`.
    fn bound(&self, runs: &[impl Borrow<Run>], miss: f64, end: End) -> f64 {
        match self.kind {
            Kind::Quantile(level) => quantile_bound(&fates(runs), level, miss, end),
            Kind::Lost => share_bound(&lost(runs), miss, end),
            Kind::MeanOf(figure) => mean_bound(&figures(runs, figure), miss, end),
            Kind::LargestOf(_) if end == End::Upper => f64::INFINITY,
            Kind::LargestOf(figure) => largest(&figures(runs, figure)),
        }
    }

    /// Whether its true value is at most, or at least, `limit`, but for a probability of `miss`.
    #[must_use]
    pub fn holds(&self, runs: &[impl Borrow<Run>], limit: f64, miss: f64, most: bool) -> bool {
        let share = |is_beyond: &dyn Fn(f64) -> bool| {
            share_bound(&shares(runs, is_beyond), miss, End::Upper)
        };
        match self.kind {
            // By the share of messages beyond the limit, which is equivalent and exact.
            Kind::Quantile(level) if most => share(&|fate| fate > limit) <= 1.0 - level,
            Kind::Quantile(level) => share(&|fate| fate < limit) <= level,
            _ if most => self.bound(runs, miss, End::Upper) <= limit,
            _ => self.bound(runs, miss, End::Lower) >= limit,
        }
    }
}

fn fates<R: Borrow<Run>>(runs: &[R]) -> Vec<&[f64]> {
    runs.iter().map(|run| &run.borrow().fates_ns[..]).collect()
}

fn figures(runs: &[impl Borrow<Run>], figure: Figure) -> Vec<f64> {
    runs.iter().map(|run| run.borrow().figures[figure as usize]).collect()
}

/// The largest figure; not a number where nothing arrived under the first seed.
fn largest(figures: &[f64]) -> f64 {
    figures
        .iter()
        .copied()
        .reduce(|most, one| if one > most { one } else { most })
        .unwrap_or(f64::NAN)
}

fn shares(runs: &[impl Borrow<Run>], is_one: &dyn Fn(f64) -> bool) -> Vec<Share> {
    let share = |fates: &[f64]| Share {
        count: fates.iter().filter(|&&fate| is_one(fate)).count(),
        of: fates.len(),
    };
    fates(runs).into_iter().map(share).collect()
}

fn lost(runs: &[impl Borrow<Run>]) -> Vec<Share> {
    shares(runs, &f64::is_infinite)
}
