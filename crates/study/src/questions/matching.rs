//! The questions of matching a capture with link profiles, and their answers as `--json` prints them.

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::profile::Profile;
use airlag_stats::pair::{PairOptions, Transfers, pair};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::seed;
use crate::answers::setting::Setting;
use crate::error::Error;
use crate::matching::{self, Certainty, Options, TOLERANCE, hold_told, rank_told};
use crate::quantity::general;
use crate::question::{Answered, Evidence, Progress};

/// A capture compared with one link profile.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MatchQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where the link has no message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Triggers of the capture that are used at most.
    #[serde(default = "count")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Constants that differ from the profile; they are not fitted.
    #[serde(default)]
    pub settings: Settings,
    /// Least low time of the trigger wire before a trigger, ns.
    #[serde(default = "min_low")]
    pub min_low_ns: i64,
    /// Time after its trigger during which a completion may arrive although further triggers came in
    /// between, ns; null: until the next trigger.
    #[serde(default)]
    pub overlap_ns: Option<i64>,
}

/// A capture compared with several link profiles.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RankQuestion")]
pub struct RankQuestion {
    /// Link profiles.
    pub links: Vec<String>,
    /// Payload, bytes; null: any that may take as long as the capture did.
    #[serde(default)]
    pub size: Option<usize>,
    /// Triggers of the capture that are used at most.
    #[serde(default = "count_of_ranking")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Least low time of the trigger wire before a trigger, ns.
    #[serde(default = "min_low")]
    pub min_low_ns: i64,
    /// Time after its trigger during which a completion may arrive although further triggers came in
    /// between, ns; null: until the next trigger.
    #[serde(default)]
    pub overlap_ns: Option<i64>,
}

const fn count() -> usize {
    10_000
}

const fn count_of_ranking() -> usize {
    1_000
}

fn min_low() -> i64 {
    PairOptions::default().min_low_ns
}

/// A value that a capture leaves open.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fitted {
    /// The parameter.
    pub name: &'static str,
    /// The value that explains the capture best.
    pub value: Setting,
    /// Unit; may be empty.
    pub unit: &'static str,
}

/// One quantile of the capture and of the bench.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QuantileError {
    /// Of the capture, ns.
    pub captured_ns: f64,
    /// Of the bench, ns.
    pub virtual_ns: f64,
    /// Virtual less captured, ns.
    pub error_ns: f64,
    /// The same as a share of the captured quantile.
    pub error: f64,
}

/// By quantile.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QuantileErrors {
    /// 1 % quantile.
    pub p1: QuantileError,
    /// 25 % quantile.
    pub p25: QuantileError,
    /// Median.
    pub p50: QuantileError,
    /// 75 % quantile.
    pub p75: QuantileError,
    /// 99 % quantile.
    pub p99: QuantileError,
}

impl From<&[matching::QuantileError; 5]> for QuantileErrors {
    fn from(found: &[matching::QuantileError; 5]) -> Self {
        let [p1, p25, p50, p75, p99] = found.map(|one| QuantileError {
            captured_ns: one.captured_ns,
            virtual_ns: one.virtual_ns,
            error_ns: one.error_ns(),
            error: one.relative(),
        });
        Self { p1, p25, p50, p75, p99 }
    }
}

/// Misfit of a profile: 0 to 1 each.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "MatchEvidence")]
pub struct Misfit {
    /// Its median is elsewhere.
    pub place: f64,
    /// Its latencies have a different spread.
    pub variation: f64,
    /// Consecutive latencies are related in another way.
    pub order: f64,
    /// Its share of lost messages differs.
    pub lost: f64,
    /// It does not complete on the clock that the capture shows.
    pub clock: f64,
    /// Its latencies and those of the capture stand on different lattices.
    pub lattice: f64,
}

impl From<&matching::Evidence> for Misfit {
    fn from(found: &matching::Evidence) -> Self {
        let [place, variation, order, lost, clock, lattice] = found.parts().map(|(_, share)| share);
        Self { place, variation, order, lost, clock, lattice }
    }
}

