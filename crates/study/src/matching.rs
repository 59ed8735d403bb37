//! Holds a capture against the virtual bench, under the capture's own trigger times.
//!
//! [`hold`] takes one profile: how far apart are the capture and the bench, and which values of
//! what a capture leaves free explain it best. [`rank`](fn@rank) takes all of them: which explains
//! the capture best, if any does.
//!
//! Everything about a link is in its profile. What is fitted is only what nobody writes down when a
//! capture is taken: where the cycles of a link and its boards stood (every parameter that is a
//! phase), how far their crystals were off (`*_ppb`, where a phase is free), and how far a DMA ring
//! had been filled. The final run draws everything else from a seed nothing was fitted with.

mod answer;
mod evidence;
mod fit;
mod follow;
mod free;
mod judge;
mod knobs;
mod lock;
mod metered;
mod misfit;
mod payload;
mod progress;
mod rank;
mod replay;
mod ring;
mod search;
mod shortlist;
mod sizes;
mod vary;

use std::array;
use std::cell::Cell;

use airlag_stats::dist::quantiles;
use airlag_stats::fold::Clocks;
use airlag_stats::levy::levy_distance;
use airlag_stats::pair::{Outcome, PairOptions, Transfers};
use airlag_stats::rank::ks_distance;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use airlag_rig::kind::Medium;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_rig::run::{self, Run};
pub use answer::{Certainty, Contradiction, Few, Reason, Verdict};
use evidence::{EXACT, Seen};
pub use evidence::{Evidence, Part};
use fit::{Effort, fit};
use follow::follow;
use free::Free;
use metered::Metered;
pub use payload::Interval;
pub use progress::Told;
use progress::UNTOLD;
use rank::FITTED;
pub use rank::{Candidate, Ranking, Tried, rank, rank_told};
use replay::Replay;

/// What is fitted where triggers follow the link: from its transmission to the trigger.
pub const OFFSET: &str = "offset";

/// Where the two distributions are compared.
pub const LEVELS: [f64; 5] = [0.01, 0.25, 0.5, 0.75, 0.99];

/// How to match.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Root seed of the final run.
    pub seed: u64,
    /// Triggers of the capture that are used at most.
    pub triggers: usize,
    /// How the capture was paired, and so how the bench is.
    pub pairing: PairOptions,
    /// Parameters that are not fitted although a capture leaves them free: the user set them.
    pub fixed: Vec<String>,
    /// Keep named slices of time in [`Match::run`].
    pub spans: bool,
    /// Of a ranking: tell what a user of the nearest profile could have set differently, even where it
    /// explains the capture as it is.
    pub vary: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            triggers: 10_000,
            pairing: PairOptions::default(),
            fixed: Vec::new(),
            spans: false,
            vary: true,
        }
    }
}

/// One quantile, captured and virtual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileError {
    /// Which: 0.5 is the median.
    pub p: f64,
    /// Of the capture, ns.
    pub captured_ns: f64,
    /// Of the bench, ns.
    pub virtual_ns: f64,
}

impl QuantileError {
    /// How much later the bench is, ns.
    #[must_use]
    pub fn error_ns(self) -> f64 {
        self.virtual_ns - self.captured_ns
    }

    /// The same as a share of what was captured.
    #[must_use]
    pub fn relative(self) -> f64 {
        self.error_ns() / self.captured_ns
    }
}

/// A value found by matching.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Of which parameter.
    pub name: &'static str,
    /// What explains the capture best.
    pub value: Value,
    /// In which unit, empty for a plain number.
    pub unit: &'static str,
}

/// Outcome of the triggers that were used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fate {
    /// Number of triggers.
    pub triggers: usize,
    /// Transfers that completed, late ones included.
    pub delivered: usize,
    /// Windows that closed without a completion.
    pub lost: usize,
}

