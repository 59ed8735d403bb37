//! What a ranking comes to: which link it was, how sure that is, and else why it was none.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::matching::evidence::Part;
use crate::matching::rank::{Candidate, Ranking};
use crate::matching::{Match, QuantileError, TOLERANCE, ks_chance};

/// Confidence in an answer: how many of such answers are of the right kind, on captures of radios and
/// firmwares that its odds were not found on (`docs/matching.md` has the table).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// At least 19 of 20.
    Clear,
    /// At least four of five.
    Likely,
    /// Fewer.
    Ambiguous,
}

/// Odds from which an answer is clear, and from which it is likely.
const SURE: (f64, f64) = (0.95, 0.8);

/// Log odds that an answer is of the right kind: in any case, for each unit of its score, and for each
/// unit that the nearest of another kind is behind. Logistic regression on the captures at hand (the example
/// `calibration`).
pub(super) const LOG_ODDS: [f64; 3] = [2.71, -13.03, 2.66];

/// What the nearest of another kind scores where none was looked at.
const FAR: f64 = 1.0;

impl Certainty {
    fn of(odds: f64) -> Self {
        match odds {
            _ if odds >= SURE.0 => Self::Clear,
            _ if odds >= SURE.1 => Self::Likely,
            _ => Self::Ambiguous,
        }
    }
}

/// How likely an answer is of the right kind that scores `best`, where `next` is the nearest of another kind.
fn odds(best: f64, next: Option<f64>) -> f64 {
    let features = [1.0, best, next.unwrap_or(FAR) - best];
    let log: f64 = LOG_ODDS.iter().zip(features).map(|(weight, one)| weight * one).sum();
    1.0 / (1.0 + (-log).exp())
}

/// What speaks most against a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// What it is.
    pub part: Part,
    /// How much later the median of the bench is, as a share of the captured.
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
            Part::Order => f.write_str("its consecutive latencies are related in another way"),
            Part::Lost => f.write_str("its share of lost messages differs"),
            Part::Clock => f.write_str("it does not complete on the clock that the capture shows"),
            Part::Lattice => {
                f.write_str("its latencies and those of the capture lie on different lattices")
            }
        }
    }
}

/// Two digits of a share, no digit left of the point lost.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let above = if percent > 0.0 { percent.log10().floor() } else { 0.0 };
    format!("{percent:.*} %", (1.0 - above).clamp(0.0, 9.0) as usize)
}

/// So few transfers that chance alone moves two sets of them further apart than a link may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Few {
    /// How many arrived in the capture.
    pub transfers: usize,
    /// What the distance of Kolmogorov and Smirnov of two sets of so many exceeds once in 20 times.
    pub by_chance: f64,
}

impl Few {
    /// Of a capture in which so many transfers arrived; nothing where they are enough.
    fn of(transfers: usize) -> Option<Self> {
        let by_chance = ks_chance(transfers, transfers).min(1.0);
        (by_chance > TOLERANCE).then_some(Self { transfers, by_chance })
    }

    /// How many would be enough.
    #[must_use]
    pub fn enough() -> usize {
        (1..).find(|&many| ks_chance(many, many) <= TOLERANCE).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transfers, by_chance } = self;
        let prove = if *transfers == 1 { "transfer proves" } else { "transfers prove" };
        let enough = Self::enough();
        write!(
            f,
            "{transfers} {prove} little either way: two sets of so many from one link are up to \
             {by_chance:.2} apart by chance; capture {enough} or more"
        )
    }
}

/// Whether one profile explains a capture, in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    link: String,
    explains: bool,
    against: f64,
    /// In a ranking, the misfit and the cost of freedom.
    score: Option<f64>,
    apart: Apart,
    contradiction: Contradiction,
    few: Option<Few>,
}

