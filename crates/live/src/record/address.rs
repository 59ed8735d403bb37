//! Instruments on serial lines, as the addresses that people write.

use std::path::PathBuf;

use super::{Error, Plan, Recorded, board, ppk2};

/// Speed of a board that states none, baud.
const BAUD: u32 = 115_200;
/// Fastest line, baud.
const FASTEST: u32 = 20_000_000;
/// The ends of a link, whose supply can be measured.
const ENDS: [&str; 2] = ["sender", "receiver"];

/// An instrument on a serial line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `board:/dev/ttyACM0?baud=921600`: a board that stamps edges itself.
    Board {
        /// The device.
        path: PathBuf,
        /// Its speed.
        baud: u32,
    },
    /// `ppk2:/dev/ttyACM0?voltage=3.3&end=receiver`: a Nordic PPK2.
    Ppk2 {
        /// The device.
        path: PathBuf,
        /// How it is connected.
        setup: ppk2::Setup,
    },
}

/// Why a text is no address of an instrument on a serial line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}: {cause}; write one such as {example}")]
pub struct Mistaken {
    text: String,
    cause: String,
    example: &'static str,
}

impl Address {
    /// Reads an address, with the channels to record: all that there are if none are named.
    ///
    /// # Errors
    ///
    /// [`Mistaken`] where a part of it is unknown or out of range.
    pub fn read(text: &str, channels: &[String]) -> Result<Self, Mistaken> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let example = match kind {
            "ppk2" => "ppk2:/dev/ttyACM0?voltage=3.3&end=sender",
            _ => "board:/dev/ttyACM0?baud=921600",
        };
        let mistaken = |cause: String| Mistaken { text: text.to_owned(), cause, example };
        let (device, query) = rest.split_once('?').unwrap_or((rest, ""));
        if device.is_empty() {
            return Err(mistaken("it names no serial device".into()));
        }
        let options = query.split('&').filter(|option| !option.is_empty());
        let options = options.map(|option| option.split_once('=').unwrap_or((option, "")));
        let path = PathBuf::from(device);
        let wrong =
            |key: &str, value: &str, right: &str| mistaken(format!("{key}={value} is not {right}"));
        if kind != "ppk2" {
            let mut baud = BAUD;
            for (key, value) in options {
                let read = value.parse().ok().filter(|baud| (1..=FASTEST).contains(baud));
                baud = match (key, read) {
                    ("baud", Some(baud)) => baud,
                    ("baud", None) => return Err(wrong(key, value, "a speed up to 20000000")),
                    _ => return Err(mistaken(format!("{key} is unknown: only baud can be set"))),
                };
            }
            return Ok(Self::Board { path, baud });
        }
        let channels = ppk2_channels(channels).map_err(mistaken)?;
        let mut setup = ppk2::Setup { supply_mv: None, end: ENDS[0].to_owned(), channels };
        for (key, value) in options {
            match key {
                "voltage" => {
                    let mv = value.parse().ok().map(|volts: f64| (volts * 1e3).round() as u16);
                    let mv = mv.filter(|mv| ppk2::SUPPLIES_MV.contains(mv));
                    setup.supply_mv =
                        Some(mv.ok_or_else(|| wrong(key, value, "from 0.8 to 5 volts"))?);
                }
                "end" if ENDS.contains(&value) => setup.end = value.to_owned(),
                "end" => return Err(wrong(key, value, "sender or receiver")),
                _ => {
                    let cause = format!("{key} is unknown: voltage and end can be set");
                    return Err(mistaken(cause));
                }
            }
        }
        Ok(Self::Ppk2 { path, setup })
    }

    /// Records the instrument for as long as the plan has it. `told` is called now and then with the time
    /// recorded, ns.
    ///
    /// # Errors
    ///
    /// Where the device cannot be opened, or another instrument answers, or none.
    pub fn record(&self, plan: &Plan, told: impl FnMut(u64)) -> Result<Recorded, Error> {
        match self {
            Self::Board { path, baud } => board::record(path, *baud, plan, told),
            Self::Ppk2 { path, setup } => ppk2::record(path, plan, setup.clone(), told),
        }
    }
}

/// Wires of a PPK2 by their names, in the order of the instrument; all where none are named.
fn ppk2_channels(names: &[String]) -> Result<Vec<u8>, String> {
    let all = 0..ppk2::CHANNELS as u8;
    if names.is_empty() {
        return Ok(all.collect());
    }
    let number = |name: &String| {
        let digits = name.strip_prefix(['D', 'd']).unwrap_or(name);
        let number = digits.parse().ok().filter(|nth| all.contains(nth));
        number.ok_or_else(|| format!("channel {name} is none of D0 to D7"))
    };
    names.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let read = |text: &str, channels: &[&str]| {
            let channels: Vec<String> = channels.iter().map(|&name| name.to_owned()).collect();
            Address::read(text, &channels)
        };
        assert_eq!(
            read("board:/dev/ttyACM0?baud=921600", &[]),
            Ok(Address::Board { path: "/dev/ttyACM0".into(), baud: 921_600 })
        );
        let ppk2 = |supply_mv, end: &str, channels: &[u8]| {
            let setup = ppk2::Setup { supply_mv, end: end.into(), channels: channels.to_vec() };
            Ok(Address::Ppk2 { path: "/dev/ttyACM0".into(), setup })
        };
        let all = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(read("ppk2:/dev/ttyACM0", &[]), ppk2(None, "sender", &all));
        assert_eq!(
            read("ppk2:/dev/ttyACM0?voltage=3.3&end=receiver", &["D5", "2"]),
            ppk2(Some(3_300), "receiver", &[5, 2])
        );
        for (text, channels) in [
            ("board:", &[][..]),
            ("board:/dev/x?baud=0", &[]),
            ("board:/dev/x?parity=odd", &[]),
            ("ppk2:", &[]),
            ("ppk2:/dev/x?voltage=5.1", &[]),
            ("ppk2:/dev/x?voltage=-1", &[]),
            ("ppk2:/dev/x?end=middle", &[]),
            ("ppk2:/dev/x?baud=9600", &[]),
            ("ppk2:/dev/x", &["D8"]),
        ] {
            let line = read(text, channels).unwrap_err().to_string();
            assert!(line.starts_with(text) && line.contains("write one such as"), "{line}");
        }
    }
}