impl Fate {
    fn of(outcomes: &[Outcome]) -> Self {
        let count = |wanted| outcomes.iter().filter(|&&one| one == wanted).count();
        let delivered = count(Outcome::Delivered) + count(Outcome::Late);
        Self { triggers: outcomes.len(), delivered, lost: count(Outcome::Lost) }
    }
}

/// How well the bench explains a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Kolmogorov-Smirnov distance of the two distributions of latency.
    pub ks: f64,
    /// What [`Match::ks`] exceeds once in 20 times for two sets of latencies as large as these from
    /// one distribution, each independent of the others. Latencies that follow a clock are not.
    pub ks_chance: f64,
    /// The least share `e` such that all but `e` of the latencies agree within a factor of `1 + e`.
    pub distance: f64,
    /// Kolmogorov-Smirnov distance where latencies count as equal that differ by less than a sample of
    /// the analyser, or than a link that does not vary is known to.
    pub resolved: f64,
    /// Kolmogorov-Smirnov distance once the bench is moved onto the capture, by the difference of
    /// whichever of [`LEVELS`] fits best: whether it varies as the capture does, wherever it lies.
    pub shape: f64,
    /// The same where latencies count as equal as in [`Match::resolved`].
    pub resolved_shape: f64,
    /// What speaks against the profile.
    pub evidence: Evidence,
    /// At [`LEVELS`].
    pub quantile_error: [QuantileError; LEVELS.len()],
    /// How many values the capture left free.
    pub free: usize,
    /// Those of them that explain something; the rest stayed as the profile has them.
    pub fitted: Vec<Fitted>,
    /// Of the captured triggers that were used.
    pub captured: Fate,
    /// Of the same triggers on the bench.
    pub bench: Fate,
    /// The profile with the fitted values.
    pub profile: Profile,
    /// The bench under the capture's triggers, seen through its analyser.
    pub run: Run,
}

/// How much may speak against a profile that explains a capture ([`Evidence::sum`], and of a ranking
/// [`Candidate::score`]): models are not their links. Chosen on all radios and firmwares at hand but
/// one, whichever that is, it comes to 0.26 to 0.28 (the example `calibration`); so exactly it is not known.
pub const TOLERANCE: f64 = 0.28;

/// How many times beyond chance the distributions of a capture and of a profile that explains it may be
/// apart: models are not their links.
const BEYOND: f64 = 10.0;
/// The same of a wire: nothing but its two programs moves a latency.
const BEYOND_OF_A_WIRE: f64 = 5.0;
/// How far apart they may be once the bench is moved onto the capture: this, or so many times what chance
/// makes of few transfers. Those of one link are less than 0.2 apart, and strangers that vary as much by
/// accident 0.28 and more.
const UNLIKE: (f64, f64) = (0.25, 2.0);

impl Match {
    /// Whether the profile explains the capture: its median is near, no more than [`TOLERANCE`]
    /// speaks against it, and the distributions are not too many times further apart than by chance.
    #[must_use]
    pub fn explains(&self) -> bool {
        self.evidence.is_near() && self.evidence.sum() <= TOLERANCE && self.is_alike()
    }

    /// What speaks against it, and what its fitted values cost.
    fn price(&self) -> f64 {
        self.evidence.sum() + FITTED * self.fitted.len() as f64
    }

    /// Whether the distributions are no further apart than those of one link may be.
    #[must_use]
    pub fn is_alike(&self) -> bool {
        self.allows(self.resolved) && self.resolved_shape <= UNLIKE.0.max(UNLIKE.1 * self.ks_chance)
    }

    /// Whether the distributions may be so far apart.
    fn allows(&self, ks: f64) -> bool {
        let beyond = match self.profile.kind.medium() {
            Medium::Wire => BEYOND_OF_A_WIRE,
            _ => BEYOND,
        };
        ks <= beyond * self.ks_chance
    }
}

