//! What makers say of batteries: `links/batteries.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::Error;
use crate::origin::Origin;
use crate::parameter::take;
use crate::profile::{nearest, parse};

/// A figure of a battery's sheet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Figure {
    /// In the unit that its name tells.
    pub value: f64,
    /// Where it is from.
    pub origin: Origin,
}

impl TryFrom<toml::Table> for Figure {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let value: f64 = take(&mut table, "value")?.ok_or("missing field `value`")?;
        if !(value > 0.0 && value < 1e9) {
            return Err(format!("{value} is no figure of a battery"));
        }
        let origin = Origin::rest(table)?;
        origin.check()?;
        Ok(Self { value, origin })
    }
}

/// A battery.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// What it is.
    pub about: String,
    /// What is in it.
    pub capacity_mah: Figure,
    /// What it loses by itself; none where nobody says.
    pub self_discharge_percent_per_year: Option<Figure>,
    /// The largest pulse at which it has its capacity; the upper end of its bound is the largest that it
    /// gives at all. None where nobody says.
    pub largest_pulse_ma: Option<Figure>,
    /// Capacity that it loses with pulses at that upper end; none where nobody says.
    pub pulse_derating_percent: Option<Figure>,
}

type Batteries = BTreeMap<String, Battery>;

static ALL: LazyLock<Result<Batteries, Error>> =
    LazyLock::new(|| parse("batteries", include_str!("../../../links/batteries.toml")));

/// Names of all batteries, as `--battery` takes them.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ALL.as_ref().map_or_else(|_| Vec::new(), |all| all.keys().map(String::as_str).collect())
}

/// Every battery, by its name.
///
/// # Errors
///
/// [`Error::Syntax`] where the list is not right.
pub fn all() -> Result<impl Iterator<Item = (&'static str, &'static Battery)>, Error> {
    let all = ALL.as_ref().map_err(Clone::clone)?;
    Ok(all.iter().map(|(name, battery)| (name.as_str(), battery)))
}

impl Battery {
    /// Every figure of it.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let more = self.self_discharge_percent_per_year.iter().chain(&self.largest_pulse_ma);
        std::iter::once(&self.capacity_mah).chain(more).chain(&self.pulse_derating_percent)
    }

    /// The battery called `name`, or one of a capacity such as `500mAh`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownBattery`], with the nearest name.
    pub fn find(name: &str) -> Result<Self, Error> {
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
    fn a_battery_nobody_knows_is_answered_with_the_nearest() {
        let told = Battery::find("CR2023").expect_err("none").to_string();
        assert!(told.contains("`CR2032`") && !told.contains('\n'), "{told}");
        assert!(Battery::find("-5mAh").is_err());
    }
}