/// One link profile compared with a capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "MatchCandidate")]
pub struct Candidate {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<usize>,
    /// Kolmogorov-Smirnov distance of the distributions.
    pub ks: f64,
    /// Distance that chance exceeds once in 20 times, for sets as large as these.
    pub ks_chance: f64,
    /// Least share e such that all but e of the latencies agree within a factor of 1 + e.
    pub distance: f64,
    /// Kolmogorov-Smirnov distance after the bench is shifted onto the capture.
    pub shape: f64,
    /// Whether the profile explains the capture.
    pub explains: bool,
    /// The same in a sentence, with the largest misfit.
    pub verdict: String,
    /// The largest misfit in words.
    pub contradiction: String,
    /// The distances in words.
    pub agreement: String,
    /// The fitted values in words.
    pub fitting: String,
    /// Misfit of the profile.
    pub evidence: Misfit,
    /// Largest total misfit of a profile that explains a capture.
    pub tolerance: f64,
    /// Error of each quantile.
    pub quantile_error: QuantileErrors,
    /// Number of values that the capture leaves open.
    pub free: usize,
    /// Values of these that explain something.
    pub fitted: Vec<Fitted>,
    /// Outcome of the captured triggers that were used.
    pub captured: matching::Fate,
    /// Outcome of the same triggers on the bench.
    #[serde(rename = "virtual")]
    pub bench: matching::Fate,
    /// Constants that differ from the profile.
    pub settings: BTreeMap<String, Setting>,
    /// Total misfit, and the cost of freedom; null outside a ranking.
    pub score: Option<f64>,
    /// Least and largest payload that explain the capture about as well, bytes: posterior odds against
    /// any other are 20 to 1 or more. Of the first candidate of a ranking where the payload was not
    /// known; else null.
    pub size_interval: Option<[usize; 2]>,
}

impl Candidate {
    fn of(found: &matching::Match, size: Option<usize>) -> Self {
        let fitted = |one: &matching::Fitted| Fitted {
            name: one.name,
            value: (&one.value).into(),
            unit: one.unit,
        };
        Self {
            link: found.profile.name.clone(),
            size,
            ks: found.ks,
            ks_chance: found.ks_chance,
            distance: found.distance,
            shape: found.shape,
            explains: found.explains(),
            verdict: found.verdict().to_string(),
            contradiction: found.contradiction().to_string(),
            agreement: agreement(found),
            fitting: fitting(found),
            evidence: Misfit::from(&found.evidence),
            tolerance: TOLERANCE,
            quantile_error: QuantileErrors::from(&found.quantile_error),
            free: found.free,
            fitted: found.fitted.iter().map(fitted).collect(),
            captured: found.captured,
            bench: found.bench,
            settings: BTreeMap::new(),
            score: None,
            size_interval: None,
        }
    }

    fn ranked(found: &matching::Candidate) -> Self {
        let settings = found.settings.iter().map(|(name, set)| ((*name).to_owned(), set.into()));
        Self {
            explains: found.explains(),
            verdict: found.verdict().to_string(),
            settings: settings.collect(),
            score: Some(found.score),
            size_interval: found.sizes.map(|sizes| [sizes.least, sizes.most]),
            ..Self::of(&found.matched, found.size)
        }
    }
}

fn agreement(found: &matching::Match) -> String {
    let (ks, chance) = (found.ks, found.ks_chance);
    let away = format!("{} %", general(100.0 * found.distance, 2));
    format!(
        "KS {ks:.3} (chance: up to {chance:.3}) · all but {away} of the transfers agree within {away}"
    )
}

fn fitting(found: &matching::Match) -> String {
    let free = match found.free {
        0 => return "no free values to fit".to_owned(),
        1 => "1 free value".to_owned(),
        many => format!("{many} free values"),
    };
    let value = |one: &matching::Fitted| {
        format!("{} {} {}", one.name, Setting::from(&one.value), one.unit).trim_end().to_owned()
    };
    let values: Vec<String> = found.fitted.iter().map(value).collect();
    match values.len() {
        0 => format!("fitted none of {free}"),
        many => format!("fitted {many} of {free}: {}", values.join(", ")),
    }
}

/// A parameter over the values that a user could have chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TriedSetting")]
pub struct Tried {
    /// The parameter, and its best value.
    #[serde(flatten)]
    pub best: Fitted,
    /// Value of the profile.
    pub own: Setting,
    /// Distance of the bench from the capture with the best value.
    pub distance: f64,
    /// The same with the value of the profile.
    pub own_distance: f64,
    /// The same with the next best value.
    pub next_distance: f64,
    /// The same in words.
    pub text: String,
}

impl From<&matching::Tried> for Tried {
    fn from(found: &matching::Tried) -> Self {
        let best = Fitted { name: found.name, value: (&found.best).into(), unit: found.unit };
        let own = Setting::from(&found.own);
        let unit = if found.unit == found.name { "" } else { found.unit };
        let value =
            format!("fits best: {} {} {unit}", found.name, best.value).trim_end().to_owned();
        let [distance, own_distance, next_distance] =
            [found.distance, found.own_distance, found.next_distance].map(|one| general(one, 2));
        let text = if best.value == own {
            format!("{value} (next best {next_distance} away)")
        } else {
            format!(
                "{value} ({distance} away), not {own} as the profile has it ({own_distance} away)"
            )
        };
        Self {
            best,
            own,
            distance: found.distance,
            own_distance: found.own_distance,
            next_distance: found.next_distance,
            text,
        }
    }
}