/// How far apart the distributions are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Apart {
    /// Not further than a match may be.
    Alike,
    /// Further, but by less than the profile is known to: all but this share within this share.
    Within(f64),
    /// Further: the distance of Kolmogorov and Smirnov, and what it is by chance.
    Unlike(f64, f64),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, against, score, contradiction, .. } = self;
        match (self.explains, self.apart) {
            (true, Apart::Within(share)) => {
                let share = percent(share);
                write!(f, "{link} agrees with it within {share}")?;
            }
            (true, _) => write!(f, "{link} explains it")?,
            (false, Apart::Unlike(ks, chance)) if *against <= TOLERANCE => {
                return write!(
                    f,
                    "{link} does not explain it: KS {ks:.2}, where chance gives up to {chance:.2}"
                );
            }
            (false, _) if *against <= TOLERANCE && score.is_some_and(|score| score > TOLERANCE) => {
                let score = score.unwrap_or_default();
                write!(
                    f,
                    "{link} does not explain it: misfit {against:.2}, with the cost of its freedom \
                     {score:.2} (limit {TOLERANCE:.2})"
                )?;
            }
            (false, _) => write!(f, "{link} does not explain it: {contradiction}")?,
        }
        if self.explains {
            write!(f, ": misfit {against:.2} (limit {TOLERANCE:.2})")?;
        }
        self.few.iter().try_for_each(|few| write!(f, "; {few}"))
    }
}

impl Match {
    /// Whether the profile explains the capture, in a sentence.
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

    /// What speaks most against the profile.
    #[must_use]
    pub fn contradiction(&self) -> Contradiction {
        let median = |error: &&QuantileError| error.p == 0.5;
        let later = self.quantile_error.iter().find(median).map_or(0.0, |one| one.relative());
        Contradiction { part: self.evidence.strongest(), later }
    }
}

/// Why no profile explains a capture.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// No profile can take as long.
    Impossible {
        /// How many profiles and sizes there are.
        looked: usize,
        /// Where the capture has few transfers.
        few: Option<Few>,
    },
    /// Too much speaks against the nearest.
    Contradicted {
        /// How many profiles and sizes there are.
        looked: usize,
        /// Name of the nearest.
        link: String,
        /// Payload it was run with, bytes; none where there is no message.
        size: Option<usize>,
        /// What speaks most against it.
        contradiction: Contradiction,
        /// Where the capture has so few transfers that a right one can be refused.
        few: Option<Few>,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible { looked, few } => {
                write!(f, "none of them: of {looked} profiles and sizes, none can take as long")?;
                few.iter().try_for_each(|few| write!(f, "; {few}"))
            }
            Self::Contradicted { looked, link, size, contradiction, few } => {
                write!(f, "none of them: of {looked} profiles and sizes, the nearest is {link}")?;
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
    /// Whether the profile explains the capture, in a sentence: its freedom has a cost here.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let score = Some(self.score);
        Verdict { explains: self.explains(), score, ..self.matched.verdict() }
    }
}

