//! Addresses of instruments on serial lines.

use std::path::PathBuf;

use super::{Error, Plan, Recorded, board, pico, ppk2};

/// Default baud rate of a board.
const BAUD: u32 = 115_200;
/// Maximum baud rate.
const FASTEST: u32 = 20_000_000;
/// Ends of a link whose supply can be measured.
const ENDS: [&str; 2] = ["sender", "receiver"];

/// An instrument on a serial line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `board:/dev/ttyACM0?baud=921600`: a board that timestamps edges itself.
    Board {
        /// Path of the device.
        path: PathBuf,
        /// Baud rate.
        baud: u32,
    },
    /// `pico:/dev/ttyACM0?period=203ms`: a Pico that runs `firmware/rp2040`.
    Pico {
        /// Path of the device. `None` means the only one that is connected.
        path: Option<PathBuf>,
        /// Channels and triggers.
        setup: board::Setup,
    },
    /// `ppk2:/dev/ttyACM0?voltage=3.3&end=receiver`: a Nordic PPK2.
    Ppk2 {
        /// Path of the device.
        path: PathBuf,
        /// Connection of the instrument.
        setup: ppk2::Setup,
    },
}

/// Error of an invalid address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}: {cause}; write it like {example}")]
pub struct InvalidAddress {
    text: String,
    cause: String,
    example: &'static str,
}

impl Address {
    /// Parses an address. Without `channels`, all channels of the instrument are recorded.
    ///
    /// # Errors
    ///
    /// [`InvalidAddress`] if a part is unknown or out of range.
    pub fn read(text: &str, channels: &[String]) -> Result<Self, InvalidAddress> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let example = match kind {
            "pico" => pico::EXAMPLE,
            "ppk2" => "ppk2:/dev/ttyACM0?voltage=3.3&end=sender",
            _ => "board:/dev/ttyACM0?baud=921600",
        };
        let invalid = |cause: String| InvalidAddress { text: text.to_owned(), cause, example };
        let (device, query) = rest.split_once('?').unwrap_or((rest, ""));
        let options = query.split('&').filter(|option| !option.is_empty());
        let options = options.map(|option| option.split_once('=').unwrap_or((option, "")));
        if kind == "pico" {
            let path = Some(PathBuf::from(device)).filter(|_| !device.is_empty());
            let setup = pico::setup(options, channels).map_err(invalid)?;
            return Ok(Self::Pico { path, setup });
        }
        if device.is_empty() {
            return Err(invalid("the serial device is missing".into()));
        }
        let path = PathBuf::from(device);
        let wrong = |key: &str, value: &str, right: &str| {
            invalid(format!("{key}={value} is invalid: expected {right}"))
        };
        if kind != "ppk2" {
            let mut baud = BAUD;
            for (key, value) in options {
                let read = value.parse().ok().filter(|baud| (1..=FASTEST).contains(baud));
                baud = match (key, read) {
                    ("baud", Some(baud)) => baud,
                    ("baud", None) => return Err(wrong(key, value, "a baud rate up to 20000000")),
                    _ => return Err(invalid(format!("unknown option {key}: expected baud"))),
                };
            }
            return Ok(Self::Board { path, baud });
        }
        let channels = ppk2_channels(channels).map_err(invalid)?;
        let mut setup = ppk2::Setup { supply_mv: None, end: ENDS[0].to_owned(), channels };
        for (key, value) in options {
            match key {
                "voltage" => {
                    let mv = value.parse().ok().map(|volts: f64| (volts * 1e3).round() as u16);
                    let mv = mv.filter(|mv| ppk2::SUPPLIES_MV.contains(mv));
                    setup.supply_mv = Some(mv.ok_or_else(|| wrong(key, value, "0.8 to 5 volts"))?);
                }
                "end" if ENDS.contains(&value) => setup.end = value.to_owned(),
                "end" => return Err(wrong(key, value, "sender or receiver")),
                _ => {
                    let cause = format!("unknown option {key}: expected voltage or end");
                    return Err(invalid(cause));
                }
            }
        }
        Ok(Self::Ppk2 { path, setup })
    }

    /// Records the instrument for the duration of the plan. `on_progress` is called from time to time with
    /// the recorded time, ns.
    ///
    /// # Errors
    ///
    /// If the device cannot be opened, another instrument responds, or none does.
    pub fn record(&self, plan: &Plan, on_progress: impl FnMut(u64)) -> Result<Recorded, Error> {
        match self {
            Self::Board { path, baud } => {
                let setup = board::Setup { channels: Vec::new(), triggers: None, silence: None };
                board::record(path, *baud, plan, setup, on_progress)
            }
            Self::Pico { path, setup } => {
                let failed = |cause| Error::Open { device: "pico:".into(), cause };
                let path = pico::device(path.as_deref()).map_err(failed)?;
                board::record(&path, BAUD, plan, setup.clone(), on_progress)
            }
            Self::Ppk2 { path, setup } => ppk2::record(path, plan, setup.clone(), on_progress),
        }
    }
}

/// Numbers of named PPK2 inputs. Without names, all inputs.
fn ppk2_channels(names: &[String]) -> Result<Vec<u8>, String> {
    let all = 0..ppk2::CHANNELS as u8;
    if names.is_empty() {
        return Ok(all.collect());
    }
    let number = |name: &String| {
        let digits = name.strip_prefix(['D', 'd']).unwrap_or(name);
        let number = digits.parse().ok().filter(|nth| all.contains(nth));
        number.ok_or_else(|| format!("unknown channel {name}: expected D0 to D7"))
    };
    names.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_link::edges::{Phase, Triggers};

    #[test]
    fn addresses_are_parsed_and_mistakes_are_refused() {
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
        let triggers =
            Triggers { phase: Phase::Swept, period_ns: 203_000_000, pulse_ns: 10_000, seed: 7 };
        let setup = board::Setup { channels: vec![0, 3], triggers: Some(triggers), silence: None };
        assert_eq!(
            read("pico:/dev/x?period=203ms&phase=swept&seed=7", &["0", "3"]),
            Ok(Address::Pico { path: Some("/dev/x".into()), setup })
        );
        let setup = board::Setup { channels: Vec::new(), triggers: None, silence: None };
        assert_eq!(read("pico:", &[]), Ok(Address::Pico { path: None, setup }));
        for (text, channels) in [
            ("pico:/dev/x?period=99us", &[][..]),
            ("pico:/dev/x?period=21s", &[]),
            ("pico:/dev/x?period=203", &[]),
            ("pico:/dev/x?phase=uniform", &[]),
            ("pico:/dev/x?period=203ms&phase=random", &[]),
            ("pico:/dev/x?period=203ms&pulse=99ns", &[]),
            ("pico:/dev/x?period=203ms&pulse=51ms", &[]),
            ("pico:/dev/x?period=203ms&seed=-1", &[]),
            ("pico:/dev/x?baud=9600", &[]),
            ("pico:", &["8"]),
            ("board:", &[]),
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
            assert!(line.starts_with(text) && line.contains("write it like"), "{line}");
        }
    }
}
