//! Table `[record]` of a setup file: options of `airlag record`.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::table::{only, plain, refused, table, whole, wrong};
use super::super::{LARGEST_SIZE, duration, text};
use super::lasting;
use crate::error::Error;
use crate::question::Answered;

const KEYS: [&str; 13] = [
    "instrument",
    "channels",
    "rate",
    "for",
    "threshold",
    "trigger",
    "completion",
    "invert",
    "min_low",
    "overlap",
    "pps",
    "link",
    "size",
];
/// Maximum sample rate, Hz.
const FASTEST_HZ: u64 = 1_000_000_000_000;
/// Maximum logic threshold, V.
const HIGHEST_V: f64 = 5.0;

/// A setup file of which only the table `[record]` is read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordingQuestion {
    /// TOML text of the file.
    pub file: String,
}

/// Recording options. Absent options are not set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SetupRecording")]
pub struct Recording {
    /// Address of the instrument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instrument: Option<String>,
    /// Channels, by the instrument's names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<Vec<String>>,
    /// Sample rate, Hz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_hz: Option<u64>,
    /// Duration, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting: Option<u64>,
    /// Logic threshold, V.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold_v: Option<f64>,
    /// Trigger channel, by name or by index from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// Completion channel, by name or by index from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<String>,
    /// Channels that are active low.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invert: Option<Vec<String>>,
    /// Minimum low time before a trigger, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_low_ns: Option<u64>,
    /// Maximum delay of a completion after its trigger if later triggers come in between, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap_ns: Option<u64>,
    /// Channel of a pulse-per-second signal, by name or by index from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pps: Option<String>,
    /// Link profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Payload, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// Reads the table `[record]` of a setup file.
///
/// # Errors
///
/// One line that names the location in the file, the problem and a valid value.
pub fn recording(question: &RecordingQuestion) -> Result<Answered<Recording>, Error> {
    let read = text::read(&question.file)?;
    let tables = read.as_object().ok_or_else(|| refused("no table"))?;
    Ok(Answered::plain(table_of(tables)?))
}

pub(super) fn table_of(tables: &Map<String, Value>) -> Result<Recording, Error> {
    let at = "[record]: ";
    let given = tables
        .get("record")
        .ok_or_else(|| refused("no table [record]; write one with an instrument"))?;
    let block = table(given, "", "record", "a table")?;
    only(block, &KEYS, at)?;
    let word = |key: &str| block.get(key).map(|value| plain(value, at, key)).transpose();
    let words = |key: &str| {
        let each = |value: &Value| match value {
            Value::Array(all) => all.iter().map(|one| plain(one, at, key)).collect(),
            one => Ok(vec![plain(one, at, key)?]),
        };
        block.get(key).map(each).transpose()
    };
    let time = |key: &str| block.get(key).map(|value| lasting(value, at, key)).transpose();
    let volts = |value: &Value| {
        let volts = value.as_f64().filter(|volts| (0.0..=HIGHEST_V).contains(volts));
        volts.ok_or_else(|| wrong(at, "threshold", value, "a number of volts from 0 to 5"))
    };
    Ok(Recording {
        instrument: word("instrument")?,
        channels: words("channels")?,
        rate_hz: block.get("rate").map(|value| rate(value, at)).transpose()?,
        lasting: time("for")?,
        threshold_v: block.get("threshold").map(volts).transpose()?,
        trigger: word("trigger")?,
        completion: word("completion")?,
        invert: words("invert")?,
        min_low_ns: time("min_low")?,
        overlap_ns: time("overlap")?,
        pps: word("pps")?,
        link: word("link")?,
        size: block
            .get("size")
            .map(|value| whole(value, at, "size", 1, LARGEST_SIZE))
            .transpose()?,
    })
}

/// A sample rate such as `24MHz`, Hz.
fn rate(value: &Value, at: &str) -> Result<u64, Error> {
    let right = || wrong(at, "rate", value, "a sample rate, such as \"10MHz\"");
    let (number, unit) = value.as_str().and_then(duration::parts).ok_or_else(right)?;
    let unit_hz: u64 = match unit.to_ascii_lowercase().as_str() {
        "hz" => 1,
        "khz" => 1_000,
        "mhz" => 1_000_000,
        "ghz" => 1_000_000_000,
        _ => return Err(right()),
    };
    let hertz = duration::decimal(number).and_then(|number| number.checked_mul(unit_hz.into()));
    let hertz = hertz.filter(Decimal::is_integer).and_then(|hertz| hertz.to_u64());
    hertz.filter(|hertz| (1..=FASTEST_HZ).contains(hertz)).ok_or_else(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Result<Recording, String> {
        let question = RecordingQuestion { file: format!("[record]\n{lines}") };
        recording(&question).map(|found| found.answer).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_read_with_their_units() {
        let found = read(
            "instrument = \"sigrok:fx2lafw\"\nchannels = [\"D0\", 1]\nrate = \"2.4 MHz\"\nfor = \"60s\"\n\
             threshold = 1.8\ncompletion = 1\ninvert = []\nmin_low = \"5us\"\nsize = 128\n\
             pps = 2",
        );
        let found = found.unwrap();
        assert_eq!(found.channels.unwrap(), ["D0", "1"]);
        assert_eq!((found.rate_hz, found.lasting), (Some(2_400_000), Some(60_000_000_000)));
        assert_eq!((found.completion.as_deref(), found.invert), (Some("1"), Some(Vec::new())));
        assert_eq!((found.min_low_ns, found.size, found.trigger), (Some(5_000), Some(128), None));
        assert_eq!(found.pps.as_deref(), Some("2"));
    }

    #[test]
    fn errors_name_a_valid_value() {
        for (lines, said) in [
            ("speed = 1", "no key `speed`"),
            ("rate = \"fast\"", "a sample rate, such as \"10MHz\""),
            ("rate = \"0.3Hz\"", "a sample rate"),
            ("for = 5", "a time up to 10000s"),
            ("threshold = 9", "a number of volts"),
            ("size = 0", "a whole number from 1"),
        ] {
            let line = read(lines).unwrap_err();
            assert!(line.contains(said), "{line}");
        }
    }
}
