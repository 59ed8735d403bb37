//! Comparison of two runs: whether they are comparable, and their differences.

use crate::dist::{Delivery, Summary};
use crate::duration::nice;
use crate::findings::Name;
use crate::findings::channels::wrong_pair;
use crate::fold::{Clocks, Coverage};
use crate::interval::{Bounded, difference};
use crate::pair::Transfers;
use crate::rank::{Superiority, ks_distance, superiority};

/// Quantiles that are compared.
pub const COMPARED: [f64; 3] = [0.5, 0.95, 0.99];

/// One value in two runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Value in the first run.
    pub a: f64,
    /// Value in the second run.
    pub b: f64,
    /// Second minus first, with the 95 % confidence interval.
    pub change: Bounded,
}

impl Difference {
    fn of(a: Bounded, b: Bounded) -> Self {
        Self { a: a.value, b: b.value, change: difference(a, b) }
    }

    /// Whether the interval excludes zero.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.change.low.is_some_and(|low| low > 0.0)
            || self.change.high.is_some_and(|high| high < 0.0)
    }
}

/// Result of a comparison of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Reasons why the runs are not comparable, for example because they differ in phase.
    pub obstacles: Vec<String>,
    /// [`COMPARED`] quantiles of the latency, ns. Empty if a run delivered nothing.
    pub quantiles: Vec<(f64, Difference)>,
    /// Delivery ratio.
    pub delivery: Option<Difference>,
    /// Probability that one run is faster, from the ranks of all latencies.
    pub superiority: Option<Superiority>,
    /// Largest distance between the distribution functions (Kolmogorov–Smirnov).
    pub ks: Option<f64>,
}

/// A finding of a run that affects a comparison: its name and message.
pub type RunFinding = (Name, String);

/// Findings about several runs together. Runs that share such a finding cannot be distinguished.
const TOGETHER: [Name; 1] = [Name::TimerAcrossRuns];

impl Comparison {
    /// Adds an obstacle if runs `a` and `b` have the same finding about several runs.
    #[must_use]
    pub fn knowing(mut self, a: &[RunFinding], b: &[RunFinding]) -> Self {
        let shared = a.iter().filter(|one| TOGETHER.contains(&one.0) && b.contains(one));
        self.obstacles.extend(shared.map(|(_, message)| message.clone()));
        self
    }

    /// Whether the differences are attributable to the links.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        self.obstacles.is_empty()
    }
}

/// Compares run `b` with run `a`.
///
/// Intervals of quantiles come from order statistics, and intervals of the difference of two
/// quantiles come from [`difference`]. Both methods assume independent transfers. A run with a
/// frozen phase violates this assumption, and is reported in [`Comparison::obstacles`].
#[must_use]
pub fn compare(a: &Transfers, b: &Transfers) -> Comparison {
    let (latencies_a, latencies_b) = (a.latencies_ns(), b.latencies_ns());
    let quantiles = match (Summary::of(&latencies_a), Summary::of(&latencies_b)) {
        (Some(a), Some(b)) => COMPARED
            .iter()
            .filter_map(|&p| Some((p, Difference::of(bounded(&a, p)?, bounded(&b, p)?))))
            .collect(),
        _ => Vec::new(),
    };
    let ratio = |run: &Transfers| {
        Delivery::of(run).map(|d| Bounded { value: d.ratio, low: Some(d.low), high: Some(d.high) })
    };
    let delivery = ratio(a).zip(ratio(b)).map(|(a, b)| Difference::of(a, b));
    let first = obstacle("The first run", a);
    let second = obstacle("The second run", b);
    Comparison {
        obstacles: first.into_iter().chain(second).collect(),
        quantiles,
        delivery,
        superiority: superiority(&latencies_a, &latencies_b),
        ks: ks_distance(&latencies_a, &latencies_b),
    }
}

fn bounded(summary: &Summary, p: f64) -> Option<Bounded> {
    let quantile = summary.quantile(p)?;
    let float = |bound: Option<i64>| bound.map(|ns| ns as f64);
    Some(Bounded {
        value: quantile.value_ns,
        low: float(quantile.low_ns),
        high: float(quantile.high_ns),
    })
}

