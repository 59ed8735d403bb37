//! What a trigger gains that knows when its link transmits.
//!
//! Where a radio transmits on its own (turns, connection events, beacons, polls), a message that comes just
//! before its turn does not wait for it. The offset from a transmission to the trigger is looked for under
//! one seed, first over the longest wait of the run and then around the best, and measured under another.

use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, run};
use airlag_rig::stimulus::{Aligned, Stimulus};
use airlag_sim::Duration;
use airlag_stats::dist::{Summary, quantiles};

use crate::advice::Aim;
use crate::error::Error;
use crate::matched;
use crate::pace;
use crate::side_by_side::side_by_side;

/// Offsets that are tried over the longest wait, and around the best of them.
const COARSE: u64 = 24;
const FINE: u64 = 12;
/// Messages with which one is tried, and measured.
const TRIED: usize = 60;
const MEASURED: usize = 400;
/// What is less than this share of a quantile is no gain.
const GAIN: f64 = 0.1;
/// Of the seed under which offsets are looked for.
const OTHER_SEED: u64 = 0xA119_7ED0;

/// A trigger aligned with the transmissions of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// From the beginning of a transmission to the trigger.
    pub offset: Duration,
    /// Median, ns: at any moment, aligned.
    pub p50_ns: [f64; 2],
    /// 99 % quantile, ns: at any moment, aligned.
    pub p99_ns: [f64; 2],
}

/// The offset at which messages of `size` bytes wait least; none where the link has no schedule, or where
/// that gains less than a tenth of the quantile.
///
/// # Errors
///
/// Those of a run.
pub fn alignment(
    profile: &Profile,
    size: usize,
    seed: u64,
    aim: Aim,
) -> Result<Option<Alignment>, Error> {
    let period = pace::unhurried(pace::service(profile, size, seed)?);
    let options = |seed| Options { seed, ..Options::default() };
    let any_moment = run(profile, size, &pace::uniform(period, MEASURED), options(seed))?;
    let own = matched::transfers(&any_moment).latencies_ns();
    let Some(summary) = Summary::of(&own) else { return Ok(None) };
    let wait_ns = summary.max_ns.abs_diff(summary.min_ns);
    let behind = |offset, count, seed| -> Result<Option<[f64; 2]>, Error> {
        let stimulus = Stimulus::Aligned(Aligned { offset, period, count, skipped: 0 });
        let seen = run(profile, size, &stimulus, options(seed))?;
        Ok(pair_of(&matched::transfers(&seen).latencies_ns()))
    };
    // Whether anything is on the air without a message is not known before.
    match behind(Duration::ZERO, 1, seed) {
        Err(Error::Rig(airlag_rig::Error::NoSchedule { .. })) => return Ok(None),
        Err(other) => return Err(other),
        Ok(_) => {}
    }
    let at = usize::from(matches!(aim, Aim::Tail));
    let best = |offsets: Vec<Duration>| -> Result<Option<(f64, Duration)>, Error> {
        let tried = side_by_side(&offsets, |&offset| behind(offset, TRIED, seed ^ OTHER_SEED));
        let mut best: Option<(f64, Duration)> = None;
        for (found, offset) in tried.into_iter().zip(offsets) {
            let Some(found) = found? else { continue };
            if best.is_none_or(|best| found[at] < best.0) {
                best = Some((found[at], offset));
            }
        }
        Ok(best)
    };
    let step_ns = wait_ns / COARSE;
    let coarse = (0..=COARSE).map(|nth| Duration::from_ns(nth * step_ns)).collect();
    let Some((_, near)) = best(coarse)? else { return Ok(None) };
    let from_ns = near.as_ns().saturating_sub(step_ns);
    let fine = (0..=FINE).map(|nth| Duration::from_ns(from_ns + nth * 2 * step_ns / FINE));
    let Some((_, offset)) = best(fine.collect())? else { return Ok(None) };
    let (Some(before), Some(after)) = (pair_of(&own), behind(offset, MEASURED, seed)?) else {
        return Ok(None);
    };
    let gains = after[at] < before[at] * (1.0 - GAIN);
    let both = |at: usize| [before[at], after[at]];
    Ok(gains.then(|| Alignment { offset, p50_ns: both(0), p99_ns: both(1) }))
}

/// Median and 99 % quantile; none of no latencies.
fn pair_of(latencies_ns: &[i64]) -> Option<[f64; 2]> {
    let found = quantiles(latencies_ns, &[0.5, 0.99]);
    Some([*found.first()?, *found.get(1)?])
}
