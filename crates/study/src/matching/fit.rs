//! Finds the free values that repeat a capture best, and keeps those that are worth keeping.
//!
//! 1. *Lock*: where capture and bench complete on one clock, its rate and phase are read off
//!    ([`lock`](super::lock)).
//! 2. *Search*: the rest is looked for over more and more triggers ([`search`](super::search)), from
//!    each place the lock allows, and from nowhere in particular.
//! 3. *Choose*: of the places reached, the one whose latencies are spread most as the captured
//!    ones, under seeds nothing was fitted with.
//! 4. *Judge*: what explains nothing there is not kept ([`judge`](super::judge)).
//!
//! No randomness and no clock: the same capture gives the same values. How thorough a fit is depends on
//! how many events of the bench it may spend ([`Effort`]), never on how long they take.

use airlag_stats::NONE;
use airlag_stats::dist::quantiles;

use crate::error::Error;
use crate::matching::free::{Free, Shape};
use crate::matching::judge::judge;
use crate::matching::lock::{NUDGE_PPB, Start, starts};
use crate::matching::misfit::Target;
use crate::matching::replay::Replay;
use crate::matching::search::{Goal, Search, mean_change};

/// How thorough a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Points of a cycle that are tried.
    pub(super) grid: usize,
    /// Of the places a lock allows, how many are followed.
    pub(super) starts: usize,
    /// Triggers the cycles are acquired on.
    pub(super) acquired_on: usize,
    /// Triggers a rate is tracked over at most.
    pub(super) tracked_over: usize,
    /// Triggers the places that were found are compared over at most.
    pub(super) compared_over: usize,
    /// Triggers a value is judged over at most.
    pub(super) judged_over: usize,
    /// Events of the bench that may be spent on it.
    pub(super) events: u64,
    /// Whether a stimulus that keeps a period is also tried as one that follows the link.
    pub(super) aligns: bool,
}

impl Effort {
    /// To hold one profile against a capture.
    pub(super) const FULL: Self = Self {
        grid: 48,
        starts: 2,
        acquired_on: 60,
        tracked_over: 400,
        compared_over: 1_500,
        judged_over: 1_500,
        events: u64::MAX,
        aligns: true,
    };
    /// To choose between a few profiles.
    pub(super) const CLOSE: Self = Self { events: 15_000_000, ..Self::FULL };
    /// To tell many profiles apart.
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
    /// To compare many values of a parameter.
    pub(super) const GLANCE: Self = Self { grid: 12, events: 200_000, ..Self::QUICK };

    /// What each of `count` profiles may spend if all of them together may spend `all`.
    pub(super) fn shared(self, all: u64, count: usize) -> Self {
        Self { events: self.events.min(all / count.max(1) as u64), ..self }
    }

    /// Events that a fit takes at most, roughly, where each of `triggers` costs so many.
    fn expected(&self, each: f64, free: usize, triggers: usize) -> u64 {
        let compared = self.compared_over.min(triggers);
        self.events.min((RUNS * free as f64 * compared as f64 * each) as u64)
    }

    /// As thorough as its events allow where each trigger costs so many, and so many values are free:
    /// first fewer triggers, then fewer points.
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

/// Runs over all triggers that are compared which a fit takes, for each free value.
const RUNS: f64 = 40.0;

/// The fewest points of a cycle, triggers it is acquired on, and triggers that are compared.
const LEAST: (usize, usize, usize) = (12, 24, 60);

/// Of all events, how many a search may spend, percent.
const SEARCHED: u64 = 75;

/// Triggers that show what one costs.
const PRICED: usize = 40;

/// Free values, one each; `None`: as the profile has it.
pub(super) type Values = Vec<Option<f64>>;

/// Of the points of a cycle, how many are looked at under other seeds.
const FINALISTS: usize = 4;

/// Seeds the places that were found are compared under.
const REFEREES: u64 = 2;

/// Triggers that show what moves a transfer.
const SWEEP: usize = 240;

/// Where else in a cycle it shows whether it matters where one stands.
const AWAY: f64 = 0.37;

/// A rate that moves the mean transfer by less than this share of the middle half of all latencies is
/// not fitted: their distribution hardly changes by as much.
const NOTICED: f64 = 0.02;

/// Distances that differ by less than this share of what chance makes of them are alike.
pub(super) const ALIKE: f64 = 0.25;

/// The bench: latencies under triggers, with values, from a seed.
pub(super) trait Bench {
    /// Latencies, ns, one a trigger.
    fn latencies(
        &self,
        replay: &Replay,
        values: &[Option<f64>],
        seed: u64,
    ) -> Result<Vec<i64>, Error>;

