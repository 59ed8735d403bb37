//! Fit of the free parameters to a capture, and selection of the parameters worth fitting.
//!
//! 1. *Lock*: if the completions of capture and bench follow the same clock of the link, the rate
//!    and the phase of that clock are computed from the completions ([`lock`](super::lock)).
//! 2. *Search*: the other parameters are searched over an increasing number of triggers
//!    ([`search`](super::search)). The search starts from each set of values that the first step
//!    permits, and also from the values of the profile.
//! 3. *Choose*: the sets of values that were found are compared under seeds that were not used for
//!    fitting. The set whose latency distribution is closest to the capture is chosen.
//! 4. *Judge*: parameters that do not improve the match are dropped ([`judge`](super::judge)).
//!
//! A fit is deterministic and independent of wall time: the same capture gives the same values. Its effort
//! is limited by a number of simulated events ([`Effort`]).

use airlag_stats::NONE;
use airlag_stats::dist::quantiles;

use crate::error::Error;
use crate::matching::free::{Free, Shape};
use crate::matching::judge::judge;
use crate::matching::lock::{NUDGE_PPB, Start, starts};
use crate::matching::misfit::Target;
use crate::matching::replay::Replay;
use crate::matching::search::{Goal, Search, mean_change};

/// Effort of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Number of points per cycle.
    pub(super) grid: usize,
    /// Number of starting points from the lock that are followed.
    pub(super) starts: usize,
    /// Number of triggers for the acquisition of phases.
    pub(super) acquired_on: usize,
    /// Largest number of triggers for the tracking of rates.
    pub(super) tracked_over: usize,
    /// Largest number of triggers for the comparison of points.
    pub(super) compared_over: usize,
    /// Largest number of triggers for the judgement of a value.
    pub(super) judged_over: usize,
    /// Budget in simulated events.
    pub(super) events: u64,
    /// Whether to try periodic triggers also as triggers that follow the link.
    pub(super) aligns: bool,
}

impl Effort {
    /// Comparison of one profile with a capture. The event budget limits only links with thousands
    /// of events per message, whose comparison takes about a minute.
    pub(super) const FULL: Self = Self {
        grid: 48,
        starts: 2,
        acquired_on: 60,
        tracked_over: 400,
        compared_over: 1_500,
        judged_over: 1_500,
        events: 120_000_000,
        aligns: true,
    };
    /// Choice among a few profiles.
    pub(super) const CLOSE: Self = Self { events: 15_000_000, ..Self::FULL };
    /// Separation of many profiles.
    pub(super) const QUICK: Self = Self {
        grid: 24,
        starts: 1,
        acquired_on: 40,
        tracked_over: 120,
        compared_over: 120,
        judged_over: 120,
        events: 4_000_000,
        aligns: false,
    };
    /// Comparison of many values of a parameter.
    pub(super) const GLANCE: Self = Self { grid: 12, events: 200_000, ..Self::QUICK };

    /// Effort per profile if `count` profiles share a budget of `all` events.
    pub(super) fn shared(self, all: u64, count: usize) -> Self {
        Self { events: self.events.min(all / count.max(1) as u64), ..self }
    }

    /// Approximate upper bound of the events of a fit, with `each` events per trigger.
    fn expected(&self, each: f64, free: usize, triggers: usize) -> u64 {
        let compared = self.compared_over.min(triggers);
        self.events.min((RUNS * free as f64 * compared as f64 * each) as u64)
    }

    /// Reduces the effort to the event budget, with `each` events per trigger and `free` free
    /// parameters: first the number of triggers, then the number of points.
    fn within_its_events(self, each: f64, free: usize) -> Self {
        let runs = RUNS * free as f64;
        let share = self.events as f64 / (runs * self.compared_over as f64 * each.max(1.0));
        if share >= 1.0 {
            return self;
        }
        let fewer = |count: usize, share: f64, least: usize| {
            ((count as f64 * share) as usize).max(least).min(count)
        };
        Self {
            grid: fewer(self.grid, share.sqrt(), LEAST.0),
            acquired_on: fewer(self.acquired_on, share.sqrt(), LEAST.1),
            tracked_over: fewer(self.tracked_over, share.sqrt(), LEAST.2),
            compared_over: fewer(self.compared_over, share, LEAST.2),
            judged_over: fewer(self.judged_over, share, LEAST.2),
            ..self
        }
    }
}

/// Number of runs over all compared triggers, per free parameter.
const RUNS: f64 = 40.0;

/// Smallest number of points per cycle, triggers for acquisition, and triggers for comparison.
const LEAST: (usize, usize, usize) = (12, 24, 60);

/// Share of the budget for the search, percent.
const SEARCHED: u64 = 75;

/// Number of triggers used to measure the cost of a trigger.
const PRICED: usize = 40;

