//! Outcome of a ranking: the best profile with its confidence, or the reason why none explains the capture.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::matching::evidence::Part;
use crate::matching::rank::{Candidate, Ranking};
use crate::matching::shortlist::UNLIKE;
use crate::matching::{Match, QuantileError, TOLERANCE, ks_chance};
use airlag_rig::kind::Kind;

/// Confidence that an answer names the right kind of link, in three classes.
/// The confidence of a class is the share of its answers that name the right kind. The share was
/// measured on captures of radios and firmwares that were not used for calibration (table in
/// `docs/matching.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// At least 19 of 20.
    Clear,
    /// At least 4 of 5.
    Likely,
    /// Less than 4 of 5.
    Ambiguous,
}

impl Certainty {
    /// The confidence in words. The reference captures are too few for a percentage.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Clear => {
                "high confidence: nearly always the right kind of link on the reference captures"
            }
            Self::Likely => {
                "medium confidence: right in four of five such cases on the reference captures"
            }
            Self::Ambiguous => "low confidence: wrong in some such cases on the reference captures",
        }
    }
}

/// Smallest probability of a clear and of a likely answer.
const SURE: (f64, f64) = (0.95, 0.8);

/// Coefficients of the log-odds that an answer names the right kind: a constant, the coefficient of the
/// answer's score, and the coefficient of the difference between this score and the score of the
/// nearest profile of another kind. The values come from a logistic regression on the reference
/// captures (example `calibration`).
pub(super) const LOG_ODDS: [f64; 3] = [2.46, -12.05, 9.22];

/// Score assumed for the nearest profile of another kind if none was examined. Nothing larger is known: a
/// profile is examined if its misfit is within [`UNLIKE`] of the most likely profile.
const FAR: f64 = UNLIKE;

impl Certainty {
    fn of(odds: f64) -> Self {
        match odds {
            _ if odds >= SURE.0 => Self::Clear,
            _ if odds >= SURE.1 => Self::Likely,
            _ => Self::Ambiguous,
        }
    }
}

/// Probability that an answer with score `best` is of the right kind. `next` is the score of the nearest
/// profile of another kind.
fn odds(best: f64, next: f64) -> f64 {
    let features = [1.0, best, next - best];
    let log: f64 = LOG_ODDS.iter().zip(features).map(|(weight, one)| weight * one).sum();
    1.0 / (1.0 + libm::exp(-log))
}

/// Largest component of the misfit of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// Component.
    pub part: Part,
    /// Difference of the medians as a share of the captured median. Positive if the bench is later.
    pub later: f64,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Place => {
                let way = if self.later > 0.0 { "later" } else { "earlier" };
                write!(f, "its median is {} {way}", percent(self.later.abs()))
            }
            Part::Variation => f.write_str("its latencies have a different spread"),
            Part::Order => f.write_str("its consecutive latencies are correlated differently"),
            Part::Lost => f.write_str("its share of lost messages differs"),
            Part::Clock => {
                f.write_str("its completions do not follow the clock found in the capture")
            }
            Part::Lattice => {
                f.write_str("its latencies and those of the capture lie on different lattices")
            }
        }
    }
}

/// Formats a share in percent with two significant digits, but never without the digits before the
/// decimal point.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let above = if percent > 0.0 { libm::log10(percent).floor() } else { 0.0 };
    format!("{percent:.*} %", (1.0 - above).clamp(0.0, 9.0) as usize)
}

/// Too few transfers: two samples of this size can differ by more than the limit by chance alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Few {
    /// Delivered transfers in the capture.
    pub transfers: usize,
    /// 95 % point of the Kolmogorov–Smirnov distance for two samples of this size.
    pub by_chance: f64,
}

impl Few {
    /// Returns `None` if there are enough transfers.
    fn of(transfers: usize) -> Option<Self> {
        let by_chance = ks_chance(transfers, transfers).min(1.0);
        (by_chance > TOLERANCE).then_some(Self { transfers, by_chance })
    }

