//! The rules that may apply to what was sent, and the kindest of them.

use std::cmp::Reverse;
use std::fmt;

use crate::check::{Check, Standing};
use crate::record::{Record, Transmission};
use crate::{eu, us};
use airlag_air::transmitter::Transmitter;

/// Where one wants to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// The European Union, and who follows its rules.
    Eu,
    /// The United States.
    Us,
}

impl Region {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Eu, Self::Us];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eu => "eu",
            Self::Us => "us",
        }
    }

    /// The one of this name.
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

/// A rule, and how each of its limits is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// What it is called.
    pub rule: &'static str,
    /// Each limit; there is at least one.
    pub checks: Vec<Check>,
}

impl Ruling {
    /// That of the limit that is kept worst.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.checks.iter().map(|check| check.standing).max().unwrap_or(Standing::Within)
    }

    /// The limit that decides: of those kept worst, one that nothing mends, or else the one that has
    /// the least room.
    #[must_use]
    pub fn decisive(&self) -> Option<&Check> {
        let worst = self.standing();
        let mended = |check: &Check| worst == Standing::NotAllowed && check.remedy.is_some();
        self.checks.iter().filter(|check| check.standing == worst).min_by(|one, other| {
            mended(one).cmp(&mended(other)).then(one.room().total_cmp(&other.room()))
        })
    }

    /// True if neither less power nor a lower rate would make it allowed.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        self.broken().any(|check| check.remedy.is_none())
    }

    /// The limits that are not kept.
    pub fn broken(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.standing == Standing::NotAllowed)
    }
}

/// What a region says of all that was sent in one of its bands.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The band, kHz; of what lies in none, where it was.
    pub band_khz: (u32, u32),
    /// Time spent sending there, as a share of all.
    pub airtime: f64,
    /// The kindest rule.
    pub ruling: Ruling,
    /// The others, kindest first.
    pub others: Vec<Ruling>,
}

impl Verdict {
    /// That of the kindest rule.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.ruling.standing()
    }
}

/// What `region` says of `record`: a verdict for each band it touches, the worst first. What lies
/// across the edge of two bands that touch keeps the conditions of both.
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
        let nowhere = match region {
            Region::Eu => eu::nowhere(lowest),
            Region::Us => us::nowhere(lowest),
        };
        found.extend(verdict((lowest, highest), &rest, vec![nowhere]));
    }
    found.sort_by_key(|verdict| {
        let ruling = &verdict.ruling;
        let confirmed = ruling.checks.iter().all(|check| check.clause.confirmed);
        Reverse((ruling.standing(), ruling.is_hopeless(), confirmed))
    });
    found
}

/// The worst of several.
#[must_use]
pub fn standing(verdicts: &[Verdict]) -> Standing {
    verdicts.iter().map(Verdict::standing).max().unwrap_or(Standing::Within)
}

fn verdict(band_khz: (u32, u32), record: &Record, mut rulings: Vec<Ruling>) -> Option<Verdict> {
    // Stable: of equals the one that is listed first. Of those that do not allow it, first those
    // that a change of rate or power satisfies.
    rulings
        .sort_by_key(|ruling| (ruling.standing(), ruling.is_hopeless(), ruling.broken().count()));
    let mut rulings = rulings.into_iter();
    let ruling = rulings.next()?;
    let airtime = record.share_within(u64::MAX);
    Some(Verdict { band_khz, airtime, ruling, others: rulings.collect() })
}

/// A band with the rules that may apply there.
pub(crate) struct Band {
    /// Both edges.
    pub(crate) khz: (u32, u32),
    /// Each of the rules, for what was sent there.
    pub(crate) rulings: fn(&Transmitter, &Record) -> Vec<Ruling>,
}

impl Band {
    const fn overlaps(&self, one: &Transmission) -> bool {
        one.low_khz < self.khz.1 && self.khz.0 < one.high_khz
    }
}

/// True if a transmission lies in a band, or in several that touch. Bands ascend.
fn covers(bands: &[Band], one: &Transmission) -> bool {
    let reached = bands.iter().fold(one.low_khz, |reached, band| {
        if band.khz.0 <= reached { reached.max(band.khz.1) } else { reached }
    });
    reached >= one.high_khz
}
