//! Parameters to tune together, with their possible values.
//!
//! ```text
//! connection_interval=7.5ms..100ms            a range
//! connection_interval=7.5ms..100ms/1.25ms     a range with a step
//! latency=0..4                                whole numbers, for an integer parameter
//! phy=1M|2M                                   a choice
//! ```

mod parameter;
mod points;
mod text;

use std::collections::BTreeMap;

use airlag_rig::knob::Knob;
use airlag_rig::parameter::Value as Held;
use airlag_rig::profile::Profile;

use super::steps::{finest, typed};
use super::{Problem, Settings};
use crate::advice::candidates;
use crate::pace;

pub use parameter::{Choice, Kind, Parameter, Span, Value};
pub use points::Point;
use text::{Range, digits, quoted};
pub use text::{Wrong, clauses};

/// Largest number of values of a choice.
const MOST_CHOICES: usize = 1000;

/// The parameters of a link to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Values of the profile, which may be outside the space.
    own: BTreeMap<String, String>,
    /// Cost that no metric shows, by parameter and value.
    prices: BTreeMap<String, Vec<(String, String)>>,
}

/// A parameter that differs from the profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// Name of the parameter.
    pub name: String,
    /// Value in the profile. `None` if the profile has no such parameter.
    pub profile: Option<String>,
    /// New value.
    pub value: String,
    /// Cost that no metric shows. Empty if there is none.
    pub gives_up: String,
}

impl Space {
    /// Collects the parameters named in `over`, and the tunable parameters of the link that `knobs` selects.
    /// If `free` is set, only values without a cost are included.
    ///
    /// `base` is the profile without settings. `settings` apply to all points.
    ///
    /// # Errors
    ///
    /// [`Problem::Values`] or the error of the bench, for values that cannot be used.
    pub fn of(
        base: &Profile,
        size: Option<usize>,
        settings: &Settings,
        over: &[(String, String)],
        knobs: Knobs,
        free: bool,
    ) -> Result<Self, Problem> {
        let link = Link { base, size, settings };
        let profile = link.with(&[])?;
        if let Some((name, _)) = over.iter().find(|(name, _)| settings.contains_key(name)) {
            return Err(Wrong::SetToo { link: link.name(), name: name.clone() }.into());
        }
        let turned = candidates(&profile)?;
        let mut found: Vec<Parameter> = Vec::new();
        for (name, value) in knobs.values(&profile, free)? {
            let same = |one: &Parameter| match &one.kind {
                Kind::Choice(choice) => {
                    one.name == name && choice.values.iter().any(|one| one == value)
                }
                Kind::Span(_) => false,
            };
            if settings.contains_key(name) || found.iter().any(same) {
                continue;
            }
            let value = value.to_owned();
            match found.iter_mut().find(|known| known.name == name).map(|known| &mut known.kind) {
                Some(Kind::Choice(choice)) => choice.values.push(value),
                _ => {
                    let home = link.own(name)?.unwrap_or_default();
                    let values = vec![home.clone(), value];
                    let kind = Kind::Choice(Choice { values, home });
                    found.push(Parameter { name: name.to_owned(), kind });
                }
            }
        }
        for (name, values) in over {
            let kind = link.values(name, values)?;
            match found.iter_mut().find(|one| one.name == *name) {
                Some(one) => one.kind = kind,
                None => found.push(Parameter { name: name.clone(), kind }),
            }
        }
        if found.is_empty() {
            return Err(Wrong::Nothing { link: link.name() }.into());
        }
        let mut own = BTreeMap::new();
        for one in &found {
            if let Some(text) = link.own(&one.name)? {
                own.insert(one.name.clone(), text);
            }
        }
        let mut prices: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for one in turned {
            let price = (one.value.to_owned(), one.gives_up.to_owned());
            prices.entry(one.knob.as_str().to_owned()).or_default().push(price);
        }
        Ok(Self { parameters: found, own, prices })
    }

    /// Number of points. Infinite if a parameter is continuous.
    #[must_use]
    pub fn many(&self) -> f64 {
        self.parameters.iter().map(Parameter::many).product()
    }

