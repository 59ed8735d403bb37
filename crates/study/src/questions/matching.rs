//! Matching a capture with link profiles: the questions, and their answers as printed by `--json`.

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
use crate::matching::{
    self, Certainty, Options, TOLERANCE, hold_with_progress, rank_with_progress,
};
use crate::quantity::general;
use crate::question::{Answered, Evidence, Progress};

/// A capture compared with one link profile.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MatchQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    #[serde(default)]
    pub size: Option<usize>,
    /// Largest number of triggers of the capture to use.
    #[serde(default = "count")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`. Changed parameters
    /// are not fitted.
    #[serde(default)]
    pub settings: Settings,
    /// Shortest low time of the trigger channel before a trigger, ns.
    #[serde(default = "min_low")]
    pub min_low_ns: i64,
    /// Longest time from a trigger to its completion, ns. Further triggers may come in between.
    /// Null means that the completion must come before the next trigger.
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
    /// Payload, bytes. Null means any payload that can produce the captured latency.
    #[serde(default)]
    pub size: Option<usize>,
    /// Largest number of triggers of the capture to use.
    #[serde(default = "count_of_ranking")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Shortest low time of the trigger channel before a trigger, ns.
    #[serde(default = "min_low")]
    pub min_low_ns: i64,
    /// Longest time from a trigger to its completion, ns. Further triggers may come in between.
    /// Null means that the completion must come before the next trigger.
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

/// A fitted parameter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fitted {
    /// Name of the parameter.
    pub name: &'static str,
    /// Value that fits best.
    pub value: Setting,
    /// Unit. Empty for a plain number.
    pub unit: &'static str,
}

/// A latency quantile in the capture and on the bench.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QuantileError {
    /// Quantile of the capture, ns.
    pub captured_ns: f64,
    /// Quantile of the bench, ns.
    pub virtual_ns: f64,
    /// Bench minus capture, ns.
    pub error_ns: f64,
    /// Bench minus capture, as a share of the captured quantile.
    pub error: f64,
}

/// Error of each latency quantile.
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

/// Misfit of a profile by component, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "MatchEvidence")]
pub struct Misfit {
    /// Misfit of the median latency.
    pub place: f64,
    /// Misfit of the spread of the latencies.
    pub variation: f64,
    /// Misfit of the correlation between consecutive latencies.
    pub order: f64,
    /// Misfit of the loss ratio.
    pub lost: f64,
    /// Misfit of the share of completions that follow the clock found in the capture.
    pub clock: f64,
    /// Misfit of the lattice: the common step of which all latencies are multiples.
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
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<usize>,
    /// Kolmogorov–Smirnov distance between the latency distributions of capture and bench, 0 to 1.
    pub ks: f64,
    /// Largest `ks` to expect by chance: two samples of this size from one distribution exceed it with a
    /// probability of 5 %.
    pub ks_chance: f64,
    /// Difference between the latencies of capture and bench: 0.012 means that 98.8 % of the latencies agree
    /// within 1.2 %.
    pub distance: f64,
    /// Kolmogorov–Smirnov distance after the bench latencies are shifted onto those of the capture. It
    /// compares only the shapes of the distributions.
    pub shape: f64,
    /// Whether the profile explains the capture: the medians are close, the total misfit is at most
    /// `tolerance`, and `ks` is at most a fixed multiple of `ks_chance`.
    pub explains: bool,
    /// Verdict in a sentence, with the largest misfit.
    pub verdict: String,
    /// Component with the largest misfit, in words.
    pub contradiction: String,
    /// `ks`, `ks_chance` and `distance` in words.
    pub agreement: String,
    /// Number of free parameters, and the fitted values, in words.
    pub fitting: String,
    /// Misfit by component.
    pub evidence: Misfit,
    /// Largest total misfit with which a profile explains a capture.
    pub tolerance: f64,
    /// Difference between bench and capture at each latency quantile.
    pub quantile_error: QuantileErrors,
    /// Number of free parameters: quantities that the profile leaves open, such as clock phases.
    pub free: usize,
    /// Free parameters that were fitted because they improve the match.
    pub fitted: Vec<Fitted>,
    /// Outcomes in the capture of the triggers that were used.
    pub captured: matching::DeliveryCounts,
    /// Outcomes on the virtual bench of the same triggers.
    #[serde(rename = "virtual")]
    pub bench: matching::DeliveryCounts,
    /// Parameters that differ from the profile, by name.
    pub settings: BTreeMap<String, Setting>,
    /// Total misfit plus the cost of free parameters; less is better. Null outside a ranking.
    pub score: Option<f64>,
    /// Smallest and largest payload that explain the capture about as well as `size`, bytes. The posterior
    /// odds against any other payload are at least 20 to 1. Null, except for the best match of a ranking with
    /// an unknown payload.
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
    format!("KS {ks:.3} (by chance: up to {chance:.3}) · {}", within(found.distance))
}

/// The distance `e` of two distributions in words: all but a share `e` of the latencies agree within `e`.
fn within(distance: f64) -> String {
    let away = 100.0 * distance;
    // As many decimals as two significant digits of `away` have.
    let decimals = if away > 0.0 { (1.0 - libm::log10(away).floor()).clamp(0.0, 9.0) } else { 0.0 };
    format!(
        "{:.*} % of the latencies agree within {} %",
        decimals as usize,
        100.0 - away,
        general(away, 2)
    )
}

