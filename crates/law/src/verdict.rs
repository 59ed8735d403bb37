//! Applicable rules, and the most favourable of them.

use std::cmp::Reverse;
use std::fmt;

use crate::check::{Check, Compliance};
use crate::record::{Record, Transmission};
use crate::{eu, us};
use airlag_air::transmitter::Transmitter;

/// Regulatory region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// The European Union, and countries that follow its rules.
    Eu,
    /// The United States.
    Us,
}

impl Region {
    /// All regions.
    pub const ALL: [Self; 2] = [Self::Eu, Self::Us];

    /// Name of the region.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eu => "eu",
            Self::Us => "us",
        }
    }

    /// Finds a region by name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|region| region.as_str() == name)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Eu => "EU",
            Self::Us => "US",
        })
    }
}

/// A rule with its checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Name of the rule.
    pub rule: &'static str,
    /// Checks; there is at least one.
    pub checks: Vec<Check>,
}

impl Ruling {
    /// Worst result of its checks.
    #[must_use]
    pub fn standing(&self) -> Compliance {
        self.checks.iter().map(|check| check.standing).max().unwrap_or(Compliance::Within)
    }

    /// Returns the decisive check. Of the checks with the worst result, this is one that no change
    /// remedies, or else the one with the smallest margin.
    #[must_use]
    pub fn decisive(&self) -> Option<&Check> {
        let worst = self.standing();
        let mended = |check: &Check| worst == Compliance::NotAllowed && check.remedy.is_some();
        self.checks.iter().filter(|check| check.standing == worst).min_by(|one, other| {
            mended(one).cmp(&mended(other)).then(one.room().total_cmp(&other.room()))
        })
    }

    /// Returns true if neither less power nor a lower rate would satisfy the rule.
    #[must_use]
    pub fn lacks_remedy(&self) -> bool {
        self.broken().any(|check| check.remedy.is_none())
    }

    /// Failed checks.
    pub fn broken(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.standing == Compliance::NotAllowed)
    }
}

/// Assessment of all transmissions in one band of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Edges of the band, kHz. For transmissions outside all bands, the edges of their spectrum.
    pub band_khz: (u32, u32),
    /// Share of time on the air in this band.
    pub airtime: f64,
    /// Most favourable rule.
    pub ruling: Ruling,
    /// Other rules, most favourable first.
    pub others: Vec<Ruling>,
}

impl Verdict {
    /// Result of the most favourable rule.
    #[must_use]
    pub fn standing(&self) -> Compliance {
        self.ruling.standing()
    }
}

/// Assesses `record` for `region`. Returns a verdict for each band in use, worst first. A
/// transmission across the edge of adjacent bands must satisfy the conditions of both bands.
#[must_use]
pub fn judge(region: Region, transmitter: &Transmitter, record: &Record) -> Vec<Verdict> {
    let bands: &[Band] = match region {
        Region::Eu => eu::BANDS,
        Region::Us => us::BANDS,
    };
    let mut found = Vec::new();
    let (covered, rest) = record.split(|one| covers(bands, one));
    for band in bands {
        let (inside, _) = covered.split(|one| band.overlaps(one));
        if !inside.sent().is_empty() {
            found.extend(verdict(band.khz, &inside, (band.rulings)(transmitter, &inside)));
        }
    }
    let centres = || rest.sent().iter().map(Transmission::centre_khz);
    if let (Some(lowest), Some(highest)) = (centres().min(), centres().max()) {
        let ruling = match region {
            Region::Eu => eu::outside_bands(lowest),
            Region::Us => us::outside_bands(lowest),
        };
        found.extend(verdict((lowest, highest), &rest, vec![ruling]));
    }
    found.sort_by_key(|verdict| {
        let ruling = &verdict.ruling;
        let confirmed = ruling.checks.iter().all(|check| check.clause.confirmed);
        Reverse((ruling.standing(), ruling.lacks_remedy(), confirmed))
    });
    found
}

/// Worst result of several verdicts.
#[must_use]
pub fn standing(verdicts: &[Verdict]) -> Compliance {
    verdicts.iter().map(Verdict::standing).max().unwrap_or(Compliance::Within)
}

fn verdict(band_khz: (u32, u32), record: &Record, mut rulings: Vec<Ruling>) -> Option<Verdict> {
    // The sort is stable, so equal rulings stay in the listed order. Among rules that fail, those
    // that a change of rate or power satisfies come first.
    rulings
        .sort_by_key(|ruling| (ruling.standing(), ruling.lacks_remedy(), ruling.broken().count()));
    let mut rulings = rulings.into_iter();
    let ruling = rulings.next()?;
    let airtime = record.share_within(u64::MAX);
    Some(Verdict { band_khz, airtime, ruling, others: rulings.collect() })
}

/// A band with the rules that apply there.
pub(crate) struct Band {
    /// Edges of the band.
    pub(crate) khz: (u32, u32),
    /// Evaluates its rules for transmissions in the band.
    pub(crate) rulings: fn(&Transmitter, &Record) -> Vec<Ruling>,
}

impl Band {
    const fn overlaps(&self, one: &Transmission) -> bool {
        one.low_khz < self.khz.1 && self.khz.0 < one.high_khz
    }
}

/// Returns true if a transmission is within one band, or within several adjacent ones. Bands are in
/// ascending order.
fn covers(bands: &[Band], one: &Transmission) -> bool {
    let reached = bands.iter().fold(one.low_khz, |reached, band| {
        if band.khz.0 <= reached { reached.max(band.khz.1) } else { reached }
    });
    reached >= one.high_khz
}
