//! A stimulus that follows the link: triggers a fixed time after its own transmissions.
//!
//! The schedule of such a link wanders against any other clock, so a bench that repeats the trigger times of
//! the capture meets other phases of it. There the triggers come after the transmissions of the bench's own
//! link, and what is fitted is the offset between the two: first by the mean difference of quantiles, which has
//! no plateau where two distributions do not overlap, then by their middle difference, which chance does not
//! move from one group of latencies to the next. A trigger without delay may stand behind any of several
//! transmissions of a cycle, so each of them is tried.

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

/// Offsets that are tried over the time between two triggers, and around the best of them each time.
const COARSE: u64 = 48;
const FINE: u64 = 12;
/// How often it is looked around the best: the last time at a thousandth of the first step.
const ROUNDS: usize = 4;
/// Transmissions that a trigger without delay may be behind.
const LOCKS: usize = 4;
/// Earlier offsets that may be as good, at most.
const EARLIER: usize = 4;
/// How often an offset is moved by the middle difference of quantiles.
const MOVED: usize = 4;
/// Triggers of each trial, and of those that move the offset.
const TRIED: usize = 96;
const MOVED_OVER: usize = 400;
/// Points of each cycle that are tried, and triggers of each trial.
const GRID: usize = 12;
const PHASED_OVER: usize = 200;
/// Quantiles that are compared.
const LEVELS: usize = 24;
/// What the clocks of a capture and of a profile may differ by, as one part of so many.
const CLOCKS: u64 = 5_000;

/// The replay of a capture whose triggers follow the link of `profile`, and the offset that explains it best;
/// none where they do not, or where the link transmits nothing on its own. Triggers that keep a period
/// may be those of a generator: they are tried only if `thorough`.
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
    // Where a trigger without delay stands, it is right to the nanosecond, and nowhere else.
    let mut places: Vec<Place> = (0..LOCKS).map(|skipped| (Duration::ZERO, skipped)).collect();
    for near in near(&captured, gap, |at| made(&some, at))? {
        places.push(moved(near, &theirs, |at| made(&long, at))?);
    }
    let apart = |&at: &Place| Ok(ks_distance(&theirs, &made(&long, at)?).unwrap_or(1.0));
    let apart: Result<Vec<f64>, Error> = side_by_side(&places, apart).into_iter().collect();
    let apart = apart?;
    // A whole cycle later it is the same moment: of places as good, the least offset.
    let least = apart.iter().copied().fold(1.0, f64::min);
    let most = least + ALIKE * ks_chance(theirs.len(), theirs.len());
    let good = places.iter().zip(&apart).filter(|&(_, &apart)| apart <= most);
    let best = good.map(|(&at, _)| at).min();
    Ok(best.map(|(offset, skipped)| (replay.behind(offset, skipped), offset)))
}

/// Where the triggers stand: the offset, and how many transmissions come before the first.
type Place = (Duration, usize);

/// The place whose latencies are nearest by the mean difference of quantiles, and earlier ones of the same shape.
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
    // Where each of the first round would be moved to, and how unlike it is there.
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

/// The same place, its offset moved by the middle difference of quantiles while that becomes less.
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

/// Where else cycles of the link and its boards stood: what a stimulus that follows one of them leaves open.
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

/// Whether triggers behind transmissions of the bench are as far apart as the captured ones.
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

/// By how much later quantiles of `made` are, ns; nothing where either is empty.
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