/// The distance of Kolmogorov and Smirnov, less what a constant explains, where values that differ by no more
/// than `resolution` count as equal. Both are in ascending order.
fn shape(captured: &[i64], made: &[i64], errors: &[QuantileError], resolution: i64) -> f64 {
    let moved = |error: &QuantileError| {
        let by = error.error_ns().round() as i64;
        let made: Vec<i64> = made.iter().map(|ns| ns - by).collect();
        resolved(captured, &made, resolution)
    };
    errors.iter().map(moved).fold(1.0, f64::min)
}

/// The distance of Kolmogorov and Smirnov where values that differ by no more than `resolution` count
/// as equal. Both are in ascending order.
fn resolved(captured: &[i64], made: &[i64], resolution: i64) -> f64 {
    // By how much more of `one` than of `other` is below a value, when `other` may be that much lower.
    let above = |one: &[i64], other: &[i64]| {
        let ahead = one.iter().enumerate().map(|(nth, &value)| {
            let below = other.partition_point(|&each| each <= value.saturating_add(resolution));
            (nth + 1) as f64 / one.len() as f64 - below as f64 / other.len() as f64
        });
        ahead.fold(0.0, f64::max)
    };
    above(captured, made).max(above(made, captured))
}

/// The asymptotic 95 % point of the distance of two samples (N. Smirnov, "Table for estimating the
/// goodness of fit of empirical distributions", 1948).
fn ks_chance(n: usize, m: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    1.358 * ((n + m) / (n * m)).sqrt()
}

/// Runs the bench of `profile` at the trigger times of `captured` and compares.
pub fn hold(
    profile: &Profile,
    size: usize,
    captured: &Transfers,
    options: &Options,
) -> Result<Match, Error> {
    hold_told(profile, size, captured, options, UNTOLD)
}

/// The same, and says how far it is: which share is done of what it may come to.
pub fn hold_told(
    profile: &Profile,
    size: usize,
    captured: &Transfers,
    options: &Options,
    told: Told<'_>,
) -> Result<Match, Error> {
    let replay = Replay::new(captured, options.triggers, options.pairing)?;
    held(profile, size, &Sight::of(captured, replay), Effort::FULL, options, told)
}

/// A capture as profiles are held against it.
#[derive(Clone, Debug)]
struct Sight {
    replay: Replay,
    seen: Seen,
    /// The period of a clock of its own that all of the capture completes on, ns.
    own_period_ns: Option<f64>,
}

impl Sight {
    fn of(captured: &Transfers, replay: Replay) -> Self {
        let own_period_ns = Clocks::of(captured).period.map(|period| period.period_ns);
        Self { seen: seen(&replay, replay.latency()), replay, own_period_ns }
    }

    /// Its first `count` triggers only. What clock it has was found with all of them.
    fn first(&self, count: usize) -> Self {
        let replay = self.replay.first(count);
        Self { seen: seen(&replay, replay.latency()), replay, ..*self }
    }

    /// What speaks against a bench that took so long, one latency a trigger.
    fn evidence(&self, latency: &[i64]) -> Option<Evidence> {
        Evidence::of(&self.seen, &seen(&self.replay, latency), self.own_period_ns)
    }
}

fn seen(replay: &Replay, latency: &[i64]) -> Seen {
    Seen::new(replay.times(), latency.to_vec()).at_samples_of(replay.grid_ns())
}

