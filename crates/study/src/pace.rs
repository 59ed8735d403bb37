//! Trigger periods that are long enough for a link to finish each message before the next trigger.

use airlag_sim::Duration;
use airlag_stats::Transfers;

use crate::error::Error;
use crate::matched;
use airlag_rig::draws::Draws;
use airlag_rig::neighbours;
use airlag_rig::places::{apart, at_mean, beside};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Traffic, run};
use airlag_rig::stimulus::{Periodic, Stimulus};

/// Default period of every link that is fast enough. The latency comparison in `links/sources.toml`
/// uses the same period.
const USUAL: Duration = Duration::from_ms(200);
/// Shorter periods, for benches with so much other traffic that each simulated second is expensive.
const SHORTER_MS: [u64; 3] = [20, 50, 100];
/// Longer periods: 500 ms, then 1, 2 and 5 times a power of ten, up to 500 s.
const LONGER_MS: [u64; 10] =
    [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];

/// Number of probe messages, and the intervals between them. The first interval is tried first. The others
/// are for links that turn out to be slow. A message on the slowest link takes 82 s.
const PROBES: usize = 2;
const APART: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(10), Duration::from_secs(200)];
/// Further probes at varied times to cover clock phases and losses: number, and spread in multiples of the
/// first latency. Their intervals are at least as long as those of the first probes.
const MORE_PROBES: usize = 32;
const TIMES: u64 = 4;
const CLOSEST: Duration = Duration::from_ms(100);

/// Returns an estimate of the time for which a message occupies its link: the longest latency of a few
/// messages sent one at a time, but at least [`occupied`]. A run with more messages can have longer
/// latencies, for instance by retransmissions. Returns `None` if no message arrived. If the profile sets a
/// distance between the radios, the messages are sent at the mean location (without shadowing). If nothing
/// arrives at the mean location, the messages are sent between radios that are side by side, because a
/// location without reception gives no latency.
pub fn service(profile: &Profile, size: usize, seed: u64) -> Result<Option<Duration>, Error> {
    taken(profile, size, seed, Traffic::Trigger)
}

/// Like [`service`], with a bound: for a latency above `enough`, the exact value is not determined.
pub fn service_within(
    profile: &Profile,
    size: usize,
    seed: u64,
    enough: Duration,
) -> Result<Option<Duration>, Error> {
    measured(profile, size, seed, Traffic::Trigger, Some(enough))
}

/// Like [`service`], for other traffic, such as an echo or a call.
pub fn taken(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
) -> Result<Option<Duration>, Error> {
    let longest = measured(profile, size, seed, traffic, None)?;
    let occupied = occupied(profile, size)?;
    Ok(longest.map(|longest| longest.max(occupied)))
}

/// Lower bound of the time for which a message occupies its link. It is longer than the latency if receive
/// windows or the off time of a duty cycle follow the message. Zero for a board without a link.
pub fn occupied(profile: &Profile, size: usize) -> Result<Duration, Error> {
    if !profile.has_message() {
        return Ok(Duration::ZERO);
    }
    let cycle = profile.bind()?.cycle(size)?;
    Ok(Duration::from_ns(cycle.takes.ns() / cycle.messages.max(1)))
}

fn measured(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
    enough: Option<Duration>,
) -> Result<Option<Duration>, Error> {
    let mean = if is_out_of_reach(profile, size, seed, traffic, enough)? {
        None
    } else {
        longest_of(&at_mean(profile)?, size, seed, traffic, enough)?
    };
    if mean.is_some() || apart(profile).is_none() {
        return Ok(mean);
    }
    longest_of(&beside(profile)?, size, seed, traffic, enough)
}

/// Whether nothing arrives even without other networks. Waiting for a message in their presence
/// would take long.
fn is_out_of_reach(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
    enough: Option<Duration>,
) -> Result<bool, Error> {
    if apart(profile).is_none() || !neighbours::any(profile)? {
        return Ok(false);
    }
    let mut alone = at_mean(profile)?;
    alone.set(neighbours::NAME, "")?;
    Ok(longest_of(&alone, size, seed, traffic, enough)?.is_none())
}