impl Ranking {
    /// The profile that explains the capture; none if none does.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|first| first.explains())
    }

    /// The nearest profile of another kind than the first; none if none was looked at.
    #[must_use]
    pub fn next_kind(&self) -> Option<&Candidate> {
        let first = self.candidates.first()?.matched.profile.kind;
        self.candidates.iter().find(|one| one.matched.profile.kind != first)
    }

    /// How likely the answer is right, from 0 to 1; none where no profile explains the capture.
    #[must_use]
    pub fn odds(&self) -> Option<f64> {
        Some(odds(self.best()?.score, self.next_kind().map(|one| one.score)))
    }

    /// How sure the answer is; none where no profile explains the capture.
    #[must_use]
    pub fn certainty(&self) -> Option<Certainty> {
        self.odds().map(Certainty::of)
    }

    /// Why no profile explains the capture; none if one does.
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
        let falling = scores.map(|score| odds(score, None));
        assert!(falling.is_sorted_by(|a, b| a > b), "{falling:?}");
        assert!(odds(0.1, Some(0.8)) > odds(0.1, Some(0.2)));
        let called = falling.map(Certainty::of);
        assert_eq!((called[0], called[4]), (Certainty::Clear, Certainty::Ambiguous));
    }

    #[test]
    fn a_median_elsewhere_says_how_far_and_in_which_direction() {
        let told = |later| Contradiction { part: Part::Place, later }.to_string();
        assert_eq!(told(0.0723), "its median is 7.2 % later");
        assert_eq!(told(-0.312), "its median is 31 % earlier");
        assert_eq!(told(1.5), "its median is 150 % later");
        assert_eq!(told(0.00051), "its median is 0.051 % later");
    }

    #[test]
    fn few_transfers_are_said_to_be_few_and_what_that_means() {
        assert_eq!(Few::of(Few::enough()), None);
        assert!(Few::of(Few::enough() - 1).is_some());
        // 1.358 sqrt(2 / 9) = 0.640 by Smirnov's table, and 2 (1.358 / 0.28)^2 = 47.04.
        let told = Few::of(9).map(|few| few.to_string()).unwrap_or_default();
        assert!(told.starts_with("9 transfers prove little either way"), "{told}");
        assert!(
            told.contains("up to 0.64 apart") && told.ends_with("capture 48 or more"),
            "{told}"
        );
        assert!(
            Few::of(1).is_some_and(|few| few.to_string().starts_with("1 transfer proves little"))
        );
    }

    #[test]
    fn a_verdict_is_a_sentence_either_way() {
        let told = |explains, against, apart, few| {
            let contradiction = Contradiction { part: Part::Place, later: 0.31 };
            let link = "sik-64k".to_owned();
            Verdict { link, explains, against, score: None, apart, contradiction, few }.to_string()
        };
        let explained = told(true, 0.05, Apart::Alike, None);
        assert_eq!(explained, "sik-64k explains it: misfit 0.05 (limit 0.28)");
        let refused = "sik-64k does not explain it: its median is 31 % later";
        assert_eq!(told(false, 0.4, Apart::Alike, None), refused);
        let few = told(false, 0.4, Apart::Alike, Few::of(9));
        assert!(few.starts_with(&format!("{refused}; 9 transfers")));
    }

    #[test]
    fn a_profile_that_pays_too_much_for_its_freedom_does_not_explain_a_capture() {
        let contradiction = Contradiction { part: Part::Place, later: 0.0 };
        let (link, apart, score) = ("wifi-udp-tuned".to_owned(), Apart::Alike, Some(0.31));
        let (explains, against, few) = (false, 0.2, None);
        let told = Verdict { link, explains, against, score, apart, contradiction, few };
        assert_eq!(
            told.to_string(),
            "wifi-udp-tuned does not explain it: misfit 0.20, with the cost of its freedom 0.31 \
             (limit 0.28)"
        );
    }

    #[test]
    fn no_verdict_says_explained_where_distributions_are_far_beyond_chance() {
        let told = |explains, apart| {
            let contradiction = Contradiction { part: Part::Place, later: 0.0 };
            let link = "uart".to_owned();
            let (against, score, few) = (0.05, None, None);
            Verdict { link, explains, against, score, apart, contradiction, few }.to_string()
        };
        // What hardly varies is known to half a percent, which moves one spike off another.
        let near = told(true, Apart::Within(0.0021));
        assert_eq!(near, "uart agrees with it within 0.21 %: misfit 0.05 (limit 0.28)");
        let far = told(false, Apart::Unlike(0.93, 0.06));
        assert_eq!(far, "uart does not explain it: KS 0.93, where chance gives up to 0.06");
    }

    #[test]
    fn a_reason_names_the_nearest_with_the_payload_it_has() {
        let told = |size| {
            let contradiction = Contradiction { part: Part::Lost, later: 0.0 };
            let link = "sik-64k".to_owned();
            Reason::Contradicted { looked: 9, link, size, contradiction, few: None }.to_string()
        };
        let none = "none of them: of 9 profiles and sizes, ";
        let but = ", but its share of lost messages differs";
        assert_eq!(told(Some(12)), format!("{none}the nearest is sik-64k at 12 B{but}"));
        assert_eq!(told(None), format!("{none}the nearest is sik-64k{but}"));
        let impossible = Reason::Impossible { looked: 9, few: None }.to_string();
        assert_eq!(impossible, format!("{none}none can take as long"));
    }
}
