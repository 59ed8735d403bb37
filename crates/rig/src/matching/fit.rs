//! Finds the free values that repeat a capture best, and keeps those that are worth keeping.
//!
//! Three steps, each on more triggers than the one before:
//!
//! 1. *Acquire*: where the cycles stand, on a grid, over so few triggers that no crystal matters.
//! 2. *Track*: over twice as many triggers at a time, how fast the clocks run. A rate that is off
//!    shows as a shift that grows with the time watched, so the misfit itself says how far to look.
//!    Refined by pattern search (R. Hooke and T. A. Jeeves, "Direct search solution of numerical
//!    and statistical problems", JACM 8 (1961) 212).
//! 3. *Judge*: a value is kept only if it repeats the capture better than other values do under
//!    four seeds it was not fitted with: every one of the four better by a tenth than every one of
//!    four elsewhere, which happens by chance less than once in 70. Others stay as the profile has them, so a
//!    match does not flatter itself with values that explain nothing.
//!
//! No randomness and no clock: the same capture gives the same values.

use airlag_stats::NONE;
use airlag_stats::dist::quantiles;

use crate::error::Error;
use crate::matching::free::{Free, Shape};
use crate::matching::misfit::Target;
use crate::matching::replay::Replay;

/// How thorough a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Points of a cycle that are tried.
    pub(super) grid: usize,
    /// Triggers the cycles are acquired on.
    pub(super) acquired_on: usize,
    /// Triggers a rate is tracked over at most.
    pub(super) tracked_over: usize,
}

impl Effort {
    /// To hold one profile against a capture.
    pub(super) const FULL: Self = Self { grid: 48, acquired_on: 60, tracked_over: 400 };
    /// To tell many profiles apart.
    pub(super) const QUICK: Self = Self { grid: 24, acquired_on: 40, tracked_over: 120 };
}

/// Free values, one each; `None`: as the profile has it.
pub(super) type Values = Vec<Option<f64>>;

/// Seeds a value is judged under.
const JUDGES: u64 = 4;

/// A value that makes the misfit smaller by less than a tenth explains nothing anybody would notice,
/// however surely.
const NOTICEABLE: f64 = 0.9;

/// Where else in a cycle a judge looks: unequal parts, so that a cycle that repeats within itself
/// is not met at its repetitions.
const ELSEWHERE: [f64; JUDGES as usize] = [0.19, 0.41, 0.62, 0.77];

/// Clocks are within this of what they say, ppb; see [`crate::parameter::Known::ppb`].
const FASTEST_PPB: f64 = 200_000.0;

/// The bench: latencies under triggers, with values, from a seed.
pub(super) trait Bench {
    /// Latencies, ns, one a trigger.
    fn latencies(
        &self,
        replay: &Replay,
        values: &[Option<f64>],
        seed: u64,
    ) -> Result<Vec<i64>, Error>;
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
    let mut search = Search::new(free, replay, effort.acquired_on, bench, seed.wrapping_add(1));
    search.acquire(effort.grid)?;
    search.refine()?;
    let most = replay.len().min(effort.tracked_over);
    let mut over = effort.acquired_on;
    while over < most {
        over = (2 * over).min(most);
        // The rest of less than half as many again is not worth a round of its own.
        over = if 3 * over > 2 * most { most } else { over };
        search.watch(replay.first(over))?;
        search.track()?;
        search.refine()?;
    }
    let found = search.at;
    judge(free, &replay.first(most), bench, &found, seed.wrapping_add(2))
}

/// A phase, and how far it moves for each ppb of a rate.
type Coupling = Option<(usize, f64)>;

struct Search<'a, B> {
    free: &'a [Free],
    bench: &'a B,
    seed: u64,
    replay: Replay,
    target: Target,
    at: Vec<f64>,
    misfit: f64,
    /// How far a step goes, one a value.
    step: Vec<f64>,
    /// Which phase moves with a rate, and how far for each ppb, so that the middle of the run stays
    /// where it is: clocks run from long before the first trigger. Both together and the rate alone
    /// are tried.
    coupled: Vec<Coupling>,
}

