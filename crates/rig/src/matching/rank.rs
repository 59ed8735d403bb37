//! Which of all profiles explains a capture, if any does.
//!
//! 1. *Possible?* A short run under triggers that come at any phase shows how quick and how slow a
//!    profile can be. What cannot take as long as the capture did is out, for a few milliseconds
//!    of work each.
//! 2. *Likely?* The others are held against the first triggers of the capture, fitted in haste.
//! 3. *Which?* The nearest few are held against all of it, as [`super::hold`] does.
//!
//! The order is that of [`Match::distance`], plus what contradicts a profile although its
//! distribution fits: see [`Candidate::score`].

use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::fold::Clocks;
use airlag_stats::pair::{Transfers, pair};

use crate::error::Error;
use crate::matching::fit::Effort;
use crate::matching::replay::Replay;
use crate::matching::{Match, Options, held, knobs};
use crate::parameter::Value;
use crate::profile::Profile;
use crate::run::{self, run};
use crate::side_by_side::side_by_side;
use crate::stimulus::{Periodic, Stimulus};

pub use crate::matching::knobs::Tried;

/// Sizes that are considered where nobody says which it was: those of the published benchmarks.
pub const SIZES: [usize; 3] = [12, 128, 1024];

/// Triggers of the short run.
const GLIMPSE: usize = 48;
/// How much quicker or slower than the short run a profile may be: it does not meet the extremes.
const SLACK: f64 = 1.5;
/// Triggers the hasty fit is made on.
const HASTY: usize = 120;
/// How much further than the nearest a profile may be to be looked at closely, and how many are.
const CLOSE: (f64, usize) = (0.05, 4);

/// One profile held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Payload it was run with, bytes.
    pub size: usize,
    /// What was set differently from the profile, where that explains the capture better.
    pub settings: Vec<(&'static str, Value)>,
    /// How well it explains the capture.
    pub matched: Match,
    /// [`Match::distance`], plus [`CLOCK`] if capture and bench do not complete on the same clock,
    /// [`JITTER`] for each factor of 2 between the differences of neighbours, and [`FITTED`] for
    /// each fitted value. What is smaller is nearer.
    pub score: f64,
}

/// What an own period that only one side has, or another than the other's, costs.
pub const CLOCK: f64 = 0.05;
/// What each factor of 2 between the median differences of neighbouring latencies costs, up to 8.
pub const JITTER: f64 = 0.005;

/// What a fitted value costs: a link that can stand anywhere within a tick explains less by standing
/// where the capture is than one that must.
pub const FITTED: f64 = 0.01;

/// All profiles held against a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Those that were looked at closely, what explains the capture before what does not and nearest
    /// first; behind them those that were held against its first triggers only. Those whose bench
    /// fails are left out.
    pub candidates: Vec<Candidate>,
    /// Profiles and sizes whose short run showed that they cannot take as long as the capture did.
    pub impossible: usize,
    /// What a user of the nearest profile could have set differently, and what fits best.
    pub tried: Vec<Tried>,
}

impl Ranking {
    /// The profile that explains the capture; none if none does.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|first| first.matched.explains())
    }
}

/// Ranks `profiles` by how well they explain `captured`, a capture of messages of `size` bytes.
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
    let sizes = size.map_or(SIZES.to_vec(), |size| vec![size]);
    let all: Vec<(&Profile, usize)> = profiles
        .iter()
        .flat_map(|profile| sizes.iter().map(move |&size| (profile, size)))
        .collect();
    let period_ns = captured.trigger_period_ns().unwrap_or(1_000_000_000).max(2_000) as u64;
    let possible = side_by_side(&all, |&(profile, size)| {
        is_possible(profile, size, period_ns, &arrived, options.seed)
    });
    let possible: Vec<(&Profile, usize)> =
        all.iter().zip(&possible).filter(|&(_, &is)| is).map(|(&one, _)| one).collect();
    let impossible = all.len() - possible.len();

    let first = replay.first(HASTY);
    let own = Clocks::of(captured).own_period_ns();
    let mut hasty = candidates(&possible, &first, Effort::QUICK, own, options);
    let nearest = hasty.first().map_or(0.0, |one| one.score);
    let close = hasty.iter().take_while(|one| one.score <= nearest + CLOSE.0).count();
    let far = hasty.split_off(close.min(CLOSE.1));
    let finalists: Vec<(&Profile, usize)> = hasty
        .iter()
        .filter_map(|one| {
            let is = |&&(profile, size): &&(&Profile, usize)| {
                profile.name == one.matched.profile.name && size == one.size
            };
            possible.iter().find(is).copied()
        })
        .collect();
    let mut ranked = candidates(&finalists, &replay, Effort::FULL, own, options);
    let mut tried = Vec::new();
    if let Some(one) = ranked.first().filter(|_| options.vary) {
        let plain = profiles.iter().find(|known| known.name == one.matched.profile.name);
        let (plain, size) = (plain.unwrap_or(&one.matched.profile), one.size);
        tried = knobs::scan(plain, size, &first, profiles, options)?;
        if let Some((varied, setting)) = knobs::better(plain, &tried) {
            let mut varied = candidates(&[(&varied, size)], &replay, Effort::FULL, own, options);
            varied.iter_mut().for_each(|one| one.settings.push(setting.clone()));
            ranked.extend(varied);
        }
    }
    in_order(&mut ranked);
    // Those are known from the first triggers only, and stay behind what was held against them all.
    ranked.extend(far);
    Ok(Ranking { candidates: ranked, impossible, tried })
}

