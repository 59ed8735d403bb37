//! Supply currents of each part in each state: `links/parts.toml`.
//!
//! ```toml
//! [nrf24l01p]
//! about = "nRF24L01+ at 3 V"
//! part = "radio"
//!
//! [nrf24l01p.states]
//! power-down = { value = 0.9, unit = "uA", source = "datasheet", cite = "nrf24l01p", at = "5.1, IVDD_PD" }
//! transmit = [                 # by power, interpolated linearly between rows
//!     { value = 11.3, unit = "mA", dbm = 0, source = "datasheet", cite = "nrf24l01p", at = "5.1" },
//!     { value = 9.0, unit = "mA", dbm = -6, source = "datasheet", cite = "nrf24l01p", at = "5.1" },
//! ]
//! receive = [                  # by settings of the profile; the first matching row applies
//!     { value = 12.6, unit = "mA", when = { rate = "250" }, source = "datasheet", cite = "…", at = "…" },
//!     { value = 13.5, unit = "mA", source = "datasheet", cite = "nrf24l01p", at = "5.1" },
//! ]
//! ```
//!
//! `alone = true` marks a processor without a radio on its chip. `wake` is the charge that each wake-up from
//! power down or sleep takes in addition to the charge of the modelled states. A profile names the parts of
//! the two ends of its link:
//!
//! ```toml
//! [supply]
//! sender = { radio = "nrf24l01p", processor = "stm32f429" }
//! receiver = { radio = "nrf24l01p", processor = "stm32f429" }
//! ```
//!
//! Instead of a sender, `host` names a device with its own supply, for which no battery is
//! selected: `host = "a phone"`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use airlag_sim::meter::{Part, State};
use serde::Deserialize;

use crate::error::Error;
use crate::origin::Origin;
use crate::parameter::{Value, take};
use crate::profile::{Profile, nearest, parse};

/// Parameter on which the current of a transmitter depends.
const POWER: &str = "tx_power";

/// Parts of a link's two ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supply {
    /// The sending board. `None` without current data.
    pub sender: Option<EndParts>,
    /// The receiving board.
    pub receiver: Option<EndParts>,
    /// Sending device, if it has its own supply, such as a phone.
    pub host: Option<String>,
}

/// Parts of one end, by key. An absent part draws no current.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndParts {
    /// Radio.
    pub radio: Option<String>,
    /// Processor of the board.
    pub processor: Option<String>,
    /// Processor of a modem attached to the board.
    pub modem: Option<String>,
}

impl Supply {
    /// This supply, with its entries replaced by those of `changed`.
    pub(crate) fn with(self, changed: &Self) -> Self {
        Self {
            sender: changed.sender.clone().or(self.sender),
            receiver: changed.receiver.clone().or(self.receiver),
            host: changed.host.clone().or(self.host),
        }
    }

    /// All keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        let ends = self.sender.iter().chain(&self.receiver);
        ends.flat_map(|fed| fed.radio.iter().chain(&fed.processor).chain(&fed.modem))
    }
}

/// Supply currents of one part.
#[derive(Clone, Debug, PartialEq)]
pub struct Currents {
    /// Key.
    pub key: String,
    /// Description, with the supply voltage.
    pub about: String,
    /// Radio or processor.
    pub part: Part,
    /// Whether the chip is a processor without an on-chip radio. Another processor can replace only such a
    /// processor.
    pub alone: bool,
    states: BTreeMap<State, Vec<Row>>,
    wake: Option<Row>,
}

/// A current or a charge.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Current, nA, or charge, nC.
    pub nano: u64,
    /// Transmit power to which the row applies, dBm.
    dbm: Option<f64>,
    /// Settings of the profile to which the row applies.
    when: BTreeMap<String, String>,
    /// Origin.
    pub origin: Origin,
}

/// A row as written in the file.
#[derive(Clone, Deserialize)]
#[serde(try_from = "toml::Table")]
struct Written {
    unit: String,
    row: Row,
}

