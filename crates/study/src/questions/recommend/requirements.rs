//! The requirements of a recommendation: their permitted ranges, and their text.

use super::{Question, Region};
use crate::error::Error;
use crate::quantity;

/// Lowest and highest permitted value of each numeric requirement. The permitted percentile, loss
/// ratio and share of locations are limited because the bench simulates a limited number of
/// messages and locations. The work budget is in seconds of one core.
pub const LIMITS: [(&str, (f64, f64)); 4] = [
    ("percentile", (50.0, 99.99)),
    ("max_loss", (1e-4, 0.5)),
    ("places_share", (0.1, 0.95)),
    ("budget_s", (0.1, 1e6)),
];

impl Question {
    /// Checks the numbers of the requirements.
    ///
    /// # Errors
    ///
    /// [`Error::Question`] for a number out of its range.
    pub(super) fn check(&self) -> Result<(), Error> {
        let numbers = [self.percentile, self.max_loss, self.places_share, self.budget_s];
        for ((name, (least, most)), value) in LIMITS.into_iter().zip(numbers) {
            if !(least..=most).contains(&value) {
                let cause = format!("{name} is {value}; write one from {least} to {most}");
                return Err(Error::Question { cause });
            }
        }
        Ok(())
    }

    /// The complete requirements in words, one phrase each.
    pub(super) fn in_words(&self) -> Vec<String> {
        let what = self.size.map_or_else(|| "one answer".to_owned(), |size| format!("{size} B"));
        let deadline = quantity::exact(self.deadline_ns.unsigned_abs());
        let share = |ratio: f64| quantity::general(100.0 * ratio, 6);
        let mut words = vec![
            format!("{what} within {deadline} at p{}", quantity::general(self.percentile, 6)),
            format!("at most {} % lost", share(self.max_loss)),
        ];
        words.push(match self.period_ns {
            Some(ns) => format!("sent at random times, every {}", quantity::exact(ns)),
            None => "sent at random times".to_owned(),
        });
        if let (Some(range), Some(environment)) = (&self.range, &self.environment) {
            let places = share(self.places_share);
            words.push(format!("{range} apart, {environment}: at {places} % of locations"));
        }
        if !self.neighbours.is_empty() {
            words.push(format!("neighbours {}", self.neighbours.join(", ")));
        }
        words.extend(self.processor.as_ref().map(|name| format!("processor {name}")));
        words.extend(self.region.map(permitted_in));
        words.extend(self.max_charge_nc.map(|nc| {
            format!("at most {} per message", quantity::in_units(nc, &quantity::CHARGES))
        }));
        if let (Some(battery), Some(rate)) = (&self.battery, self.per_second) {
            let life = self.battery_years.map(quantity::years);
            let lasts = life.map_or_else(String::new, |life| format!(" lasts at least {life}"));
            words.push(format!("{battery}{lasts} at {}", quantity::rate(rate)));
        }
        words.extend(self.settings.iter().map(|(name, value)| format!("{name}={value}")));
        words
    }
}

fn permitted_in(region: Region) -> String {
    format!("permitted in the {}", airlag_law::Region::from(region).as_str().to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(json: &str) -> Question {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn requirements_are_stated_with_their_units() {
        let asked = question(
            r#"{"size": 32, "deadline_ns": 16600000, "percentile": 99.9, "max_loss": 0.001,
                "range": "30m", "region": "eu", "battery_years": 1.0, "max_charge_nc": 50000,
                "settings": {"tx_power": "0"}}"#,
        );
        let words = [
            "32 B within 16.6ms at p99.9",
            "at most 0.1 % lost",
            "sent at random times",
            "30m apart, outdoor: at 90 % of locations",
            "permitted in the EU",
            "at most 50.00 uC per message",
            "CR2032 lasts at least 1.000 years at 1/min",
            "tx_power=0",
        ];
        assert_eq!(asked.complete().in_words(), words);
    }

    #[test]
    fn a_number_out_of_its_range_is_refused() {
        for (name, value) in [
            ("percentile", "99.999"),
            ("percentile", "49"),
            ("max_loss", "0.6"),
            ("places_share", "0"),
            ("budget_s", "0.01"),
        ] {
            let asked = question(&format!(r#"{{"deadline_ns": 1000, "{name}": {value}}}"#));
            let error = asked.check().unwrap_err().to_string();
            assert!(error.contains(&format!("{name} is {value}; write one from")), "{error}");
        }
        assert_eq!(question(r#"{"deadline_ns": 1000}"#).check(), Ok(()));
    }
}
