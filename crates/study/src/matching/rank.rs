//! Which of all profiles explains a capture, if any does.
//!
//! 1. *Possible?* A message never takes less than its floor, and a short run under triggers that
//!    come at any phase shows how slow a profile can be. What cannot take as long as the capture
//!    did is out, for a few milliseconds of work each.
//! 2. *Likely?* What is free is drawn a few times: a phase moves latencies, so where they lie counts
//!    for nothing here, only how they vary and follow each other.
//! 3. *Near?* The likeliest are held against the first triggers of the capture, fitted in haste.
//! 4. *Set otherwise?* Where none of these is near, what somebody could have set differently is
//!    varied, of the profiles of each kind that take about as long.
//! 5. *Which?* The nearest few are held against all of it, as [`super::hold`] does.
//!
//! The order is that of [`Candidate::score`]: what speaks against a profile, and what it could have
//! explained besides.

use std::borrow::Cow;

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::Transfers;

use crate::error::Error;
use crate::matching::answer::LOG_ODDS;
use crate::matching::fit::Effort;
use crate::matching::progress::{Stage, Told, UNTOLD};
use crate::matching::replay::Replay;
use crate::matching::shortlist::{
    Draws, Entry, Glimpse, LEAST, Quota, is_below_floor, likely, worthwhile,
};
use crate::matching::sizes::sizes;
use crate::matching::{Interval, Match, Options, Sight, TOLERANCE, held, knobs, payload, vary};
use crate::side_by_side::side_by_side;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;

pub use crate::matching::knobs::Tried;

/// Triggers of the short run, and of those that look for a payload.
const GLIMPSE: (usize, usize) = (48, 16);
/// How often free values are drawn, and for how many triggers.
const DRAWN: Draws = Draws { times: 8, triggers: 100, least: LEAST };
/// How many profiles are fitted in haste, how many of one kind, and to how many triggers.
const HASTY: (usize, usize, usize) = (12, 4, 200);
/// How many are looked at closely, how many of one kind, and how much further than the nearest a
/// profile may be.
const CLOSE: (usize, usize, f64) = (6, 4, 0.15);

/// Events that all fits in haste may spend, and all close ones: about 10 s of one core together.
const SPENT: (u64, u64) = (12_000_000, 30_000_000);

/// How many payloads are compared for an interval of them.
const PAYLOADS: usize = 24;

/// No cycle of a link that a stimulus could follow is longer, ns.
const CYCLE_NS: u64 = 1_000_000_000;

/// Where of all work its parts end, as shares.
const DONE: [f64; 6] = [0.15, 0.3, 0.5, 0.6, 0.9, 1.0];

/// One profile held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Payload it was run with, bytes; none where there is no message.
    pub size: Option<usize>,
    /// Whether that was read off the capture.
    pub sized: bool,
    /// Payloads that explain the capture about as well, where it was read off the capture; of the first
    /// candidate alone, and if it explains the capture.
    pub sizes: Option<Interval>,
    /// What was set differently from the profile, where that explains the capture better.
    pub settings: Vec<(&'static str, Value)>,
    /// How well it explains the capture.
    pub matched: Match,
    /// How far the median moves with what the capture leaves free, as a share of the captured.
    pub reach: f64,
    /// What speaks against it ([`crate::matching::Evidence::sum`]), plus [`FITTED`] for each fitted
    /// value, a payload nobody told among them, plus [`OCCAM`] for each factor of ten of
    /// [`Candidate::reach`] above half of what the capture varies, and of settings it was chosen of.
    /// What is smaller is nearer.
    pub score: f64,
}

/// What a fitted value costs.
pub const FITTED: f64 = 0.01;

/// What a profile pays for each factor of ten of what it could have explained besides: one that can
/// stand anywhere explains less by standing where the capture is than one that must (D. J. C. MacKay,
/// "Information Theory, Inference, and Learning Algorithms", 2003, chapter 28).
pub const OCCAM: f64 = 0.12;

/// All profiles held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Transfers that arrived in the part of the capture that was looked at.
    pub arrived: usize,
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

    /// Whether it is what became of `entry`.
    fn is_of(&self, entry: &Entry<'_>) -> bool {
        entry.profile.name == self.matched.profile.name
            && entry.size == self.bytes()
            && entry.settings == self.settings
    }

    /// Whether it explains the capture: its median is near, and its score within [`TOLERANCE`].
    #[must_use]
    pub fn explains(&self) -> bool {
        self.matched.explains() && self.score <= TOLERANCE
    }
}

/// Ranks `profiles` by how well they explain `captured`, a capture of messages of `size` bytes, or
/// of what each could have sent to take as long. What has no message is held against it once.
///
/// Bench errors of single profiles leave those out; an error is a capture that cannot be matched.
pub fn rank(
    profiles: &[Profile],
    size: Option<usize>,
    captured: &Transfers,
    options: &Options,
) -> Result<Ranking, Error> {
    rank_told(profiles, size, captured, options, UNTOLD)
}