fn fitting(found: &matching::Match) -> String {
    let free = match found.free {
        0 => return "no free parameters to fit".to_owned(),
        1 => "1 free parameter".to_owned(),
        many => format!("{many} free parameters"),
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

/// Effect of one parameter on the match, over its plausible values.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TriedSetting")]
pub struct Tried {
    /// The parameter with its best-fit value.
    #[serde(flatten)]
    pub best: Fitted,
    /// Value in the profile.
    pub own: Setting,
    /// Distance between bench and capture with the value that fits best.
    pub distance: f64,
    /// Distance between bench and capture with the value in the profile.
    pub own_distance: f64,
    /// Distance between bench and capture with the second-best value.
    pub next_distance: f64,
    /// The comparison in words.
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
            format!("{value} (next best: distance {next_distance})")
        } else {
            format!("{value} (distance {distance}); profile: {own} (distance {own_distance})")
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

/// Comparison of all link profiles with a capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ranking {
    /// Compared combinations of profile and payload, best match first. Combinations that were compared with
    /// only the first triggers of the capture come last.
    pub ranking: Vec<Candidate>,
    /// Number of combinations of profile and payload that cannot produce the latencies of the capture.
    pub impossible: usize,
    /// Number of combinations of profile and payload that can produce the latencies of the capture, but whose
    /// latencies have a different spread, whatever the values of the free parameters.
    pub unlike: usize,
    /// Confidence that the best match names the right kind of link. Null if no profile explains the capture.
    pub certainty: Option<Certainty>,
    /// `certainty` in words. Null if no profile explains the capture.
    pub certainty_text: Option<&'static str>,
    /// Probability that the best match names the right kind of link, 0 to 1. Null if no profile explains the
    /// capture.
    pub odds: Option<f64>,
    /// Nearest profile whose kind of link differs from that of the best match. Kinds that interoperate count
    /// as one. Null if there is none.
    pub next: Option<String>,
    /// Parameters of the best match that affect its distance, each with the value that fits best.
    pub tried: Vec<Tried>,
    /// Reason why no profile explains the capture. Null if one does.
    pub reason: Option<String>,
}

/// Outcome of a ranking.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Ranked {
    /// At least one profile explains the capture.
    Explained(Box<Explained>),
    /// No profile explains the capture.
    Unexplained(Unexplained),
}

/// A ranking whose best match explains the capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The best match.
    #[serde(flatten)]
    pub best: Candidate,
    /// The ranking itself.
    #[serde(flatten)]
    pub ranking: Ranking,
}

/// A ranking in which no profile explains the capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Unexplained {
    /// Always null.
    pub link: (),
    /// Always null.
    pub ks: (),
    /// Always null.
    pub quantile_error: (),
    /// Always null.
    pub fitted: (),
    /// Always null.
    pub evidence: (),
    /// The ranking itself.
    #[serde(flatten)]
    pub ranking: Ranking,
}

fn options(seed: u64, count: usize, pairing: PairOptions, settings: &Settings) -> Options {
    let fixed = settings.keys().cloned().collect();
    Options { seed, triggers: count, pairing, fixed, ..Options::default() }
}

/// Converts progress to percent of the work.
fn percent(progress: Progress<'_>) -> impl Fn(f64) + Sync {
    move |share| progress((100.0 * share).clamp(0.0, 100.0) as u64, 100)
}

/// Compares a capture with one link profile. The evidence is the run of the bench. Progress is in
/// percent.
///
/// # Errors
///
/// [`Error`] for an unknown profile or setting. The errors of [`hold`](matching::hold) are returned
/// too.
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
    let found = hold_with_progress(&profile, bytes, captured, &options, &percent(progress))?;
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
/// [`Error`] for an unknown profile. The errors of [`rank`](matching::rank()) are returned too.
pub fn rank(
    question: &RankQuestion,
    captured: &Transfers,
    progress: Progress<'_>,
) -> Result<Answered<Ranked>, Error> {
    let &RankQuestion { ref links, size, count, seed, min_low_ns, overlap_ns } = question;
    let profiles: Result<Vec<Profile>, _> = links.iter().map(|name| registry::find(name)).collect();
    let pairing = PairOptions { min_low_ns, overlap_ns };
    let options = options(seed, count, pairing, &BTreeMap::new());
    let found = rank_with_progress(&profiles?, size, captured, &options, &percent(progress))?;
    let ranking = Ranking {
        ranking: found.candidates.iter().map(Candidate::ranked).collect(),
        impossible: found.impossible,
        unlike: found.unlike,
        certainty: found.certainty(),
        certainty_text: found.certainty().map(Certainty::in_words),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agreeing_share_and_the_distance_add_up_to_all_latencies() {
        let known = [
            (0.0, "100 % of the latencies agree within 0 %"),
            (0.000_85, "99.915 % of the latencies agree within 0.085 %"),
            (0.012, "98.8 % of the latencies agree within 1.2 %"),
            (0.25, "75 % of the latencies agree within 25 %"),
        ];
        for (distance, text) in known {
            assert_eq!(within(distance), text);
        }
    }
}