/// Reason why the quantiles of a run depend on its start, or on the wrong channels.
fn obstacle(which: &str, run: &Transfers) -> Option<String> {
    if let Some(wrong) = wrong_pair(run) {
        return Some(format!("{which} has the wrong pair of channels. {}", wrong.message));
    }
    let clocks = Clocks::of(run);
    if let Some(period_ns) = clocks.own_period_ns() {
        let coverage = Coverage::of(&clocks.series.trigger, period_ns);
        return coverage.is_poor().then(|| {
            let phases = coverage.phases.max(1);
            format!(
            "{which} sampled only {phases} phase{} of the {} clock of its link. Another start would change \
             its quantiles by up to {}.",
                if phases == 1 { "" } else { "s" },
                nice(period_ns),
                nice(period_ns / phases as f64)
            )
        });
    }
    // A ramp that wraps has passed through all phases of its tick.
    let ramp = clocks.ramp.as_ref().filter(|ramp| ramp.wraps == 0)?;
    Some(format!(
        "{which} has a frozen phase: the triggers drifted by only {} relative to a clock of the link. Another start \
         would give other quantiles.",
        nice(ramp.height_ns)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Noise, run, run_with_losses};

    const MS: f64 = 1e6;

    fn jittered(seed: u64, n: usize, centre_ms: f64) -> Vec<i64> {
        Noise::seed(seed).series(n, |noise, _| (centre_ms + 0.1 * noise.normal()) * MS)
    }

    fn at(comparison: &Comparison, p: f64) -> Difference {
        comparison.quantiles.iter().find(|(level, _)| *level == p).expect("a quantile").1
    }

    #[test]
    fn a_real_difference_is_found_with_its_size() {
        let a = run(20_000_000, &jittered(1, 1000, 5.0));
        let b = run(20_000_000, &jittered(2, 1000, 5.5));
        let found = compare(&a, &b);
        assert!(found.obstacles.is_empty(), "{:?}", found.obstacles);
        let median = at(&found, 0.5);
        assert!(median.is_significant());
        assert!((median.change.value - 0.5 * MS).abs() < 0.02 * MS);
        assert!(found.superiority.expect("both delivered").delta() > 0.9);
        assert!(found.ks.expect("both delivered") > 0.9);
    }

    #[test]
    fn what_only_shows_across_runs_forbids_comparing_those_that_share_it() {
        let a = run(20_000_000, &jittered(1, 100, 5.0));
        let timer = |message: &str| [(Name::TimerAcrossRuns, message.to_owned())];
        let (here, there) = (timer("each froze another phase"), timer("of another timer"));
        let knowing =
            |one: &[RunFinding], other: &[RunFinding]| compare(&a, &a).knowing(one, other);
        assert!(knowing(&here, &[]).is_comparable() && knowing(&here, &there).is_comparable());
        assert_eq!(knowing(&here, &here).obstacles, ["each froze another phase"]);
        // Findings that each run has by itself are not findings about several runs.
        let alone = [(Name::WarmUp, "the first ten".to_owned())];
        assert!(knowing(&alone, &alone).is_comparable());
    }

    #[test]
    fn runs_of_one_link_differ_significantly_about_as_often_as_promised() {
        // The combined interval is conservative, so at most about one in twenty pairs differs. The limit for
        // 200 pairs is the 1e-4 quantile of Binomial(200, 0.05), 22.
        let differing = (0..200).filter(|&seed| {
            let a = run(20_000_000, &jittered(2 * seed, 300, 5.0));
            let b = run(20_000_000, &jittered(2 * seed + 1, 300, 5.0));
            at(&compare(&a, &b), 0.5).is_significant()
        });
        assert!(differing.count() <= 22);
    }

    #[test]
    fn loss_differs_by_ratio() {
        let lossy = |seed: u64, share: f64| {
            let mut noise = Noise::seed(seed);
            let latencies: Vec<Option<i64>> =
                (0..500).map(|_| (noise.uniform() >= share).then_some(5_000_000)).collect();
            run_with_losses(20_000_000, &latencies)
        };
        let found = compare(&lossy(1, 0.01), &lossy(2, 0.2));
        let delivery = found.delivery.expect("triggers were seen");
        assert!(delivery.is_significant() && delivery.change.value < -0.1);
        assert!(!compare(&lossy(3, 0.1), &lossy(4, 0.1)).delivery.unwrap().is_significant());
    }

    #[test]
    fn a_frozen_phase_is_an_obstacle_before_anything_else() {
        // The trigger period is 200 ms and the tick 10 ms, with a drift of 2.5 us per second.
        let frozen = |start_ms: f64, seed| {
            Noise::seed(seed).series(800, |noise, i| {
                (2.0 + start_ms - 0.0005 * i as f64 + 0.003 * noise.normal()) * MS
            })
        };
        let a = run(200_000_000, &frozen(1.0, 1));
        let b = run(200_000_000, &frozen(6.0, 2));
        let found = compare(&a, &b);
        assert_eq!(found.obstacles.len(), 2, "{:?}", found.obstacles);
        assert!(at(&found, 0.5).is_significant());
    }

    #[test]
    fn a_run_without_deliveries_still_compares_its_losses() {
        let a = run_with_losses(20_000_000, &[None; 50]);
        let b = run(20_000_000, &jittered(1, 50, 5.0));
        let found = compare(&a, &b);
        assert!(found.quantiles.is_empty() && found.superiority.is_none() && found.ks.is_none());
        assert!(found.delivery.expect("triggers were seen").is_significant());
    }
}
