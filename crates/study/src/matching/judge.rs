//! Selection of the fitted values that are worth keeping.
//!
//! A fitted value is kept only if it reproduces the capture better than alternative values do, under six
//! seeds that were not used for fitting. The fitted value is better if its median misfit is smaller by 10 %,
//! and if a rank test has a p-value below 1/70. The misfit is computed in two ways: from the order of the
//! transfers, and from their distribution. It is sufficient if the fitted value is better in one of the two
//! ways. A success by chance is therefore twice as likely as with one way. A parameter whose fitted value is
//! not kept has the value of the profile, so that a match does not gain from values that explain nothing.
//!
//! A capture may limit a phase to a range without determining its value: if the triggers sample few phases of
//! a link, many values of the phase of a clock give the same latencies. A fitted phase is therefore also kept
//! if two conditions are met: the capture contradicts some other phases, and no other phase fits noticeably
//! better. The fitted phase is kept because a random phase in its place could be one of the contradicted
//! phases.

use crate::error::Error;
use crate::matching::fit::{ALIKE, Bench, Values};
use crate::matching::free::{Free, Shape};
use crate::matching::misfit::Target;
use crate::matching::replay::Replay;
use crate::matching::search::wrapped;

/// Number of seeds for the judgement.
const JUDGES: usize = 6;

/// Largest number of pairs of runs in which a run with the fitted value may be no better than a run with an
/// alternative value. Each of 6 runs with the fitted value is compared with each of 6 runs with alternative
/// values, which gives 36 pairs. Of the 924 possible orders of 6 and 6 runs, 12 orders have at most this
/// number of such pairs (H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", Annals of Mathematical Statistics 18 (1947) 50).
const OVERTAKEN: usize = 4;

/// Largest number of pairs of runs in which a run with all fitted values may be no better than a run with
/// random values. Each of 6 runs with all fitted values is compared with each of 6 runs with random values,
/// which gives 36 pairs. If a run with all fitted values is no better in more pairs than this limit, the
/// fitted values are not judged one by one. Random phases sometimes happen to be right, so this limit is
/// larger than [`OVERTAKEN`].
const HOPELESS: usize = 12;

/// Smallest improvement of the misfit that counts, as a ratio, regardless of its significance.
const NOTICEABLE: f64 = 0.9;

/// Number of alternative phases that the capture must contradict, each by more than the 95 % point
/// of the distance. By chance, the capture contradicts two of six with a probability below 1/25.
const CONTRADICTED: usize = 2;

/// Offsets of the alternative phases. They are unequal, so that a cycle that repeats itself
/// internally is not sampled only at its repetitions.
const ELSEWHERE: [f64; JUDGES] = [0.13, 0.29, 0.41, 0.53, 0.68, 0.81];

/// Keeps the values of `found` that beat alternatives under seeds not used for fitting.
pub(super) fn judge(
    free: &[Free],
    replay: &Replay,
    bench: &impl Bench,
    found: Values,
    seed: u64,
) -> Result<Values, Error> {
    let validator = Validator { target: Target::new(replay.latency()), replay, bench, seed };
    let nothing = vec![None; free.len()];
    let mut kept = found;
    let mut with = validator.misfits(&kept)?;
    // If all values together do not beat random ones, only phases determined up to a range are kept.
    let hopeful = validator.prefers(&with, HOPELESS, |_| nothing.clone())?;
    let mut dropped = false;
    for (nth, one) in free.iter().enumerate() {
        let Some(found) = kept[nth] else { continue };
        if std::mem::take(&mut dropped) {
            with = validator.misfits(&kept)?;
        }
        let elsewhere = |judge: usize| {
            let mut values = kept.clone();
            values[nth] = match one.shape {
                Shape::Phase => Some(wrapped(found + ELSEWHERE[judge])),
                Shape::Position(count) => {
                    // Odd steps, because rings repeat themselves in powers of two.
                    Some((found + (2 * judge + 1) as f64) % count as f64)
                }
                Shape::Rate { .. } => None,
            };
            values
        };
        let keeps = hopeful && validator.prefers(&with, OVERTAKEN, elsewhere)?
            || one.shape == Shape::Phase && validator.confines(&with, elsewhere)?;
        if !keeps {
            (kept[nth], dropped) = (None, true);
        }
    }
    Ok(kept)
}

/// Misfit by criterion: order, distribution.
type Misfits = [f64; 2];

struct Validator<'a, B> {
    target: Target,
    replay: &'a Replay,
    bench: &'a B,
    seed: u64,
}

impl<B: Bench> Validator<'_, B> {
    fn misfits_with(&self, values: &[Option<f64>], judge: usize) -> Result<Misfits, Error> {
        let seed = self.seed.wrapping_add(judge as u64);
        let made = self.bench.latencies(self.replay, values, seed)?;
        Ok([self.target.misfit(&made), self.target.distance(&made)])
    }

    fn misfits(&self, values: &[Option<f64>]) -> Result<Vec<Misfits>, Error> {
        (0..JUDGES).map(|judge| self.misfits_with(values, judge)).collect()
    }

    /// Whether the capture contradicts some of the judges' alternatives and is not noticeably
    /// nearer to any of them.
    fn confines(
        &self,
        with: &[Misfits],
        elsewhere: impl Fn(usize) -> Values,
    ) -> Result<bool, Error> {
        let chance = self.target.chance();
        let mut contradicted = 0;
        for (judge, [_, here]) in with.iter().enumerate() {
            let [_, there] = self.misfits_with(&elsewhere(judge), judge)?;
            contradicted += usize::from(there > here + chance);
            let to_come = JUDGES - 1 - judge;
            if there < here - ALIKE * chance || contradicted + to_come < CONTRADICTED {
                return Ok(false);
            }
        }
        Ok(contradicted >= CONTRADICTED)
    }

    /// Whether `with` is noticeably nearer to the capture than the alternative of each judge. At most `most`
    /// pairs may show the contrary.
    fn prefers(
        &self,
        with: &[Misfits],
        most: usize,
        other: impl Fn(usize) -> Values,
    ) -> Result<bool, Error> {
        let mut without = Vec::with_capacity(JUDGES);
        for judge in 0..JUDGES {
            without.push(self.misfits_with(&other(judge), judge)?);
            // The remaining judges can no longer change the outcome.
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

/// Number of pairs in which the alternative is at least as good.
fn overtaken(with: &[Misfits], without: &[Misfits], way: usize) -> usize {
    let no_worse = |one: &Misfits| without.iter().filter(|other| other[way] <= one[way]).count();
    with.iter().map(no_worse).sum()
}

fn middle(all: &[Misfits], way: usize) -> f64 {
    let mut column: Vec<f64> = all.iter().map(|one| one[way]).collect();
    column.sort_unstable_by(f64::total_cmp);
    column.get(column.len() / 2).copied().unwrap_or(0.0)
}
