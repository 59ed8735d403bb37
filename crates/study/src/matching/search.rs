//! Search for the best clock phases and rates over more and more triggers.
//!
//! - *Acquire*: the phases of the clocks are searched on a grid.
//! - *Track*: the rates of the clocks are searched. A wrong rate causes a shift of the phase that grows with
//!   time. The misfit between capture and bench therefore limits the range of rates to search.
//! - *Refine*: phases and rates are refined by pattern search (R. Hooke and T. A. Jeeves, "Direct search
//!   solution of numerical and statistical problems", JACM 8 (1961) 212).

use airlag_stats::NONE;
use airlag_stats::dist::quantiles;

use crate::error::Error;
use crate::matching::fit::{ALIKE, Bench};
use crate::matching::free::{Free, Shape};
use crate::matching::misfit::{Spread, Target};
use crate::matching::replay::Replay;
use crate::matching::ring::Ring;

/// Objective of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// [`Target::misfit`], which depends on the order of transfers.
    Order,
    /// [`Target::distance`], which depends only on the distribution.
    Spread,
}

/// Index of a phase, and its shift per ppb of a rate.
type Coupling = Option<(usize, f64)>;

pub(super) struct Search<'a, B> {
    free: &'a [Free],
    bench: &'a B,
    seed: u64,
    replay: Replay,
    target: Target,
    goal: Goal,
    pub(super) at: Vec<f64>,
    misfit: f64,
    /// Points that were tried over the present triggers, with their misfit.
    tried: Vec<(f64, Vec<f64>)>,
    /// Step width per value.
    step: Vec<f64>,
    /// For each clock rate, the phase that is coupled to this rate, and the shift of this phase per ppb of
    /// the rate. The clocks start long before the first trigger, so a change of the rate alone would shift
    /// the whole run. In the middle of the run, the shift of the coupled phase cancels the shift that the
    /// changed rate causes. The search tries both the coupled change and a change of the rate alone.
    coupled: Vec<Coupling>,
    /// Number of simulated events at which the search ends.
    limit: u64,
}

/// Largest first step of a rate, ppb. One of the four following steps finds the difference of two crystals.
const FASTEST_PPB: f64 = 25_000.0;

/// Largest number of points added between those of a grid, in percent of the grid.
const SPLITS: usize = 50;

impl<'a, B: Bench> Search<'a, B> {
    /// Starts at `at` with these triggers and this objective.
    pub(super) fn new(
        free: &'a [Free],
        bench: &'a B,
        seed: u64,
        at: Vec<f64>,
        (replay, goal): (Replay, Goal),
    ) -> Result<Self, Error> {
        let mut search = Self {
            free,
            bench,
            seed,
            target: Target::new(replay.latency()),
            replay,
            goal,
            at,
            misfit: f64::INFINITY,
            tried: Vec::new(),
            step: vec![0.0; free.len()],
            coupled: vec![None; free.len()],
            limit: u64::MAX,
        };
        search.look()?;
        Ok(search)
    }

