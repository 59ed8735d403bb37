//! Metrics of a setting: name, unit, value and confidence interval over several runs.
//!
//! A new metric needs an entry in [`METRICS`]. If the metric is the mean or the maximum of one
//! number per run, it also needs a [`Figure`]. Quantiles of the latency cover all messages. A lost
//! message counts as slower than all delivered messages, so that losses never reduce a quantile.
//! The mean and the longest latency cover only delivered messages.

use std::borrow::Borrow;

use airlag_stats::clusters::{
    End, Share, mean, mean_bound, pooled, quantile, quantile_bound, share_bound,
};

use super::Run;
use super::limit::Unreadable;

/// Probability that a confidence interval misses the true value.
pub const MISS: f64 = 0.05;

/// A number per run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Mean latency of the delivered messages, ns.
    Mean,
    /// Longest latency, ns.
    Longest,
    /// Saturated goodput, kbit/s.
    Goodput,
    /// Charge per message at the sender, nC.
    Charge,
    /// Mean current of the sender at the message rate, including idle current, nA.
    Current,
    /// Battery life of a CR2032 at this mean current, years.
    Lifetime,
}

impl Figure {
    /// Number of figures.
    pub const COUNT: usize = 6;
}

/// Computation of a metric from several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A quantile over all messages.
    Quantile(f64),
    /// Loss ratio.
    Lost,
    /// Mean of a figure over runs.
    MeanOf(Figure),
    /// Largest figure over runs. It has no upper bound, because a larger figure is always possible.
    LargestOf(Figure),
}

/// Accepted units of a metric. The size of each unit is given in the first unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units(pub &'static [(&'static str, f64)]);

/// Units of time. Both Unicode micro signs are in use.
pub const TIMES: Units =
    Units(&[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)]);
/// Units of a share.
pub const SHARES: Units = Units(&[("", 1.0), ("%", 0.01)]);
/// Units of a data rate.
pub const RATES: Units = Units(&[("kbit/s", 1.0), ("bit/s", 1e-3), ("Mbit/s", 1e3)]);
/// Units of charge.
pub const CHARGES: Units =
    Units(&[("nC", 1.0), ("uC", 1e3), ("µC", 1e3), ("μC", 1e3), ("mC", 1e6)]);
/// Units of current.
pub const CURRENTS: Units =
    Units(&[("nA", 1.0), ("uA", 1e3), ("µA", 1e3), ("μA", 1e3), ("mA", 1e6), ("A", 1e9)]);
/// Units of battery life. A year has 365.25 days.
pub const LIVES: Units = Units(&[("y", 1.0), ("w", 7.0 / 365.25), ("d", 1.0 / 365.25)]);

/// A metric.
#[derive(Debug, PartialEq)]
pub struct Metric {
    /// Name on the command line.
    pub name: &'static str,
    /// Description.
    pub about: &'static str,
    /// Accepted units, each with its size in the first unit.
    pub units: Units,
    /// Whether larger values are better.
    pub rises: bool,
    kind: Kind,
}

/// All metrics.
pub static METRICS: [Metric; 10] = [
    one("mean", "mean latency of delivered messages", TIMES, Kind::MeanOf(Figure::Mean)),
    one("p50", "median latency of all messages", TIMES, Kind::Quantile(0.5)),
    one("p95", "95 % quantile of the latency of all messages", TIMES, Kind::Quantile(0.95)),
    one("p99", "99 % quantile of the latency of all messages", TIMES, Kind::Quantile(0.99)),
    one("max", "longest measured latency", TIMES, Kind::LargestOf(Figure::Longest)),
    one("loss", "share of lost messages", SHARES, Kind::Lost),
    Metric {
        rises: true,
        ..one("goodput", "saturated goodput", RATES, Kind::MeanOf(Figure::Goodput))
    },
    one("charge", "charge per message at the sender", CHARGES, Kind::MeanOf(Figure::Charge)),
    one(
        "current",
        "mean current of the sender at the message rate; default: one message per minute",
        CURRENTS,
        Kind::MeanOf(Figure::Current),
    ),
    Metric {
        rises: true,
        ..one(
            "lifetime",
            "battery life of a CR2032 at that current",
            LIVES,
            Kind::MeanOf(Figure::Lifetime),
        )
    },
];

const fn one(name: &'static str, about: &'static str, units: Units, kind: Kind) -> Metric {
    Metric { name, about, units, rises: false, kind }
}

/// Finds a metric by name.
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

/// A value with its 95 % confidence interval, in the unit of the metric. `None` for an unbounded end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Value. `None` if too few messages arrive.
    pub value: Option<f64>,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Metric {
    /// Returns the figure of each run that the metric uses.
    #[must_use]
    pub const fn figure(&self) -> Option<Figure> {
        match self.kind {
            Kind::MeanOf(figure) | Kind::LargestOf(figure) => Some(figure),
            Kind::Quantile(_) | Kind::Lost => None,
        }
    }

    /// Whether larger values than the measured ones are always possible.
    #[must_use]
    pub const fn is_unbounded(&self) -> bool {
        matches!(self.kind, Kind::LargestOf(_))
    }

    /// Returns the value over several runs. If there is no value, the result is infinite in the
    /// worse direction.
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

    /// Value and confidence interval over several runs. A single run has no interval.
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

    /// Bound that the true value exceeds with probability `miss`.
    fn bound(&self, runs: &[impl Borrow<Run>], miss: f64, end: End) -> f64 {
        match self.kind {
            Kind::Quantile(level) => quantile_bound(&fates(runs), level, miss, end),
            Kind::Lost => share_bound(&lost(runs), miss, end),
            Kind::MeanOf(figure) => mean_bound(&figures(runs, figure), miss, end),
            Kind::LargestOf(_) if end == End::Upper => f64::INFINITY,
            Kind::LargestOf(figure) => largest(&figures(runs, figure)),
        }
    }

    /// Whether the true value is at most (with `most`) or at least `limit`, at confidence
    /// `1 - miss`.
    #[must_use]
    pub fn holds(&self, runs: &[impl Borrow<Run>], limit: f64, miss: f64, most: bool) -> bool {
        let share = |is_beyond: &dyn Fn(f64) -> bool| {
            share_bound(&shares(runs, is_beyond), miss, End::Upper)
        };
        match self.kind {
            // The share of messages beyond the limit gives an equivalent and exact test.
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

/// Largest figure. NaN if nothing arrived under the first seed.
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
