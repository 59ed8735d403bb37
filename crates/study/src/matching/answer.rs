//! What a ranking comes to: which link it was, how sure that is, and else why it was none.

use std::fmt;

use crate::matching::evidence::Part;
use crate::matching::rank::{Candidate, Ranking};
use crate::matching::{Match, QuantileError};

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// No profile of another kind explains the capture.
    Clear,
    /// One does, but [`SURER`] times as much speaks against it.
    Likely,
    /// One does nearly as well.
    Ambiguous,
}

/// How much more has to speak against another kind of link for an answer to be likely.
pub const SURER: f64 = 2.0;

impl Certainty {
    /// The name other tools rely on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Likely => "likely",
            Self::Ambiguous => "ambiguous",
        }
    }

    /// Of what scores `best`, where `next` is the nearest of another kind that explains the
    /// capture too.
    fn of(best: f64, next: Option<f64>) -> Self {
        match next {
            None => Self::Clear,
            Some(next) if next > best && next >= SURER * best => Self::Likely,
            Some(_) => Self::Ambiguous,
        }
    }
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
            Part::Variation => f.write_str("its latencies are spread otherwise, wherever they lie"),
            Part::Order => f.write_str("one latency does not follow another as in the capture"),
            Part::Lost => f.write_str("it loses another share"),
            Part::Clock => {
                f.write_str("it does not complete on the clock of its own that the capture shows")
            }
            Part::Lattice => {
                f.write_str("its latencies stand on a lattice that the capture does not show")
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

impl Match {
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
    /// None of so many profiles and sizes can take as long.
    Impossible(usize),
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
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible(looked) => {
                write!(f, "none of them: of {looked} profiles and sizes, none can take as long")
            }
            Self::Contradicted { looked, link, size, contradiction } => {
                write!(f, "none of them: of {looked} profiles and sizes, the nearest is {link}")?;
                if let Some(size) = size {
                    write!(f, " at {size} B")?;
                }
                write!(f, ", but {contradiction}")
            }
        }
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

    /// How sure the answer is; none where no profile explains the capture.
    #[must_use]
    pub fn certainty(&self) -> Option<Certainty> {
        let next = self.next_kind().filter(|one| one.explains());
        Some(Certainty::of(self.best()?.score, next.map(|one| one.score)))
    }

    /// Why no profile explains the capture; none if one does.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        if self.best().is_some() {
            return None;
        }
        let looked = self.candidates.len() + self.impossible + self.unlike;
        Some(self.candidates.first().map_or(Reason::Impossible(looked), |nearest| {
            Reason::Contradicted {
                looked,
                link: nearest.matched.profile.name.clone(),
                size: nearest.size,
                contradiction: nearest.matched.contradiction(),
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_sure_as_far_as_no_other_kind_explains_it_as_well() {
        assert_eq!(Certainty::of(0.1, None), Certainty::Clear);
        assert_eq!(Certainty::of(0.1, Some(0.2)), Certainty::Likely);
        assert_eq!(Certainty::of(0.1, Some(0.19)), Certainty::Ambiguous);
        // Twice nothing is nothing: two against which nothing speaks are alike.
        assert_eq!(Certainty::of(0.0, Some(0.0)), Certainty::Ambiguous);
        assert_eq!(Certainty::of(0.0, Some(0.1)), Certainty::Likely);
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
    fn a_reason_names_the_nearest_with_the_payload_it_has() {
        let told = |size| {
            let contradiction = Contradiction { part: Part::Lost, later: 0.0 };
            let link = "sik-64k".to_owned();
            Reason::Contradicted { looked: 9, link, size, contradiction }.to_string()
        };
        let none = "none of them: of 9 profiles and sizes, ";
        let but = ", but it loses another share";
        assert_eq!(told(Some(12)), format!("{none}the nearest is sik-64k at 12 B{but}"));
        assert_eq!(told(None), format!("{none}the nearest is sik-64k{but}"));
        assert_eq!(Reason::Impossible(9).to_string(), format!("{none}none can take as long"));
    }
}