/// Holds a profile against a capture: under its trigger times, and where these follow the link, under triggers
/// that follow the bench's. Whichever explains it better counts.
fn held(
    profile: &Profile,
    size: usize,
    sight: &Sight,
    effort: Effort,
    options: &Options,
    told: Told<'_>,
) -> Result<Match, Error> {
    let free = free::free(profile, &options.fixed)?;
    let free = free.as_slice();
    let bench =
        Metered { profile, free, size, expected: Cell::new(None), spent: Cell::new(0), told };
    let values = fit(free, &sight.replay, effort, &bench, options.seed)?;
    let found = free::set(profile, free, &values)?;
    let fitted = fitted_of(free, &values);
    let timed = judged((found, size), sight, free.len(), fitted, options)?;
    let (seed, thorough) = (options.seed.wrapping_add(1), effort.aligns);
    let Some((replay, offset)) = follow(profile, size, &sight.replay, seed, thorough)? else {
        return Ok(timed);
    };
    let bench = Metered { spent: Cell::new(0), told: UNTOLD, ..bench };
    let values = match thorough {
        true => follow::phases(free, &replay, &bench, seed)?,
        false => vec![None; free.len()],
    };
    let found = free::set(profile, free, &values)?;
    let mut fitted = fitted_of(free, &values);
    let ms = Value::Real(offset.as_ns() as f64 / 1e6);
    fitted.push(Fitted { name: OFFSET, value: ms, unit: "ms" });
    let sight = Sight { replay, ..sight.clone() };
    // A capture that ends while a link falls silent is none that followed it. Of two that explain it as well,
    // the period of a generator would be that of the link by chance.
    Ok(match judged((found, size), &sight, free.len() + 1, fitted, options) {
        Ok(aligned) if aligned.price() <= timed.price() => aligned,
        _ => timed,
    })
}

/// Those of the values that are not as the profile has them.
fn fitted_of(free: &[Free], values: &[Option<f64>]) -> Vec<Fitted> {
    let both = free.iter().zip(values);
    let fitted = both.filter_map(|(one, value)| {
        let value = one.value((*value)?);
        Some(Fitted { name: one.name, value, unit: one.unit })
    });
    fitted.collect()
}

/// Runs the bench of `found` once more, under a seed nothing was fitted with, and compares.
fn judged(
    (found, size): (Profile, usize),
    sight: &Sight,
    free: usize,
    fitted: Vec<Fitted>,
    options: &Options,
) -> Result<Match, Error> {
    let replay = &sight.replay;
    let own = run::Options { seed: options.seed, spans: options.spans, ..run::Options::default() };
    let run = replay.run(&found, size, own)?;
    let made = replay.transfers(&run);
    let (theirs, ours) = (replay.arrived(), made.latencies_ns());
    let distances = ks_distance(&theirs, &ours).zip(levy_distance(&theirs, &ours));
    let Some((ks, distance)) = distances else {
        let side = if theirs.is_empty() { "the capture" } else { "the virtual bench" };
        return Err(Error::NothingArrived { side });
    };
    let both = [quantiles(&theirs, &LEVELS), quantiles(&ours, &LEVELS)];
    let sorted = |latencies: &[i64]| {
        let mut sorted = latencies.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let (theirs_sorted, ours_sorted) = (sorted(&theirs), sorted(&ours));
    let resolution = (EXACT * both[0][2]).max(replay.grid_ns() as f64) as i64;
    let (captured, bench) = (replay.fate(), Fate::of(&made.outcome));
    let evidence = sight.evidence(&replay::one_a_trigger(&made)).unwrap_or_default();
    let evidence = match found.kind.loses() {
        true => evidence,
        false => evidence.of_reliable(&captured, &bench),
    };
    let quantile_error = array::from_fn(|nth| {
        let [captured_ns, virtual_ns] = [both[0][nth], both[1][nth]];
        QuantileError { p: LEVELS[nth], captured_ns, virtual_ns }
    });
    Ok(Match {
        ks,
        ks_chance: ks_chance(theirs.len(), ours.len()),
        distance,
        resolved: resolved(&theirs_sorted, &ours_sorted, resolution),
        shape: shape(&theirs_sorted, &ours_sorted, &quantile_error, 0).min(ks),
        resolved_shape: shape(&theirs_sorted, &ours_sorted, &quantile_error, resolution),
        evidence,
        quantile_error,
        free,
        fitted,
        captured,
        bench,
        profile: found,
        run,
    })
}

#[cfg(test)]
mod tests;