/// All link profiles compared with a capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ranking {
    /// Candidates that were examined, the nearest first.
    pub ranking: Vec<Candidate>,
    /// Number of profiles and sizes that cannot produce this latency.
    pub impossible: usize,
    /// Number of those that can, but have a different spread, whatever is fitted.
    pub unlike: usize,
    /// Confidence in the first candidate; null where no profile explains the capture.
    pub certainty: Option<Certainty>,
    /// Probability that the first candidate is of the right kind.
    pub odds: Option<f64>,
    /// The nearest profile of another kind than the first.
    pub next: Option<String>,
    /// Settings of the nearest profile that make a difference.
    pub tried: Vec<Tried>,
    /// Why no profile explains the capture; null when one does.
    pub reason: Option<String>,
}

/// The outcome of a ranking.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Ranked {
    /// The first profile explains the capture.
    Explained(Box<Explained>),
    /// No profile explains the capture.
    Unexplained(Unexplained),
}

/// A ranking whose first profile explains the capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The first profile.
    #[serde(flatten)]
    pub best: Candidate,
    /// The ranking.
    #[serde(flatten)]
    pub ranking: Ranking,
}

/// A ranking of which no profile explains the capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Unexplained {
    /// No profile.
    pub link: (),
    /// No profile.
    pub ks: (),
    /// No profile.
    pub quantile_error: (),
    /// No profile.
    pub fitted: (),
    /// No profile.
    pub evidence: (),
    /// The ranking.
    #[serde(flatten)]
    pub ranking: Ranking,
}

fn options(seed: u64, count: usize, pairing: PairOptions, settings: &Settings) -> Options {
    let fixed = settings.keys().cloned().collect();
    Options { seed, triggers: count, pairing, fixed, ..Options::default() }
}

/// Percent of the work that is done.
fn percent(progress: Progress<'_>) -> impl Fn(f64) + Sync {
    move |share| progress((100.0 * share).clamp(0.0, 100.0) as u64, 100)
}

/// Compares a capture with one link profile. The evidence is the run of the bench. Progress is in
/// percent.
///
/// # Errors
///
/// Those of [`hold`](matching::hold), and a profile or a setting that does not exist.
pub fn answer(
    question: &Question,
    captured: &Transfers,
    progress: Progress<'_>,
) -> Result<Answered<Candidate>, Error> {
    let &Question { ref link, size, count, seed, ref settings, min_low_ns, overlap_ns } = question;
    let Bound { profile, .. } = Bound::of(link, settings)?;
    let bytes = profile.bytes(size)?;
    let pairing = PairOptions { min_low_ns, overlap_ns };
    let options = options(seed, count, pairing, settings);
    let found = hold_told(&profile, bytes, captured, &options, &percent(progress))?;
    let given = settings.iter().map(|(name, text)| (name.clone(), Setting::Choice(text.clone())));
    let answer = Candidate { settings: given.collect(), ..Candidate::of(&found, size) };
    let trace = found.run.trace;
    let transfers = Some(pair(&trace, pairing));
    let evidence = Evidence { transfers, trace: Some(trace), ..Evidence::default() };
    Ok(Answered { answer, evidence: vec![evidence] })
}

/// Compares a capture with several link profiles. Progress is in percent.
///
/// # Errors
///
/// Those of [`rank`](matching::rank()), and a profile that does not exist.
pub fn rank(
    question: &RankQuestion,
    captured: &Transfers,
    progress: Progress<'_>,
) -> Result<Answered<Ranked>, Error> {
    let &RankQuestion { ref links, size, count, seed, min_low_ns, overlap_ns } = question;
    let profiles: Result<Vec<Profile>, _> = links.iter().map(|name| registry::find(name)).collect();
    let pairing = PairOptions { min_low_ns, overlap_ns };
    let options = options(seed, count, pairing, &BTreeMap::new());
    let found = rank_told(&profiles?, size, captured, &options, &percent(progress))?;
    let ranking = Ranking {
        ranking: found.candidates.iter().map(Candidate::ranked).collect(),
        impossible: found.impossible,
        unlike: found.unlike,
        certainty: found.certainty(),
        odds: found.odds(),
        next: found.next_kind().map(|next| next.matched.profile.name.clone()),
        tried: found.tried.iter().map(Tried::from).collect(),
        reason: found.reason().map(|why| why.to_string()),
    };
    Ok(Answered::plain(match found.best() {
        Some(best) => {
            Ranked::Explained(Box::new(Explained { best: Candidate::ranked(best), ranking }))
        }
        None => Ranked::Unexplained(Unexplained {
            link: (),
            ks: (),
            quantile_error: (),
            fitted: (),
            evidence: (),
            ranking,
        }),
    }))
}