    /// Returns the smallest number of transfers that is not too few.
    #[must_use]
    pub fn enough() -> usize {
        (1..).find(|&many| ks_chance(many, many) <= TOLERANCE).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transfers, by_chance } = self;
        let are = if *transfers == 1 { "transfer is" } else { "transfers are" };
        let enough = Self::enough();
        write!(
            f,
            "{transfers} {are} too few for a verdict: two samples of this size from the same link have \
             a KS distance of up to {by_chance:.2} by chance; capture {enough} or more"
        )
    }
}

/// States in a sentence whether one profile explains a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    link: String,
    explains: bool,
    against: f64,
    /// Misfit plus the cost of free parameters. Only in a ranking.
    score: Option<f64>,
    apart: Apart,
    contradiction: Contradiction,
    few: Option<Few>,
}

/// Distance of the distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Apart {
    /// Within the limit of a match.
    Alike,
    /// Beyond the limit, but within the known accuracy of the profile: all but this share agree within this
    /// share.
    Within(f64),
    /// Beyond the limit and the accuracy of the profile. Kolmogorov–Smirnov distance, and its 95 %
    /// point by chance.
    Unlike(f64, f64),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, against, score, contradiction, .. } = self;
        match (self.explains, self.apart) {
            (true, Apart::Within(share)) => {
                let share = percent(share);
                write!(f, "{link} agrees with the capture within {share}")?;
            }
            (true, _) => write!(f, "{link} explains the capture")?,
            (false, Apart::Unlike(ks, chance)) if *against <= TOLERANCE => {
                return write!(
                    f,
                    "{link} does not explain the capture: KS {ks:.2} (by chance: up to {chance:.2})"
                );
            }
            (false, _) if *against <= TOLERANCE && score.is_some_and(|score| score > TOLERANCE) => {
                let score = score.unwrap_or_default();
                write!(
                    f,
                    "{link} does not explain the capture: misfit {against:.2}, or {score:.2} with the cost of \
             free parameters (limit {TOLERANCE:.2})"
                )?;
            }
            (false, _) => write!(f, "{link} does not explain the capture: {contradiction}")?,
        }
        if self.explains {
            write!(f, ": misfit {against:.2} (limit {TOLERANCE:.2})")?;
        }
        self.few.iter().try_for_each(|few| write!(f, "; {few}"))
    }
}

impl Match {
    /// States in a sentence whether the profile explains the capture.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict {
            link: self.profile.name.clone(),
            explains: self.explains(),
            against: self.evidence.sum(),
            score: None,
            apart: match (self.is_alike(), self.allows(self.ks)) {
                (true, true) => Apart::Alike,
                (true, false) => Apart::Within(self.distance),
                (false, _) => Apart::Unlike(self.resolved, self.ks_chance),
            },
            contradiction: self.contradiction(),
            few: Few::of(self.captured.delivered),
        }
    }

    /// Largest component of the misfit.
    #[must_use]
    pub fn contradiction(&self) -> Contradiction {
        let median = |error: &&QuantileError| error.p == 0.5;
        let later = self.quantile_error.iter().find(median).map_or(0.0, |one| one.relative());
        Contradiction { part: self.evidence.strongest(), later }
    }
}