    /// Ends the search after `limit` simulated events.
    pub(super) fn until(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    fn latencies(&self, at: &[f64]) -> Result<Vec<i64>, Error> {
        self.bench.at(&self.replay, at, self.seed)
    }

    fn misfit_of(&self, at: &[f64]) -> Result<f64, Error> {
        Ok(self.misfit(&self.latencies(at)?))
    }

    fn misfit(&self, made: &[i64]) -> f64 {
        match self.goal {
            Goal::Order => self.target.misfit(made),
            Goal::Spread => self.target.distance(made),
        }
    }

    /// Moves to `at` if it is better.
    fn attempt(&mut self, at: Vec<f64>) -> Result<bool, Error> {
        if self.bench.spent() >= self.limit {
            return Ok(false);
        }
        let misfit = self.misfit_of(&at)?;
        Ok(self.weigh(at, misfit))
    }

    /// Moves to `at` with a known misfit if it is better.
    fn weigh(&mut self, at: Vec<f64>, misfit: f64) -> bool {
        let better = misfit < self.misfit;
        self.tried.push((misfit, at.clone()));
        if better {
            (self.at, self.misfit) = (at, misfit);
        }
        better
    }

    /// Continues with these triggers and this objective.
    pub(super) fn watch(&mut self, replay: Replay, goal: Goal) -> Result<(), Error> {
        self.target = Target::new(replay.latency());
        (self.replay, self.goal) = (replay, goal);
        self.look()
    }

    /// Evaluates the present point.
    fn look(&mut self) -> Result<(), Error> {
        self.misfit = self.misfit_of(&self.at)?;
        self.tried = vec![(self.misfit, self.at.clone())];
        Ok(())
    }

    /// The `count` best points over the present triggers.
    pub(super) fn best(&mut self, count: usize) -> Vec<Vec<f64>> {
        self.tried.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.tried.iter().take(count).map(|(_, at)| at.clone()).collect()
    }

    /// Continues from `at` regardless of its misfit.
    pub(super) fn go(&mut self, at: Vec<f64>) -> Result<(), Error> {
        self.misfit = self.misfit_of(&at)?;
        self.at = at;
        Ok(())
    }

    /// Points of a cycle to try, at most `grid`.
    fn points(&self, nth: usize, grid: usize) -> Vec<f64> {
        match self.free[nth].shape {
            Shape::Phase => (0..grid).map(|point| point as f64 / grid as f64).collect(),
            // Positions are integers. All are tried if that is fast.
            Shape::Position(count) => {
                let step = (count as usize).div_ceil(64.max(grid)).max(1);
                (0..count as usize).step_by(step).map(|position| position as f64).collect()
            }
            Shape::Rate { .. } => Vec::new(),
        }
    }

    /// Finds the phases of these cycles with `grid` points each.
    pub(super) fn acquire(&mut self, cycles: &[usize], grid: usize) -> Result<(), Error> {
        match *cycles {
            [] => {}
            [only] => self.sweep(only, grid)?,
            // Two cycles can compensate for each other, so the whole plane is tried.
            [one, other] => {
                let coarse = grid / 3;
                for here in self.points(one, coarse) {
                    for there in self.points(other, coarse) {
                        let mut at = self.at.clone();
                        (at[one], at[other]) = (here, there);
                        self.attempt(at)?;
                    }
                }
                for nth in [one, other] {
                    self.sweep(nth, grid)?;
                }
            }
            _ => {
                for _ in 0..3 {
                    for &nth in cycles {
                        self.sweep(nth, grid)?;
                    }
                }
            }
        }
        for &nth in cycles {
            let phase = self.free[nth].shape == Shape::Phase;
            self.step[nth] = if phase { 0.5 / grid as f64 } else { 0.0 };
        }
        Ok(())
    }

    /// Tries all phases of one cycle.
    fn sweep(&mut self, nth: usize, grid: usize) -> Result<(), Error> {
        let points = self.points(nth, grid);
        if self.goal == Goal::Spread && self.free[nth].shape == Shape::Phase {
            return self.sweep_finely(nth, points);
        }
        for point in points {
            self.attempt(self.with(nth, point))?;
        }
        Ok(())
    }

    /// Tries these points of a phase, then points between those that may hide a better one.
    fn sweep_finely(&mut self, nth: usize, grid: Vec<f64>) -> Result<(), Error> {
        let (noticed, mut left) = (ALIKE * self.target.chance(), SPLITS * grid.len() / 100);
        let (mut ring, mut grid) = (Ring::default(), grid.into_iter());
        while self.bench.spent() < self.limit {
            let point = match grid.next() {
                Some(point) => point,
                None if left == 0 => break,
                None => {
                    left -= 1;
                    let Some(point) = ring.suspect(noticed) else { break };
                    point
                }
            };
            let at = self.with(nth, point);
            let made = self.latencies(&at)?;
            let distance = self.misfit(&made);
            ring.insert(point, distance, Spread::new(&made));
            self.weigh(at, distance);
        }
        Ok(())
    }

    /// Change of a rate that shifts the last trigger by the misfit, ppb.
    fn rate_ppb(&self) -> f64 {
        let span_ns = self.replay.span_ns().max(1) as f64;
        (1e9 * self.misfit / span_ns).clamp(1.0, FASTEST_PPB)
    }

    /// Searches `rates` around the present ones.
    pub(super) fn track(&mut self, rates: &[usize]) -> Result<(), Error> {
        let unit = self.rate_ppb();
        for &nth in rates {
            if self.bench.spent() >= self.limit {
                break;
            }
            // Rates without an effect are skipped.
            let Some(coupled) = self.coupling(nth, unit)? else { continue };
            self.coupled[nth] = coupled;
            let centre = self.at.clone();
            for step in [1.0, 2.0, 4.0] {
                for by in [-step * unit, step * unit] {
                    self.attempt(self.moved(&centre, nth, by))?;
                    self.attempt(self.alone(&centre, nth, by))?;
                }
            }
            self.step[nth] = unit / 2.0;
        }
        Ok(())
    }

    /// Phase that compensates a change of rate `nth`, from the effects of both on the median transfer.
    /// Returns `None` if the rate has hardly any effect.
    fn coupling(&self, nth: usize, ppb: f64) -> Result<Option<Coupling>, Error> {
        /// Change of a phase that is tried.
        const NUDGE: f64 = 0.005;
        /// Share of the misfit below which a change does not count.
        const NOTHING: f64 = 0.05;
        let here = self.latencies(&self.at)?;
        let there = self.latencies(&self.alone(&self.at, nth, ppb))?;
        if mean_change(&here, &there) < NOTHING * self.misfit {
            return Ok(None);
        }
        let by_rate = median_shift(&here, &there) / ppb;
        let mut most: Option<(usize, f64)> = None;
        for phase in 0..self.free.len() {
            if self.free[phase].shape == Shape::Phase {
                let there = self.latencies(&self.alone(&self.at, phase, NUDGE))?;
                let by_phase = median_shift(&here, &there) / NUDGE;
                if by_phase.abs() > most.map_or(1.0, |(_, known)| known.abs()) {
                    most = Some((phase, by_phase));
                }
            }
        }
        Ok(Some(most.map(|(phase, by_phase)| (phase, -by_rate / by_phase))))
    }

    /// Pattern search with halving steps.
    pub(super) fn refine(&mut self) -> Result<(), Error> {
        self.refine_in(5)
    }

    /// Pattern search with a number of rounds.
    fn refine_in(&mut self, rounds: usize) -> Result<(), Error> {
        let mut step = self.step.clone();
        for _ in 0..rounds {
            let before = self.at.clone();
            for (nth, &step) in step.iter().enumerate() {
                if step == 0.0 {
                    continue;
                }
                for by in [step, -step] {
                    let here = self.at.clone();
                    let better = self.attempt(self.moved(&here, nth, by))?;
                    if better
                        || self.coupled[nth].is_some()
                            && self.attempt(self.alone(&here, nth, by))?
                    {
                        break;
                    }
                }
            }
            if self.at == before {
                step.iter_mut().for_each(|step| *step /= 2.0);
                continue;
            }
            // A direction that improved in every coordinate may improve again as a whole.
            let moves = self.at.iter().zip(&before).enumerate();
            let again =
                moves.map(|(nth, (&now, &was))| self.around(nth, now + self.toward(nth, now, was)));
            let again: Vec<f64> = again.collect();
            self.attempt(again)?;
        }
        // Later searches start closer to the optimum, and therefore use smaller steps.
        let cyclic = self.free.iter().map(Free::is_cyclic);
        for (step, cyclic) in self.step.iter_mut().zip(cyclic) {
            *step = if cyclic { *step / 2.0 } else { 0.0 };
        }
        Ok(())
    }

    /// Final pattern search. Values computed from completions hardly change in it.
    pub(super) fn polish(
        &mut self,
        cycles: &[usize],
        rates: &[usize],
        locked: &[usize],
    ) -> Result<(), Error> {
        for (nth, one) in self.free.iter().enumerate() {
            self.step[nth] = match one.shape {
                Shape::Phase if locked.contains(&nth) => 0.005,
                Shape::Phase if cycles.contains(&nth) => 0.02,
                Shape::Rate { .. } if rates.contains(&nth) => 2_000.0,
                _ => 0.0,
            };
        }
        self.refine_in(3)
    }

    /// Distance from `was` to `now`, by the shorter way around a cycle.
    fn toward(&self, nth: usize, now: f64, was: f64) -> f64 {
        match self.free[nth].shape {
            Shape::Phase => short_way(now - was),
            _ => now - was,
        }
    }

    /// `from` with value `nth` and its coupled phase changed.
    fn moved(&self, from: &[f64], nth: usize, by: f64) -> Vec<f64> {
        let mut at = self.alone(from, nth, by);
        if let Some((phase, each)) = self.coupled[nth] {
            // A rate at the end of its range changes by less than requested.
            at[phase] = self.around(phase, at[phase] + each * (at[nth] - from[nth]));
        }
        at
    }

    /// The present point with another value `nth`.
    fn with(&self, nth: usize, value: f64) -> Vec<f64> {
        let mut at = self.at.clone();
        at[nth] = value;
        at
    }

    /// `from` with only value `nth` changed.
    fn alone(&self, from: &[f64], nth: usize, by: f64) -> Vec<f64> {
        let mut at = from.to_vec();
        at[nth] = self.around(nth, at[nth] + by);
        at
    }

    /// Wraps a cyclic value, or limits it to its range.
    fn around(&self, nth: usize, value: f64) -> f64 {
        match self.free[nth].shape {
            Shape::Phase => wrapped(value),
            Shape::Position(count) => value.rem_euclid(count as f64),
            Shape::Rate { own, reach } => value.clamp(own - reach, own + reach),
        }
    }
}

/// Mean absolute change of the transfers that arrive in both runs, ns.
pub(super) fn mean_change(before: &[i64], after: &[i64]) -> f64 {
    let both = before.iter().zip(after).filter(|&(&a, &b)| a != NONE && b != NONE);
    let (sum, count) =
        both.fold((0.0, 0u32), |(sum, count), (a, b)| (sum + a.abs_diff(*b) as f64, count + 1));
    sum / f64::from(count.max(1))
}

/// Median change of the transfers that arrive in both runs, ns. Positive if later.
fn median_shift(before: &[i64], after: &[i64]) -> f64 {
    let both = before.iter().zip(after).filter(|&(&a, &b)| a != NONE && b != NONE);
    let shifts: Vec<i64> = both.map(|(a, b)| b - a).collect();
    quantiles(&shifts, &[0.5]).first().copied().unwrap_or(0.0)
}

/// The equivalent turn from -0.5 to 0.5.
pub(super) fn short_way(turns: f64) -> f64 {
    (turns + 0.5).rem_euclid(1.0) - 0.5
}

/// Wraps a phase to below 1, even after rounding.
pub(super) fn wrapped(phase: f64) -> f64 {
    let share = phase.rem_euclid(1.0);
    if share < 1.0 { share } else { 0.0 }
}