impl TryFrom<toml::Table> for Written {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let value: f64 = take(&mut table, "value")?.ok_or("missing field `value`")?;
        let unit: String = take(&mut table, "unit")?.ok_or("missing field `unit`")?;
        let (dbm, when) = (take(&mut table, "dbm")?, take(&mut table, "when")?);
        let factor = match unit.as_bytes() {
            [b'n', _] => 1.0,
            [b'u', _] => 1e3,
            [b'm', _] => 1e6,
            _ => return Err(format!("`{unit}` is none of nA, uA, mA, nC, uC and mC")),
        };
        let nano = (value * factor).round();
        if !(0.0..1e12).contains(&nano) {
            return Err(format!("{value} {unit} is not a valid current"));
        }
        let origin = Origin::rest(table)?;
        origin.check()?;
        let row = Row { nano: nano as u64, dbm, when: when.unwrap_or_default(), origin };
        Ok(Self { unit, row })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    about: String,
    part: String,
    #[serde(default)]
    alone: bool,
    states: BTreeMap<String, toml::Value>,
    wake: Option<Written>,
}

impl Table {
    fn read(self, key: &str) -> Result<Currents, String> {
        let part = [Part::Radio, Part::Processor].into_iter().find(|one| one.as_str() == self.part);
        let part = part.ok_or(format!("`part` of {key} must be radio or processor"))?;
        let in_unit = |written: Written, letter: char| {
            let right = written.unit.ends_with(letter);
            right.then_some(written.row).ok_or(format!("{key} has a unit that is none of {letter}"))
        };
        let mut states = BTreeMap::new();
        for (name, rows) in self.states {
            let state = State::ALL.into_iter().find(|state| state.as_str() == name);
            let state = state.ok_or(format!("{key} has no state `{name}`"))?;
            let rows = match rows {
                toml::Value::Array(rows) => rows,
                row => vec![row],
            };
            let written = |row: toml::Value| {
                row.try_into::<Written>().map_err(|error| format!("{key}: {}", error.message()))
            };
            let rows: Result<Vec<Written>, String> = rows.into_iter().map(written).collect();
            let rows: Result<Vec<Row>, String> =
                rows?.into_iter().map(|row| in_unit(row, 'A')).collect();
            let mut rows = rows?;
            // Ascending by power; a row without a power applies to any.
            rows.sort_by(|one, other| {
                one.dbm.partial_cmp(&other.dbm).unwrap_or(std::cmp::Ordering::Equal)
            });
            states.insert(state, rows);
        }
        let wake = self.wake.map(|row| in_unit(row, 'C')).transpose()?;
        Ok(Currents {
            key: key.to_owned(),
            about: self.about,
            part,
            alone: self.alone,
            states,
            wake,
        })
    }
}

static ALL: LazyLock<Result<BTreeMap<String, Currents>, Error>> =
    LazyLock::new(|| read("parts", include_str!("../../../links/parts.toml")));

/// Parses a file of parts; errors refer to the file as `name`.
fn read(name: &str, text: &str) -> Result<BTreeMap<String, Currents>, Error> {
    let tables: BTreeMap<String, Table> = parse(name, text)?;
    let one = |(key, table): (String, Table)| {
        let currents = table.read(&key);
        let wrong = |message| Error::Syntax { name: name.to_owned(), message };
        Ok((key, currents.map_err(wrong)?))
    };
    tables.into_iter().map(one).collect()
}

/// Returns all parts, ordered by key.
pub fn all() -> Result<impl Iterator<Item = &'static Currents>, Error> {
    Ok(ALL.as_ref().map_err(Clone::clone)?.values())
}

/// Finds the part with this key.
pub fn find(key: &str) -> Result<&'static Currents, Error> {
    let all = ALL.as_ref().map_err(Clone::clone)?;
    all.get(key).ok_or_else(|| {
        let nearest = nearest(key, all.keys().map(String::as_str)).to_owned();
        Error::UnknownPart { key: key.escape_debug().to_string(), nearest }
    })
}

