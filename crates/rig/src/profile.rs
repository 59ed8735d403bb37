//! A link profile: `links/*.toml`.
//!
//! ```toml
//! name = "nrf24-2m"
//! kind = "nrf24"
//! about = "nRF24L01+ at 2 Mbit/s"
//!
//! [parameters]
//! settle = { value = 130000, unit = "ns", source = "datasheet", cite = "nrf24l01p", at = "6.1.7" }
//! spi_byte = { value = 996, unit = "ns", source = "calibrated", capture = "nrf24/2Mbps-12B" }
//!
//! [[published]]
//! size = 12
//! median_ms = 0.4
//! cite = "latency-comparison"
//! at = "nRF24"
//!
//! [variants.slow]              # also makes the profile nrf24-2m-slow
//! about = "with a long settling time"
//! parameters.settle = { value = 500000, unit = "ns", source = "assumed", note = "…" }
//! ```
//!
//! Every constant has a value, a unit and an origin: a location in a document of
//! `links/sources.toml`, a capture, or the reason for an assumption. An assumed or calibrated
//! constant may have a `bound = [low, high]` in its unit. The bound is the range of values that the
//! constant may have while all other constants stay fixed. The note of the constant gives the
//! reason for the bound. Each kind of link has a closed list of parameters with units and ranges. A
//! misspelt name is therefore an error, and so is a value outside the range of the hardware.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::Error;
use crate::kind::Kind;
use crate::neighbours;
use crate::origin::{Citation, Origin};
use crate::parameter::{Domain, Field, Known, Parameter, Value};
use crate::parts::{self, Supply};
use crate::processor;
use crate::sources::Group;

/// A published figure for this link.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Message size, bytes. `None` if there is no message.
    pub size: Option<usize>,
    /// Median latency, ms.
    pub median_ms: f64,
    /// Key of the article.
    pub cite: String,
    /// Location in the article.
    pub at: String,
    /// Qualification.
    #[serde(default)]
    pub note: String,
}

impl Published {
    /// Citation of the article.
    #[must_use]
    pub fn citation(&self) -> Citation {
        Citation { key: self.cite.clone(), at: self.at.clone() }
    }
}

impl std::fmt::Display for Published {
    /// Article, section and qualification.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let note = if self.note.is_empty() { "" } else { ": " };
        write!(f, "{}{note}{}", self.citation(), self.note)
    }
}

/// A constant of a profile, for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant<'a> {
    /// Name.
    pub name: &'static str,
    /// Value.
    pub value: &'a Value,
    /// Unit, empty for a plain number.
    pub unit: &'static str,
    /// Meaning.
    pub about: &'static str,
    /// Origin.
    pub origin: &'a Origin,
}

/// A link profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Name.
    pub name: String,
    /// Kind of link.
    pub kind: Kind,
    /// Description in one sentence.
    pub about: String,
    /// Whether the configuration is current good practice, rather than that of a published
    /// firmware.
    pub good_practice: bool,
    /// Constants.
    pub parameters: BTreeMap<String, Parameter>,
    /// Published figures to compare the bench with.
    pub published: Vec<Published>,
    /// Parts that draw current.
    pub supply: Supply,
}

/// A file of `links/` with one profile and its variants.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    kind: String,
    about: String,
    parameters: BTreeMap<String, Parameter>,
    #[serde(default)]
    published: Vec<Published>,
    #[serde(default)]
    supply: Supply,
    #[serde(default)]
    variants: Variants,
}

/// Variants of a profile by the suffix of their names. Published figures of the profile do not
/// apply to its variants.
pub(crate) type Variants = BTreeMap<String, Variant>;

/// Changes that a variant makes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    about: String,
    #[serde(default)]
    good_practice: bool,
    parameters: BTreeMap<String, Parameter>,
}

impl Profile {
    /// Parses a file with one profile. Returns the profile, followed by its variants. Errors refer
    /// to the file as `name`. The kind is one of `kinds`.
    pub fn parse(name: &str, text: &str, kinds: &[Kind]) -> Result<Vec<Self>, Error> {
        let File { name, kind, about, parameters, published, supply, variants } =
            parse(name, text)?;
        let kind = Kind::find(&kind, kinds)?;
        let profile = Self::new(name, kind, about, parameters, published, supply)?;
        let varied = profile.varied(&variants)?;
        Ok([vec![profile], varied].concat())
    }

