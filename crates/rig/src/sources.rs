//! The documents that constants are taken from: `links/sources.toml`.
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
//! ```
//!
//! A constant cites one by its key, which is unique among all groups.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::Error;
use crate::profile::{nearest, parse};

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// A standard or a recommendation.
    Standard,
    /// What a maker says of what it makes: datasheets, manuals, guides.
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

/// What `sources.toml` says of a document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its title, as printed on it.
    pub title: String,
    /// Who wrote it, or the body that issued it; empty where it does not say.
    #[serde(default)]
    pub author: String,
    /// When it was published; none where it does not say, or where it has no end.
    pub year: Option<u16>,
    /// Which edition; empty where it has none.
    #[serde(default)]
    pub version: String,
    /// Where it is found.
    pub url: String,
    /// What was taken from it.
    pub taken: String,
    /// What of it was looked up again; empty if nothing was.
    #[serde(default)]
    pub checked: String,
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

/// Every document with its group and its key, in the order of these.
pub fn all() -> Result<impl Iterator<Item = (Group, &'static str, &'static Document)>, Error> {
    let groups = ALL.as_ref().map_err(Clone::clone)?;
    let of_group = |(&group, documents): (&Group, &'static Documents)| {
        documents.iter().map(move |(key, document)| (group, key.as_str(), document))
    };
    Ok(groups.iter().flat_map(of_group))
}

/// The document of that key.
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