/// The same, and says how far it is: which share is done of what it may come to.
pub fn rank_told(
    profiles: &[Profile],
    size: Option<usize>,
    captured: &Transfers,
    options: &Options,
    told: Told<'_>,
) -> Result<Ranking, Error> {
    let replay = Replay::new(captured, options.triggers, options.pairing)?;
    let arrived = replay.arrived();
    if arrived.is_empty() {
        return Err(Error::NothingArrived { side: "the capture" });
    }
    let sight = Sight::of(captured, replay);
    let period_ns = captured.trigger_period_ns().unwrap_or(1_000_000_000).max(2_000) as u64;
    // Half of what lies between two triggers is drawn: of twice as much, a whole cycle of what a
    // stimulus followed.
    let period = Duration::from_ns(period_ns + period_ns.min(CYCLE_NS));
    let ask = Ask { sight: &sight, arrived: &arrived, period, options };

    let stage = Stage::new(told, (0.0, DONE[0]), profiles.len());
    let each: Vec<&Profile> = profiles.iter().collect();
    let seen = side_by_side(&each, |&profile| stage.step(|| ask.glimpses(profile, size)));
    let seen: Vec<Seen> = seen.into_iter().flatten().collect();
    let possible = seen.iter().filter(|one| one.is_possible(&arrived)).map(Seen::entry);
    let possible: Vec<Entry> = possible.collect();
    let (looked, could) = (seen.len(), possible.len());

    let stage = Stage::new(told, (DONE[0], DONE[1]), possible.len());
    let likely =
        likely(possible, &sight, options.seed, DRAWN, Quota::new(HASTY.0, HASTY.1), &stage);
    let unlike = could - likely.len();
    let stage = Stage::new(told, (DONE[1], DONE[2]), likely.len());
    let quick = Effort::QUICK.shared(SPENT.0, likely.len());
    let mut hasty = ask.candidates(&likely, HASTY.2, quick, &stage);
    let mut entries = likely;
    let is_near = hasty.first().is_some_and(Candidate::explains);
    if !is_near {
        let near = seen.iter().filter_map(|one| Some((one.entry(), one.glimpse?)));
        let varied = vary::likely(near.collect(), profiles, &ask, (told, DONE[2], DONE[3]));
        let stage = Stage::new(told, (DONE[3], DONE[3]), varied.len());
        hasty.extend(ask.candidates(&varied, HASTY.2, quick, &stage));
        in_order(&mut hasty);
        entries.extend(varied);
    }
    let nearest = hasty.iter().map(|one| one.score).fold(f64::INFINITY, f64::min);
    let is_close = |one: &Candidate| one.explains() || one.score <= nearest + CLOSE.2;
    let mut close = Quota::new(CLOSE.0, CLOSE.1);
    let (hasty, mut far): (Vec<_>, Vec<_>) =
        hasty.into_iter().partition(|one| is_close(one) && close.admits(one.matched.profile.kind));
    let finalists: Vec<Entry> = hasty
        .iter()
        .filter_map(|one| entries.iter().find(|entry| one.is_of(entry)).cloned())
        .collect();
    let stage = Stage::new(told, (DONE[3], DONE[4]), finalists.len());
    let effort = Effort::CLOSE.shared(SPENT.1, finalists.len());
    let mut ranked = ask.candidates(&finalists, options.triggers, effort, &stage);
    // A setting nobody told is worth a word only where it explains what nothing plain does.
    for some in [&mut ranked, &mut far] {
        some.retain(|one| one.settings.is_empty() || one.explains());
    }
    let mut tried = Vec::new();
    if let Some(one) = ranked.first().filter(|_| options.vary) {
        let plain = profiles.iter().find(|known| known.name == one.matched.profile.name);
        let (plain, size) = (plain.unwrap_or(&one.matched.profile), one.bytes());
        let first = worthwhile(&sight, HASTY.2, (plain, size), options.seed)?;
        tried = knobs::scan(plain, size, &first, profiles, options, (told, DONE[4]))?;
        if let Some((varied, setting)) = knobs::better(plain, &tried) {
            let entry = Entry {
                profile: Cow::Borrowed(&varied),
                size,
                sized: one.sized,
                settings: vec![setting],
                chosen_of: 1,
                reach: one.reach,
            };
            if !ranked.iter().any(|known| known.is_of(&entry)) {
                let stage = Stage::new(told, (DONE[5], DONE[5]), 1);
                ranked.extend(ask.candidates(&[entry], options.triggers, effort, &stage));
            }
        }
    }
    in_order(&mut ranked);
    if let Some(best) = ranked.first_mut().filter(|best| best.sized && best.explains()) {
        let stage = Stage::new(told, (DONE[5], DONE[5]), 1);
        best.sizes = ask.payloads(best, profiles, &stage);
    }
    told(DONE[5]);
    // Those are known from the first triggers only, and stay behind what was held against them all.
    ranked.extend(far);
    let arrived = arrived.len();
    Ok(Ranking { arrived, candidates: ranked, impossible: looked - could, unlike, tried })
}