/// Reason why no profile explains a capture.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// No profile can produce this latency.
    Impossible {
        /// Number of combinations of profile and payload.
        looked: usize,
        /// Present if the capture has few transfers.
        few: Option<Few>,
    },
    /// The misfit of the nearest profile is too large.
    Contradicted {
        /// Number of combinations of profile and payload.
        looked: usize,
        /// Name of the nearest profile.
        link: String,
        /// Payload of the nearest profile, bytes. `None` without a message.
        size: Option<usize>,
        /// Largest component of its misfit.
        contradiction: Contradiction,
        /// Present if the capture has so few transfers that the right profile can be rejected.
        few: Option<Few>,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible { looked, few } => {
                write!(f, "none of {looked} profiles and sizes can produce this latency")?;
                few.iter().try_for_each(|few| write!(f, "; {few}"))
            }
            Self::Contradicted { looked, link, size, contradiction, few } => {
                write!(
                    f,
                    "none of {looked} profiles and sizes explains the capture; the nearest is {link}"
                )?;
                if let Some(size) = size {
                    write!(f, " at {size} B")?;
                }
                write!(f, ", but {contradiction}")?;
                few.iter().try_for_each(|few| write!(f, "; {few}"))
            }
        }
    }
}

impl Candidate {
    /// States in a sentence whether the profile explains the capture, including the cost of free
    /// parameters.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let score = Some(self.score);
        Verdict { explains: self.explains(), score, ..self.matched.verdict() }
    }
}