fn longest_of(
    profile: &Profile,
    size: usize,
    seed: u64,
    traffic: Traffic,
    enough: Option<Duration>,
) -> Result<Option<Duration>, Error> {
    let options = Options { seed, traffic, ..Options::default() };
    let seen = |stimulus: Periodic| -> Result<Option<Duration>, Error> {
        let seen = run(profile, size, &Stimulus::Periodic(stimulus), options)?;
        let latencies = matched::transfers(&seen).latencies_ns();
        Ok(latencies.iter().max().map(|ns| Duration::from_ns(ns.unsigned_abs())))
    };
    let mut first = None;
    // With a bound, intervals need not exceed a multiple of the bound.
    let most = enough.map_or(APART[2], |enough| (enough * TIMES).clamp(APART[0], APART[2]));
    for apart in APART.map(|apart| apart.min(most)) {
        first = seen(Periodic::new(apart, PROBES))?;
        // One delivered message suffices. If the other message is lost, a longer interval does not help. If
        // it is late, the further probes show it.
        if first.is_some_and(|first| first * TIMES <= apart) {
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
    Ok(Some(seen(spread)?.map_or(first, |more| more.max(first))))
}

/// Returns the shortest default trigger period that is at least three times `service`, the longest latency
/// measured. A trigger may be delayed by up to half a period, so the time between two triggers is at least
/// one and a half times `service`. The margin of half of `service` is needed because a few messages
/// underestimate the longest latency.
#[must_use]
pub fn unhurried(service: Option<Duration>) -> Duration {
    closest(service).max(USUAL)
}

/// Like [`unhurried`], but for a fast link also shorter than the usual period.
#[must_use]
pub fn closest(service: Option<Duration>) -> Duration {
    let needed = service.map_or(0, Duration::as_ns).saturating_mul(3);
    let shorter = SHORTER_MS.map(Duration::from_ms);
    let longer = LONGER_MS.map(Duration::from_ms);
    let fits = |period: &Duration| period.as_ns() >= needed;
    let steps = shorter.into_iter().chain([USUAL]).chain(longer);
    steps.clone().find(fits).unwrap_or(longer[longer.len() - 1])
}

/// Default period of a link: [`unhurried`], with time for a repetition.
///
/// # Errors
///
/// Returns the errors of reading the profile.
pub fn period(
    profile: &Profile,
    size: usize,
    service: Option<Duration>,
) -> Result<Duration, Error> {
    Ok(unhurried(repeated(profile, size, service)?))
}

/// Returns `service`, or a longer time if a rare retransmission needs a trigger period of more than three
/// times `service` ([`Configured::repetition_wait`](airlag_rig::kind::Configured::repetition_wait)). The
/// shortest time between two triggers is one and a half times the returned time. This shortest time covers
/// both the message and the wait before the retransmission.
///
/// # Errors
///
/// Returns the errors of reading the profile.
pub fn repeated(
    profile: &Profile,
    size: usize,
    service: Option<Duration>,
) -> Result<Option<Duration>, Error> {
    let wait = profile.bind()?.link().repetition_wait(size);
    if wait == Duration::ZERO {
        return Ok(service);
    }
    let needed = |service: Duration| Duration::from_ns((service + wait).as_ns() / 3 * 2);
    Ok(service.map(|service| service.max(needed(service))))
}

/// `count` triggers with an unhurried period at random phases: the default stimulus of links that repeat nothing
/// after a long wait.
#[must_use]
pub fn asynchronous(service: Option<Duration>, count: usize) -> Stimulus {
    uniform(unhurried(service), count)
}

/// Triggers that are each delayed by a random time of up to half a period. They sample all phases of the
/// clocks on the boards, and no two are closer than half a period.
#[must_use]
pub const fn uniform(period: Duration, count: usize) -> Stimulus {
    let jitter = Duration::from_ns(period.as_ns() / 2);
    Stimulus::Periodic(Periodic { jitter, ..Periodic::new(period, count) })
}

/// Transfers of a run with `count` triggers at the default [`period`] and random phases.
pub fn transfers(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Transfers, Error> {
    Ok(transfers_of(profile, size, count, seed, Traffic::Trigger)?.0)
}

/// Like [`transfers`], for other traffic, with the power states of each part.
pub fn transfers_of(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    traffic: Traffic,
) -> Result<(Transfers, Draws), Error> {
    let service = taken(profile, size, seed, traffic)?;
    let stimulus = uniform(period(profile, size, service)?, count);
    let options = Options { seed, spans: false, traffic };
    let seen = run(profile, size, &stimulus, options)?;
    Ok((matched::transfers(&seen), seen.draws))
}
