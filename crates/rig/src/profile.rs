//! A link profile: `links/*.toml`.
//!
//! ```toml
//! name = "nrf24-2m"
//! kind = "nrf24"
//! about = "nRF24L01+ at 2 Mbit/s"
//!
//! [parameters]
//! settle = { value = 130000, unit = "ns", source = "datasheet", from = "section 6.1.7" }
//!
//! [[published]]
//! size = 12
//! median_ms = 0.4
//! from = "…"
//! ```
//!
//! Every constant says what it is, in which unit, and where it comes from. The kind of link has a
//! closed list of parameters with their units and ranges: a misspelt one is an error, and so is a
//! value the hardware does not have.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use serde::Deserialize;

use crate::error::Error;
use crate::{gpio, lora, nrf24, uart};

/// Where a constant comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A standard says so.
    Standard,
    /// The chip's specification says so.
    Datasheet,
    /// Read from the source of the firmware that was measured.
    Source,
    /// Fitted on one capture, which `from` names.
    Calibrated,
    /// Nobody knows; a guess within reason.
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

/// What a constant is set to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number of units.
    Whole(i64),
    /// A share.
    Real(f64),
    /// One of several choices.
    Choice(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Choice(value) => write!(f, "{value:?}"),
        }
    }
}

/// A constant with its origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What it is set to.
    pub value: Value,
    /// In which unit; must be the one this kind of link uses.
    #[serde(default)]
    pub unit: String,
    /// Where it comes from.
    pub source: Source,
    /// Which document, file or capture.
    #[serde(default)]
    pub from: String,
}

/// A figure somebody published for this link.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Bytes of the message.
    pub size: usize,
    /// Median latency, ms.
    pub median_ms: f64,
    /// Where it was published.
    pub from: String,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A whole number between two ends.
    Whole(i64, i64),
    /// A real number between two ends.
    Real(f64, f64),
    /// Yes or no.
    Flag,
    /// One of these, separated by ` | `.
    Choice(&'static str),
}

/// A parameter a kind of link has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// Its unit, empty for a plain number.
    pub unit: &'static str,
    /// What it may be.
    pub domain: Domain,
    /// What it means.
    pub about: &'static str,
}

/// A constant of a profile as a reader wants it: what it is, and how far to trust it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant<'a> {
    /// Its name.
    pub name: &'static str,
    /// What it is set to.
    pub value: &'a Value,
    /// In which unit, empty for a plain number.
    pub unit: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Which document, file or capture.
    pub from: &'a str,
}

/// A kind of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A pair of nRF24L01+.
    Nrf24,
    /// A pair of SX1276 in LoRa mode.
    Lora,
    /// One board that answers its trigger with a strobe.
    Gpio,
    /// Two serial ports and a wire.
    Uart,
}

impl Kind {
    /// Every parameter of this kind.
    #[must_use]
    pub const fn parameters(self) -> &'static [Known] {
        match self {
            Self::Nrf24 => nrf24::PARAMETERS,
            Self::Lora => lora::PARAMETERS,
            Self::Gpio => gpio::PARAMETERS,
            Self::Uart => uart::PARAMETERS,
        }
    }
}

/// A link profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What other tools call it.
    pub name: String,
    /// What is wired.
    pub kind: Kind,
    /// One sentence.
    pub about: String,
    /// The constants.
    pub parameters: BTreeMap<String, Parameter>,
    /// Figures to hold the bench against.
    #[serde(default)]
    pub published: Vec<Published>,
}

