//! Origin and reliability of constants.

use serde::Deserialize;

use crate::error::Error;
use crate::parameter::Bound;
use crate::sources::{self, Document, Group};

/// Kind of source that a constant comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A standard.
    Standard,
    /// The manufacturer's documentation.
    Datasheet,
    /// The source code of the measured firmware, or its observed transmissions.
    Source,
    /// Fitted on one capture.
    Calibrated,
    /// Unknown; a plausible guess.
    Assumed,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Datasheet => "datasheet",
            Self::Source => "source",
            Self::Calibrated => "calibrated",
            Self::Assumed => "assumed",
        })
    }
}

/// A location in a document of `links/sources.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Key of the document.
    pub key: String,
    /// Location in it: clause, table, page, or file.
    pub at: String,
}

impl Citation {
    /// Looks up the document.
    pub fn document(&self) -> Result<(Group, &'static Document), Error> {
        sources::find(&self.key)
    }
}

impl std::fmt::Display for Citation {
    /// Title, edition and location.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.document() {
            Ok((_, document)) => write!(f, "{document}, {}", self.at),
            Err(_) => write!(f, "{}, {}", self.key, self.at),
        }
    }
}

/// Origin of a constant as given in a profile. The kind of source decides which fields are
/// required: see [`Origin::check`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Origin {
    /// Kind of source.
    pub source: Source,
    bound: Option<Bound>,
    citation: Option<Citation>,
    capture: Option<String>,
    note: Option<String>,
}

/// An origin as written in a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    source: Source,
    cite: Option<String>,
    at: Option<String>,
    capture: Option<String>,
    note: Option<String>,
    bound: Option<Bound>,
}

impl TryFrom<Written> for Origin {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { source, cite, at, capture, note, bound } = written;
        let citation = match (cite, at) {
            (None, None) => None,
            (Some(key), Some(at)) if !at.is_empty() => Some(Citation { key, at }),
            (Some(key), _) => {
                return Err(format!("`{key}` is cited, so `at` must give the location in it"));
            }
            (None, Some(at)) => {
                return Err(format!("`cite` must name the document that {at:?} is in"));
            }
        };
        let present = |text: Option<String>| text.filter(|text| !text.is_empty());
        let (capture, note) = (present(capture), present(note));
        Ok(Self { source, bound, citation, capture, note })
    }
}

impl Origin {
    /// Parses an origin from the rest of a table after its value has been taken out.
    pub(crate) fn rest(table: toml::Table) -> Result<Self, String> {
        table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
    }

    /// Creates the origin of a guess.
    #[must_use]
    pub fn assumed(reason: &str) -> Self {
        let (source, note) = (Source::Assumed, Some(reason.to_owned()));
        Self { source, bound: None, citation: None, capture: None, note }
    }

    /// Citation, if there is one.
    #[must_use]
    pub const fn citation(&self) -> Option<&Citation> {
        self.citation.as_ref()
    }

    /// Capture, by folder and name.
    #[must_use]
    pub fn capture(&self) -> Option<&str> {
        self.capture.as_deref()
    }

    /// Bounds of the constant. The note gives their source.
    #[must_use]
    pub const fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref()
    }

    /// Note: the reason, or a qualification.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Checks the required fields. An error contains what is missing or inconsistent.
    pub(crate) fn check(&self) -> Result<(), String> {
        let open = matches!(self.source, Source::Assumed | Source::Calibrated);
        if self.bound.is_some() && !open {
            return Err("`bound` applies to assumed or calibrated constants only".to_owned());
        }
        if self.bound.is_some() && self.note.is_none() {
            return Err("it has a `bound`, so `note` must give its source".to_owned());
        }
        let group = match &self.citation {
            Some(citation) => Some(citation.document().map_err(|error| error.to_string())?.0),
            None => None,
        };
        let (source, capture) = (self.source, self.capture.is_some());
        let missing = match (source, group) {
            (Source::Assumed, _) if self.note.is_none() => "`note` must give the reason",
            // A constant may be fitted to a published figure if there is no capture for it.
            (Source::Calibrated, Some(Group::Article)) => return Ok(()),
            (Source::Calibrated, _) if !capture => {
                "`capture` must name the fitted capture, or `cite` an article with the figure"
            }
            (Source::Standard, Some(Group::Standard))
            | (Source::Datasheet, Some(Group::Datasheet))
            | (Source::Source, Some(Group::Software | Group::Article))
            | (Source::Assumed | Source::Calibrated, _) => return Ok(()),
            (Source::Source, None) if capture => return Ok(()),
            (Source::Standard, _) => "`cite` must name a standard of links/sources.toml",
            (Source::Datasheet, _) => "`cite` must name a datasheet of links/sources.toml",
            (Source::Source, _) => "`cite` must name software of links/sources.toml",
        };
        Err(format!("its source is `{source}`, so {missing}"))
    }
}

