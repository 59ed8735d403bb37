//! Triggers that follow the link: each comes a fixed time after a transmission that the link makes
//! on its own.
//!
//! The transmissions of a link that follows its own schedule drift relative to any other clock. If a
//! bench triggers at the captured trigger times, its triggers therefore occur at other phases of the
//! schedule than the captured triggers. To avoid this difference, the bench places each trigger at a
//! fixed offset after a transmission of the simulated link. The offset is fitted. The first criterion of
//! the fit is the mean difference between captured and simulated quantiles, which has no plateau for
//! disjoint distributions. The second criterion is the median of these differences, which is robust
//! against transfers that move between groups of latencies. With an offset of zero, the triggers may
//! follow any of several transmissions in a cycle of the schedule, so each of these transmissions is
//! tried.

use airlag_sim::Duration;
use airlag_stats::NONE;
use airlag_stats::dist::quantiles;
use airlag_stats::rank::ks_distance;

use crate::error::Error;
use crate::matching::fit::{ALIKE, Bench, Values};
use crate::matching::free::{Free, Shape};
use crate::matching::judge::judge;
use crate::matching::ks_chance;
use crate::matching::replay::{Gap, Replay};
use crate::matching::search::{Goal, Search};
use crate::side_by_side::side_by_side;
use airlag_rig::profile::Profile;
use airlag_rig::run;

/// Number of steps over the time between two triggers, and around the best offset in each round.
const COARSE: u64 = 48;
const FINE: u64 = 12;
/// Number of refinement rounds. The last step is a thousandth of the first.
const ROUNDS: usize = 4;
/// Number of transmissions that a trigger without delay may follow.
const LOCKS: usize = 4;
/// Largest number of smaller offsets that are compared with the best one.
const EARLIER: usize = 4;
/// Number of corrections of an offset by the median difference of quantiles.
const MOVED: usize = 4;
/// Number of triggers per trial, and per correction.
const TRIED: usize = 96;
const MOVED_OVER: usize = 400;
/// Number of points per cycle, and of triggers per trial.
const GRID: usize = 12;
const PHASED_OVER: usize = 200;
/// Number of quantiles that are compared.
const LEVELS: usize = 24;
/// Reciprocal of the largest relative difference between the clocks of a capture and those of a
/// profile.
const CLOCKS: u64 = 5_000;

/// Replays a capture with triggers that follow the link of `profile`, and returns the replay with the
/// best offset. Returns `None` if the triggers do not follow the link, or if the link makes no
/// transmissions on its own. Periodic triggers may come from a generator instead of the link, so a
/// capture with periodic triggers is examined only if `thorough`.
pub(super) fn follow(
    profile: &Profile,
    size: usize,
    replay: &Replay,
    seed: u64,
    thorough: bool,
) -> Result<Option<(Replay, Duration)>, Error> {
    let some = replay.first(TRIED);
    let captured = some.arrived();
    let Some(gap) = some.gap().filter(|&gap| thorough || replay.is_no_generator(gap)) else {
        return Ok(None);
    };
    if captured.is_empty() || !is_kept(profile, size, &some, seed, gap)? {
        return Ok(None);
    }
    let made = |replay: &Replay, (offset, skipped): Place| -> Result<Vec<i64>, Error> {
        let (mut made, _) = replay.behind(offset, skipped).latencies(profile, size, seed)?;
        made.retain(|&ns| ns != NONE);
        Ok(made)
    };
    let long = replay.first(MOVED_OVER);
    let theirs = long.arrived();
    // The offset of a trigger without delay is exact to the nanosecond.
    let mut places: Vec<Place> = (0..LOCKS).map(|skipped| (Duration::ZERO, skipped)).collect();
    for near in near(&captured, gap, |at| made(&some, at))? {
        places.push(moved(near, &theirs, |at| made(&long, at))?);
    }
    let apart = |&at: &Place| Ok(ks_distance(&theirs, &made(&long, at)?).unwrap_or(1.0));
    let apart: Result<Vec<f64>, Error> = side_by_side(&places, apart).into_iter().collect();
    let apart = apart?;
    // An offset that is larger by a cycle is equivalent, so the smallest equally good offset is used.
    let least = apart.iter().copied().fold(1.0, f64::min);
    let most = least + ALIKE * ks_chance(theirs.len(), theirs.len());
    let good = places.iter().zip(&apart).filter(|&(_, &apart)| apart <= most);
    let best = good.map(|(&at, _)| at).min();
    Ok(best.map(|(offset, skipped)| (replay.behind(offset, skipped), offset)))
}

/// Position of the triggers: the offset, and the number of transmissions before the first trigger.
type Place = (Duration, usize);

