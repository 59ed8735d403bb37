//! Runs of a link at many simulated locations, each on a separate bench with its own shadowing.
//!
//! One location does not determine the performance of a link over a distance. For example, every
//! message may be lost behind a wall, and no message beside the wall. The triggers of a run are
//! therefore divided among many simulated locations. The results of all locations are joined as if
//! both boards had been carried from location to location while a logic analyser was recording.
//! Messages that are in transit during a move are lost.

use airlag_air::quantity::Db;
use airlag_sim::{Duration, Stream};
use airlag_trace::Trace;

use crate::draws::Draws;
use crate::error::Error;
use crate::kind::Medium;
use crate::parameter::Field;
use crate::profile::Profile;
use crate::programs::relayed::Framing;
use crate::propagation::Propagation;
use crate::relay::{self, Bridge};
use crate::run::{Options, Run, Span, idle, run};
use crate::stimulus::Stimulus;

/// Default number of locations. With 20 locations, two of them are a tenth.
pub const USUAL: usize = 20;
/// Largest number of locations.
pub const MOST: usize = 100_000;
/// Fewest messages at a location; fewer give no useful estimate.
pub const LEAST_MESSAGES: usize = 5;

/// Propagation of a link whose radios are apart. `None` if the range is 0 or absent.
#[must_use]
pub fn apart(profile: &Profile) -> Option<Propagation> {
    let knows = profile.kind.medium() == Medium::Air
        && profile.kind.parameters().iter().any(|known| known.name == Propagation::range.as_str());
    let propagation = knows.then(|| <Propagation as Field>::read(profile, "").ok()).flatten();
    propagation.filter(|found| found.range > 0.0)
}

/// Returns the default number of locations for a run of `count` messages. This is one if all
/// locations are alike.
#[must_use]
pub fn usual(profile: &Profile, count: usize) -> usize {
    let differ = apart(profile).is_some_and(|found| found.deviation().0 > 0.0);
    if differ { USUAL.min(count / LEAST_MESSAGES).max(1) } else { 1 }
}

/// Returns the same link at the median location.
///
/// # Errors
///
/// None for a valid profile: a link with a range has a shadowing parameter, which may be 0.
pub fn at_mean(profile: &Profile) -> Result<Profile, Error> {
    let mut mean = profile.clone();
    if apart(profile).is_some() {
        mean.set(Propagation::shadowing.as_str(), "0")?;
    }
    Ok(mean)
}

/// Returns the same link with a range of 0.
///
/// # Errors
///
/// Errors of [`at_mean`].
pub fn beside(profile: &Profile) -> Result<Profile, Error> {
    let mut near = profile.clone();
    if apart(profile).is_some() {
        near.set(Propagation::range.as_str(), "0")?;
    }
    Ok(near)
}

/// Root seed of the `nth` location.
#[must_use]
pub fn seed(root: u64, nth: usize) -> u64 {
    Stream::new(root, &format!("place/{nth}")).bits()
}

/// One of the [`USUAL`] simulated locations of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// Index, from 0.
    pub nth: usize,
    /// Root seed of a bench at this location.
    pub seed: u64,
    /// Loss at this location relative to the mean loss.
    pub shadowing: Db,
}

/// Selection of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Index, from 0.
    Nth(usize),
    /// Percentage of locations with a weaker signal.
    Percentile(usize),
}

/// Selects one of the [`USUAL`] locations that a run with the same seed uses. Returns `None` if all
/// locations are alike.
///
/// # Errors
///
/// Errors of a run.
pub fn locate(
    profile: &Profile,
    size: usize,
    root: u64,
    choice: Choice,
) -> Result<Option<Location>, Error> {
    if usual(profile, usize::MAX) == 1 {
        return Ok(None);
    }
    let look = |nth| {
        let seed = seed(root, nth);
        let options =
            relay::Options { size, room: 1, framing: Framing::Packets, seed, sniff: false };
        let shadowing = Bridge::open(profile, options)?.report().shadowing.unwrap_or(Db(0.0));
        Ok(Location { nth, seed, shadowing })
    };
    match choice {
        Choice::Nth(nth) => look(nth).map(Some),
        Choice::Percentile(percent) => {
            let mut all: Vec<Location> = (0..USUAL).map(look).collect::<Result<_, Error>>()?;
            all.sort_by(|one, other| other.shadowing.0.total_cmp(&one.shadowing.0));
            Ok(all.get((USUAL * percent / 100).min(USUAL - 1)).copied())
        }
    }
}

/// Stimulus and options of the first of `places` locations. `None` if there is only one.
#[must_use]
pub fn first(stimulus: &Stimulus, options: Options, places: usize) -> Option<(Stimulus, Options)> {
    let stimulus = stimulus.with_count(stimulus.count().div_ceil(places.max(1)))?;
    let here = Options { seed: seed(options.seed, 0), ..options };
    (places > 1).then_some((stimulus, here))
}

