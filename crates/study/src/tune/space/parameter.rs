//! A parameter to tune: a choice or a numeric range.

use super::text::{digits, number_and_unit};
use crate::tune::metric::TIMES;
use crate::tune::steps::typed;

/// Value of a parameter: a number in the typed unit, or a word in the syntax of `--set`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A value of a [`Span`].
    Number(f64),
    /// A value of a [`Choice`].
    Word(String),
}

/// A parameter with its possible values.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Possible values.
    pub kind: Kind,
}

/// Kind of the possible values.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One of several values.
    Choice(Choice),
    /// A number in a range.
    Span(Span),
}

/// One of several values.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Values in the syntax of `--set`. Never empty.
    pub values: Vec<String>,
    /// Value of the profile, or else the first value.
    pub home: String,
}

/// A numeric range.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Lower end, in `unit`.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Step, counted from `low`. `None` means any number.
    pub step: Option<f64>,
    /// Unit as typed. Empty means the unit of the parameter.
    pub unit: String,
    /// Value of the profile, in `unit`. `None` if it is not a number.
    pub own: Option<f64>,
}

impl Parameter {
    /// Name in an optimisation study, with the unit of its values.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.kind {
            Kind::Span(span) if !span.unit.is_empty() => format!("{} ({})", self.name, span.unit),
            _ => self.name.clone(),
        }
    }

    /// Number of values. Infinite for a continuous range.
    #[must_use]
    pub fn many(&self) -> f64 {
        match &self.kind {
            Kind::Choice(choice) => choice.values.len() as f64,
            Kind::Span(span) => span.many(),
        }
    }

    /// Formats a value in the syntax of `--set`.
    #[must_use]
    pub fn text(&self, value: &Value) -> String {
        match (value, &self.kind) {
            (Value::Word(word), _) => word.clone(),
            (Value::Number(number), Kind::Span(span)) => {
                format!("{}{}", digits(*number), span.unit)
            }
            (Value::Number(number), Kind::Choice(_)) => digits(*number),
        }
    }

    /// Returns the value of the profile, or the nearest value in the space. If the profile has no
    /// value, this is the first value of a choice, or the lower end of a range.
    #[must_use]
    pub fn home(&self) -> Value {
        match &self.kind {
            Kind::Choice(choice) => Value::Word(choice.home.clone()),
            Kind::Span(span) => Value::Number(span.near(span.own.unwrap_or(span.low))),
        }
    }

    /// Returns the value at a position from 0 to below 1. All values have equal shares of this
    /// range.
    #[must_use]
    pub fn at(&self, share: f64) -> Value {
        let place = |many: usize| ((share * many as f64) as usize).min(many - 1);
        match &self.kind {
            Kind::Choice(choice) => Value::Word(choice.values[place(choice.values.len())].clone()),
            Kind::Span(span) => Value::Number(match span.step {
                None => typed(span.low + share * (span.high - span.low)),
                Some(step) => span.nth(place(span.many() as usize), step),
            }),
        }
    }

    /// Returns the neighbours of a value. For a choice, these are all other values. For a range, these are
    /// adjacent values, some farther ones, and both ends.
    #[must_use]
    pub fn around(&self, value: &Value) -> Vec<Value> {
        match (&self.kind, value) {
            (Kind::Span(span), Value::Number(number)) => numbers(span.around(*number)),
            _ => self.all().into_iter().filter(|one| one != value).collect(),
        }
    }

    /// Returns the initial values: all values of a choice, or five evenly spaced values of a range.
    #[must_use]
    pub fn spread(&self) -> Vec<Value> {
        let Kind::Span(span) = &self.kind else { return self.all() };
        let fifth = |k: u8| span.near(span.low + f64::from(k) / 4.0 * (span.high - span.low));
        numbers(once((0..5).map(fifth)))
    }

    /// Returns all values. Empty for a range without steps.
    #[must_use]
    pub fn all(&self) -> Vec<Value> {
        match &self.kind {
            Kind::Choice(choice) => choice.values.iter().cloned().map(Value::Word).collect(),
            Kind::Span(span) => {
                let Some(step) = span.step else { return Vec::new() };
                numbers((0..span.many() as usize).map(|nth| span.nth(nth, step)).collect())
            }
        }
    }
}

