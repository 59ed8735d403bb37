//! A Pico that runs `firmware/rp2040`: a board that timestamps edges and makes triggers, on USB.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration as Wall;

use airlag_link::edges::{CHANNELS, Phase, Triggers};

use super::board::Setup;

/// Example of an address.
pub(super) const EXAMPLE: &str = "pico:/dev/ttyACM0?period=203ms&phase=uniform&pulse=10us&seed=1";
/// Serial devices of Linux, each with a link to the interface of its USB device.
const SYSTEM: &str = "/sys/class/tty";
/// Manufacturer and product of `firmware/rp2040`.
const NAMES: [(&str, &str); 2] = [("manufacturer", "airlag"), ("product", "Pico instrument")];
/// Shortest and longest permitted period of triggers, ns. The shortest period is ten times the time
/// that the firmware needs per trigger. With the longest period, the gap between two triggers is at
/// most one and a half periods. This gap still fits into the 32-bit counter of the state machine
/// that generates the triggers; the counter covers 34.4 s.
const PERIODS_NS: [u64; 2] = [100_000, 20_000_000_000];
/// Shortest pulse, ns: six samples of the instrument. The longest is a quarter of a period.
const SHORTEST_PULSE_NS: u64 = 100;
/// Permitted times without data, ns.
const SILENCES_NS: [u64; 2] = [1_000_000_000, 600_000_000_000];
/// Default duration of a pulse, ns.
const PULSE_NS: u32 = 10_000;

/// Parses the options and channels of an address, or describes the error in them.
pub(super) fn setup<'a>(
    options: impl Iterator<Item = (&'a str, &'a str)>,
    channels: &[String],
) -> Result<Setup, String> {
    let mut triggers =
        Triggers { phase: Phase::Uniform, period_ns: 0, pulse_ns: PULSE_NS, seed: 1 };
    let (mut alone, mut silence) = (None, None);
    for (key, value) in options {
        let wrong = |right: &str| format!("{key}={value} is invalid: expected {right}");
        match key {
            "period" => {
                let period = nanoseconds(value).filter(|ns| in_range(*ns, PERIODS_NS));
                triggers.period_ns = period.ok_or_else(|| wrong("100us to 20s"))?;
                continue;
            }
            "silence" => {
                let longest = nanoseconds(value).filter(|ns| in_range(*ns, SILENCES_NS));
                silence = Some(Wall::from_nanos(longest.ok_or_else(|| wrong("1s to 600s"))?));
                continue;
            }
            "phase" => {
                triggers.phase = match value {
                    "frozen" => Phase::Frozen,
                    "uniform" => Phase::Uniform,
                    "swept" => Phase::Swept,
                    _ => return Err(wrong("frozen, uniform or swept")),
                }
            }
            "pulse" => {
                let pulse = nanoseconds(value).and_then(|ns| u32::try_from(ns).ok());
                triggers.pulse_ns = pulse.ok_or_else(|| wrong("a duration such as 10us"))?;
            }
            "seed" => triggers.seed = value.parse().map_err(|_| wrong("0 to 4294967295"))?,
            _ => {
                return Err(format!(
                    "unknown option {key}: expected period, phase, pulse, seed or silence"
                ));
            }
        }
        alone = Some(key.to_owned());
    }
    let channels = channels.iter().map(channel).collect::<Result<Vec<u8>, String>>()?;
    if triggers.period_ns == 0 {
        // Without a period, no triggers are made.
        let unused = alone.map(|key| format!("{key} needs a period, such as period=203ms"));
        return unused.map_or(Ok(Setup { channels, triggers: None, silence }), Err);
    }
    let longest = triggers.period_ns / 4;
    if !in_range(u64::from(triggers.pulse_ns), [SHORTEST_PULSE_NS, longest]) {
        let found = triggers.pulse_ns;
        return Err(format!("the pulse is {found} ns: expected 100 ns to a quarter of the period"));
    }
    Ok(Setup { channels, triggers: Some(triggers), silence })
}

/// The device at `path`. Without a path, the only Pico that is connected.
///
/// # Errors
///
/// If there is no Pico, or more than one.
pub(super) fn device(path: Option<&Path>) -> io::Result<PathBuf> {
    path.map_or_else(|| only(Path::new(SYSTEM)), |path| Ok(path.to_owned()))
}

fn only(system: &Path) -> io::Result<PathBuf> {
    let is_pico = |device: &Path| {
        NAMES.iter().all(|(file, name)| {
            let read = std::fs::read_to_string(device.join("device/..").join(file));
            read.is_ok_and(|found| found.trim_end() == *name)
        })
    };
    let devices = system.read_dir().into_iter().flatten().flatten();
    let mut found = devices.filter(|device| is_pico(&device.path()));
    match (found.next(), found.count()) {
        (Some(device), 0) => Ok(Path::new("/dev").join(device.file_name())),
        (None, _) => Err(io::Error::new(io::ErrorKind::NotFound, "no Pico is connected")),
        (Some(_), more) => Err(io::Error::other(format!("{} Picos are connected", more + 1))),
    }
}

fn channel(name: &String) -> Result<u8, String> {
    let number = name.parse().ok().filter(|nth| *nth < CHANNELS);
    number.ok_or_else(|| format!("unknown channel {name}: expected 0 to {}", CHANNELS - 1))
}

fn in_range(value: u64, [least, most]: [u64; 2]) -> bool {
    (least..=most).contains(&value)
}

/// A duration such as `203ms`, ns.
fn nanoseconds(text: &str) -> Option<u64> {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let (number, unit) =
        units.iter().find_map(|(suffix, ns)| Some((text.strip_suffix(suffix)?, ns)))?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let ns = number.parse::<f64>().ok().filter(|_| plain)? * unit;
    // The conversion saturates.
    Some(ns.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(nanoseconds("203ms"), Some(203_000_000));
        assert_eq!(nanoseconds("1.5us"), Some(1_500));
        assert_eq!(nanoseconds("9ns"), Some(9));
        for wrong in ["", "ms", "5", "-5ms", "1e3ns", "infs", "nans", "5 ms"] {
            assert_eq!(nanoseconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_only_pico_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let plug = |tty: &str, product: &str| {
            let usb = folder.path().join("usb").join(tty);
            std::fs::create_dir_all(usb.join("interface")).expect("a folder");
            std::fs::write(usb.join("manufacturer"), "airlag\n").expect("written");
            std::fs::write(usb.join("product"), format!("{product}\n")).expect("written");
            let device = folder.path().join("tty").join(tty);
            std::fs::create_dir_all(&device).expect("a folder");
            std::os::unix::fs::symlink(usb.join("interface"), device.join("device"))
                .expect("linked");
        };
        let tty = folder.path().join("tty");
        assert!(only(&tty).is_err());
        plug("ttyACM0", "Something else");
        assert!(only(&tty).is_err());
        plug("ttyACM1", "Pico instrument");
        assert_eq!(only(&tty).expect("one"), Path::new("/dev/ttyACM1"));
        plug("ttyACM2", "Pico instrument");
        assert_eq!(only(&tty).unwrap_err().to_string(), "2 Picos are connected");
    }
}
