//! Syntax of a neighbour request.
//!
//! ```text
//! wifi:30%@ch6,10m,20dBm
//! kind:amount[@ch channel][,distance][,power]        several: separated by semicolons
//! ```

use airlag_air::quantity::{Dbm, Metres};

use super::{Kinds, Neighbour};
use crate::profile::nearest;

/// Amount of a neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Share of airtime that its frames occupy, from 0 to 1.
    Share(f64),
    /// Number of senders or pairs.
    Count(u8),
}

/// A parsed neighbour request.
#[derive(Clone, Copy)]
pub struct Spec {
    /// Kind.
    pub of: &'static dyn Neighbour,
    /// Amount.
    pub amount: Amount,
    /// Channel, in the numbering of its kind.
    pub channel: Option<u8>,
    /// Distance from both ends of the link.
    pub distance: Metres,
    /// Transmit power. `None` means the default power of the kind.
    pub power: Option<Dbm>,
}

/// Default distance of neighbours.
pub const DISTANCE: Metres = Metres(3.0);
/// Largest count; more would only slow the simulation.
const MOST: u8 = 50;

/// Parses requests separated by semicolons. An empty text contains no request. An error states the
/// problem and the valid form.
pub fn parse(text: &str, kinds: Kinds) -> Result<Vec<Spec>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    text.split(';').map(|one| read(one.trim(), kinds)).collect()
}

fn read(text: &str, kinds: Kinds) -> Result<Spec, String> {
    // Escape and shorten the text, which may contain anything, for display.
    let shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    let wrong = |what: &str| format!("`{shown}`: {what}");
    let form = || wrong(&format!("a neighbour is kind:amount, as in {}", kinds.examples()));
    let (name, rest) = text.split_once(':').ok_or_else(form)?;
    let of = kinds.find(name).ok_or_else(|| {
        let near = nearest(name, kinds.names());
        wrong(&format!("no such neighbour; did you mean `{near}`, as in {}?", kinds.examples()))
    })?;
    let mut parts = rest.split(',').map(str::trim);
    let (amount, channel) = match parts.next().unwrap_or_default().split_once('@') {
        Some((amount, channel)) => (amount.trim(), Some(channel.trim())),
        None => (rest.split(',').next().unwrap_or_default().trim(), None),
    };
    let amount = match amount.strip_suffix('%') {
        Some(percent) => positive(percent)
            .filter(|&share| share <= 100.0)
            .map(|share| Amount::Share(share / 100.0)),
        None => amount.parse().ok().filter(|count| (1..=MOST).contains(count)).map(Amount::Count),
    };
    let amount = amount.ok_or_else(|| {
        wrong(&format!(
            "the amount is a share above 0% up to 100%, or a count from 1 to {MOST}, as in {}",
            of.example()
        ))
    })?;
    let channel = channel.map(|text| {
        let number = text.strip_prefix("ch").unwrap_or(text).parse().ok();
        number.ok_or_else(|| wrong(&format!("a channel is a number, as in {}", of.example())))
    });
    let mut spec =
        Spec { of, amount, channel: channel.transpose()?, distance: DISTANCE, power: None };
    for part in parts {
        if let Some(power) = part.strip_suffix("dBm").and_then(|text| text.trim().parse().ok()) {
            let in_range = Some(power).filter(|power| (-100.0..=60.0).contains(power));
            let power = in_range.ok_or_else(|| wrong("a power is from -100dBm to 60dBm"))?;
            spec.power = Some(Dbm(power));
        } else if let Some(metres) = part.strip_suffix('m').and_then(metres) {
            let in_range = Some(metres).filter(|metres| (0.01..=1e6).contains(metres));
            let metres = in_range.ok_or_else(|| wrong("a distance is from 1cm to 1000km"))?;
            spec.distance = Metres(metres);
        } else {
            return Err(wrong(
                "the amount may be followed by a distance (10m) and a power (20dBm)",
            ));
        }
    }
    of.check(&spec).map_err(|what| wrong(&what))?;
    Ok(spec)
}

/// Parses the number before the `m` in `10m`, `10cm` or `2km`.
fn metres(text: &str) -> Option<f64> {
    let (number, scale) = match (text.strip_suffix('k'), text.strip_suffix('c')) {
        (Some(number), _) => (number, 1_000.0),
        (_, Some(number)) => (number, 0.01),
        _ => (text, 1.0),
    };
    positive(number).map(|number| number * scale)
}

fn positive(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

impl Spec {
    /// Returns the amount as a share of airtime.
    ///
    /// # Errors
    ///
    /// A message with the valid form, where the amount is a count.
    pub fn share(&self) -> Result<f64, String> {
        match self.amount {
            Amount::Share(share) => Ok(share),
            Amount::Count(_) => {
                Err(format!("it is a share of airtime, as in {}", self.of.example()))
            }
        }
    }

    /// Returns the amount as a count.
    ///
    /// # Errors
    ///
    /// A message with the valid form, where the amount is a share.
    pub fn count(&self) -> Result<u8, String> {
        match self.amount {
            Amount::Count(count) => Ok(count),
            Amount::Share(_) => Err(format!("it is a number, as in {}", self.of.example())),
        }
    }

    /// Returns the channel, checked against `low` and `high`.
    ///
    /// # Errors
    ///
    /// A message with the valid form.
    pub fn channel(&self, low: u8, high: u8) -> Result<u8, String> {
        self.channel
            .filter(|channel| (low..=high).contains(channel))
            .ok_or_else(|| format!("its channel is {low} to {high}, as in {}", self.of.example()))
    }
}

#[cfg(test)]
mod tests;