impl std::fmt::Display for Origin {
    /// Document and location, or capture; then the note, and any other document that the note
    /// mentions.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let citation = self.citation.as_ref().map(ToString::to_string);
        let leads = !matches!(self.source, Source::Calibrated | Source::Assumed);
        let (head, tail) = if leads { (citation, None) } else { (None, citation) };
        let parts = [head.as_deref(), self.capture(), self.note()];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(": "))?;
        tail.map_or(Ok(()), |mentioned| write!(f, " ({mentioned})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Result<Origin, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    fn refusal(text: &str) -> String {
        origin(text).and_then(|origin| origin.check()).expect_err("refused")
    }

    #[test]
    fn a_constant_of_a_datasheet_is_shown_with_title_edition_and_place() {
        let text = "source = 'datasheet'\ncite = 'nrf24l01p'\nat = '6.1.7, Tstby2a'";
        let origin = origin(text).expect("right");
        assert_eq!(origin.check(), Ok(()));
        assert_eq!(
            origin.to_string(),
            "nRF24L01+ Single Chip 2.4 GHz Transceiver Product Specification v1.0, 6.1.7, Tstby2a"
        );
    }

    #[test]
    fn a_calibrated_constant_is_shown_with_its_capture_first() {
        let text = "source = 'calibrated'\ncapture = 'nrf24/2Mbps-12B'\nnote = 'its p1'\n\
            cite = 'sx1276'\nat = '2.5.2'";
        let shown = origin(text).expect("right").to_string();
        assert_eq!(shown, "nrf24/2Mbps-12B: its p1 (SX1276/77/78/79 Datasheet rev. 7, 2.5.2)");
    }

    #[test]
    fn an_assumed_constant_without_a_reason_is_refused() {
        for text in ["source = 'assumed'", "source = 'assumed'\nnote = ''"] {
            assert_eq!(refusal(text), "its source is `assumed`, so `note` must give the reason");
        }
    }

    #[test]
    fn a_calibrated_constant_without_a_capture_is_refused() {
        let refused = refusal("source = 'calibrated'\nnote = 'its p1'");
        assert_eq!(
            refused,
            "its source is `calibrated`, so `capture` must name the fitted capture, or `cite` an \
             article with the figure"
        );
        let published = "source = 'calibrated'\ncite = 'blerpc'\nat = 'Benchmark Results'";
        assert!(origin(published).is_ok_and(|origin| origin.check().is_ok()));
    }

    #[test]
    fn a_bound_says_where_it_is_from_and_is_of_what_is_open() {
        let bound = "bound = [8, 14]\nsource =";
        let refused = refusal(&format!("{bound} 'calibrated'\ncapture = 'nrf24/2Mbps-12B'"));
        assert_eq!(refused, "it has a `bound`, so `note` must give its source");
        let refused = refusal(&format!("{bound} 'datasheet'\ncite = 'sx1276'\nat = 'table 10'"));
        assert_eq!(refused, "`bound` applies to assumed or calibrated constants only");
        let kept = origin(&format!("{bound} 'assumed'\nnote = 'two flip-flops'")).expect("right");
        assert_eq!(kept.bound().map(ToString::to_string), Some("8 to 14".to_owned()));
    }

    #[test]
    fn a_document_that_does_not_exist_is_answered_with_the_nearest() {
        let refused = refusal("source = 'datasheet'\ncite = 'sx1267'\nat = 'table 10'");
        assert_eq!(refused, "no source `sx1267` in links/sources.toml; did you mean `sx1276`?");
    }

    #[test]
    fn a_standard_is_not_cited_as_a_datasheet() {
        let refused = refusal("source = 'datasheet'\ncite = 'bluetooth-core'\nat = 'Vol 6'");
        assert!(refused.ends_with("`cite` must name a datasheet of links/sources.toml"));
    }

    #[test]
    fn a_document_without_a_place_is_refused() {
        let refused = refusal("source = 'datasheet'\ncite = 'sx1276'");
        assert_eq!(refused, "`sx1276` is cited, so `at` must give the location in it");
    }
}
