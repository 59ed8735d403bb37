//! Battery data from manufacturers: `links/batteries.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::Error;
use crate::origin::Origin;
use crate::parameter::take;
use crate::profile::{nearest, parse};

/// A figure from a battery's datasheet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Figure {
    /// Value, in the unit at the end of the field's name.
    pub value: f64,
    /// Origin of the figure.
    pub origin: Origin,
}

impl TryFrom<toml::Table> for Figure {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let value: f64 = take(&mut table, "value")?.ok_or("missing field `value`")?;
        if !(value > 0.0 && value < 1e9) {
            return Err(format!("{value} is not a valid battery figure"));
        }
        let origin = Origin::rest(table)?;
        origin.check()?;
        Ok(Self { value, origin })
    }
}

/// Capacity at one temperature, in percent of the capacity at [`ROOM`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Cold {
    /// Temperature, °C.
    pub celsius: f64,
    /// Capacity, percent.
    pub percent: Figure,
}

impl TryFrom<toml::Table> for Cold {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let celsius = take(&mut table, "celsius")?.ok_or("missing field `celsius`")?;
        Ok(Self { celsius, percent: Figure::try_from(table)? })
    }
}

/// Temperature at which all other figures apply, °C.
const ROOM: f64 = 20.0;
/// Supported battery temperatures, °C.
const RANGE: std::ops::RangeInclusive<f64> = -40.0..=85.0;
/// Temperature rise that doubles self-discharge, K: the Arrhenius rule for reactions near room
/// temperature.
const DOUBLES: f64 = 10.0;

/// A battery.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// Description.
    pub about: String,
    /// Rated capacity, mAh.
    pub capacity_mah: Figure,
    /// Self-discharge. `None` if the datasheet does not state it.
    pub self_discharge_percent_per_year: Option<Figure>,
    /// Largest pulse current at which the rated capacity is available. The upper end of its bound
    /// is the absolute maximum. `None` if the datasheet does not state it.
    pub largest_pulse_ma: Option<Figure>,
    /// Share of the capacity that is lost with pulses at the absolute maximum current, percent.
    /// `None` if the datasheet does not state it.
    pub pulse_derating_percent: Option<Figure>,
    /// Capacity by temperature, coldest first; empty where the datasheet does not state it.
    #[serde(default)]
    pub cold: Vec<Cold>,
}

type Batteries = BTreeMap<String, Battery>;

static ALL: LazyLock<Result<Batteries, Error>> =
    LazyLock::new(|| parse("batteries", include_str!("../../../links/batteries.toml")));

/// Names of all batteries, as accepted by `--battery`.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ALL.as_ref().map_or_else(|_| Vec::new(), |all| all.keys().map(String::as_str).collect())
}

/// Returns all batteries with their names.
///
/// # Errors
///
/// [`Error::Syntax`] if the list is malformed.
pub fn all() -> Result<impl Iterator<Item = (&'static str, &'static Battery)>, Error> {
    let all = ALL.as_ref().map_err(Clone::clone)?;
    Ok(all.iter().map(|(name, battery)| (name.as_str(), battery)))
}

