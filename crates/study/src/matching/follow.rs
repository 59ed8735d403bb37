//! A stimulus that follows the link: triggers a fixed time after its own transmissions.
//!
//! The schedule of such a link wanders against any other clock, so a bench that repeats the trigger times of
//! the capture meets other phases of it. There the triggers come after the transmissions of the bench's own
//! link, and what is fitted is the offset between the two, by the mean difference of quantiles: it has no
//! plateau where two distributions do not overlap.

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::NONE;

use crate::error::Error;
use crate::matching::replay::Replay;
use crate::side_by_side::side_by_side;
use airlag_rig::profile::Profile;

/// Offsets that are tried over the time between two triggers, and around the best of them each time.
const COARSE: u64 = 48;
const FINE: u64 = 12;
/// How often it is looked around the best: the last time at a thousandth of the first step.
const ROUNDS: usize = 4;
/// Triggers of each trial.
const TRIED: usize = 96;
/// Quantiles that are compared.
const LEVELS: usize = 24;

/// The replay of a capture whose triggers follow the link of `profile`, and the offset that explains it best;
/// none where they do not, or where the link transmits nothing on its own.
pub(super) fn follow(
    profile: &Profile,
    size: usize,
    replay: &Replay,
    seed: u64,
) -> Result<Option<(Replay, Duration)>, Error> {
    let Some(gap) = replay.following_gap() else { return Ok(None) };
    let some = replay.first(TRIED);
    let captured = some.arrived();
    if captured.is_empty() {
        return Ok(None);
    }
    let latencies = |replay: &Replay| match replay.latencies(profile, size, seed) {
        Err(Error::Rig(airlag_rig::Error::NoSchedule { .. })) => Ok(Vec::new()),
        other => other.map(|(latency, _)| latency),
    };
    if latencies(&some.first(1).behind(Duration::ZERO))?.is_empty() {
        return Ok(None);
    }
    let distance = |&offset: &Duration| -> Result<f64, Error> {
        let mut made = latencies(&some.behind(offset))?;
        made.retain(|&ns| ns != NONE);
        Ok(if made.is_empty() { f64::INFINITY } else { quantile_distance(&captured, &made) })
    };
    let (mut from, mut step, mut count) = (0, gap.as_ns() / COARSE, COARSE);
    let mut best = (f64::INFINITY, Duration::ZERO);
    for _ in 0..ROUNDS {
        let offsets: Vec<_> = (0..=count).map(|nth| Duration::from_ns(from + nth * step)).collect();
        for (found, &offset) in side_by_side(&offsets, distance).into_iter().zip(&offsets) {
            let found = found?;
            if found < best.0 {
                best = (found, offset);
            }
        }
        from = best.1.as_ns().saturating_sub(step);
        (step, count) = ((2 * step / FINE).max(1), FINE);
    }
    Ok(best.0.is_finite().then(|| (replay.behind(best.1), best.1)))
}

/// The mean difference of the quantiles of two sets of latencies, ns.
fn quantile_distance(one: &[i64], other: &[i64]) -> f64 {
    let levels: Vec<f64> = (0..LEVELS).map(|nth| (nth as f64 + 0.5) / LEVELS as f64).collect();
    let (one, other) = (quantiles(one, &levels), quantiles(other, &levels));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).sum::<f64>() / LEVELS as f64
}
