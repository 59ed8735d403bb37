//! The horizontal axis of a campaign.

use airlag_kinds::registry;

use super::super::{At, CampaignQuestion, Point};
use crate::error::Error;
use crate::quantity::{TIMES, general, time_unit};

/// Options of the traffic, and the noun by which a sentence names each.
const NOUNS: [(&str, &str); 3] =
    [("message", "messages"), ("pace", "a pace"), ("utilisation", "a utilisation")];

/// The horizontal axis.
pub(super) struct Axis {
    /// Name of the quantity: a parameter as in `--set`, or an option of the traffic.
    name: String,
    /// Unit. Empty for a plain number.
    pub(super) unit: &'static str,
    /// Divisor that converts a position to this unit.
    divisor: f64,
    /// Axis title with the unit.
    pub(super) title: String,
    /// Whether the quantity is a count, such as hops or senders.
    counted: bool,
}

impl Axis {
    pub(super) fn of(asked: &CampaignQuestion, points: &[Point]) -> Result<Self, Error> {
        let x = asked.x.as_str();
        let Some(first) = points.first().filter(|_| x != "size") else {
            return Ok(Self::new("message", "B", 1.0, false));
        };
        let unit = match x {
            "utilisation" => "",
            // An option of the traffic takes precedence over a constant with the same name.
            _ => match registry::find(&first.link)?.known(x) {
                Ok(known) if first.settings.contains_key(x) => known.unit,
                _ if x == "pace" => TIMES[0].name,
                _ => "",
            },
        };
        let numbers: Vec<f64> = points.iter().filter_map(|point| point.at.number()).collect();
        if unit == TIMES[0].name {
            let unit = time_unit(numbers);
            return Ok(Self::new(x, unit.name, unit.size, false));
        }
        let whole = numbers.len() == points.len() && numbers.iter().all(|at| at.fract() == 0.0);
        let counted = whole && unit.is_empty() && x.ends_with('s') && !x.ends_with("ss");
        Ok(Self::new(x, unit, 1.0, counted))
    }

    fn new(name: &str, unit: &'static str, divisor: f64, counted: bool) -> Self {
        let title = if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") };
        Self { name: name.to_owned(), unit, divisor, title, counted }
    }

    /// Converts a position to the unit of the axis.
    pub(super) fn scaled(&self, at: &At) -> At {
        match at {
            At::Number(number) => At::Number(number / self.divisor),
            At::Text(_) => at.clone(),
        }
    }

    /// Formats a position without its unit.
    pub(super) fn digits(&self, at: &At) -> String {
        match at {
            At::Number(number) => general(number / self.divisor, 6),
            At::Text(text) => text.clone(),
        }
    }

    /// Formats a position, such as `128 B`, `3 hops` or `rate 250`.
    pub(super) fn position(&self, at: &At) -> String {
        let digits = self.digits(at);
        let unit = match at {
            At::Text(_) => return format!("{} {digits}", self.name),
            At::Number(number) if self.counted && *number == 1.0 => singular(&self.name),
            At::Number(_) if self.counted => self.name.clone(),
            // Units of times have two letters: `ms` is no plural.
            At::Number(number) if *number == 1.0 && self.unit.len() > 2 => singular(self.unit),
            At::Number(_) => self.unit.to_owned(),
        };
        format!("{digits} {unit}").trim_end().to_owned()
    }

    /// Formats a position as part of a sentence, such as `with a pace of 16 ms` or `with 3 hops`.
    pub(super) fn clause(&self, at: &At) -> String {
        let position = self.position(at);
        if self.counted || matches!(at, At::Text(_)) {
            return format!("with {position}");
        }
        match self.noun() {
            Some(noun) => format!("with {noun} of {position}"),
            None => format!("with {} = {position}", self.name),
        }
    }

    /// Formats a range of positions, such as `with a pace of 0 ms to 20 ms` or `from 1 to 3 hops`.
    pub(super) fn span(&self, first: &At, last: &At) -> String {
        let (from, to) = (self.position(first), self.position(last));
        match (first, self.noun()) {
            (At::Text(_), _) => format!("from {from} to {to}"),
            (At::Number(_), _) if self.counted => format!("from {} to {to}", self.digits(first)),
            (At::Number(_), Some(noun)) => format!("with {noun} of {from} to {to}"),
            (At::Number(_), None) => format!("as {} goes from {from} to {to}", self.name),
        }
    }

    /// The name with its article. `None` for a parameter, whose name is not necessarily a noun:
    /// `device_send`, `co_processor_stops_at`.
    fn noun(&self) -> Option<&'static str> {
        NOUNS.iter().find(|(name, _)| *name == self.name).map(|(_, noun)| *noun)
    }
}

fn singular(name: &str) -> String {
    let stem = name.strip_suffix("ies").map(|stem| format!("{stem}y"));
    stem.unwrap_or_else(|| name.trim_end_matches('s').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: f64) -> At {
        At::Number(number)
    }

    #[test]
    fn what_is_counted_is_named_by_what_it_counts() {
        let hops = Axis::new("hops", "", 1.0, true);
        assert_eq!([hops.position(&at(1.0)), hops.clause(&at(3.0))], ["1 hop", "with 3 hops"]);
        assert_eq!(hops.span(&at(1.0), &at(3.0)), "from 1 to 3 hops");
        assert_eq!(Axis::new("retries", "", 1.0, true).clause(&at(1.0)), "with 1 retry");
    }

    #[test]
    fn what_is_measured_is_named_with_its_unit() {
        let pace = Axis::new("pace", "ms", 1e6, false);
        assert_eq!(pace.clause(&at(16e6)), "with a pace of 16 ms");
        assert_eq!(pace.span(&at(0.0), &at(20e6)), "with a pace of 0 ms to 20 ms");
        assert_eq!(pace.title, "pace, ms");
        let utilisation = Axis::new("utilisation", "", 1.0, false);
        assert_eq!(utilisation.clause(&at(0.9)), "with a utilisation of 0.9");
        let message = Axis::new("message", "B", 1.0, false);
        assert_eq!(message.span(&at(16.0), &at(1440.0)), "with messages of 16 B to 1440 B");
        let block = Axis::new("aes_block", "us", 1e3, false);
        assert_eq!(block.clause(&at(7_200.0)), "with aes_block = 7.2 us");
        assert_eq!(block.span(&at(0.0), &at(7_200.0)), "as aes_block goes from 0 us to 7.2 us");
        let queue = Axis::new("queue", "frames", 1.0, false);
        assert_eq!(queue.clause(&at(1.0)), "with queue = 1 frame");
        let rate = Axis::new("rate", "", 1.0, false);
        let [slow, fast] = ["250", "2000"].map(|text| At::Text(text.to_owned()));
        assert_eq!(rate.span(&slow, &fast), "from rate 250 to rate 2000");
    }
}
