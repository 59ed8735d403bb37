//! Which of all profiles explains a capture, if any does.
//!
//! 1. *Possible?* A message never takes less than its floor, and a short run under triggers that
//!    come at any phase shows how slow a profile can be. What cannot take as long as the capture
//!    did is out, for a few milliseconds of work each.
//! 2. *Likely?* What is free is drawn a few times: a phase moves latencies, so where they lie counts
//!    for nothing here, only how they vary and follow each other.
//! 3. *Near?* The likeliest are held against the first triggers of the capture, fitted in haste.
//! 4. *Which?* The nearest few are held against all of it, as [`super::hold`] does.
//!
//! The order is that of [`Candidate::score`]: what speaks against a profile, and what it could have
//! explained besides.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{NONE, Transfers, pair};

use crate::error::Error;
use crate::explain::floor;
use crate::matching::fit::Effort;
use crate::matching::replay::Replay;
use crate::matching::{Match, Options, Sight, TOLERANCE, held, knobs};
use crate::pace;
use crate::side_by_side::side_by_side;
use airlag_rig::kind::Kind;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_rig::run::{self, run};

pub use crate::matching::knobs::Tried;

/// Sizes that are considered where nobody says which it was: those of the latency comparison.
pub const SIZES: [usize; 3] = [12, 128, 1024];

/// Triggers of the short run.
const GLIMPSE: usize = 48;
/// How much quicker or slower than the short run a profile may be: it does not meet the extremes.
const SLACK: f64 = 1.5;
/// How much less than its floor a message may take: a floor is one on exact crystals.
const FLOOR: f64 = 0.98;
/// How often free values are drawn, and for how many triggers.
const DRAWN: (u64, usize) = (8, 100);
/// How much more unlike the capture than the likeliest a profile may be whose values were drawn.
const UNLIKE: f64 = 0.35;
/// How many profiles are fitted in haste, how many of one kind, and to how many triggers.
const HASTY: (usize, usize, usize) = (12, 4, 200);
/// How many are looked at closely, how many of one kind, and how much further than the nearest a
/// profile may be.
const CLOSE: (usize, usize, f64) = (6, 4, 0.15);

/// Most bytes that are sent in a run of a fit, and how few triggers that may leave: a serial bench
/// has as many events as bytes, and a kilobyte a message tells no more than twelve.
const BYTES: usize = 200_000;
const LEAST: usize = 60;

/// The first `count` triggers, or as many as are worth their bytes.
fn worthwhile(sight: &Sight, count: usize, size: usize) -> Sight {
    let share = (BYTES * count / 1_000 / size.max(1)).max(LEAST);
    sight.first(count.min(share))
}

/// How thoroughly a bench is fitted that sends so much: always in haste above [`BYTES`].
fn worthwhile_effort(effort: Effort, count: usize, size: usize) -> Effort {
    if count * size <= BYTES {
        return effort;
    }
    let hasty = Effort::QUICK;
    Effort { grid: hasty.grid / 2, acquired_on: hasty.acquired_on / 2, ..hasty }
}

/// One profile held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Payload it was run with, bytes; none where there is no message.
    pub size: Option<usize>,
    /// What was set differently from the profile, where that explains the capture better.
    pub settings: Vec<(&'static str, Value)>,
    /// How well it explains the capture.
    pub matched: Match,
    /// How far the median moves with what the capture leaves free, as a share of the captured.
    pub reach: f64,
    /// What speaks against it ([`crate::matching::Evidence::sum`]), plus [`FITTED`] for each fitted
    /// value, plus [`OCCAM`] for each factor of ten of [`Candidate::reach`] above what a median may be
    /// off. What is smaller is nearer.
    pub score: f64,
}

/// What a fitted value costs.
pub const FITTED: f64 = 0.02;

/// What a profile pays for each factor of ten of what it could have explained besides: one that can
/// stand anywhere explains less by standing where the capture is than one that must (D. J. C. MacKay,
/// "Information Theory, Inference, and Learning Algorithms", 2003, chapter 28).
pub const OCCAM: f64 = 0.08;

/// Medians this near are the same, as a share.
const SAME: f64 = 0.03;

/// All profiles held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Those that were looked at closely, what explains the capture before what does not and nearest
    /// first; behind them those that were held against its first triggers only. Those whose bench
    /// fails are left out.
    pub candidates: Vec<Candidate>,
    /// Profiles and sizes that cannot take as long as the capture did.
    pub impossible: usize,
    /// Profiles and sizes that can, but do not vary as the capture does, whatever their free values.
    pub unlike: usize,
    /// What a user of the nearest profile could have set differently, and what fits best.
    pub tried: Vec<Tried>,
}

