//! Which of the values found are worth keeping.
//!
//! A value is kept only if it repeats the capture better than other values do under six seeds it was
//! not fitted with: in the middle better by a tenth, and one by one so often that it happens by
//! chance less than once in 70. It may do so in either of two ways, in the order of the transfers or
//! in how they are spread; twice as often by chance, then. Others stay as the profile has them, so a
//! match does not flatter itself with values that explain nothing.
//!
//! A phase may be known to a part of its cycle only: where triggers meet few moments of a link, many
//! ticks give the same latencies, and others do not. Left to chance, it would stand among the others.
//! So it is kept too where the capture contradicts some other places of it, and prefers none.

use crate::error::Error;
use crate::matching::fit::{ALIKE, Bench, Values};
use crate::matching::free::{Free, Shape};
use crate::matching::misfit::Target;
use crate::matching::replay::Replay;
use crate::matching::search::wrapped;

/// Seeds a value is judged under.
const JUDGES: usize = 6;

/// Pairs of the 36 in which a value may be the worse one. By the test of H. B. Mann and D. R. Whitney ("On
/// a test of whether one of two random variables is stochastically larger than the other", Annals of
/// Mathematical Statistics 18 (1947) 50): 12 of the 924 orders of 6 and 6 values have no more.
const OVERTAKEN: usize = 4;

/// Pairs of the 36 in which nothing at all may be better than all values together for these to be taken
/// apart: phases drawn at random are right now and then, so this asks for less.
const HOPELESS: usize = 12;

/// A value that makes the misfit smaller by less than a tenth explains nothing anybody would notice,
/// however surely.
const NOTICEABLE: f64 = 0.9;

/// Places of a cycle that the capture has to contradict, each by more than chance moves two distributions
/// apart once in 20 times: that two of six do so by chance is less likely than one in 25.
const CONTRADICTED: usize = 2;

/// Where else in a cycle a judge looks: unequal parts, so that a cycle that repeats within itself
/// is not met at its repetitions.
const ELSEWHERE: [f64; JUDGES] = [0.13, 0.29, 0.41, 0.53, 0.68, 0.81];

/// Keeps of `found` what is better than something else under seeds it was not fitted with.
pub(super) fn judge(
    free: &[Free],
    replay: &Replay,
    bench: &impl Bench,
    found: Values,
    seed: u64,
) -> Result<Values, Error> {
    let court = Court { target: Target::new(replay.latency()), replay, bench, seed };
    let nothing = vec![None; free.len()];
    let mut kept = found;
    let mut with = court.hear(&kept)?;
    // Of what is no better than nothing at all, only phases that are known to a part of their cycle are kept.
    let hopeful = court.prefers(&with, HOPELESS, |_| nothing.clone())?;
    let mut dropped = false;
    for (nth, one) in free.iter().enumerate() {
        let Some(found) = kept[nth] else { continue };
        if std::mem::take(&mut dropped) {
            with = court.hear(&kept)?;
        }
        let elsewhere = |judge: usize| {
            let mut values = kept.clone();
            values[nth] = match one.shape {
                Shape::Phase => Some(wrapped(found + ELSEWHERE[judge])),
                Shape::Position(count) => {
                    // Odd steps: rings repeat themselves in powers of two.
                    Some((found + (2 * judge + 1) as f64) % count as f64)
                }
                Shape::Rate { .. } => None,
            };
            values
        };
        let keeps = hopeful && court.prefers(&with, OVERTAKEN, elsewhere)?
            || one.shape == Shape::Phase && court.confines(&with, elsewhere)?;
        if !keeps {
            (kept[nth], dropped) = (None, true);
        }
    }
    Ok(kept)
}

/// A misfit in each way of looking.
type Misfits = [f64; 2];

struct Court<'a, B> {
    target: Target,
    replay: &'a Replay,
    bench: &'a B,
    seed: u64,
}

impl<B: Bench> Court<'_, B> {
    fn hear_one(&self, values: &[Option<f64>], judge: usize) -> Result<Misfits, Error> {
        let seed = self.seed.wrapping_add(judge as u64);
        let made = self.bench.latencies(self.replay, values, seed)?;
        Ok([self.target.misfit(&made), self.target.distance(&made)])
    }

    fn hear(&self, values: &[Option<f64>]) -> Result<Vec<Misfits>, Error> {
        (0..JUDGES).map(|judge| self.hear_one(values, judge)).collect()
    }

    /// Whether the capture contradicts some of the places that the judges are shown instead, and is
    /// noticeably nearer to none.
    fn confines(
        &self,
        with: &[Misfits],
        elsewhere: impl Fn(usize) -> Values,
    ) -> Result<bool, Error> {
        let chance = self.target.chance();
        let mut contradicted = 0;
        for (judge, [_, here]) in with.iter().enumerate() {
            let [_, there] = self.hear_one(&elsewhere(judge), judge)?;
            contradicted += usize::from(there > here + chance);
            let to_come = JUDGES - 1 - judge;
            if there < here - ALIKE * chance || contradicted + to_come < CONTRADICTED {
                return Ok(false);
            }
        }
        Ok(contradicted >= CONTRADICTED)
    }

    /// Whether the capture is nearer to `with` than to what each judge is shown instead: hardly ever
    /// otherwise, in `most` pairs, and noticeably.
    fn prefers(
        &self,
        with: &[Misfits],
        most: usize,
        other: impl Fn(usize) -> Values,
    ) -> Result<bool, Error> {
        let mut without = Vec::with_capacity(JUDGES);
        for judge in 0..JUDGES {
            without.push(self.hear_one(&other(judge), judge)?);
            // Those to come cannot save it.
            if (0..2).all(|way| overtaken(with, &without, way) > most) {
                return Ok(false);
            }
        }
        Ok((0..2).any(|way| {
            let noticeable = middle(with, way) < NOTICEABLE * middle(&without, way);
            noticeable && overtaken(with, &without, way) <= most
        }))
    }
}

/// Pairs in which it is no worse `without` than `with`.
fn overtaken(with: &[Misfits], without: &[Misfits], way: usize) -> usize {
    let no_worse = |one: &Misfits| without.iter().filter(|other| other[way] <= one[way]).count();
    with.iter().map(no_worse).sum()
}

fn middle(all: &[Misfits], way: usize) -> f64 {
    let mut column: Vec<f64> = all.iter().map(|one| one[way]).collect();
    column.sort_unstable_by(f64::total_cmp);
    column.get(column.len() / 2).copied().unwrap_or(0.0)
}