impl<'a, B: Bench> Search<'a, B> {
    fn new(free: &'a [Free], replay: &Replay, count: usize, bench: &'a B, seed: u64) -> Self {
        let replay = replay.first(count);
        let at = free.iter().map(|one| if let Shape::Rate(ppb) = one.shape { ppb } else { 0.0 });
        let target = Target::new(replay.latency());
        let (at, step, coupled) = (at.collect(), vec![0.0; free.len()], vec![None; free.len()]);
        Self { free, bench, seed, replay, target, at, misfit: f64::INFINITY, step, coupled }
    }

    fn latencies(&self, at: &[f64]) -> Result<Vec<i64>, Error> {
        let values: Values = at.iter().copied().map(Some).collect();
        self.bench.latencies(&self.replay, &values, self.seed)
    }

    fn misfit_of(&self, at: &[f64]) -> Result<f64, Error> {
        Ok(self.target.misfit(&self.latencies(at)?))
    }

    /// Goes to `at` if it is better there.
    fn attempt(&mut self, at: Vec<f64>) -> Result<bool, Error> {
        let misfit = self.misfit_of(&at)?;
        let better = misfit < self.misfit;
        if better {
            (self.at, self.misfit) = (at, misfit);
        }
        Ok(better)
    }

    /// Goes on over these triggers.
    fn watch(&mut self, replay: Replay) -> Result<(), Error> {
        self.target = Target::new(replay.latency());
        self.replay = replay;
        self.misfit = self.misfit_of(&self.at)?;
        Ok(())
    }

    /// Points of a cycle to try, at most `grid` of them.
    fn points(&self, nth: usize, grid: usize) -> Vec<f64> {
        match self.free[nth].shape {
            Shape::Phase => (0..grid).map(|point| point as f64 / grid as f64).collect(),
            // A position is whole: none is left out as long as a search over them is short.
            Shape::Position(count) => {
                let step = (count as usize).div_ceil(64.max(grid)).max(1);
                (0..count as usize).step_by(step).map(|position| position as f64).collect()
            }
            Shape::Rate(_) => Vec::new(),
        }
    }

