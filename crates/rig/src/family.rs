//! Families of profiles that differ in a few values only, in one file.
//!
//! ```toml
//! family = "uart-{baud}-{mode}"
//! kind = "uart"
//! about = "STM32F429 to STM32F429 at {baud} baud, received by {mode}"
//!
//! [axes.baud]
//! values = [115200, 921600]
//! unit = "baud"
//! source = "source"
//! cite = "latency-eval"
//! at = "firmware/uart_tests"
//!
//! [axes.mode]
//! values = ["irq", "dma"]
//! source = "assumed"
//! note = "…"
//!
//! [parameters]          # of every member
//! copy_byte = { value = 20, unit = "cycles", source = "calibrated", capture = "…" }
//!
//! [when.mode.dma]       # of the members whose mode is dma
//! turn = { value = 15, unit = "cycles", source = "calibrated", capture = "…" }
//!
//! [[published]]
//! member = "uart-115200-irq"
//! size = 12
//! median_ms = 1.05
//! cite = "latency-comparison"
//! at = "…"
//! ```
//!
//! Each member of a family is a profile. The name of a member is the text of the key `family`, in
//! which the name of each axis in braces is replaced by the member's value on this axis. If an axis
//! has the same name as a parameter of the kind, the member's value on the axis is the value of
//! this parameter. [`Family::members`] returns ordinary profiles, which are subject to the same
//! rules as other profiles.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::Error;
use crate::kind::Kind;
use crate::origin::Origin;
use crate::parameter::{Parameter, Value, take};
use crate::parts::Supply;
use crate::profile::{Profile, Published, Variants};

/// An axis along which the members of a family differ.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
struct Axis {
    values: Vec<Value>,
    unit: String,
    origin: Origin,
}

impl TryFrom<toml::Table> for Axis {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let values = take(&mut table, "values")?.ok_or("missing field `values`")?;
        let unit = take(&mut table, "unit")?.unwrap_or_default();
        Ok(Self { values, unit, origin: Origin::rest(table)? })
    }
}

/// A published figure for one member.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    member: String,
    size: Option<usize>,
    median_ms: f64,
    cite: String,
    at: String,
    #[serde(default)]
    note: String,
}

type Parameters = BTreeMap<String, Parameter>;

/// Most profiles in one file. Their number is the product of the sizes of the axes.
const MOST_PROFILES: usize = 1_000;

/// Longest value that is inserted into a name, and longest pattern of names, bytes.
const LONGEST_VALUE: usize = 64;
const LONGEST_PATTERN: usize = 1_024;

/// A file that describes a family of profiles.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    family: String,
    kind: String,
    about: String,
    axes: BTreeMap<String, Axis>,
    parameters: Parameters,
    #[serde(default)]
    when: BTreeMap<String, BTreeMap<String, Changes>>,
    #[serde(default)]
    published: Vec<Figure>,
    #[serde(default)]
    supply: Supply,
    #[serde(default)]
    variants: Variants,
}

/// Changes made by a value of an axis.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Changes {
    #[serde(default)]
    supply: Supply,
    #[serde(flatten)]
    parameters: Parameters,
}

fn plain(value: &Value) -> String {
    match value {
        Value::Choice(text) => text.clone(),
        other => other.to_string(),
    }
}

fn fill(pattern: &str, point: &BTreeMap<&str, &Value>) -> String {
    point.iter().fold(pattern.to_owned(), |text, (axis, value)| {
        text.replace(&format!("{{{axis}}}"), &plain(value))
    })
}

/// Returns all profiles of a file: a single profile, or all members of a family. The kind of each
/// must be one of `kinds`.
pub fn profiles(name: &str, text: &str, kinds: &[Kind]) -> Result<Vec<Profile>, Error> {
    if Family::is_one(text) {
        return Family::parse(name, text)?.members(kinds);
    }
    Profile::parse(name, text, kinds)
}

