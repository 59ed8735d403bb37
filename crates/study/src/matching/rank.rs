//! Ranking: which of all profiles explains a capture, if any.
//!
//! 1. *Possible*: for each profile, the floor limits how small the latency can be, and a short run with
//!    triggers at random phases shows how large the latency can be. Profiles that cannot produce the captured
//!    latency are excluded. This step takes a few milliseconds for each profile.
//! 2. *Likely*: the remaining profiles run a few times, with random values of the free parameters. Clock
//!    phases shift latencies. This step therefore compares spread, correlation and the other components of
//!    the misfit, but not the component that a shift of all latencies changes.
//! 3. *Near*: the most likely profiles are fitted quickly to the first triggers of the capture.
//! 4. *Settings*: if none of these profiles is near the capture, plausible settings are varied. This is done
//!    for those profiles of each kind whose latency is similar to that of the capture.
//! 5. *Choice*: the few nearest profiles are compared with the whole capture, as in [`super::hold`].
//!
//! Candidates are ordered by [`Candidate::score`]: the misfit, plus a cost for flexibility.

use std::borrow::Cow;

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::Transfers;

use crate::error::Error;
use crate::matching::answer::LOG_ODDS;
use crate::matching::fit::Effort;
use crate::matching::progress::{NO_PROGRESS, OnProgress, Stage};
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

/// Number of triggers of the short run, and of the runs that search a payload.
const GLIMPSE: (usize, usize) = (48, 16);
/// Number of draws of the free parameters, and of triggers per draw.
const DRAWN: Draws = Draws { times: 8, triggers: 100, least: LEAST };
/// Quick fits: number of profiles, number per kind, and number of triggers.
const HASTY: (usize, usize, usize) = (12, 4, 200);
/// Close comparisons: number of profiles, number per kind, and largest distance beyond the nearest profile.
const CLOSE: (usize, usize, f64) = (6, 4, 0.15);

/// Event budgets of all quick fits, and of all close ones: together about 10 s of one core.
const SPENT: (u64, u64) = (12_000_000, 30_000_000);

/// Number of payloads that are compared for an interval.
const PAYLOADS: usize = 24;

/// Longest cycle of a link that a stimulus could follow, ns.
const CYCLE_NS: u64 = 1_000_000_000;

/// Completed shares of all work at the end of each stage.
const DONE: [f64; 6] = [0.15, 0.3, 0.5, 0.6, 0.9, 1.0];

/// A profile compared with a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Payload, bytes. `None` without a message.
    pub size: Option<usize>,
    /// Whether the payload was inferred from the capture.
    pub sized: bool,
    /// Payloads that explain the capture about as well, if the payload was inferred. Only for the first
    /// candidate, and only if it explains the capture.
    pub sizes: Option<Interval>,
    /// Changed settings that explain the capture better than the profile's own.
    pub settings: Vec<(&'static str, Value)>,
    /// Result of the comparison.
    pub matched: Match,
    /// Range of the median as the free parameters vary, as a share of the captured median.
    pub reach: f64,
    /// Misfit ([`crate::matching::Evidence::sum`]) plus three costs. The first cost is [`FITTED`] for each
    /// fitted value, including an inferred payload. The second cost is [`OCCAM`] for each factor of ten by
    /// which [`Candidate::reach`] exceeds half of the captured spread. The third cost is [`OCCAM`] for each
    /// factor of ten in the number of settings from which this candidate was chosen. A smaller score is
    /// better.
    pub score: f64,
}

/// Cost of a fitted value.
pub const FITTED: f64 = 0.01;

/// Cost of the flexibility of a profile. The score of a candidate contains this cost for each factor of ten
/// by which the range of the median ([`Candidate::reach`]) exceeds half of the captured spread, and for each
/// factor of ten in the number of settings tried (see [`Candidate::score`]). A good fit of a flexible profile
/// is weaker evidence than a good fit of a profile without free parameters (D. J. C. MacKay, "Information
/// Theory, Inference, and Learning Algorithms", 2003, chapter 28).
pub const OCCAM: f64 = 0.12;