/// Values of the free parameters. `None` means as in the profile.
pub(super) type Values = Vec<Option<f64>>;

/// Number of points of a cycle that are compared under other seeds.
const FINALISTS: usize = 4;

/// Number of seeds for the comparison of points.
const REFEREES: u64 = 2;

/// Number of triggers used to determine which parameters have an effect.
const SWEEP: usize = 240;

/// Offset within a cycle at which the effect of a phase is tested.
const AWAY: f64 = 0.37;

/// Smallest effect of a fitted rate: its change of the mean latency, as a share of the interquartile range. A
/// smaller change hardly affects the distribution.
const NOTICED: f64 = 0.02;

/// Difference of distances that counts as zero, as a share of the difference by chance.
pub(super) const ALIKE: f64 = 0.25;

/// A bench that returns latencies for triggers, values and a seed.
pub(super) trait Bench {
    /// Latencies in ns, one per trigger.
    fn latencies(
        &self,
        replay: &Replay,
        values: &[Option<f64>],
        seed: u64,
    ) -> Result<Vec<i64>, Error>;

    /// Number of simulated events so far.
    fn spent(&self) -> u64 {
        0
    }

    /// Receives the expected number of events of a fit.
    fn expect(&self, _events: u64) {}

    /// Returns the latencies with a value for every free parameter.
    fn at(&self, replay: &Replay, at: &[f64], seed: u64) -> Result<Vec<i64>, Error> {
        let values: Values = at.iter().copied().map(Some).collect();
        self.latencies(replay, &values, seed)
    }
}

impl<F> Bench for F
where
    F: Fn(&Replay, &[Option<f64>], u64) -> Result<Vec<i64>, Error>,
{
    fn latencies(
        &self,
        replay: &Replay,
        values: &[Option<f64>],
        seed: u64,
    ) -> Result<Vec<i64>, Error> {
        self(replay, values, seed)
    }
}

/// Finds the values that reproduce `replay` best. `seed` is the seed of the final run and is not used for
/// fitting.
pub(super) fn fit(
    free: &[Free],
    replay: &Replay,
    effort: Effort,
    bench: &impl Bench,
    seed: u64,
) -> Result<Values, Error> {
    if free.is_empty() {
        return Ok(Vec::new());
    }
    let fitted_with = seed.wrapping_add(1);
    let begun = bench.spent();
    let priced = replay.first(PRICED);
    bench.latencies(&priced, &vec![None; free.len()], fitted_with)?;
    let each = (bench.spent() - begun) as f64 / priced.len() as f64;
    let effort = effort.within_its_events(each, free.len());
    bench.expect(effort.expected(each, free.len(), replay.len()));
    let whole = replay.first(effort.compared_over);
    let target = Target::new(whole.latency());
    let fit = Fit { free, whole, target, effort, bench, seed: fitted_with };
    let moving = fit.moving()?;
    let found = fit.place(&moving)?;
    let found = found.into_iter().zip(&moving).map(|(at, &moves)| moves.then_some(at)).collect();
    let judged = replay.first(effort.judged_over);
    judge(free, &judged, bench, found, fitted_with.wrapping_add(1 + REFEREES))
}

struct Fit<'a, B> {
    free: &'a [Free],
    whole: Replay,
    target: Target,
    effort: Effort,
    bench: &'a B,
    seed: u64,
}