    /// Returns, as text, the cost of `value` that no metric shows. If the cost of a number is not known, the
    /// cost of the nearest number with a known cost is returned. Only numbers that deviate from the value of
    /// the profile in the same direction as `value` are considered. The text is empty if there is no such
    /// number.
    #[must_use]
    pub fn price(&self, name: &str, value: &Value) -> String {
        let known = self.prices.get(name).map_or(&[][..], |known| known);
        let one = self.parameters.iter().find(|one| one.name == name).map(|one| &one.kind);
        match (one, value) {
            (Some(Kind::Span(span)), Value::Number(number)) => span.price(*number, known),
            (_, Value::Word(word)) => {
                let price = known.iter().rfind(|(value, _)| value == word);
                price.map_or_else(String::new, |(_, price)| price.clone())
            }
            _ => String::new(),
        }
    }

    /// Settings that differ from the profile.
    #[must_use]
    pub fn turned(&self, settings: &Settings) -> Vec<Turned> {
        let differing = |one: &Parameter| {
            let text = settings.get(&one.name)?;
            let own = self.own.get(&one.name);
            let (is_own, value) = match &one.kind {
                Kind::Choice(_) => (own == Some(text), Some(Value::Word(text.clone()))),
                Kind::Span(span) => {
                    let number = span.read(text);
                    (span.own.is_some() && number == span.own, number.map(Value::Number))
                }
            };
            (!is_own).then(|| Turned {
                name: one.name.clone(),
                profile: own.cloned(),
                value: text.clone(),
                gives_up: value.map_or_else(String::new, |value| self.price(&one.name, &value)),
            })
        };
        self.parameters.iter().filter_map(differing).collect()
    }
}

/// Selection of tunable parameters in addition to the named ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knobs {
    /// None.
    Named,
    /// Parameters that reduce latency.
    Quicker,
    /// Like `Quicker`, and parameters that lower the idle current of the sender.
    Sparing,
}

impl Knobs {
    /// Values of the tunable parameters by name. If `free` is set, only values without a cost. Excludes
    /// values that need another chip or firmware.
    fn values(
        self,
        profile: &Profile,
        free: bool,
    ) -> Result<Vec<(&'static str, &'static str)>, Problem> {
        let kind = profile.kind;
        let (quicker, sparing): (&[Knob], &[Knob]) = match self {
            Self::Named => (&[], &[]),
            Self::Quicker => (kind.knobs(), &[]),
            Self::Sparing => (kind.knobs(), kind.saving()),
        };
        let mut values = Vec::new();
        for knob in quicker.iter().chain(sparing).filter(|knob| !knob.is_hardware) {
            if free && !knob.gives_up.is_empty() {
                continue;
            }
            let own = knob.candidates(profile)?;
            values.extend(own.into_iter().map(|value| (knob.name.as_str(), value)));
        }
        Ok(values)
    }
}

/// A link with the settings of all points.
struct Link<'a> {
    base: &'a Profile,
    size: Option<usize>,
    settings: &'a Settings,
}

