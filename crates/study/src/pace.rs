//! How far apart triggers have to come for a link to serve each of them alone.

use airlag_sim::Duration;
use airlag_stats::Transfers;

use crate::error::Error;
use crate::matched;
use airlag_rig::draws::Draws;
use airlag_rig::places::{apart, at_mean, beside};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Traffic, run};
use airlag_rig::stimulus::{Periodic, Stimulus};

/// What the latency comparison of `links/sources.toml` used for every link that is quick enough.
const USUAL: Duration = Duration::from_ms(200);
/// Longer steps: 500 ms, then 1, 2 and 5 times a power of ten, up to 500 s.
const LONGER_MS: [u64; 10] =
    [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];

/// Messages sent one at a time to learn how long one takes at all, and their distance: that of links
/// which are quick, and where it shows that this one is not, as a message on the slowest link here
/// takes 82 s.
const PROBES: usize = 2;
const APART: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(200)];
/// Then some more, at moments spread over a few times that, to meet clocks and losses: how many, and
/// in multiples of what one took, but no closer than the other.
const MORE_PROBES: usize = 32;
const TIMES: u64 = 4;
const CLOSEST: Duration = Duration::from_ms(100);

/// The longest latency of a few messages sent one at a time; none if none of them arrived. Radios
/// that stand apart are asked at a place like the mean, and where nothing arrives there beside each
/// other: a place that hears nothing tells nothing of how long a message takes.
pub fn service(profile: &Profile, size: usize, seed: u64) -> Result<Option<Duration>, Error> {
    taken(profile, size, seed, Traffic::Trigger)
}

/// The same, where it matters only whether a message takes longer than `enough`: one that does is not
/// measured closer, and none is waited for that would.
pub fn service_within(
    profile: &Profile,
    size: usize,
    seed: u64,
    enough: Duration,
) -> Result<Option<Duration>, Error> {
    measured(profile, size, seed, Traffic::Trigger, Some(enough))
}

/// The same of other traffic: a message that comes back, a call.
pub fn taken(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
) -> Result<Option<Duration>, Error> {
    measured(profile, size, seed, traffic, None)
}

fn measured(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
    enough: Option<Duration>,
) -> Result<Option<Duration>, Error> {
    let mean = longest_of(&at_mean(profile)?, size, seed, traffic, enough)?;
    if mean.is_some() || apart(profile).is_none() {
        return Ok(mean);
    }
    longest_of(&beside(profile)?, size, seed, traffic, enough)
}

fn longest_of(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
    enough: Option<Duration>,
) -> Result<Option<Duration>, Error> {
    let options = Options { seed, traffic, ..Options::default() };
    let seen = |stimulus: Periodic| -> Result<(usize, Option<Duration>), Error> {
        let seen = run(profile, size, &Stimulus::Periodic(stimulus), options)?;
        let latencies = matched::transfers(&seen).latencies_ns();
        let longest = latencies.iter().max().map(|ns| Duration::from_ns(ns.unsigned_abs()));
        Ok((latencies.len(), longest))
    };
    let mut first = None;
    // Where only a time that is short enough counts, messages need no more than some times that.
    let last = enough.map_or(APART[1], |enough| (enough * TIMES).clamp(APART[0], APART[1]));
    for apart in [APART[0], last] {
        let (arrived, longest) = seen(Periodic::new(apart, PROBES))?;
        first = longest;
        if arrived == PROBES && longest.is_some_and(|longest| longest * TIMES <= apart) {
            break;
        }
        if enough.is_some_and(|enough| enough * TIMES <= apart) {
            break;
        }
    }
    let Some(first) = first else { return Ok(None) };
    if enough.is_some_and(|enough| first > enough) {
        return Ok(Some(first));
    }
    let gap = (first * TIMES).max(CLOSEST);
    let spread = Periodic { jitter: gap, ..Periodic::new(gap * 2, MORE_PROBES) };
    Ok(Some(seen(spread)?.1.map_or(first, |more| more.max(first))))
}

/// The shortest usual period that leaves a message three times its time: half as much again where
/// triggers come half a period late, because few messages tell the longest one badly.
#[must_use]
pub fn unhurried(service: Option<Duration>) -> Duration {
    let needed = service.map_or(0, Duration::as_ns).saturating_mul(3);
    let steps = LONGER_MS.map(Duration::from_ms);
    let fits = |period: &Duration| period.as_ns() >= needed;
    [USUAL].into_iter().chain(steps).find(fits).unwrap_or(steps[steps.len() - 1])
}

/// What `airlag run` sends when it is told nothing else: `count` triggers at an unhurried period,
/// at any phase of it.
#[must_use]
pub fn asynchronous(service: Option<Duration>, count: usize) -> Stimulus {
    uniform(unhurried(service), count)
}

/// Triggers each up to half a period late, so that they meet whatever ticks on the boards at any
/// phase, and no two come closer than the other half.
#[must_use]
pub const fn uniform(period: Duration, count: usize) -> Stimulus {
    let jitter = Duration::from_ns(period.as_ns() / 2);
    Stimulus::Periodic(Periodic { jitter, ..Periodic::new(period, count) })
}

/// What becomes of `count` triggers that come [`asynchronous`]ly: the transfers of a plain run.
pub fn transfers(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Transfers, Error> {
    Ok(transfers_of(profile, size, count, seed, Traffic::Trigger)?.0)
}

/// The same of other traffic, messages that come back or calls, and what each part drew.
pub fn transfers_of(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    traffic: Traffic,
) -> Result<(Transfers, Draws), Error> {
    let stimulus = asynchronous(taken(profile, size, seed, traffic)?, count);
    let options = Options { seed, spans: false, traffic };
    let seen = run(profile, size, &stimulus, options)?;
    Ok((matched::transfers(&seen), seen.draws))
}
