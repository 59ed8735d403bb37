//! Preselection of profiles for a fit: those that can produce the latency of a capture with a similar spread.

use std::borrow::Cow;
use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{NONE, pair};

use crate::error::Error;
use crate::explain::floor;
use crate::matching::Sight;
use crate::matching::follow::follow;
use crate::matching::progress::Stage;
use crate::pace;
use crate::side_by_side::side_by_side;
use airlag_rig::kind::Kind;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_rig::run::{self, run};

/// Factor by which latencies may lie outside the range of a short run, because such a run misses
/// the extremes.
const SLACK: f64 = 1.5;
/// Smallest accepted ratio of a captured latency to the floor. It is below 1 because a floor is only as
/// accurate as its terms.
const FLOOR: f64 = 0.95;
/// Largest difference between the misfit of a profile that is kept and that of the most likely profile, both
/// with drawn free parameters.
pub(super) const UNLIKE: f64 = 0.35;
/// Event budget for the draws of one profile, and smallest number of draws. Fewer draws do not show
/// the extremes.
const DRAWING: (u64, u64) = (120_000, 3);

/// Largest mean number of simulated events per trigger at which a run of a fit uses all its triggers. If the
/// triggers of a link take more events on average, the run uses fewer triggers, so that it does not take too
/// long. For example, a serial link takes one event per byte. A message of 1 kB takes 80 times as many events
/// as a message of 12 B, and gives no more information about the link.
const EACH: f64 = 400.0;
pub(super) const LEAST: usize = 60;
/// Number of triggers used to measure the cost of a trigger.
const PRICED: usize = 12;

/// Number of draws of the free parameters, and of triggers per draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) times: u64,
    pub(super) triggers: usize,
    /// Smallest number of triggers if they are expensive.
    pub(super) least: usize,
}

/// The first `count` triggers, or fewer if triggers of this profile are expensive.
pub(super) fn worthwhile(
    sight: &Sight,
    count: usize,
    what: (&Profile, usize),
    seed: u64,
) -> Result<Sight, Error> {
    at_least(LEAST, sight, count, what, seed)
}

/// Like [`worthwhile`], with at least `least` triggers.
fn at_least(
    least: usize,
    sight: &Sight,
    count: usize,
    (profile, size): (&Profile, usize),
    seed: u64,
) -> Result<Sight, Error> {
    let priced = sight.replay.first(PRICED);
    let (_, events) = priced.latencies(profile, size, seed)?;
    let each = events as f64 / priced.len() as f64;
    let share = (EACH / each.max(EACH) * count as f64) as usize;
    Ok(sight.first(count.min(share.max(least))))
}

/// A profile that may explain a capture.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) profile: Cow<'a, Profile>,
    /// Payload, bytes. 0 without a message.
    pub(super) size: usize,
    /// Whether the payload was inferred from the capture.
    pub(super) sized: bool,
    /// Settings that differ from the profile.
    pub(super) settings: Vec<(&'static str, Value)>,
    /// Number of settings from which these were selected.
    pub(super) chosen_of: usize,
    /// Range of the median over the free parameters, as a share of the captured median.
    pub(super) reach: f64,
}

/// Latencies of a short run, ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glimpse {
    pub(super) quickest: f64,
    pub(super) median: f64,
    pub(super) slowest: f64,
}

impl Glimpse {
    /// Runs `count` messages at random phases of `period`. Returns `None` if none arrived.
    pub(super) fn of(
        profile: &Profile,
        size: usize,
        period: Duration,
        count: usize,
        seed: u64,
    ) -> Option<Self> {
        let own = run::Options { seed, ..run::Options::default() };
        let seen = run(profile, size, &pace::uniform(period, count), own).ok()?;
        let made = pair(&seen.trace, Default::default()).latencies_ns();
        match *quantiles(&made, &[0.0, 0.5, 1.0]).as_slice() {
            [quickest, median, slowest] if !made.is_empty() => {
                Some(Self { quickest, median, slowest })
            }
            _ => None,
        }
    }

    /// Whether the range covers the first quartile and the median of `arrived`. The fastest few latencies are
    /// not required, because a model that is otherwise right may miss them.
    pub(super) fn can_be(self, arrived: &[i64]) -> bool {
        let captured = quantiles(arrived, &[0.25, 0.5]);
        let (low, high) = (self.quickest / SLACK, self.slowest * SLACK);
        captured.iter().all(|&ns| ns >= low) && captured[1] <= high
    }
}