impl Profile {
    /// Reads a profile; `name` is what errors call it until its own name is known.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let profile: Self = parse(name, text)?;
        profile.check()?;
        Ok(profile)
    }

    /// Holds every parameter against what its kind has.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (key, parameter) in &self.parameters {
            let known = self.known(key)?;
            self.admit(known, &parameter.value)?;
            if parameter.unit != known.unit {
                let (given, right) = (&parameter.unit, known.unit);
                let message = format!("`{key}` is in {right:?}, not {given:?}");
                return Err(Error::Syntax { name: self.name.clone(), message });
            }
            if parameter.source == Source::Calibrated && parameter.from.is_empty() {
                return Err(Error::Unsourced { link: self.name.clone(), name: key.clone() });
            }
        }
        for known in self.kind.parameters() {
            self.value(known.name)?;
        }
        Ok(())
    }

    /// Every constant, in the order its kind lists them.
    pub fn constants(&self) -> impl Iterator<Item = Constant<'_>> {
        self.kind.parameters().iter().filter_map(|known| {
            let parameter = self.parameters.get(known.name)?;
            Some(Constant {
                name: known.name,
                value: &parameter.value,
                unit: known.unit,
                about: known.about,
                source: parameter.source,
                from: &parameter.from,
            })
        })
    }

    /// Changes a parameter, as `--set name=value` does.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let known = self.known(name)?;
        let value = match known.domain {
            Domain::Whole(..) => text.parse().map(Value::Whole).ok(),
            Domain::Real(..) => text.parse().map(Value::Real).ok(),
            Domain::Flag => text.parse().map(Value::Flag).ok(),
            Domain::Choice(_) => None,
        };
        let value = value.unwrap_or_else(|| Value::Choice(text.to_owned()));
        self.admit(known, &value)?;
        if let Some(parameter) = self.parameters.get_mut(known.name) {
            parameter.value = value;
            parameter.source = Source::Assumed;
            parameter.from = "set for this run".to_owned();
        }
        Ok(())
    }

    fn known(&self, name: &str) -> Result<&'static Known, Error> {
        let all = self.kind.parameters();
        all.iter().find(|known| known.name == name).ok_or_else(|| Error::UnknownParameter {
            link: self.name.clone(),
            name: name.to_owned(),
            nearest: nearest(name, all.iter().map(|known| known.name)),
        })
    }

    fn admit(&self, known: &Known, value: &Value) -> Result<(), Error> {
        let (link, name, text) = (self.name.clone(), known.name, value.to_string());
        let range = |low, high| {
            let (link, value) = (self.name.clone(), value.to_string());
            Error::OutOfRange { link, name, value, low, high, unit: known.unit }
        };
        match (known.domain, value) {
            (Domain::Whole(low, high), Value::Whole(whole)) => {
                if (low..=high).contains(whole) {
                    Ok(())
                } else {
                    Err(range(low as f64, high as f64))
                }
            }
            (Domain::Real(low, high), Value::Real(real)) => {
                if (low..=high).contains(real) {
                    Ok(())
                } else {
                    Err(range(low, high))
                }
            }
            (Domain::Real(low, high), Value::Whole(whole)) => {
                if (low..=high).contains(&(*whole as f64)) { Ok(()) } else { Err(range(low, high)) }
            }
            (Domain::Flag, Value::Flag(_)) => Ok(()),
            (Domain::Choice(choices), Value::Choice(choice))
                if choices.split(" | ").any(|known| known == choice) =>
            {
                Ok(())
            }
            (domain, _) => {
                let choices = match domain {
                    Domain::Whole(..) => "a whole number",
                    Domain::Real(..) => "a number",
                    Domain::Flag => "true or false",
                    Domain::Choice(choices) => choices,
                };
                Err(Error::NoSuchChoice { link, name, value: text, choices })
            }
        }
    }

    fn value(&self, name: &'static str) -> Result<&Value, Error> {
        let found = self.parameters.get(name).map(|parameter| &parameter.value);
        found.ok_or_else(|| Error::MissingParameter { link: self.name.clone(), name })
    }

    /// A whole number.
    pub(crate) fn whole(&self, name: &'static str) -> Result<u64, Error> {
        match self.value(name)? {
            Value::Whole(whole) => Ok((*whole).max(0) as u64),
            _ => Err(Error::MissingParameter { link: self.name.clone(), name }),
        }
    }

    /// A whole number that may be negative.
    pub(crate) fn signed(&self, name: &'static str) -> Result<i64, Error> {
        match self.value(name)? {
            Value::Whole(whole) => Ok(*whole),
            _ => Err(Error::MissingParameter { link: self.name.clone(), name }),
        }
    }

    /// A parameter in nanoseconds.
    pub(crate) fn duration(&self, name: &'static str) -> Result<Duration, Error> {
        Ok(Duration::from_ns(self.whole(name)?))
    }

    /// A real number.
    pub(crate) fn real(&self, name: &'static str) -> Result<f64, Error> {
        match self.value(name)? {
            Value::Real(real) => Ok(*real),
            Value::Whole(whole) => Ok(*whole as f64),
            _ => Err(Error::MissingParameter { link: self.name.clone(), name }),
        }
    }

    /// Yes or no.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Error> {
        match self.value(name)? {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(Error::MissingParameter { link: self.name.clone(), name }),
        }
    }

    /// One of several choices.
    pub(crate) fn choice(&self, name: &'static str) -> Result<&str, Error> {
        match self.value(name)? {
            Value::Choice(choice) => Ok(choice),
            _ => Err(Error::MissingParameter { link: self.name.clone(), name }),
        }
    }
}

/// Reads a file of whatever shape `T` has; an error says in which line, on one line.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].lines().count().max(1));
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::Syntax { name: name.to_owned(), message: format!("{place}{message}") }
    })
}

/// The name that takes the fewest changed letters to reach.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> &'a str {
    names.min_by_key(|known| distance(name, known)).unwrap_or("")
}

/// Letters to insert, remove or replace (Levenshtein, 1965).
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

#[cfg(test)]
mod tests;