impl Candidate {
    fn bytes(&self) -> usize {
        self.size.unwrap_or(0)
    }

    /// Whether it explains the capture: its median is near, and its score within [`TOLERANCE`].
    #[must_use]
    pub fn explains(&self) -> bool {
        self.matched.explains() && self.score <= TOLERANCE
    }
}

/// A profile, bytes of a message, and how far its median moves with what is free.
type Entry<'a> = (&'a Profile, usize, f64);

/// Ranks `profiles` by how well they explain `captured`, a capture of messages of `size` bytes, or
/// of any of [`SIZES`]. What has no message is held against it once.
///
/// Bench errors of single profiles leave those out; an error is a capture that cannot be matched.
pub fn rank(
    profiles: &[Profile],
    size: Option<usize>,
    captured: &Transfers,
    options: &Options,
) -> Result<Ranking, Error> {
    let replay = Replay::new(captured, options.triggers, options.pairing)?;
    let arrived = replay.arrived();
    if arrived.is_empty() {
        return Err(Error::NothingArrived { side: "the capture" });
    }
    let sight = Sight::of(captured, replay);
    let sizes = size.map_or(SIZES.to_vec(), |size| vec![size]);
    let all: Vec<(&Profile, usize)> = profiles
        .iter()
        .flat_map(|profile| profile.payloads(&sizes).into_iter().map(move |one| (profile, one)))
        .map(|(profile, size)| (profile, size.unwrap_or(0)))
        .collect();
    let period_ns = captured.trigger_period_ns().unwrap_or(1_000_000_000).max(2_000) as u64;
    let possible = side_by_side(&all, |&(profile, size)| {
        is_possible(profile, size, period_ns, &arrived, options.seed)
    });
    let possible: Vec<(&Profile, usize)> =
        all.iter().zip(&possible).filter(|&(_, &is)| is).map(|(&one, _)| one).collect();

    let likely = likely(&possible, &sight, options.seed);
    let hasty = candidates(&likely, &sight, HASTY.2, Effort::QUICK, options);
    let nearest = hasty.first().map_or(0.0, |one| one.score);
    let mut close = Quota::new(CLOSE.0, CLOSE.1);
    let (hasty, far): (Vec<_>, Vec<_>) = hasty
        .into_iter()
        .partition(|one| one.score <= nearest + CLOSE.2 && close.admits(one.matched.profile.kind));
    let is = |one: &Candidate, entry: &&Entry| {
        entry.0.name == one.matched.profile.name && entry.1 == one.bytes()
    };
    let finalists: Vec<Entry> = hasty
        .iter()
        .filter_map(|one| likely.iter().find(|entry| is(one, entry)).copied())
        .collect();
    let mut ranked = candidates(&finalists, &sight, options.triggers, Effort::FULL, options);
    let mut tried = Vec::new();
    if let Some(one) = ranked.first().filter(|_| options.vary) {
        let plain = profiles.iter().find(|known| known.name == one.matched.profile.name);
        let (plain, size, reach) = (plain.unwrap_or(&one.matched.profile), one.bytes(), one.reach);
        let first = worthwhile(&sight, HASTY.2, size);
        tried = knobs::scan(plain, size, &first, profiles, options)?;
        if let Some((varied, setting)) = knobs::better(plain, &tried) {
            let entry = [(&varied, size, reach)];
            let mut varied = candidates(&entry, &sight, options.triggers, Effort::FULL, options);
            varied.iter_mut().for_each(|one| one.settings.push(setting.clone()));
            ranked.extend(varied);
        }
    }
    in_order(&mut ranked);
    // Those are known from the first triggers only, and stay behind what was held against them all.
    ranked.extend(far);
    let (impossible, unlike) = (all.len() - possible.len(), possible.len() - likely.len());
    Ok(Ranking { candidates: ranked, impossible, unlike, tried })
}

/// Whether a profile can be as quick as the quickest and as slow as the middle of `arrived`.
fn is_possible(profile: &Profile, size: usize, period_ns: u64, arrived: &[i64], seed: u64) -> bool {
    let captured = quantiles(arrived, &[0.05, 0.5]);
    if floor(profile, size).is_ok_and(|floor| FLOOR * floor.ns() as f64 > captured[0]) {
        return false;
    }
    let period = Duration::from_ns(period_ns);
    let own = run::Options { seed, ..run::Options::default() };
    let Ok(seen) = run(profile, size, &pace::uniform(period, GLIMPSE), own) else { return false };
    let made = pair(&seen.trace, Default::default()).latencies_ns();
    let (Some(&quickest), Some(&slowest)) = (made.iter().min(), made.iter().max()) else {
        return false;
    };
    let (low, high) = (quickest as f64 / SLACK, slowest as f64 * SLACK);
    captured.iter().all(|&ns| ns >= low) && captured[1] <= high
}