impl Currents {
    /// Current of the part in `state` with the settings of `profile`, nA. `None` without data.
    #[must_use]
    pub fn current_na(&self, state: State, profile: &Profile) -> Option<u64> {
        let rows = self.states.get(&state)?;
        let fitting: Vec<&Row> = rows.iter().filter(|row| row.fits(profile)).collect();
        let power = profile.parameters.get(POWER).and_then(|parameter| parameter.value.number());
        let by_power: Vec<(f64, u64)> =
            fitting.iter().filter_map(|row| Some((row.dbm?, row.nano))).collect();
        match (power, by_power.as_slice()) {
            (Some(power), [_, ..]) => Some(at_power(&by_power, power)),
            // Without a known power, assume the highest.
            (None, [.., (_, most)]) => Some(*most),
            (_, []) => fitting.first().map(|row| row.nano),
        }
    }

    /// Charge of a wake-up from power down or sleep, nC.
    #[must_use]
    pub fn wake_nc(&self) -> u64 {
        self.wake.as_ref().map_or(0, |row| row.nano)
    }

    /// Returns all rows with their states. The state is `None` for the wake-up charge.
    pub fn rows(&self) -> impl Iterator<Item = (Option<State>, &Row)> {
        let states = self
            .states
            .iter()
            .flat_map(|(&state, rows)| rows.iter().map(move |row| (Some(state), row)));
        states.chain(self.wake.iter().map(|row| (None, row)))
    }
}

impl Row {
    /// Transmit power to which the row applies, dBm.
    #[must_use]
    pub const fn dbm(&self) -> Option<f64> {
        self.dbm
    }

    fn fits(&self, profile: &Profile) -> bool {
        self.when.iter().all(|(name, wanted)| {
            profile.parameters.get(name).is_some_and(|set| match &set.value {
                Value::Choice(choice) => choice == wanted,
                other => other.to_string() == *wanted,
            })
        })
    }
}

/// Current at a transmit power, interpolated linearly between rows in ascending order of power and
/// constant beyond them.
fn at_power(rows: &[(f64, u64)], power: f64) -> u64 {
    let above = rows.iter().position(|row| row.0 >= power);
    match above {
        None => rows.last().map_or(0, |row| row.1),
        Some(0) => rows[0].1,
        Some(next) => {
            let ((low, less), (high, more)) = (rows[next - 1], rows[next]);
            let share = (power - low) / (high - low);
            (less as f64 + share * (more as f64 - less as f64)).round() as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Currents, Error> {
        read("test", text).map(|all| all.into_values().next().expect("a part"))
    }

    #[test]
    fn what_is_no_current_is_refused_with_what_would_be_right() {
        let state = |rest: &str| {
            format!(
                "[chip]\nabout = \"a\"\npart = \"radio\"\n[chip.states]\n{rest}, source = \"assumed\", note = \"n\" }}\n"
            )
        };
        let error = |text: &str| one(text).expect_err("wrong").to_string();
        assert!(error(&state("standby = { value = 1, unit = \"V\"")).contains("none of nA"));
        assert!(error(&state("standby = { value = 1, unit = \"uC\"")).contains("none of A"));
        assert!(error(&state("asleep = { value = 1, unit = \"uA\"")).contains("no state `asleep`"));
        assert!(
            error(&state("standby = { value = -1, unit = \"uA\"")).contains("not a valid current")
        );
    }

    #[test]
    fn between_two_powers_the_current_lies_on_a_line() {
        let rows = [(-6.0, 9_000), (0.0, 11_300)];
        assert_eq!(at_power(&rows, -6.0), 9_000);
        assert_eq!(at_power(&rows, -3.0), 10_150);
        assert_eq!(at_power(&rows, 5.0), 11_300);
        assert_eq!(at_power(&rows, -20.0), 9_000);
    }

    #[test]
    fn every_part_that_is_listed_can_be_read_and_cites_what_there_is() {
        for part in all().expect("right") {
            for (_, row) in part.rows() {
                if let Some(citation) = row.origin.citation() {
                    citation.document().unwrap_or_else(|error| panic!("{}: {error}", part.key));
                }
            }
        }
    }
}