impl Battery {
    /// Returns all figures of the battery.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let more = self.self_discharge_percent_per_year.iter().chain(&self.largest_pulse_ma);
        let cold = self.cold.iter().map(|one| &one.percent);
        std::iter::once(&self.capacity_mah)
            .chain(more)
            .chain(&self.pulse_derating_percent)
            .chain(cold)
    }

    /// Returns the battery called `name`, or one with a capacity such as `500mAh`. A suffix such as
    /// `@-20C` sets the temperature.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownBattery`], with the nearest name, and [`Error::BatteryTemperature`].
    pub fn find(name: &str) -> Result<Self, Error> {
        let Some((name, temperature)) = name.split_once('@') else { return Self::named(name) };
        let found = Self::named(name)?;
        let wrong = || Error::BatteryTemperature {
            text: temperature.escape_debug().to_string(),
            name: name.to_owned(),
            right: if found.cold.is_empty() {
                "no capacity by temperature is listed for it; CR2032, CR2450, AA, 2xAA and AAA have \
                 one from -40 to 85 C"
            } else {
                "write a temperature from -40 to 85 degrees Celsius, such as CR2032@-20C"
            },
        };
        let number = temperature.trim().trim_end_matches(['C', 'c']).trim_end_matches('\u{b0}');
        let celsius = number.parse().ok().filter(|celsius| RANGE.contains(celsius));
        let celsius = celsius.filter(|_| !found.cold.is_empty()).ok_or_else(wrong)?;
        Ok(found.at(celsius))
    }

    /// Returns the battery at a temperature: cold reduces the capacity, and heat increases the
    /// self-discharge.
    fn at(mut self, celsius: f64) -> Self {
        self.about = format!("{} at {celsius} C", self.about);
        self.capacity_mah.value *= self.share(celsius);
        if let Some(lost) = &mut self.self_discharge_percent_per_year {
            lost.value *= libm::exp2((celsius - ROOM) / DOUBLES);
        }
        self
    }

    /// Relative capacity at a temperature, interpolated linearly between listed figures and
    /// constant beyond them.
    fn share(&self, celsius: f64) -> f64 {
        let rows = self.cold.iter().map(|one| (one.celsius, one.percent.value / 100.0));
        let mut below: Option<(f64, f64)> = None;
        for row in rows.chain([(ROOM, 1.0)]) {
            if celsius < row.0 {
                return below.map_or(row.1, |(low, share)| {
                    share + (row.1 - share) * (celsius - low) / (row.0 - low)
                });
            }
            below = Some(row);
        }
        1.0
    }

    fn named(name: &str) -> Result<Self, Error> {
        let all = ALL.as_ref().map_err(Clone::clone)?;
        let folded = |text: &str| text.to_ascii_lowercase();
        if let Some((_, found)) = all.iter().find(|(known, _)| folded(known) == folded(name)) {
            return Ok(found.clone());
        }
        let capacity = folded(name).strip_suffix("mah").and_then(|text| text.trim().parse().ok());
        match capacity {
            Some(value) if (0.001..=1e7).contains(&value) => {
                let origin = Origin::assumed("as asked for");
                let (about, capacity_mah) = (format!("{value} mAh"), Figure { value, origin });
                Ok(Self {
                    about,
                    capacity_mah,
                    self_discharge_percent_per_year: None,
                    largest_pulse_ma: None,
                    pulse_derating_percent: None,
                    cold: Vec::new(),
                })
            }
            _ => {
                let near = nearest(name, all.keys().map(String::as_str)).to_owned();
                Err(Error::UnknownBattery { name: name.escape_debug().to_string(), nearest: near })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_battery_is_found_by_its_name_or_its_capacity() {
        let coin = Battery::find("cr2032").expect("listed");
        assert!((100.0..400.0).contains(&coin.capacity_mah.value), "{coin:?}");
        let other = Battery::find("500 mAh").expect("a capacity");
        assert_eq!(other.capacity_mah.value, 500.0);
        assert_eq!(other.largest_pulse_ma, None);
    }

    #[test]
    fn in_the_cold_a_battery_has_less_capacity_and_in_the_heat_it_loses_more_by_itself() {
        let at = |celsius: &str| Battery::find(&format!("CR2032@{celsius}")).expect("listed");
        let room = at("20C");
        let coldest = &room.cold[0];
        let cold = at(&format!("{}C", coldest.celsius)).capacity_mah.value;
        let expected = room.capacity_mah.value * coldest.percent.value / 100.0;
        assert!((cold - expected).abs() < 1e-9, "{cold}");
        assert!(
            cold < at("0C").capacity_mah.value
                && at("0").capacity_mah.value < room.capacity_mah.value
        );
        assert_eq!(at("60").capacity_mah.value, room.capacity_mah.value);
        let lost =
            |one: &Battery| one.self_discharge_percent_per_year.as_ref().expect("listed").value;
        assert!((lost(&at("40C")) / lost(&room) - 4.0).abs() < 1e-9);
        for wrong in ["CR2032@cold", "CR2032@200C", "500mAh@0C", "CR2032@"] {
            let message = Battery::find(wrong).expect_err("no temperature").to_string();
            assert!(message.contains("-40 to 85") && !message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn a_battery_nobody_knows_is_answered_with_the_nearest() {
        let message = Battery::find("CR2023").expect_err("none").to_string();
        assert!(message.contains("`CR2032`") && !message.contains('\n'), "{message}");
        assert!(Battery::find("-5mAh").is_err());
    }
}