/// A profile with a payload, and how long it takes in a short run.
struct Seen<'a> {
    profile: &'a Profile,
    size: usize,
    sized: bool,
    glimpse: Option<Glimpse>,
}

impl<'a> Seen<'a> {
    fn is_possible(&self, arrived: &[i64]) -> bool {
        self.glimpse.is_some_and(|seen| seen.can_be(arrived))
            && !is_below_floor(self.profile, self.size, arrived)
    }

    fn entry(&self) -> Entry<'a> {
        let Self { profile, size, sized, .. } = *self;
        let profile = Cow::Borrowed(profile);
        Entry { profile, size, sized, settings: Vec::new(), chosen_of: 1, reach: 0.0 }
    }
}

/// What is asked of each profile.
pub(super) struct Ask<'a> {
    pub(super) sight: &'a Sight,
    /// Latencies that were captured, ns.
    pub(super) arrived: &'a [i64],
    /// From one trigger of a short run to the next.
    pub(super) period: Duration,
    pub(super) options: &'a Options,
}

impl Ask<'_> {
    /// How long a profile takes with the payload that was told, or any that may take as long as the
    /// capture did.
    fn glimpses<'p>(&self, profile: &'p Profile, size: Option<usize>) -> Vec<Seen<'p>> {
        let glimpse =
            |size, count| Glimpse::of(profile, size, self.period, count, self.options.seed);
        let sizes = match size {
            Some(told) => profile.payloads(&[told]),
            None => {
                let median = quantiles(self.arrived, &[0.5])[0];
                sizes(profile, median, |size| Some(glimpse(size, GLIMPSE.1)?.median))
            }
        };
        let seen = |bytes: Option<usize>| {
            let sized = size.is_none() && bytes.is_some();
            let size = bytes.unwrap_or(0);
            Seen { profile, size, sized, glimpse: glimpse(size, GLIMPSE.0) }
        };
        sizes.into_iter().map(seen).collect()
    }

    /// The payloads with which a profile explains the capture about as well as with that of `best`.
    fn payloads(
        &self,
        best: &Candidate,
        profiles: &[Profile],
        stage: &Stage<'_>,
    ) -> Option<Interval> {
        let name = &best.matched.profile.name;
        let mut profile = profiles.iter().find(|known| known.name == *name)?.clone();
        for (name, value) in &best.settings {
            profile.set(name, &knobs::plain(value)).ok()?;
        }
        let effort = Effort::QUICK.shared(SPENT.0, PAYLOADS);
        let score = |size: usize| {
            let entry = Entry {
                profile: Cow::Borrowed(&profile),
                size,
                sized: true,
                settings: best.settings.clone(),
                chosen_of: 1,
                reach: best.reach,
            };
            let found = self.candidates(&[entry], HASTY.2, effort, stage).pop()?;
            found.matched.evidence.is_near().then_some(found.score)
        };
        let size = best.size?;
        // By how much less than that of the best the score of another payload may be.
        let [_, per_score, _] = LOG_ODDS;
        let most = score(size)? + payload::ODDS.ln() / per_score.abs();
        Some(Interval::around(size, |size| score(size).is_some_and(|found| found <= most)))
    }

    /// Holds each against the first `count` triggers; nearest first, and by name where that is the
    /// same.
    fn candidates(
        &self,
        all: &[Entry<'_>],
        count: usize,
        effort: Effort,
        stage: &Stage<'_>,
    ) -> Vec<Candidate> {
        let found = side_by_side(all, |entry| {
            stage.step(|| {
                let Entry { size, sized, chosen_of, reach, .. } = *entry;
                let what = (entry.profile.as_ref(), size);
                let sight = worthwhile(self.sight, count, what, self.options.seed).ok()?;
                let matched =
                    held(&entry.profile, size, &sight, effort, self.options, UNTOLD).ok()?;
                let varies = matched.evidence.varies;
                let score = matched.price()
                    + FITTED * f64::from(u8::from(sized))
                    + OCCAM * (2.0 * reach / varies).max(1.0).log10()
                    + OCCAM * (chosen_of as f64).log10();
                let size = entry.profile.has_message().then_some(size);
                let settings = entry.settings.clone();
                Some(Candidate { size, sized, sizes: None, settings, matched, reach, score })
            })
        });
        let mut found: Vec<Candidate> = found.into_iter().flatten().collect();
        in_order(&mut found);
        found
    }
}

/// What explains the capture first, then the nearest; by name where that is the same.
fn in_order(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let names = || a.matched.profile.name.cmp(&b.matched.profile.name);
        let nearest = b.explains().cmp(&a.explains()).then(a.score.total_cmp(&b.score));
        nearest.then_with(names).then(a.size.cmp(&b.size))
    });
}