/// Whether a profile can be as quick as the quickest and as slow as the middle of `arrived`.
fn is_possible(profile: &Profile, size: usize, period_ns: u64, arrived: &[i64], seed: u64) -> bool {
    let period = Duration::from_ns(period_ns);
    let mut periodic = Periodic::new(period, GLIMPSE);
    periodic.jitter = Duration::from_ns(period_ns / 2);
    let own = run::Options { seed, spans: false };
    let Ok(seen) = run(profile, size, &Stimulus::Periodic(periodic), own) else { return false };
    let made = pair(&seen.trace, Default::default()).latencies_ns();
    let (Some(&quickest), Some(&slowest)) = (made.iter().min(), made.iter().max()) else {
        return false;
    };
    let captured = quantiles(arrived, &[0.05, 0.5]);
    let (low, high) = (quickest as f64 / SLACK, slowest as f64 * SLACK);
    captured.iter().all(|&ns| ns >= low) && captured.iter().skip(1).all(|&ns| ns <= high)
}

/// Holds each against the capture; nearest first, and by name where that is the same.
fn candidates(
    all: &[(&Profile, usize)],
    replay: &Replay,
    effort: Effort,
    own_period_ns: Option<f64>,
    options: &Options,
) -> Vec<Candidate> {
    let theirs = replay.arrived();
    let found = side_by_side(all, |&(profile, size)| {
        let matched = held(profile, size, replay, effort, options).ok()?;
        let made = replay.transfers(&matched.run);
        let score = matched.distance
            + FITTED * matched.fitted.len() as f64
            + CLOCK * f64::from(!same_clock(own_period_ns, Clocks::of(&made).own_period_ns()))
            + JITTER * octaves(jitter_ns(&theirs), jitter_ns(&made.latencies_ns()));
        Some(Candidate { size, settings: Vec::new(), matched, score })
    });
    let mut found: Vec<Candidate> = found.into_iter().flatten().collect();
    in_order(&mut found);
    found
}

/// What explains the capture first, then the nearest; by name where that is the same.
fn in_order(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let explains = |one: &Candidate| one.matched.explains();
        let names = || a.matched.profile.name.cmp(&b.matched.profile.name);
        let nearest = explains(b).cmp(&explains(a)).then(a.score.total_cmp(&b.score));
        nearest.then_with(names).then(a.size.cmp(&b.size))
    });
}

/// Whether two own periods are one: crystals differ by less than a thousandth, clocks by more. A
/// bench may show a clock that a capture hides in its phase, so only a capture's own period counts.
fn same_clock(captured: Option<f64>, made: Option<f64>) -> bool {
    captured.is_none_or(|theirs| made.is_some_and(|ours| (ours / theirs - 1.0).abs() < 1e-3))
}

/// Median difference of a latency and the one before, ns.
fn jitter_ns(latencies: &[i64]) -> f64 {
    let steps: Vec<i64> = latencies.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    quantiles(&steps, &[0.5]).first().copied().unwrap_or(0.0)
}

/// How many times the one is twice the other, up to 3. Less than 1 us counts as that much.
fn octaves(one: f64, other: f64) -> f64 {
    (one.max(1_000.0) / other.max(1_000.0)).log2().abs().min(3.0)
}