    /// How many events it has fired.
    fn spent(&self) -> u64 {
        0
    }

    /// Receives how many events a fit is expected to take, once that is known.
    fn expect(&self, _events: u64) {}

    /// The same with every value given.
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

/// The values that repeat `replay` best. `seed` is that of the final run, under which nothing is
/// fitted.
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
    /// The values of the profile, phases at the beginning of their cycles.
    fn plain(&self) -> Vec<f64> {
        let plain = |one: &Free| if let Shape::Rate { own, .. } = one.shape { own } else { 0.0 };
        self.free.iter().map(plain).collect()
    }

    /// Which values move any transfer at all, under triggers that meet any phase.
    fn moving(&self) -> Result<Vec<bool>, Error> {
        let swept = self.whole.swept(SWEEP.min(2 * self.whole.len()), self.seed);
        let latencies = |at: &[f64]| self.bench.at(&swept, at, self.seed);
        let still = latencies(&self.plain())?;
        let moves = self.free.iter().enumerate().map(|(nth, one)| {
            let mut at = self.plain();
            let least = match one.shape {
                // A ring repeats itself: one other position proves nothing.
                Shape::Position(_) => return Ok(true),
                // What delays one transfer in a hundred is all that explains that one.
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

    /// The best of the places that searches lead to; of several as good, the one that needs its
    /// clocks least off.
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
        // Nothing is noticeably nearer than as near as this.
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

    /// At how many events a search ends wherever it is: what is found has to be judged as well.
    fn limit(&self) -> u64 {
        self.effort.events / 100 * SEARCHED
    }

    fn distance(&self, at: &[f64], seed: u64) -> Result<f64, Error> {
        Ok(self.target.distance(&self.bench.at(&self.whole, at, seed)?))
    }

    /// A place with its distance under seeds it was not found with.
    fn refereed(&self, at: Vec<f64>) -> Result<(f64, Vec<f64>), Error> {
        let seeds = (1..=REFEREES).map(|referee| self.seed.wrapping_add(referee));
        let each: Result<Vec<f64>, Error> = seeds.map(|seed| self.distance(&at, seed)).collect();
        Ok((each?.iter().sum::<f64>() / REFEREES as f64, at))
    }

    /// Cycles and rates that are still to be found.
    fn loose(&self, moving: &[bool], locked: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let loose = |nth: &usize| moving[*nth] && !locked.contains(nth);
        (0..self.free.len()).filter(loose).partition(|&nth| self.free[nth].is_cyclic())
    }

    /// The best values with the clock that completions keep where it was read off. Because it is
    /// right from the first trigger to the last, the rest is looked for over all of them.
    fn follow_lock(&self, start: Start, moving: &[bool]) -> Result<Vec<f64>, Error> {
        let (cycles, rates) = self.loose(moving, &start.locked);
        let whole = (self.whole.clone(), Goal::Spread);
        let mut search =
            Search::new(self.free, self.bench, self.seed, start.at, whole)?.until(self.limit());
        // Two cycles are looked for in a plane, more in turns.
        let grid = if cycles.len() > 1 { self.effort.grid / 2 } else { self.effort.grid };
        search.acquire(&cycles, grid)?;
        // The best of so many under one seed is partly the luckiest.
        let tried: Result<Vec<_>, Error> =
            search.best(FINALISTS).into_iter().map(|at| self.refereed(at)).collect();
        if let Some((_, at)) = tried?.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            search.go(at)?;
        }
        search.polish(&cycles, &rates, &start.locked)?;
        Ok(search.at)
    }

    /// The best values known without any clock to go by: over so few triggers at first that no
    /// crystal matters, then over twice as many at a time.
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
            // The rest of less than half as many again is not worth a round of its own.
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

/// Width of the middle half, ns.
fn spread_ns(latency: &[i64]) -> f64 {
    let arrived: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
    match *quantiles(&arrived, &[0.25, 0.75]).as_slice() {
        [low, high] => high - low,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests;
