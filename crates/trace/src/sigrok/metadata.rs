//! The `metadata` member: an INI text in the format of GLib key files.

use crate::decimal;
use crate::error::Problem;
use crate::grid::Grid;

/// Largest number of bytes per sample, from the number of channels of a row.
const UNIT_LIMIT: usize = 8;

const BLANK: [char; 3] = [' ', '\t', '\r'];

/// Metadata that is required to read the samples.
#[derive(Debug, PartialEq, Eq)]
pub struct Metadata {
    pub capture_file: String,
    pub grid: Grid,
    pub unit_bytes: usize,
    /// Bit in the sample, and name, sorted by bit.
    pub probes: Vec<(u32, String)>,
}

/// One `[device N]` section.
#[derive(Default)]
struct Device {
    capture_file: Option<String>,
    sample_rate: Option<String>,
    unit_bytes: Option<String>,
    total_probes: Option<String>,
    probes: Vec<(u32, String)>,
    analog: bool,
}

fn bad(what: &'static str, found: &str, expected: &str) -> Problem {
    let found = if found.is_empty() { "missing" } else { found };
    Problem::BadField {
        what,
        found: found.chars().take(40).collect(),
        expected: expected.to_owned(),
    }
}

impl Metadata {
    pub fn parse(text: &[u8]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(text)
            .map_err(|_| Problem::NotText { example: "samplerate=1 MHz" })?;
        let mut devices: Vec<Device> = Vec::new();
        let mut in_device = false;
        for line in text.lines().map(|line| line.trim_matches(BLANK)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(section) = line.strip_prefix('[') {
                in_device = section.starts_with("device");
                if in_device {
                    devices.push(Device::default());
                }
                continue;
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| bad("a line", line, "key=value"))?;
            if let Some(device) = devices.last_mut().filter(|_| in_device) {
                device.set(key.trim_matches(BLANK), value.trim_matches(BLANK))?;
            }
        }
        let mut digital: Vec<Device> =
            devices.iter_mut().filter(|d| d.capture_file.is_some()).map(std::mem::take).collect();
        match digital.len() {
            1 => digital.remove(0).finish(),
            0 if devices.iter().any(|device| device.analog) => {
                Err(Problem::NotDigital { found: "analogue samples only" })
            }
            count => Err(bad("the number of devices with a capturefile", &count.to_string(), "1")),
        }
    }
}

impl Device {
    fn set(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        match key {
            "capturefile" => self.capture_file = Some(value.to_owned()),
            "samplerate" => self.sample_rate = Some(value.to_owned()),
            "unitsize" => self.unit_bytes = Some(value.to_owned()),
            "total probes" => self.total_probes = Some(value.to_owned()),
            _ if key.starts_with("analog") => self.analog = true,
            _ => {
                let number = key.strip_prefix("probe").map(str::parse::<u32>);
                if let Some(Ok(number)) = number {
                    let bit = number.checked_sub(1).filter(|&bit| bit < 8 * UNIT_LIMIT as u32);
                    let bit = bit.ok_or_else(|| bad("a probe", key, "probe1 to probe64"))?;
                    if self.probes.iter().any(|&(other, _)| other == bit) {
                        return Err(bad("a probe", key, "each probe once"));
                    }
                    self.probes.push((bit, unescape(value)));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Metadata, Problem> {
        // Some versions also name a capturefile for analogue samples.
        if self.probes.is_empty() && self.analog {
            return Err(Problem::NotDigital { found: "analogue samples only" });
        }
        if self.probes.is_empty() {
            return Err(Problem::TooFewChannels { found: 0 });
        }
        let unit = match (self.unit_bytes, &self.total_probes) {
            (Some(unit), _) => unit,
            (None, Some(probes)) => {
                probes.parse().map_or(String::new(), |n: usize| n.div_ceil(8).to_string())
            }
            (None, None) => String::new(),
        };
        let unit_bytes = unit.parse().ok().filter(|bytes| (1..=UNIT_LIMIT).contains(bytes));
        let unit_bytes = unit_bytes.ok_or_else(|| bad("unitsize", &unit, "1 to 8 bytes"))?;
        let rate = self.sample_rate.unwrap_or_default();
        let grid = sample_rate(&rate).and_then(Grid::new).ok_or_else(|| {
            let expected = "a rate such as 24 MHz, up to 1 GHz, or samples have no time";
            bad("samplerate", &rate, expected)
        })?;
        self.probes.sort();
        if let Some((bit, _)) = self.probes.last()
            && *bit >= 8 * unit_bytes as u32
        {
            let (found, expected) =
                (format!("probe{}", bit + 1), format!("at most {}", 8 * unit_bytes));
            return Err(bad("a probe", &found, &expected));
        }
        Ok(Metadata {
            capture_file: self.capture_file.unwrap_or_default(),
            grid,
            unit_bytes,
            probes: self.probes,
        })
    }
}

/// Parses `100000000`, `24 MHz`, `12.5 kHz`, `1m` and similar rates to an integer in Hz.
fn sample_rate(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start().to_ascii_lowercase();
    let shift = match unit.strip_suffix("hz").unwrap_or(&unit) {
        "" => 0,
        "k" => 3,
        "m" => 6,
        "g" => 9,
        _ => return None,
    };
    // Scaling by another 1000 detects a fraction of a Hz.
    let hz = decimal::scaled(number, shift).ok()?;
    (decimal::scaled(number, shift + 3).ok()? == hz.checked_mul(1000)?).then_some(())?;
    u64::try_from(hz).ok()
}

/// Formats a rate as sigrok does.
pub fn rate_text(hz: u64) -> String {
    for (unit, name) in [(1_000_000_000, "GHz"), (1_000_000, "MHz"), (1_000, "kHz")] {
        if hz.is_multiple_of(unit) {
            return format!("{} {name}", hz / unit);
        }
    }
    format!("{hz} Hz")
}

/// Decodes the escapes of a key file.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('s') => ' ',
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            c => c,
        });
    }
    text
}

/// Escapes a name for a key file.
pub fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (index, c) in name.char_indices() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            // Spaces at either end would be removed when the file is read.
            ' ' if index == 0 || index + 1 == name.len() => text.push_str("\\s"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_sigrok_writes_them() {
        for (text, hz) in [
            ("1 MHz", 1_000_000),
            ("24 MHz", 24_000_000),
            ("100000000", 100_000_000),
            ("12.5 kHz", 12_500),
            ("1 GHz", 1_000_000_000),
            ("20k", 20_000),
            ("200 Hz", 200),
            ("200 kHz", 200_000),
            ("24000000", 24_000_000),
            ("33.333333 MHz", 33_333_333),
            ("1.5MHz", 1_500_000),
        ] {
            assert_eq!(sample_rate(text), Some(hz), "{text}");
        }
        for text in ["", "MHz", "fast", "1 THz", "-1", "1.5 Hz", "1.2.3 MHz", "nan"] {
            assert_eq!(sample_rate(text), None, "{text}");
        }
        for hz in [1, 1_500, 2_000, 12_500_000, 1_000_000_000] {
            assert_eq!(sample_rate(&rate_text(hz)), Some(hz));
        }
    }

    #[test]
    fn names_keep_their_white_space() {
        for name in [" a b ", "back\\slash", "two\nlines", "\t", "ü", ""] {
            assert_eq!(unescape(&escape(name)), name);
        }
    }
}
