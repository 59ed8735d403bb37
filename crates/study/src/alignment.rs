//! Gain of a trigger that is aligned with the transmissions of its link.
//!
//! A radio that transmits on its own schedule (turns, connection events, beacons, polls) sends a message
//! with its next scheduled transmission. A message that arrives just before this transmission hardly
//! waits. The best offset from a transmission to the trigger is searched with one seed. The search first
//! covers offsets up to the longest wait in a run with triggers at random times, and then offsets near
//! the best of these. The gain of the best offset is measured with another seed.

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

/// Number of offsets tried over the longest wait, and then around the best of them.
const COARSE: u64 = 24;
const FINE: u64 = 12;
/// Number of messages per tried offset, and in the final measurement.
const TRIED: usize = 60;
const MEASURED: usize = 400;
/// Smallest gain that is reported, as a share of the quantile.
const GAIN: f64 = 0.1;
/// Mask for the seed of the offset search.
const OTHER_SEED: u64 = 0xA119_7ED0;

/// A trigger aligned with the transmissions of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// Time from the start of a transmission to the trigger.
    pub offset: Duration,
    /// Median latency with triggers at random times, then with aligned triggers, ns.
    pub p50_ns: [f64; 2],
    /// 99 % quantile of the latency with triggers at random times, then with aligned triggers, ns.
    pub p99_ns: [f64; 2],
}

/// Finds the offset with the shortest wait for messages of `size` bytes. Returns `None` if the link
/// has no schedule of its own, or if the gain is below a tenth of the quantile.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn alignment(
    profile: &Profile,
    size: usize,
    seed: u64,
    aim: Aim,
) -> Result<Option<Alignment>, Error> {
    let period = pace::period(profile, size, pace::service(profile, size, seed)?)?;
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
    // Whether the link transmits without a message is only known after a run.
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

/// Median and 99 % quantile. Returns `None` without latencies.
fn pair_of(latencies_ns: &[i64]) -> Option<[f64; 2]> {
    let found = quantiles(latencies_ns, &[0.5, 0.99]);
    Some([*found.first()?, *found.get(1)?])
}