impl Family {
    /// Returns true if `text` is a family rather than a single profile.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.lines().any(|line| line.split_once('=').is_some_and(|(key, _)| key.trim() == "family"))
    }

    /// Parses a family; errors refer to the file as `name`.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let family: Self = crate::profile::parse(name, text)?;
        let wrong = |message: String| Error::Syntax { name: name.to_owned(), message };
        for (axis, known) in &family.axes {
            let unsourced = |cause| {
                let (name, constant) = (name.to_owned(), axis.escape_debug().to_string());
                Error::Unsourced { name, constant, cause }
            };
            known.origin.check().map_err(unsourced)?;
        }
        let long = |value: &Value| {
            let text = plain(value);
            text.len() > LONGEST_VALUE || text.contains('{')
        };
        for (axis, known) in &family.axes {
            if known.values.iter().any(long) {
                let axis = axis.escape_debug();
                let right = format!("at most {LONGEST_VALUE} bytes and no braces");
                return Err(wrong(format!("a value of axis `{axis}` has {right}")));
            }
        }
        if family.family.len().max(family.about.len()) > LONGEST_PATTERN {
            let message = format!("`family` and `about` have at most {LONGEST_PATTERN} bytes");
            return Err(wrong(message));
        }
        let counts = family.axes.values().map(|known| known.values.len());
        let made = counts.fold(family.variants.len() + 1, usize::saturating_mul);
        if made > MOST_PROFILES {
            return Err(wrong(format!("a file makes at most {MOST_PROFILES} profiles")));
        }
        for (axis, values) in &family.when {
            let shown = axis.escape_debug();
            let known = family.axes.get(axis).ok_or_else(|| wrong(format!("no axis `{shown}`")))?;
            for value in values.keys() {
                if !known.values.iter().any(|one| plain(one) == *value) {
                    let value = value.escape_debug();
                    return Err(wrong(format!("axis `{shown}` has no value `{value}`")));
                }
            }
        }
        let names = family.names();
        for figure in &family.published {
            if !names.contains(&figure.member) {
                let member = figure.member.escape_debug();
                return Err(wrong(format!("no member `{member}`")));
            }
        }
        Ok(family)
    }

    /// All combinations of the axes' values.
    fn points(&self) -> Vec<BTreeMap<&str, &Value>> {
        self.axes.iter().fold(vec![BTreeMap::new()], |points, (axis, known)| {
            let with = |value| {
                points.iter().map(move |point| {
                    let mut point = point.clone();
                    point.insert(axis.as_str(), value);
                    point
                })
            };
            known.values.iter().flat_map(with).collect()
        })
    }

    /// Names of the members, without variants.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.points().iter().map(|point| fill(&self.family, point)).collect()
    }

    /// Returns all members as profiles, each followed by its variants. The kind of each must be one
    /// of `kinds`.
    pub fn members(&self, kinds: &[Kind]) -> Result<Vec<Profile>, Error> {
        let kind = Kind::find(&self.kind, kinds)?;
        let mut members = Vec::new();
        for point in self.points() {
            let member = self.at(kind, &point)?;
            let varied = member.varied(&self.variants)?;
            members.push(member);
            members.extend(varied);
        }
        Ok(members)
    }

    fn at(&self, kind: Kind, point: &BTreeMap<&str, &Value>) -> Result<Profile, Error> {
        let name = fill(&self.family, point);
        let (mut parameters, mut supply) = (self.parameters.clone(), self.supply.clone());
        for (&axis, &value) in point {
            let known = &self.axes[axis];
            if kind.parameters().iter().any(|one| one.name == axis) {
                let parameter = Parameter {
                    value: value.clone(),
                    unit: known.unit.clone(),
                    origin: known.origin.clone(),
                };
                parameters.insert(axis.to_owned(), parameter);
            }
            let own = self.when.get(axis).and_then(|values| values.get(&plain(value)));
            if let Some(changes) = own {
                parameters.extend(changes.parameters.clone());
                supply = supply.with(&changes.supply);
            }
        }
        let published = self
            .published
            .iter()
            .filter(|figure| figure.member == name)
            .map(|figure| Published {
                size: figure.size,
                median_ms: figure.median_ms,
                cite: figure.cite.clone(),
                at: figure.at.clone(),
                note: figure.note.clone(),
            })
            .collect();
        let about = fill(&self.about, point);
        Profile::new(name, kind, about, parameters, published, supply)
    }
}