    fn acquire(&mut self, grid: usize) -> Result<(), Error> {
        let cycles: Vec<usize> =
            (0..self.free.len()).filter(|&nth| self.free[nth].is_cyclic()).collect();
        match *cycles.as_slice() {
            [] => self.misfit = self.misfit_of(&self.at)?,
            [only] => self.sweep(only, grid)?,
            // Two cycles can stand in for each other: only the whole plane shows where they do not.
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
                    for &nth in &cycles {
                        self.sweep(nth, grid)?;
                    }
                }
            }
        }
        for nth in cycles {
            let phase = self.free[nth].shape == Shape::Phase;
            self.step[nth] = if phase { 0.5 / grid as f64 } else { 0.0 };
        }
        Ok(())
    }

    /// Tries one cycle all round.
    fn sweep(&mut self, nth: usize, grid: usize) -> Result<(), Error> {
        for point in self.points(nth, grid) {
            let mut at = self.at.clone();
            at[nth] = point;
            self.attempt(at)?;
        }
        Ok(())
    }

    /// How far a rate has to move to shift the last trigger by the misfit, ppb.
    fn rate_ppb(&self) -> f64 {
        let span_ns = self.replay.span_ns().max(1) as f64;
        (1e9 * self.misfit / span_ns).clamp(1.0, FASTEST_PPB / 8.0)
    }

    /// Looks for better rates around the present ones.
    fn track(&mut self) -> Result<(), Error> {
        let unit = self.rate_ppb();
        for nth in 0..self.free.len() {
            if !matches!(self.free[nth].shape, Shape::Rate(_)) {
                continue;
            }
            // What moves no transfer is not looked for.
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

    /// Which phase makes up for a change of the rate `nth`, seen from what either does to the median
    /// transfer; no answer at all if the rate does next to nothing.
    fn coupling(&self, nth: usize, ppb: f64) -> Result<Option<Coupling>, Error> {
        /// Share of a cycle that is tried.
        const NUDGE: f64 = 0.005;
        /// Share of the misfit below which a change is none.
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

    /// Pattern search from here, with halving steps.
    fn refine(&mut self) -> Result<(), Error> {
        let mut step = self.step.clone();
        for _ in 0..5 {
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
            // What helped once in every direction may help again in all of them together.
            let moves = self.at.iter().zip(&before).enumerate();
            let again =
                moves.map(|(nth, (&now, &was))| self.around(nth, now + self.toward(nth, now, was)));
            let again: Vec<f64> = again.collect();
            self.attempt(again)?;
        }
        // Next time there is less left to find.
        let cyclic = self.free.iter().map(Free::is_cyclic);
        for (step, cyclic) in self.step.iter_mut().zip(cyclic) {
            *step = if cyclic { *step / 2.0 } else { 0.0 };
        }
        Ok(())
    }

    /// How far it is from `was` to `now`, the short way round.
    fn toward(&self, nth: usize, now: f64, was: f64) -> f64 {
        match self.free[nth].shape {
            Shape::Phase => (now - was + 0.5).rem_euclid(1.0) - 0.5,
            _ => now - was,
        }
    }

    /// `from` with the value `nth` moved, and the phase that is coupled to it.
    fn moved(&self, from: &[f64], nth: usize, by: f64) -> Vec<f64> {
        let mut at = self.alone(from, nth, by);
        if let Some((phase, each)) = self.coupled[nth] {
            // Where a rate is at its end, it does not move as far.
            at[phase] = self.around(phase, at[phase] + each * (at[nth] - from[nth]));
        }
        at
    }

    /// `from` with nothing but the value `nth` moved.
    fn alone(&self, from: &[f64], nth: usize, by: f64) -> Vec<f64> {
        let mut at = from.to_vec();
        at[nth] = self.around(nth, at[nth] + by);
        at
    }

    /// A value where it may be: round a cycle, or at the end of a range.
    fn around(&self, nth: usize, value: f64) -> f64 {
        match self.free[nth].shape {
            Shape::Phase => wrapped(value),
            Shape::Position(count) => value.rem_euclid(count as f64),
            Shape::Rate(_) => value.clamp(-FASTEST_PPB, FASTEST_PPB),
        }
    }
}

/// How far the mean transfer moved of those that arrive both times, ns.
fn mean_change(before: &[i64], after: &[i64]) -> f64 {
    let both = before.iter().zip(after).filter(|&(&a, &b)| a != NONE && b != NONE);
    let (sum, count) =
        both.fold((0.0, 0u32), |(sum, count), (a, b)| (sum + a.abs_diff(*b) as f64, count + 1));
    sum / f64::from(count.max(1))
}

/// How much later the median transfer is of those that arrive both times, ns.
fn median_shift(before: &[i64], after: &[i64]) -> f64 {
    let both = before.iter().zip(after).filter(|&(&a, &b)| a != NONE && b != NONE);
    let shifts: Vec<i64> = both.map(|(a, b)| b - a).collect();
    quantiles(&shifts, &[0.5]).first().copied().unwrap_or(0.0)
}

/// A share of a cycle; rounding must not make it a whole one.
fn wrapped(phase: f64) -> f64 {
    let share = phase.rem_euclid(1.0);
    if share < 1.0 { share } else { 0.0 }
}

/// Keeps of `found` what is better than something else under seeds it was not fitted with.
fn judge(
    free: &[Free],
    replay: &Replay,
    bench: &impl Bench,
    found: &[f64],
    seed: u64,
) -> Result<Values, Error> {
    let target = Target::new(replay.latency());
    let mut kept: Values = found.iter().copied().map(Some).collect();
    for (nth, one) in free.iter().enumerate() {
        let (mut with, mut without) = (0.0f64, f64::INFINITY);
        for (judge, share) in (0..JUDGES).zip(ELSEWHERE) {
            let seed = seed.wrapping_add(judge);
            let mut values = kept.clone();
            with = with.max(target.misfit(&bench.latencies(replay, &values, seed)?));
            values[nth] = match one.shape {
                Shape::Phase => Some(wrapped(found[nth] + share)),
                Shape::Position(count) => {
                    // Odd steps: rings repeat themselves in powers of two.
                    Some((found[nth] + (2 * judge + 1) as f64) % count as f64)
                }
                Shape::Rate(_) => None,
            };
            without = without.min(target.misfit(&bench.latencies(replay, &values, seed)?));
        }
        if with >= NOTICEABLE * without {
            kept[nth] = None;
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests;