    /// Creates a profile after checking that every parameter exists in its kind and is in range.
    /// Parameters that are not set have their declared defaults.
    pub(crate) fn new(
        name: String,
        kind: Kind,
        about: String,
        mut parameters: BTreeMap<String, Parameter>,
        published: Vec<Published>,
        supply: Supply,
    ) -> Result<Self, Error> {
        for known in kind.parameters() {
            if let Some(default) = known.as_default() {
                parameters.entry(known.name.to_owned()).or_insert(default);
            }
        }
        let profile =
            Self { name, kind, about, good_practice: false, parameters, published, supply };
        profile.check()?;
        Ok(profile)
    }

    /// Variants of this profile.
    pub(crate) fn varied(&self, variants: &Variants) -> Result<Vec<Self>, Error> {
        let one = |(suffix, variant): (&String, &Variant)| {
            let mut varied = self.clone();
            varied.name = format!("{}-{suffix}", self.name);
            let practice = if variant.good_practice { "; good practice" } else { "" };
            varied.about = format!("{}, {}{practice}", self.about, variant.about);
            varied.good_practice = variant.good_practice;
            varied.parameters.extend(variant.parameters.clone());
            varied.published.clear();
            varied.check()?;
            Ok(varied)
        };
        variants.iter().map(one).collect()
    }

    /// Checks all parameters against the declarations of the kind.
    fn check(&self) -> Result<(), Error> {
        // The name is part of file names and of lines on a screen.
        if self.name.is_empty() || self.name.contains(|letter: char| letter.is_control()) {
            let (name, message) = (self.name.escape_debug().to_string(), "not a valid link name");
            return Err(Error::Syntax { name, message: message.to_owned() });
        }
        for (key, parameter) in &self.parameters {
            let known = self.known(key)?;
            self.admit(known, &parameter.value)?;
            if parameter.unit != known.unit {
                let (given, right) = (&parameter.unit, known.unit);
                let message = format!("`{key}` is in {right:?}, not {given:?}");
                return Err(Error::Syntax { name: self.name.clone(), message });
            }
            parameter.origin.check().map_err(|cause| self.unsourced(key, cause))?;
            if let Some(bound) = parameter.origin.bound() {
                let checked = bound.check(known, &parameter.value);
                checked.map_err(|cause| self.unsourced(key, cause))?;
            }
        }
        self.supply.keys().try_for_each(|key| parts::find(key).map(drop))?;
        for figure in &self.published {
            self.bytes(figure.size)?;
            let group = figure.citation().document().map(|(group, _)| group);
            if group.map_err(|error| self.unsourced("published", error.to_string()))?
                != Group::Article
            {
                let cause = format!("{} is not an article", figure.cite);
                return Err(self.unsourced("published", cause));
            }
        }
        for known in self.kind.parameters() {
            self.value(known.name)?;
        }
        Ok(())
    }

    /// Reads the typed parameters.
    ///
    /// # Errors
    ///
    /// [`Error::MissingParameter`] if a parameter of the kind is missing.
    pub fn read<P: Field>(&self) -> Result<P, Error> {
        P::read(self, "")
    }

    fn unsourced(&self, name: &str, cause: String) -> Error {
        Error::Unsourced { name: self.name.clone(), constant: name.to_owned(), cause }
    }