/// Whether the floor of a profile is above the fastest of `arrived`.
pub(super) fn is_below_floor(profile: &Profile, size: usize, arrived: &[i64]) -> bool {
    let quickest = quantiles(arrived, &[0.05])[0];
    floor(profile, size).is_ok_and(|floor| FLOOR * floor.ns() as f64 > quickest)
}

/// Entries whose spread is closest to the capture over draws of the free parameters. Returns at most `room`
/// entries, with a limit per kind.
pub(super) fn likely<'a>(
    possible: Vec<Entry<'a>>,
    sight: &Sight,
    seed: u64,
    draws: Draws,
    mut quota: Quota,
    stage: &Stage<'_>,
) -> Vec<Entry<'a>> {
    let drawn = side_by_side(&possible, |entry| stage.step(|| drawn(entry, sight, seed, draws)));
    let both = possible.into_iter().zip(drawn);
    let mut found: Vec<(f64, Entry)> = both
        .filter_map(|(entry, drawn)| {
            let (unlike, reach) = drawn?;
            Some((unlike, Entry { reach, ..entry }))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Profiles of one link under several names count once. Their draws are identical.
    found.dedup_by(|b, a| {
        let same = |of: fn(&Entry<'_>) -> usize| of(&a.1) == of(&b.1);
        a.0 == b.0
            && a.1.reach == b.1.reach
            && same(|one| one.size)
            && same(|one| one.settings.len())
            && a.1.profile.kind == b.1.profile.kind
    });
    let most = found.first().map_or(0.0, |&(nearest, _)| nearest + UNLIKE);
    let near = found.into_iter().take_while(|&(unlike, _)| unlike <= most);
    near.map(|(_, entry)| entry).filter(|entry| quota.admits(entry.profile.kind)).collect()
}

/// Limit on the number of entries, in total and per kind. Variants of one profile are similar and must not
/// displace all others.
pub(super) struct Quota {
    room: usize,
    of_a_kind: usize,
    taken: BTreeMap<&'static str, usize>,
}

impl Quota {
    pub(super) fn new(room: usize, of_a_kind: usize) -> Self {
        Self { room, of_a_kind, taken: BTreeMap::new() }
    }

    pub(super) fn admits(&mut self, kind: Kind) -> bool {
        let taken = self.taken.entry(kind.name()).or_default();
        let is = self.room > 0 && *taken < self.of_a_kind;
        if is {
            *taken += 1;
            self.room -= 1;
        }
        is
    }
}

/// Smallest misfit of a profile over draws of its free parameters, and the range of its median as a
/// share of the captured median.
fn drawn(entry: &Entry<'_>, sight: &Sight, seed: u64, draws: Draws) -> Option<(f64, f64)> {
    let Draws { times, triggers, least } = draws;
    let what = (entry.profile.as_ref(), entry.size);
    let mut sight = at_least(least, sight, triggers, what, seed).ok()?;
    if let Some((replay, _)) = follow(what.0, what.1, &sight.replay, seed, false).ok()? {
        sight.replay = replay;
    }
    let (mut unlike, mut low, mut high) = (f64::INFINITY, f64::INFINITY, 0.0f64);
    let (mut spent, mut made_draws) = (0, 0);
    while made_draws < times && (made_draws < DRAWING.1 || spent < DRAWING.0) {
        let seed = seed.wrapping_add(made_draws);
        let (made, events) = sight.replay.latencies(&entry.profile, entry.size, seed).ok()?;
        spent += events;
        made_draws += 1;
        let Some(evidence) = sight.evidence(&made) else { continue };
        unlike = unlike.min(evidence.unlike());
        let arrived: Vec<i64> = made.into_iter().filter(|&ns| ns != NONE).collect();
        let median = quantiles(&arrived, &[0.5])[0];
        (low, high) = (low.min(median), high.max(median));
    }
    if low > high {
        return None;
    }
    let captured = quantiles(&sight.replay.arrived(), &[0.5])[0].max(1.0);
    // A few draws miss the extremes on either side by about their mean spacing.
    let margin = (high - low) / (made_draws - 1).max(1) as f64;
    let outside = (low - margin - captured).max(captured - high - margin).max(0.0);
    Some((unlike + (outside / captured).min(1.0), (high - low) / captured))
}