impl Link<'_> {
    fn name(&self) -> String {
        self.base.name.clone()
    }

    /// The profile with further settings.
    fn with(&self, further: &[(&str, &str)]) -> Result<Profile, Problem> {
        let mut all: BTreeMap<&str, &str> =
            self.settings.iter().map(|(name, text)| (&name[..], &text[..])).collect();
        all.extend(further.iter().copied());
        let mut profile = self.base.clone();
        for (name, text) in all {
            profile.set(name, text)?;
        }
        Ok(profile)
    }

    /// A value in the unit of the parameter.
    fn value(&self, name: &str, text: &str) -> Result<Held, Problem> {
        let profile = self.with(&[(name, text)])?;
        let held = profile.parameters.get(name).map(|one| one.value.clone());
        Ok(held.unwrap_or_else(|| Held::Choice(text.to_owned())))
    }

    /// Value of the profile in the syntax of `--set`, with its unit. Returns `None` if it has none.
    fn own(&self, name: &str) -> Result<Option<String>, Problem> {
        let profile = self.with(&[])?;
        let held = profile.constants().find(|one| one.name == name);
        Ok(held.map(|held| match held.value {
            Held::Choice(word) => word.clone(),
            Held::Flag(flag) => flag.to_string(),
            Held::Whole(_) | Held::Real(_) => {
                let number = digits(held.value.number().unwrap_or_default());
                let text = format!("{number}{}", held.unit);
                if self.base.clone().set(name, &text).is_ok() { text } else { number }
            }
        }))
    }

    /// Parses the values in `text`.
    fn values(&self, name: &str, text: &str) -> Result<Kind, Problem> {
        let known = self.base.known(name)?;
        let name = known.name;
        let Some(range) = Range::read(text) else { return self.choice(name, text) };
        if known.ends().is_none() {
            let words = known.words().join("|");
            let words = if words.is_empty() { "one of its values".to_owned() } else { words };
            return Err(Wrong::NoRange { link: self.name(), name, words }.into());
        }
        let (mut low, high) = (range.low.number, range.high.number);
        let unit = range.high.unit.or(range.low.unit).unwrap_or_default();
        // The profile reports invalid numbers and numbers out of range.
        let low_unit = range.low.unit.unwrap_or(unit);
        let ends = [
            self.value(name, &format!("{}{low_unit}", digits(low)))?,
            self.value(name, &format!("{}{unit}", digits(high)))?,
        ];
        let whole = ends.iter().all(|end| matches!(end, Held::Whole(_)));
        let [first, last] = ends.map(|end| end.number().unwrap_or(f64::NAN));
        if high != 0.0 && low_unit != unit {
            low = typed(first * high / last);
        }
        let text = || quoted(text);
        if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) {
            return Err(Wrong::Descending { name, text: text() }.into());
        }
        let step = range.step;
        if step.is_some_and(|step| step.unit.is_some_and(|other| other != unit)) {
            return Err(Wrong::StepUnit { name, text: text() }.into());
        }
        let held = self
            .with(&[])?
            .constants()
            .find(|one| one.name == name)
            .and_then(|one| one.value.number());
        let own = held.map(|own| own * if high == 0.0 { low / first } else { high / last });
        let step = match step {
            Some(step) if !(0.0 < step.number && step.number <= high - low) => {
                return Err(Wrong::Step { name, text: text() }.into());
            }
            Some(step) => Some(step.number),
            None => {
                let resolution = whole.then(|| (high - low) / (last - first));
                let refusal =
                    |number: f64| self.refusal(name, &format!("{}{unit}", digits(number)));
                finest(refusal, low, high, resolution)?
            }
        };
        Ok(Kind::Span(Span { low, high, step, unit: unit.to_owned(), own }))
    }

    /// Parses a choice with bars between the values.
    fn choice(&self, name: &'static str, text: &str) -> Result<Kind, Problem> {
        let words: Vec<&str> = text.split('|').map(str::trim).collect();
        if text.contains("..") || words.contains(&"") {
            return Err(Wrong::Neither { name, text: quoted(text) }.into());
        }
        if words.len() > MOST_CHOICES {
            return Err(Wrong::TooMany { name, most: MOST_CHOICES }.into());
        }
        let own =
            self.with(&[])?.constants().find(|one| one.name == name).map(|one| one.value.clone());
        let (mut home, mut values) = (None, Vec::new());
        for word in words {
            if Some(self.value(name, word)?) == own {
                home.get_or_insert(word);
            }
            if !values.iter().any(|known| known == word) {
                values.push(word.to_owned());
            }
        }
        let home = home.map_or_else(|| values[0].clone(), str::to_owned);
        Ok(Kind::Choice(Choice { values, home }))
    }

    /// Reason why the bench rejects a value. Returns `None` if it accepts it.
    fn refusal(&self, name: &str, text: &str) -> Option<Problem> {
        let asked = || -> Result<_, Problem> {
            let profile = self.with(&[(name, text)])?;
            let size = profile.bytes(self.size)?;
            Ok(pace::service(&profile, size, 1)?)
        };
        asked().err()
    }
}