/// Runs a bench at a number of locations. With a single location, the result is exactly that of
/// [`run`](crate::run()).
///
/// # Errors
///
/// Errors of a run, and [`Error::Places`]: fewer than [`LEAST_MESSAGES`] at each location, or
/// several locations for a link without a range.
pub fn run_at(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    places: usize,
) -> Result<Run, Error> {
    let messages = stimulus.count();
    if places <= 1 || stimulus.with_count(messages).is_none() {
        return run(profile, size, stimulus, options);
    }
    if apart(profile).is_none() || places > MOST || messages / places < LEAST_MESSAGES {
        return Err(Error::Places { link: profile.name.clone(), places, messages });
    }
    let mut all: Option<Run> = None;
    for nth in 0..places {
        // If the division leaves a remainder, the first locations have one message more.
        let Some(stimulus) = stimulus.with_count((messages + places - 1 - nth) / places) else {
            break;
        };
        let here = Options { seed: seed(options.seed, nth), ..options };
        let there = run(profile, size, &stimulus, here)?;
        match &mut all {
            Some(all) => append(all, there),
            None => all = Some(Run { places_ns: vec![0], seed: options.seed, ..there }),
        }
    }
    all.ok_or_else(|| Error::Places { link: profile.name.clone(), places, messages })
}

/// Cycles of an idle link in a measurement of its idle current. With so many, a part of a further
/// cycle changes the mean by at most 1 %.
const CYCLES: u64 = 100;

/// Extends the duration of an idle measurement to whole cycles of the link, unless it has more than
/// [`CYCLES`].
///
/// # Errors
///
/// Errors of [`Profile::bind`].
pub fn whole_cycles(profile: &Profile, duration: Duration) -> Result<Duration, Error> {
    let cycle = profile.bind()?.link().idle_cycle().filter(|cycle| !cycle.is_zero());
    Ok(cycle.map_or(duration, |cycle| match duration.as_ns().div_ceil(cycle.as_ns()).max(1) {
        times if times > CYCLES => duration,
        times => cycle * times,
    }))
}

/// Runs an idle bench at several locations for `duration` in total, but at least one second and
/// whole cycles of the link at each. With a single location, the result is exactly that of [`idle`].
///
/// # Errors
///
/// Errors of a run.
pub fn idle_at(
    profile: &Profile,
    size: usize,
    duration: Duration,
    options: Options,
    places: usize,
) -> Result<Draws, Error> {
    if places <= 1 {
        return idle(profile, size, whole_cycles(profile, duration)?, options);
    }
    let each = Duration::from_ns(duration.as_ns() / places as u64).max(Duration::from_secs(1));
    let each = whole_cycles(profile, each)?;
    let mut all: Option<Draws> = None;
    for nth in 0..places {
        let here = Options { seed: seed(options.seed, nth), ..options };
        let there = idle(profile, size, each, here)?;
        match &mut all {
            Some(all) => all.append(there, 0),
            None => all = Some(there),
        }
    }
    Ok(all.unwrap_or_default())
}

/// Appends the results of the next location.
fn append(all: &mut Run, next: Run) {
    let begin_ns = all.trace.end_ns();
    all.places_ns.push(begin_ns);
    join(&mut all.trace, next.trace, begin_ns);
    for (matched, further) in all.matched.iter_mut().zip(next.matched) {
        matched.append(further, begin_ns);
    }
    let later = |span: Span| Span {
        begin_ns: span.begin_ns + begin_ns,
        end_ns: span.end_ns + begin_ns,
        ..span
    };
    all.spans.extend(next.spans.into_iter().map(later));
    all.sent.messages += next.sent.messages;
    all.sent.lost += next.sent.lost;
    all.received.messages += next.received.messages;
    all.received.damaged += next.received.damaged;
    all.received.orphans += next.received.orphans;
    for (name, times) in next.incidents {
        *all.incidents.entry(name).or_default() += times;
    }
    all.events += next.events;
    all.draws.append(next.draws, begin_ns);
    all.fade_margin = [all.fade_margin, next.fade_margin]
        .into_iter()
        .flatten()
        .min_by(|one, other| one.0.total_cmp(&other.0));
}

/// Appends a capture to one that ends at `begin_ns`. Wires that were high fall when the boards are
/// moved.
fn join(all: &mut Trace, next: Trace, begin_ns: i64) {
    for (channel, further) in all.channels.iter_mut().zip(next.channels) {
        let Some(segment) = channel.segments.last_mut() else { continue };
        for stretch in further.segments {
            if segment.final_level() != stretch.initial {
                segment.edges_ns.push(begin_ns);
            }
            segment.edges_ns.extend(stretch.edges_ns.iter().map(|at| at + begin_ns));
            segment.end_ns = stretch.end_ns + begin_ns;
        }
    }
}