/// All profiles compared with a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Delivered transfers in the part of the capture that was used.
    pub arrived: usize,
    /// Candidates in three groups, each group in ascending order of [`Candidate::score`]. Candidates of the
    /// first group were compared with the whole capture and explain the capture. Candidates of the second
    /// group were compared with the whole capture, but do not explain it. Candidates of the third group were
    /// compared with only the first triggers of the capture. Profiles whose bench fails are left out.
    pub candidates: Vec<Candidate>,
    /// Number of combinations of profile and payload that cannot produce the captured latency.
    pub impossible: usize,
    /// Number of combinations of profile and payload that can produce the captured latency, but whose
    /// latencies have a different spread, whatever the values of the free parameters.
    pub unlike: usize,
    /// Parameters of the nearest profile with their best-fit settings.
    pub tried: Vec<Tried>,
}

impl Candidate {
    fn bytes(&self) -> usize {
        self.size.unwrap_or(0)
    }

    /// Whether the candidate results from `entry`.
    fn is_of(&self, entry: &Entry<'_>) -> bool {
        entry.profile.name == self.matched.profile.name
            && entry.size == self.bytes()
            && entry.settings == self.settings
    }

    /// Whether the profile explains the capture: its median is close to the captured one, and its score is
    /// at most [`TOLERANCE`].
    #[must_use]
    pub fn explains(&self) -> bool {
        self.matched.explains() && self.score <= TOLERANCE
    }
}

/// Ranks `profiles` by how well they explain `captured`. `size` is the payload, bytes. If `size` is `None`,
/// all payloads that can produce the captured latency are tried. A profile without messages is compared once.
///
/// A profile whose bench fails is left out. Returns an error only for a capture that cannot be matched.
pub fn rank(
    profiles: &[Profile],
    size: Option<usize>,
    captured: &Transfers,
    options: &Options,
) -> Result<Ranking, Error> {
    rank_with_progress(profiles, size, captured, options, NO_PROGRESS)
}

