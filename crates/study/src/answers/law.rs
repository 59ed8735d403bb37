//! Regulatory limits: the verdict of a region on the transmissions of a run.

use airlag_law::check::{self, Remedy};
use airlag_law::{self as law, Compliance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;
use crate::law as judged;

/// A region with known rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Region {
    /// The European Union.
    Eu,
    /// The United States.
    Us,
}

impl From<Region> for law::Region {
    fn from(region: Region) -> Self {
        match region {
            Region::Eu => Self::Eu,
            Region::Us => Self::Us,
        }
    }
}

impl From<law::Region> for Region {
    fn from(region: law::Region) -> Self {
        match region {
            law::Region::Eu => Self::Eu,
            law::Region::Us => Self::Us,
        }
    }
}

words! {
    /// Outcome of a check: within the limit, at the limit (within it by a small margin only), or not allowed.
    Standing: [Compliance::Within, Compliance::AtLimit, Compliance::NotAllowed]
        .map(Compliance::as_str).to_vec();
    /// Direction of the limit.
    Bound: vec!["at most", "at least", "never"];
}

/// One quantity checked against one limit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Check {
    /// Name of the quantity.
    pub quantity: String,
    /// Its value, in the unit.
    pub value: f64,
    /// Direction of the limit.
    pub bound: Bound,
    /// The limit, in the unit. Null if the bound is `never`: no value is allowed.
    pub limit: Option<f64>,
    /// Unit of value and limit. Empty for a plain number.
    pub unit: &'static str,
    /// Document, version, date and clause of the limit.
    pub clause: String,
    /// Whether the limit was read in the document itself. False if it was read in a secondary source.
    pub confirmed: bool,
    /// Outcome of the check.
    pub standing: Standing,
    /// How many times less often messages must be sent to meet the limit. Null if the limit is met, or if a
    /// lower message rate is not enough.
    pub rarer: Option<f64>,
    /// Power reduction that meets the limit, dB. Null if the limit is met, or if lower power is not enough.
    pub quieter_db: Option<f64>,
}

impl From<&law::Check> for Check {
    fn from(found: &check::Check) -> Self {
        let (bound, limit) = found.limit.wording();
        let (rarer, quieter_db) = match found.remedy {
            Some(Remedy::LowerRate(divisor)) => (Some(divisor), None),
            Some(Remedy::LowerPower(db)) => (None, Some(db)),
            None => (None, None),
        };
        Self {
            quantity: found.quantity.clone(),
            value: found.value,
            bound: Bound(bound),
            limit,
            unit: found.unit,
            clause: found.clause.to_string(),
            confirmed: found.clause.confirmed,
            standing: Standing(found.standing.as_str()),
            rarer,
            quieter_db,
        }
    }
}

/// A rule, with the checks of its limits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ruling {
    /// Name of the rule.
    pub rule: &'static str,
    /// Outcome of the worst check.
    pub standing: Standing,
    /// One check for each limit.
    pub checks: Vec<Check>,
}

impl From<&law::Ruling> for Ruling {
    fn from(found: &law::Ruling) -> Self {
        Self {
            rule: found.rule,
            standing: Standing(found.standing().as_str()),
            checks: found.checks.iter().map(Check::from).collect(),
        }
    }
}

/// Verdict on the transmissions of one radio in one band.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// Lower and upper edge of the band, kHz. Outside of all bands: lowest and highest frequency used.
    pub band_khz: [u32; 2],
    /// Time on air in the band, as a share of all time.
    #[schemars(range(min = 0))]
    pub airtime: f64,
    /// The rule that permits most.
    pub kindest: Ruling,
    /// The other rules that may apply.
    pub others: Vec<Ruling>,
}

impl From<&law::Verdict> for Verdict {
    fn from(found: &law::Verdict) -> Self {
        Self {
            band_khz: found.band_khz.into(),
            airtime: found.airtime,
            kindest: Ruling::from(&found.ruling),
            others: found.others.iter().map(Ruling::from).collect(),
        }
    }
}

/// Verdict on one radio.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Radio {
    /// Name of the radio on the air.
    pub name: String,
    /// Time on air, as a share of all time.
    #[schemars(range(min = 0))]
    pub airtime: f64,
    /// One verdict for each band, worst first.
    pub verdicts: Vec<Verdict>,
}

/// Verdict of a region on the transmissions of one run of a link. For information only. Not legal
/// advice.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Law {
    /// Region whose rules were checked.
    pub region: Region,
    /// Outcome for the worst radio.
    pub standing: Standing,
    /// Whether no limit is exceeded.
    pub allowed: bool,
    /// Largest time on air of a radio, as a share of all time.
    #[schemars(range(min = 0))]
    pub airtime: f64,
    /// The limit that decides the outcome, with its clause.
    pub reason: String,
    /// For each other rule that does not allow the transmissions: the limit that they exceed.
    pub otherwise: Vec<String>,
    /// Verdicts by radio, worst first.
    pub radios: Vec<Radio>,
}

impl From<&judged::Judged> for Law {
    fn from(found: &judged::Judged) -> Self {
        let radio = |one: &judged::Radio| Radio {
            name: one.name.clone(),
            airtime: one.airtime,
            verdicts: one.verdicts.iter().map(Verdict::from).collect(),
        };
        Self {
            region: found.region.into(),
            standing: Standing(found.standing().as_str()),
            allowed: found.is_allowed(),
            airtime: found.airtime(),
            reason: found.reason(),
            otherwise: found.otherwise(),
            radios: found.radios.iter().map(radio).collect(),
        }
    }
}