impl Ranking {
    /// Returns the first profile that explains the capture. Returns `None` if there is none.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|first| first.explains())
    }

    /// Returns the nearest profile of another kind than the first. Returns `None` if none was
    /// examined.
    ///
    /// Kinds that are compatible on the air count as one. They are the same link in different
    /// chips, so a small difference between their latencies casts no doubt on the link.
    #[must_use]
    pub fn next_kind(&self) -> Option<&Candidate> {
        let first = self.candidates.first()?.matched.profile.kind;
        let is_other = |kind: Kind| kind != first && !kind.interoperates(first);
        self.candidates.iter().find(|one| is_other(one.matched.profile.kind))
    }

    /// Returns the score of the nearest profile of another kind than the first, or the smallest score of a
    /// profile that was not examined.
    #[must_use]
    pub fn next_score(&self) -> f64 {
        self.next_kind().map_or(FAR, |next| next.score)
    }

    /// Returns the probability from 0 to 1 that the answer is right. Returns `None` if no profile explains
    /// the capture.
    #[must_use]
    pub fn odds(&self) -> Option<f64> {
        Some(odds(self.best()?.score, self.next_score()))
    }

    /// Confidence in the answer. Returns `None` if no profile explains the capture.
    #[must_use]
    pub fn certainty(&self) -> Option<Certainty> {
        self.odds().map(Certainty::of)
    }

    /// Reason why no profile explains the capture. Returns `None` if one does.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        if self.best().is_some() {
            return None;
        }
        let looked = self.candidates.len() + self.impossible + self.unlike;
        let few = Few::of(self.arrived);
        Some(match self.candidates.first() {
            None => Reason::Impossible { looked, few },
            Some(nearest) => Reason::Contradicted {
                looked,
                link: nearest.matched.profile.name.clone(),
                size: nearest.size,
                contradiction: nearest.matched.contradiction(),
                few,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_surer_the_less_speaks_against_it_and_the_further_the_next_is_behind() {
        let scores = [0.0, 0.05, 0.1, 0.2, TOLERANCE];
        let falling = scores.map(|score| odds(score, FAR));
        assert!(falling.is_sorted_by(|a, b| a > b), "{falling:?}");
        assert!(odds(0.1, 0.8) > odds(0.1, 0.2));
        let called = falling.map(Certainty::of);
        assert_eq!((called[0], called[4]), (Certainty::Clear, Certainty::Ambiguous));
    }

    #[test]
    fn a_median_elsewhere_says_how_far_and_in_which_direction() {
        let sentence = |later| Contradiction { part: Part::Place, later }.to_string();
        assert_eq!(sentence(0.0723), "its median is 7.2 % later");
        assert_eq!(sentence(-0.312), "its median is 31 % earlier");
        assert_eq!(sentence(1.5), "its median is 150 % later");
        assert_eq!(sentence(0.00051), "its median is 0.051 % later");
    }

    #[test]
    fn few_transfers_are_said_to_be_few_and_what_that_means() {
        assert_eq!(Few::of(Few::enough()), None);
        assert!(Few::of(Few::enough() - 1).is_some());
        // 1.358 sqrt(2 / 9) = 0.640 by Smirnov's table, and 2 (1.358 / 0.28)^2 = 47.04.
        let sentence = Few::of(9).map(|few| few.to_string()).unwrap_or_default();
        assert!(sentence.starts_with("9 transfers are too few for a verdict"), "{sentence}");
        assert!(
            sentence.contains("distance of up to 0.64 by chance")
                && sentence.ends_with("capture 48 or more"),
            "{sentence}"
        );
        assert!(Few::of(1).is_some_and(|few| few.to_string().starts_with("1 transfer is too few")));
    }

    #[test]
    fn a_verdict_is_a_sentence_either_way() {
        let sentence = |explains, against, apart, few| {
            let contradiction = Contradiction { part: Part::Place, later: 0.31 };
            let link = "sik-64k".to_owned();
            Verdict { link, explains, against, score: None, apart, contradiction, few }.to_string()
        };
        let explained = sentence(true, 0.05, Apart::Alike, None);
        assert_eq!(explained, "sik-64k explains the capture: misfit 0.05 (limit 0.28)");
        let refused = "sik-64k does not explain the capture: its median is 31 % later";
        assert_eq!(sentence(false, 0.4, Apart::Alike, None), refused);
        let few = sentence(false, 0.4, Apart::Alike, Few::of(9));
        assert!(few.starts_with(&format!("{refused}; 9 transfers")));
    }

    #[test]
    fn a_profile_that_pays_too_much_for_its_freedom_does_not_explain_a_capture() {
        let contradiction = Contradiction { part: Part::Place, later: 0.0 };
        let (link, apart, score) = ("wifi-udp-tuned".to_owned(), Apart::Alike, Some(0.31));
        let (explains, against, few) = (false, 0.2, None);
        let sentence = Verdict { link, explains, against, score, apart, contradiction, few };
        assert_eq!(
            sentence.to_string(),
            "wifi-udp-tuned does not explain the capture: misfit 0.20, or 0.31 with the cost of free parameters \
         (limit 0.28)"
        );
    }

    #[test]
    fn no_verdict_says_explained_where_distributions_are_far_beyond_chance() {
        let sentence = |explains, apart| {
            let contradiction = Contradiction { part: Part::Place, later: 0.0 };
            let link = "uart".to_owned();
            let (against, score, few) = (0.05, None, None);
            Verdict { link, explains, against, score, apart, contradiction, few }.to_string()
        };
        // The latency of a link with hardly any variation is known to half a percent.
        let near = sentence(true, Apart::Within(0.0021));
        assert_eq!(near, "uart agrees with the capture within 0.21 %: misfit 0.05 (limit 0.28)");
        let far = sentence(false, Apart::Unlike(0.93, 0.06));
        assert_eq!(far, "uart does not explain the capture: KS 0.93 (by chance: up to 0.06)");
    }

    #[test]
    fn a_reason_names_the_nearest_with_the_payload_it_has() {
        let sentence = |size| {
            let contradiction = Contradiction { part: Part::Lost, later: 0.0 };
            let link = "sik-64k".to_owned();
            Reason::Contradicted { looked: 9, link, size, contradiction, few: None }.to_string()
        };
        let none = "none of 9 profiles and sizes ";
        let but = ", but its share of lost messages differs";
        assert_eq!(
            sentence(Some(12)),
            format!("{none}explains the capture; the nearest is sik-64k at 12 B{but}")
        );
        assert_eq!(
            sentence(None),
            format!("{none}explains the capture; the nearest is sik-64k{but}")
        );
        let impossible = Reason::Impossible { looked: 9, few: None }.to_string();
        assert_eq!(impossible, format!("{none}can produce this latency"));
    }
}
