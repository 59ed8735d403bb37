//! Documents that constants cite: `links/sources.toml`.
//!
//! ```toml
//! [datasheet.nrf24l01p]
//! title = "nRF24L01+ Single Chip 2.4 GHz Transceiver Product Specification"
//! author = "Nordic Semiconductor"
//! year = 2008
//! version = "v1.0"
//! url = "https://…"
//! taken = "Settling and turnaround, packet format, …"
//! checked = "title, edition and date; …"
//! unchecked = "table 4"
//! ```
//!
//! Constants cite a document by its key, which is unique among all groups.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::Error;
use crate::profile::{nearest, parse};

/// Type of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// A standard or a recommendation.
    Standard,
    /// Manufacturer's documentation: datasheets, manuals, guides.
    Datasheet,
    /// Source code.
    Software,
    /// An article with measurements.
    Article,
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Datasheet => "datasheet",
            Self::Software => "software",
            Self::Article => "article",
        })
    }
}

/// An entry of `sources.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Title, as printed on the document.
    pub title: String,
    /// Author or issuing body. Empty if not stated.
    #[serde(default)]
    pub author: String,
    /// Year of publication. `None` if not stated, or for a living document.
    pub year: Option<u16>,
    /// Edition; empty where there is none.
    #[serde(default)]
    pub version: String,
    /// URL.
    pub url: String,
    /// Content taken from it.
    pub taken: String,
    /// Content verified again, and where; empty if none.
    #[serde(default)]
    pub checked: String,
    /// Content taken from it that could not be verified; empty if none is known.
    #[serde(default)]
    pub unchecked: String,
}

impl std::fmt::Display for Document {
    /// Title and edition.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title)?;
        if self.version.is_empty() { Ok(()) } else { write!(f, " {}", self.version) }
    }
}

type Documents = BTreeMap<String, Document>;

static ALL: LazyLock<Result<BTreeMap<Group, Documents>, Error>> =
    LazyLock::new(|| parse("sources", include_str!("../../../links/sources.toml")));

/// Returns all documents with group and key, ordered by these.
pub fn all() -> Result<impl Iterator<Item = (Group, &'static str, &'static Document)>, Error> {
    let groups = ALL.as_ref().map_err(Clone::clone)?;
    let of_group = |(&group, documents): (&Group, &'static Documents)| {
        documents.iter().map(move |(key, document)| (group, key.as_str(), document))
    };
    Ok(groups.iter().flat_map(of_group))
}

/// Finds the document with this key.
pub fn find(key: &str) -> Result<(Group, &'static Document), Error> {
    let found = all()?.find(|&(_, known, _)| known == key);
    found.map(|(group, _, document)| (group, document)).ok_or_else(|| {
        let nearest = all().map_or("", |all| nearest(key, all.map(|(_, known, _)| known)));
        Error::UnknownSource { key: key.to_owned(), nearest }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_key_is_found_and_a_misspelt_one_is_answered_with_the_nearest() {
        let (group, document) = find("nrf24l01p").expect("a datasheet");
        assert_eq!(group, Group::Datasheet);
        assert!(document.to_string().ends_with("Product Specification v1.0"), "{document}");
        let error = find("nrf24l01").expect_err("misspelt").to_string();
        assert_eq!(error, "no source `nrf24l01` in links/sources.toml; did you mean `nrf24l01p`?");
    }

    #[test]
    fn a_key_belongs_to_one_document() {
        let keys: Vec<&str> = all().expect("right").map(|(_, key, _)| key).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{keys:?}");
    }

    #[test]
    fn every_document_says_where_it_is_and_what_was_taken() {
        for (_, key, document) in all().expect("right") {
            assert!(document.url.starts_with("https://"), "{key}: {}", document.url);
            assert!(!document.title.is_empty() && !document.taken.is_empty(), "{key}");
        }
    }
}