/// The position with the smallest mean difference of quantiles, and smaller offsets with the same shape.
fn near(
    captured: &[i64],
    gap: Gap,
    made: impl Fn(Place) -> Result<Vec<i64>, Error> + Sync,
) -> Result<Vec<Place>, Error> {
    let look =
        |&at: &Place| -> Result<Option<Vec<f64>>, Error> { Ok(differences(captured, &made(at)?)) };
    let size = |all: &[f64]| all.iter().map(|one| one.abs()).sum::<f64>() / all.len() as f64;
    let (mut from, mut step, mut count) = (0, gap.median_ns / COARSE, COARSE);
    let mut best = (f64::INFINITY, (Duration::ZERO, 0));
    // Corrected positions from the first round, and the difference of their shapes.
    let mut alike: Vec<(Place, f64)> = Vec::new();
    for round in 0..ROUNDS {
        let tried: Vec<Place> =
            (0..=count).map(|nth| (Duration::from_ns(from + nth * step), 0)).collect();
        for (found, &at) in side_by_side(&tried, look).into_iter().zip(&tried) {
            let Some(all) = found? else { continue };
            if size(&all) < best.0 {
                best = (size(&all), at);
            }
            let by = middle(&all);
            if round == 0 && at.0.as_ns().checked_add_signed(by as i64).is_some() {
                let left: Vec<f64> = all.iter().map(|one| one - by).collect();
                alike.push((at, size(&left)));
            }
        }
        let (offset, _) = best.1;
        from = offset.as_ns().saturating_sub(step);
        (step, count) = ((2 * step / FINE).max(1), FINE);
    }
    let most = 2.0 * best.0;
    let earlier = alike.into_iter().filter(|&(at, unlike)| at < best.1 && unlike <= most);
    let mut found: Vec<Place> = earlier.map(|(at, _)| at).take(EARLIER).collect();
    found.push(best.1);
    Ok(found)
}

/// The position with its offset corrected by the median difference of quantiles, as long as this
/// difference decreases.
fn moved(
    mut at: Place,
    captured: &[i64],
    made: impl Fn(Place) -> Result<Vec<i64>, Error>,
) -> Result<Place, Error> {
    let (mut least, mut best) = (f64::INFINITY, at);
    for _ in 0..MOVED {
        let Some(all) = differences(captured, &made(at)?) else { break };
        let by = middle(&all);
        if by.abs() >= least {
            break;
        }
        (least, best) = (by.abs(), at);
        at.0 = Duration::from_ns(at.0.as_ns().saturating_add_signed(by.round() as i64));
    }
    Ok(best)
}

/// Finds the remaining phases of the link and its boards: triggers that follow one cycle determine only
/// the phase of that cycle.
pub(super) fn phases(
    free: &[Free],
    replay: &Replay,
    bench: &impl Bench,
    seed: u64,
) -> Result<Values, Error> {
    let rate = |one: &Free| if let Shape::Rate { own, .. } = one.shape { own } else { 0.0 };
    let cycles: Vec<usize> =
        (0..free.len()).filter(|&nth| free[nth].shape == Shape::Phase).collect();
    let some = replay.first(PHASED_OVER);
    let plain = free.iter().map(rate).collect();
    let mut search = Search::new(free, bench, seed, plain, (some, Goal::Spread))?;
    search.acquire(&cycles, GRID)?;
    let found = search.at.iter().enumerate().map(|(nth, &at)| cycles.contains(&nth).then_some(at));
    judge(free, replay, bench, found.collect(), seed.wrapping_add(1))
}

/// Whether the intervals between triggers after transmissions of the bench equal the captured
/// intervals.
fn is_kept(
    profile: &Profile,
    size: usize,
    some: &Replay,
    seed: u64,
    gap: Gap,
) -> Result<bool, Error> {
    let behind = some.behind(Duration::ZERO, 0);
    let seen = match behind.run(profile, size, run::Options { seed, ..run::Options::default() }) {
        Err(Error::Rig(airlag_rig::Error::NoSchedule { .. })) => return Ok(false),
        other => other?,
    };
    let at = behind.transfers(&seen).trigger_ns;
    let gaps = at.windows(2).map(|pair| (pair[1] - pair[0]) as u64).collect();
    let most = (gap.median_ns / CLOCKS).max(2 * gap.spread_ns);
    Ok(Gap::of(gaps).is_some_and(|made| made.median_ns.abs_diff(gap.median_ns) <= most))
}

/// Differences of the quantiles of `made`, ns. Positive if later. Returns `None` if either is empty.
fn differences(captured: &[i64], made: &[i64]) -> Option<Vec<f64>> {
    if captured.is_empty() || made.is_empty() {
        return None;
    }
    let levels: Vec<f64> = (0..LEVELS).map(|nth| (nth as f64 + 0.5) / LEVELS as f64).collect();
    let (captured, made) = (quantiles(captured, &levels), quantiles(made, &levels));
    Some(made.iter().zip(&captured).map(|(made, captured)| made - captured).collect())
}

fn middle(all: &[f64]) -> f64 {
    let mut sorted = all.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