/// Like [`rank`], with a callback for the completed share of the work.
pub fn rank_with_progress(
    profiles: &[Profile],
    size: Option<usize>,
    captured: &Transfers,
    options: &Options,
    on_progress: OnProgress<'_>,
) -> Result<Ranking, Error> {
    let replay = Replay::new(captured, options.triggers, options.pairing)?;
    let arrived = replay.arrived();
    if arrived.is_empty() {
        return Err(Error::NothingArrived { side: "the capture" });
    }
    let sight = Sight::of(captured, replay);
    let period_ns = captured.trigger_period_ns().unwrap_or(1_000_000_000).max(2_000) as u64;
    // Triggers are delayed by up to half their interval. With twice the captured interval, they
    // therefore cover a whole cycle that a stimulus may have followed.
    let period = Duration::from_ns(period_ns + period_ns.min(CYCLE_NS));
    let ask = Ask { sight: &sight, arrived: &arrived, period, options };

    let stage = Stage::new(on_progress, (0.0, DONE[0]), profiles.len());
    let each: Vec<&Profile> = profiles.iter().collect();
    let seen = side_by_side(&each, |&profile| stage.step(|| ask.glimpses(profile, size)));
    let seen: Vec<Seen> = seen.into_iter().flatten().collect();
    let possible = seen.iter().filter(|one| one.is_possible(&arrived)).map(Seen::entry);
    let possible: Vec<Entry> = possible.collect();
    let (looked, could) = (seen.len(), possible.len());

    let stage = Stage::new(on_progress, (DONE[0], DONE[1]), possible.len());
    let likely =
        likely(possible, &sight, options.seed, DRAWN, Quota::new(HASTY.0, HASTY.1), &stage);
    let unlike = could - likely.len();
    let stage = Stage::new(on_progress, (DONE[1], DONE[2]), likely.len());
    let quick = Effort::QUICK.shared(SPENT.0, likely.len());
    let mut hasty = ask.candidates(&likely, HASTY.2, quick, &stage);
    let mut entries = likely;
    let is_near = hasty.first().is_some_and(Candidate::explains);
    if !is_near {
        let near = seen.iter().filter_map(|one| Some((one.entry(), one.glimpse?)));
        let varied = vary::likely(near.collect(), profiles, &ask, (on_progress, DONE[2], DONE[3]));
        let stage = Stage::new(on_progress, (DONE[3], DONE[3]), varied.len());
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
    let stage = Stage::new(on_progress, (DONE[3], DONE[4]), finalists.len());
    let effort = Effort::CLOSE.shared(SPENT.1, finalists.len());
    let mut ranked = ask.candidates(&finalists, options.triggers, effort, &stage);
    // An inferred setting is reported only if no unchanged profile explains the capture and the
    // changed one does.
    for some in [&mut ranked, &mut far] {
        some.retain(|one| one.settings.is_empty() || one.explains());
    }
    let mut tried = Vec::new();
    if let Some(one) = ranked.first().filter(|_| options.vary) {
        let plain = profiles.iter().find(|known| known.name == one.matched.profile.name);
        let (plain, size) = (plain.unwrap_or(&one.matched.profile), one.bytes());
        let first = worthwhile(&sight, HASTY.2, (plain, size), options.seed)?;
        tried = knobs::scan(plain, size, &first, profiles, options, (on_progress, DONE[4]))?;
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
                let stage = Stage::new(on_progress, (DONE[5], DONE[5]), 1);
                ranked.extend(ask.candidates(&[entry], options.triggers, effort, &stage));
            }
        }
    }
    in_order(&mut ranked);
    if let Some(best) = ranked.first_mut().filter(|best| best.sized && best.explains()) {
        let stage = Stage::new(on_progress, (DONE[5], DONE[5]), 1);
        best.sizes = ask.payloads(best, profiles, &stage);
    }
    on_progress(DONE[5]);
    // These were compared with the first triggers only. They therefore follow the candidates
    // compared with all triggers.
    ranked.extend(far);
    let arrived = arrived.len();
    Ok(Ranking { arrived, candidates: ranked, impossible: looked - could, unlike, tried })
}

/// A profile with a payload, and its latencies in a short run.
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

/// Parameters of the short runs.
pub(super) struct Ask<'a> {
    pub(super) sight: &'a Sight,
    /// Captured latencies, ns.
    pub(super) arrived: &'a [i64],
    /// Time between triggers of a short run.
    pub(super) period: Duration,
    pub(super) options: &'a Options,
}

impl Ask<'_> {
    /// Short runs of a profile with the given payload, or with all payloads that can produce the captured
    /// latency.
    fn glimpses<'p>(&self, profile: &'p Profile, size: Option<usize>) -> Vec<Seen<'p>> {
        let glimpse =
            |size, count| Glimpse::of(profile, size, self.period, count, self.options.seed);
        let sizes = match size {
            Some(known) => profile.payloads(&[known]),
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

    /// Payloads with which a profile explains the capture about as well as with the payload of
    /// `best`.
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
        // Largest difference between the score of another payload and the best one.
        let [_, per_score, _] = LOG_ODDS;
        let most = score(size)? + libm::log(payload::ODDS) / per_score.abs();
        Some(Interval::around(size, |size| score(size).is_some_and(|found| found <= most)))
    }

    /// Compares each entry with the first `count` triggers. Sorted by distance, then by name.
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
                    held(&entry.profile, size, &sight, effort, self.options, NO_PROGRESS).ok()?;
                let varies = matched.evidence.varies;
                let score = matched.price()
                    + FITTED * f64::from(u8::from(sized))
                    + OCCAM * libm::log10((2.0 * reach / varies).max(1.0))
                    + OCCAM * libm::log10(chosen_of as f64);
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

/// Sorts candidates: those that explain the capture first, then by distance, then by name.
fn in_order(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let names = || a.matched.profile.name.cmp(&b.matched.profile.name);
        let nearest = b.explains().cmp(&a.explains()).then(a.score.total_cmp(&b.score));
        nearest.then_with(names).then(a.size.cmp(&b.size))
    });
}
