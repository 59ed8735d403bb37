//! Maximum error of this computer's clock, reported by its synchronization service.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum run time of a program.
const PATIENCE: Duration = Duration::from_secs(5);

/// Errors of a query.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program failed.
    #[error("{program} does not respond ({cause}); use --clock estimated")]
    Silent {
        /// Program.
        program: &'static str,
        /// Cause.
        cause: io::Error,
    },
    /// NTP does not synchronize the clock.
    #[error("--clock chrony: chronyc reports that the clock is not synchronized")]
    Chrony,
    /// PTP does not synchronize the clock.
    #[error("--clock ptp: pmc reports no offset from the master; is ptp4l running?")]
    Ptp,
}

/// Returns the maximum error according to chrony, ns.
///
/// # Errors
///
/// [`Error`].
pub fn chrony_ns() -> Result<u64, Error> {
    of_tracking(&output("chronyc", &["-c", "tracking"])?).ok_or(Error::Chrony)
}

/// Returns the absolute offset from the master according to `ptp4l`, ns.
///
/// # Errors
///
/// [`Error`].
pub fn ptp_ns() -> Result<u64, Error> {
    of_data_set(&output("pmc", &["-u", "-b", "0", "GET CURRENT_DATA_SET"])?).ok_or(Error::Ptp)
}

/// Fields: name, address, stratum, reference time, correction, offsets, rates, root delay and dispersion, in
/// seconds. The bound is defined in chronyc(1), tracking.
fn of_tracking(line: &str) -> Option<u64> {
    let fields: Vec<&str> = line.trim().split(',').collect();
    if fields.len() < 12 || fields.last() == Some(&"Not synchronised") {
        return None;
    }
    let number = |at: usize| fields[at].parse::<f64>().ok();
    let (correction, delay, dispersion) = (number(4)?, number(10)?, number(11)?);
    Some(((correction.abs() + dispersion + delay / 2.0) * 1e9).round() as u64)
}

fn of_data_set(text: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let offset = lines
        .find_map(|mut words| (words.next()? == "offsetFromMaster").then_some(words.next()?))?;
    // An offset below the resolution is not zero.
    Some((offset.parse::<f64>().ok()?.abs().round() as u64).max(1))
}

fn output(program: &'static str, words: &[&str]) -> Result<String, Error> {
    output_within(program, words).map_err(|cause| Error::Silent { program, cause })
}

fn output_within(program: &str, words: &[&str]) -> io::Result<String> {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let until = Instant::now() + PATIENCE;
    // The output fits into the pipe's buffer, so the program does not block.
    while child.try_wait()?.is_none() {
        if Instant::now() > until {
            child.kill()?;
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let status = child.wait()?;
    if !status.success() {
        return Err(io::Error::other(status.to_string()));
    }
    let mut text = String::new();
    child.stdout.take().map(|mut out| out.read_to_string(&mut text)).transpose()?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_chrony_adds_correction_dispersion_and_half_the_delay() {
        let line = "C0000201,192.0.2.1,3,1700000000.0,-0.000010000,0.0,0.0,1.0,0.0,0.1,\
                    0.002000000,0.000500000,64.2,Normal\n";
        assert_eq!(of_tracking(line), Some(1_510_000));
        assert_eq!(of_tracking(&line.replace("Normal", "Not synchronised")), None);
        assert_eq!(of_tracking("506 Cannot talk to daemon"), None);
    }

    #[test]
    fn the_offset_of_ptp_is_its_absolute_value() {
        let text =
            "sending: GET CURRENT_DATA_SET\n\t  stepsRemoved 1\n\t  offsetFromMaster -173.6\n";
        assert_eq!(of_data_set(text), Some(174));
        assert_eq!(of_data_set("offsetFromMaster 0.0"), Some(1));
        assert_eq!(of_data_set("sending: GET CURRENT_DATA_SET\n"), None);
    }

    #[test]
    fn a_program_that_is_absent_or_fails_is_named() {
        let absent = output("airlag-no-such-program", &[]).expect_err("absent").to_string();
        assert!(absent.starts_with("airlag-no-such-program does not respond ("), "{absent}");
        assert!(output("false", &[]).is_err());
        assert_eq!(output("echo", &["one"]).expect("it prints"), "one\n");
    }
}