impl<B: Bench> Fit<'_, B> {
    /// Values of the profile, with phases at 0.
    fn plain(&self) -> Vec<f64> {
        let plain = |one: &Free| if let Shape::Rate { own, .. } = one.shape { own } else { 0.0 };
        self.free.iter().map(plain).collect()
    }

    /// Determines which parameters affect any transfer, with triggers at random phases.
    fn moving(&self) -> Result<Vec<bool>, Error> {
        let swept = self.whole.swept(SWEEP.min(2 * self.whole.len()), self.seed);
        let latencies = |at: &[f64]| self.bench.at(&swept, at, self.seed);
        let still = latencies(&self.plain())?;
        let moves = self.free.iter().enumerate().map(|(nth, one)| {
            let mut at = self.plain();
            let least = match one.shape {
                // A ring repeats itself, so that trying one other position proves nothing.
                Shape::Position(_) => return Ok(true),
                // Even a delay of one transfer in a hundred matters, because only this parameter
                // explains it.
                Shape::Phase => {
                    at[nth] = AWAY;
                    0.0
                }
                Shape::Rate { .. } => {
                    at[nth] += NUDGE_PPB;
                    NOTICED * spread_ns(&still)
                }
            };
            Ok(mean_change(&still, &latencies(&at)?) > least)
        });
        moves.collect()
    }

    /// The best of the points that the searches reach. Among equally good points, the one with the smallest
    /// clock errors.
    fn place(&self, moving: &[bool]) -> Result<Vec<f64>, Error> {
        let plain = self.plain();
        let mut near = Vec::new();
        for start in starts(self.free, &self.whole, self.bench, self.seed, &plain)? {
            near.push((self.distance(&start.at, self.seed)?, start));
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let alike = ALIKE * self.target.chance();
        let mut places: Vec<(f64, Vec<f64>)> = Vec::new();
        for (_, start) in near.into_iter().take(self.effort.starts) {
            places.push(self.refereed(self.follow_lock(start, moving)?)?);
        }
        // The search without a known clock is needed only if no kept point is as near as this distance.
        if !places.iter().any(|&(distance, _)| distance < alike) {
            places.push(self.refereed(self.start_blind(plain.clone(), moving)?)?);
        }
        let least = places.iter().map(|&(distance, _)| distance).fold(f64::INFINITY, f64::min);
        places.retain(|&(distance, _)| distance <= least + alike);
        let off = |at: &[f64]| -> f64 {
            self.free.iter().zip(at).map(|(one, &value)| one.off_ppb(value)).sum()
        };
        let best = places.into_iter().min_by(|a, b| off(&a.1).total_cmp(&off(&b.1)));
        Ok(best.map_or(plain, |(_, at)| at))
    }

    /// Number of events at which a search ends, to leave budget for the judgement.
    fn limit(&self) -> u64 {
        self.effort.events / 100 * SEARCHED
    }

    fn distance(&self, at: &[f64], seed: u64) -> Result<f64, Error> {
        Ok(self.target.distance(&self.bench.at(&self.whole, at, seed)?))
    }

    /// A point with its distance under seeds that were not used to find it.
    fn refereed(&self, at: Vec<f64>) -> Result<(f64, Vec<f64>), Error> {
        let seeds = (1..=REFEREES).map(|referee| self.seed.wrapping_add(referee));
        let each: Result<Vec<f64>, Error> = seeds.map(|seed| self.distance(&at, seed)).collect();
        Ok((each?.iter().sum::<f64>() / REFEREES as f64, at))
    }

    /// Phases and rates that are still unknown.
    fn loose(&self, moving: &[bool], locked: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let loose = |nth: &usize| moving[*nth] && !locked.contains(nth);
        (0..self.free.len()).filter(loose).partition(|&nth| self.free[nth].is_cyclic())
    }

    /// The best values, given the clock of the completions. Because that clock is exact for the
    /// whole run, the other parameters are searched over all triggers.
    fn follow_lock(&self, start: Start, moving: &[bool]) -> Result<Vec<f64>, Error> {
        let (cycles, rates) = self.loose(moving, &start.locked);
        let whole = (self.whole.clone(), Goal::Spread);
        let mut search =
            Search::new(self.free, self.bench, self.seed, start.at, whole)?.until(self.limit());
        // Two cycles are searched on a plane. More cycles are searched one after the other.
        let grid = if cycles.len() > 1 { self.effort.grid / 2 } else { self.effort.grid };
        search.acquire(&cycles, grid)?;
        // The best of many points under one seed may be best by chance.
        let tried: Result<Vec<_>, Error> =
            search.best(FINALISTS).into_iter().map(|at| self.refereed(at)).collect();
        if let Some((_, at)) = tried?.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            search.go(at)?;
        }
        search.polish(&cycles, &rates, &start.locked)?;
        Ok(search.at)
    }

    /// The best values without a known clock. The search starts with few triggers, over which
    /// crystal errors have no effect, and doubles their number step by step.
    fn start_blind(&self, plain: Vec<f64>, moving: &[bool]) -> Result<Vec<f64>, Error> {
        let (cycles, rates) = self.loose(moving, &[]);
        let mut over = self.effort.acquired_on;
        let begun = (self.whole.first(over), Goal::Order);
        let mut search =
            Search::new(self.free, self.bench, self.seed, plain, begun)?.until(self.limit());
        search.acquire(&cycles, self.effort.grid)?;
        search.refine()?;
        let most = self.whole.len().min(self.effort.tracked_over);
        while over < most {
            over = (2 * over).min(most);
            // If fewer than half as many triggers would remain for a last round, they are added to
            // this one.
            over = if 3 * over > 2 * most { most } else { over };
            search.watch(self.whole.first(over), Goal::Order)?;
            search.track(&rates)?;
            search.refine()?;
        }
        search.watch(self.whole.clone(), Goal::Spread)?;
        search.polish(&cycles, &rates, &[])?;
        Ok(search.at)
    }
}

/// Interquartile range, ns.
fn spread_ns(latency: &[i64]) -> f64 {
    let arrived: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
    match *quantiles(&arrived, &[0.25, 0.75]).as_slice() {
        [low, high] => high - low,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests;