/// The entries that vary most as the capture does while what is free is drawn.
fn likely<'a>(possible: &[(&'a Profile, usize)], sight: &Sight, seed: u64) -> Vec<Entry<'a>> {
    let drawn = side_by_side(possible, |&(profile, size)| drawn(profile, size, sight, seed));
    let both = possible.iter().zip(drawn);
    let mut found: Vec<(f64, Entry)> = both
        .filter_map(|(&(profile, size), drawn)| {
            let (unlike, reach) = drawn?;
            Some((unlike, (profile, size, reach)))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut quota = Quota::new(HASTY.0, HASTY.1);
    let most = found.first().map_or(0.0, |&(nearest, _)| nearest + UNLIKE);
    let near = found.into_iter().take_while(|&(unlike, _)| unlike <= most);
    near.map(|(_, entry)| entry).filter(|entry| quota.admits(entry.0.kind)).collect()
}

/// Room for so many, and for so many of a kind: the variants of one profile are alike, and must not
/// crowd out the others.
struct Quota {
    room: usize,
    of_a_kind: usize,
    taken: BTreeMap<&'static str, usize>,
}

impl Quota {
    fn new(room: usize, of_a_kind: usize) -> Self {
        Self { room, of_a_kind, taken: BTreeMap::new() }
    }

    fn admits(&mut self, kind: Kind) -> bool {
        let taken = self.taken.entry(kind.name()).or_default();
        let is = self.room > 0 && *taken < self.of_a_kind;
        if is {
            *taken += 1;
            self.room -= 1;
        }
        is
    }
}

/// How unlike the capture a profile is at best, its free values drawn, and how far its median moves
/// with them, as a share of the captured.
fn drawn(profile: &Profile, size: usize, sight: &Sight, seed: u64) -> Option<(f64, f64)> {
    let sight = worthwhile(sight, DRAWN.1, size);
    let (mut unlike, mut low, mut high) = (f64::INFINITY, f64::INFINITY, 0.0f64);
    for draw in 0..DRAWN.0 {
        let made = sight.replay.latencies(profile, size, seed.wrapping_add(draw)).ok()?;
        let Some(evidence) = sight.evidence(&made) else { continue };
        unlike = unlike.min(evidence.variation + evidence.order + evidence.lost);
        let arrived: Vec<i64> = made.into_iter().filter(|&ns| ns != NONE).collect();
        let median = quantiles(&arrived, &[0.5])[0];
        (low, high) = (low.min(median), high.max(median));
    }
    if low > high {
        return None;
    }
    let captured = quantiles(&sight.replay.arrived(), &[0.5])[0].max(1.0);
    // The extremes of a few draws leave as much again on either side as lies between two of them.
    let margin = (high - low) / (DRAWN.0 - 1) as f64;
    let outside = (low - margin - captured).max(captured - high - margin).max(0.0);
    Some((unlike + (outside / captured).min(1.0), (high - low) / captured))
}

/// Holds each against the first `count` triggers; nearest first, and by name where that is the same.
fn candidates(
    all: &[Entry],
    sight: &Sight,
    count: usize,
    effort: Effort,
    options: &Options,
) -> Vec<Candidate> {
    let found = side_by_side(all, |&(profile, size, reach)| {
        let sight = worthwhile(sight, count, size);
        let effort = worthwhile_effort(effort, options.triggers, size);
        let matched = held(profile, size, &sight, effort, options).ok()?;
        let score = matched.evidence.sum()
            + FITTED * matched.fitted.len() as f64
            + OCCAM * (reach / (2.0 * SAME)).max(1.0).log10();
        let size = profile.has_message().then_some(size);
        Some(Candidate { size, settings: Vec::new(), matched, reach, score })
    });
    let mut found: Vec<Candidate> = found.into_iter().flatten().collect();
    in_order(&mut found);
    found
}

/// What explains the capture first, then the nearest; by name where that is the same.
fn in_order(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let names = || a.matched.profile.name.cmp(&b.matched.profile.name);
        let nearest = b.explains().cmp(&a.explains()).then(a.score.total_cmp(&b.score));
        nearest.then_with(names).then(a.size.cmp(&b.size))
    });
}