impl Span {
    fn many(&self) -> f64 {
        let Some(step) = self.step else { return f64::INFINITY };
        ((self.high - self.low) / step + 1e-9).floor() + 1.0
    }

    /// Returns the possible value nearest to a number.
    #[must_use]
    pub fn near(&self, number: f64) -> f64 {
        match self.step {
            None => typed(number.max(self.low).min(self.high)),
            Some(step) => {
                let nth = ((number - self.low) / step).round_ties_even();
                self.nth(nth.clamp(0.0, self.many() - 1.0) as usize, step)
            }
        }
    }

    fn nth(&self, nth: usize, step: f64) -> f64 {
        typed(self.low + nth as f64 * step)
    }

    fn around(&self, here: f64) -> Vec<f64> {
        let reach = self.high - self.low;
        let least = self.step.unwrap_or(reach / 64.0);
        let farther = [32.0, 8.0, 3.0].map(|part| reach / part);
        let widths = [least].into_iter().chain(farther.into_iter().filter(|&width| width > least));
        let beside = widths.flat_map(|width| [here - width, here + width]);
        let all = beside.chain([self.low, self.high]).map(|number| self.near(number));
        let own = self.near(here);
        once(all).into_iter().filter(|&one| one != own).collect()
    }

    /// Cost of changing the parameter from the profile towards a number, from known prices.
    pub(super) fn price(&self, number: f64, known: &[(String, String)]) -> String {
        let Some(own) = self.own.filter(|&own| own != number) else { return String::new() };
        let priced = known.iter().filter_map(|(word, text)| {
            let value = self.read(word)?;
            ((value > own) == (number > own)).then_some(((value - number).abs(), text))
        });
        let least = priced.min_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
        least.map_or_else(String::new, |(_, text)| text.clone())
    }

    /// Parses a value in the syntax of `--set` to a number in this unit. Returns `None` for another unit.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<f64> {
        let (number, unit) = number_and_unit(text)?;
        let size = |unit: &str| TIMES.0.iter().find(|(known, _)| *known == unit).map(|one| one.1);
        if unit == self.unit {
            Some(number)
        } else {
            Some(number * size(unit)? / size(&self.unit)?)
        }
    }
}

/// Removes duplicates and keeps the first occurrences.
fn once(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut found = Vec::new();
    for number in numbers {
        if !found.contains(&number) {
            found.push(number);
        }
    }
    found
}

fn numbers(found: Vec<f64>) -> Vec<Value> {
    found.into_iter().map(Value::Number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(low: f64, high: f64, step: f64) -> Parameter {
        let span = Span { low, high, step: Some(step), unit: String::new(), own: None };
        Parameter { name: "a".to_owned(), kind: Kind::Span(span) }
    }

    #[test]
    fn each_value_gets_the_same_part_of_the_unit_interval() {
        let values = ["1M", "2M", "coded"].map(str::to_owned).to_vec();
        let choice = Choice { home: values[0].clone(), values };
        let choice = Parameter { name: "phy".to_owned(), kind: Kind::Choice(choice) };
        for one in [choice, span(0.0, 4.0, 1.0), span(7.5, 15.0, 1.25)] {
            let drawn: Vec<Value> = (0..1200).map(|nth| one.at(f64::from(nth) / 1200.0)).collect();
            let counts =
                one.all().into_iter().map(|value| drawn.iter().filter(|&d| *d == value).count());
            let counts: Vec<usize> = counts.collect();
            assert_eq!(counts.iter().sum::<usize>(), 1200);
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
    }

    #[test]
    fn a_number_moves_by_its_step_and_farther() {
        let one = span(0.0, 100.0, 1.0);
        let around = one.around(&Value::Number(0.0));
        // A step, 1/32, 1/8 and 1/3 of the range, and the other end.
        assert_eq!(around, [1.0, 3.0, 12.0, 33.0, 100.0].map(Value::Number));
        assert_eq!(one.spread(), [0.0, 25.0, 50.0, 75.0, 100.0].map(Value::Number));
        assert_eq!(span(0.0, 1.0, 1.0).spread(), [0.0, 1.0].map(Value::Number));
    }
}