    /// Constants in the order of declaration. Neighbours, the processor and parameters of programs
    /// are included only where the profile sets them.
    pub fn constants(&self) -> impl Iterator<Item = Constant<'_>> {
        self.kind.parameters().iter().filter_map(move |known| {
            let parameter = self.parameters.get(known.name)?;
            let usual = known.as_default().as_ref() == Some(parameter);
            (!usual || self.kind.is_own(known)).then_some(Constant {
                name: known.name,
                value: &parameter.value,
                unit: known.unit,
                about: known.about,
                origin: &parameter.origin,
            })
        })
    }

    /// Sets a parameter, as `--set name=value` does.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        if name == neighbours::NAME && !self.has_air() {
            return Err(Error::Alone { link: self.name.clone() });
        }
        let known = self.known(name)?;
        let value = known.read(text);
        self.admit(known, &value)?;
        processor::check(self, known, &value)?;
        if let Some(parameter) = self.parameters.get_mut(known.name) {
            parameter.value = value;
            parameter.origin = Origin::assumed("set for this run");
        }
        Ok(())
    }

    /// Declaration of the parameter called `name`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownParameter`], with the nearest name.
    pub fn known(&self, name: &str) -> Result<&'static Known, Error> {
        let all = self.kind.parameters();
        all.iter().find(|known| known.name == name).ok_or_else(|| Error::UnknownParameter {
            link: self.name.clone(),
            name: name.escape_debug().to_string(),
            nearest: nearest(name, all.iter().map(|known| known.name)),
        })
    }

    /// Whether the link can have neighbours.
    fn has_air(&self) -> bool {
        self.kind.parameters().iter().any(|known| known.name == neighbours::NAME)
    }

    fn admit(&self, known: &Known, value: &Value) -> Result<(), Error> {
        if known.admits(value) {
            return Ok(());
        }
        let (link, name) = (self.name.clone(), known.name);
        let (low, high) = match (known.domain, value) {
            (Domain::Whole(low, high), Value::Whole(_)) => (low as f64, high as f64),
            (Domain::Real(low, high), Value::Whole(_) | Value::Real(_)) => (low, high),
            (Domain::Neighbours(kinds), Value::Choice(text)) => {
                let cause = neighbours::spec::parse(text, kinds).err().unwrap_or_default();
                return Err(Error::NotAllowed { link, name, cause });
            }
            _ => {
                let (value, choices) = (value.to_string(), known.choices());
                return Err(Error::NoSuchChoice { link, name, value, choices });
            }
        };
        Err(Error::OutOfRange { link, name, value: value.to_string(), low, high, unit: known.unit })
    }

    pub(crate) fn value(&self, name: &'static str) -> Result<&Value, Error> {
        let found = self.parameters.get(name).map(|parameter| &parameter.value);
        found.ok_or_else(|| self.missing(name))
    }

    /// Value of the parameter `name`, which is one of several choices. For declarations.
    ///
    /// # Errors
    ///
    /// [`Error::MissingParameter`].
    pub fn chosen(&self, name: &'static str) -> Result<&str, Error> {
        match self.value(name)? {
            Value::Choice(choice) => Ok(choice),
            _ => Err(self.missing(name)),
        }
    }

    /// Error for a parameter that is missing or has the wrong type; for declarations.
    #[must_use]
    pub fn missing(&self, name: &'static str) -> Error {
        Error::MissingParameter { link: self.name.clone(), name }
    }
}

/// Longest file of profiles, bytes; the cost of reading is proportional to it.
const LONGEST_FILE: usize = 64 * 1024;

/// Parses a file of shape `T`. An error is one line with the line number.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> Result<T, Error> {
    if text.len() > LONGEST_FILE {
        let message = format!("a profile has at most {LONGEST_FILE} bytes");
        return Err(Error::Syntax { name: name.to_owned(), message });
    }
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].lines().count().max(1));
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::Syntax { name: name.to_owned(), message: format!("{place}{message}") }
    })
}

/// Finds the profile called `name`.
///
/// # Errors
///
/// [`Error::UnknownLink`], with the nearest names.
pub fn named<'a>(profiles: &'a [Profile], name: &str) -> Result<&'a Profile, Error> {
    profiles.iter().find(|profile| profile.name == name).ok_or_else(|| {
        let known: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
        let nearest = meant(name, &known).into_iter().map(str::to_owned).collect();
        Error::UnknownLink { name: name.to_owned(), nearest }
    })
}

/// Largest number of suggestions for an unknown name.
const SUGGESTED: usize = 4;

/// Suggestions from `known` for the unknown `name`: the names that start with it; otherwise the
/// nearest name with the same first word; otherwise the nearest of all names.
fn meant<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    let begun = |start: &str| -> Vec<&'a str> {
        known.iter().copied().filter(|known| known.starts_with(start)).collect()
    };
    let mut found = begun(name);
    if name.is_empty() || found.is_empty() {
        let word = name.split('-').next().filter(|word| !word.is_empty());
        let family = word.map(|word| begun(&format!("{word}-"))).unwrap_or_default();
        let among = if family.is_empty() { known } else { &family };
        return vec![nearest(name, among.iter().copied())];
    }
    found.sort_by_key(|known| distance(name, known));
    found.truncate(SUGGESTED);
    found
}

/// Returns the name with the smallest edit distance.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> &'a str {
    names.min_by_key(|known| distance(name, known)).unwrap_or("")
}

/// Levenshtein distance (1965).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, &other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}
