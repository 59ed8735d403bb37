//! Improvements of calls on the same link, one by one and all together.

use airlag_rig::profile::Profile;

use super::{Measured, benchmarks};
use crate::error::Error;
use crate::side_by_side::side_by_side;

/// An improvement: settings that are changed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Name.
    pub name: &'static str,
    /// Parameters and their values.
    pub settings: &'static [(&'static str, &'static str)],
}

const IN_FLIGHT: (&str, &str) = ("calls_in_flight", "16");
const NUMBERED: (&str, &str) = ("call_heads", "numbered");
const FULL: (&str, &str) = ("event_length", "4s");
const AT_ONCE: (&str, &str) = ("call_write_callback", "0");
// The shortest interval that phones and computers accept; see airlag_kinds::ble.
const INTERVAL: (&str, &str) = ("connection_interval", "15ms");

/// The published settings, each improvement alone, the improvements that keep the interval
/// combined, and all improvements combined.
pub const GAINS: [Gain; 8] = [
    Gain { name: "published settings", settings: &[] },
    Gain { name: "16 calls in flight", settings: &[IN_FLIGHT] },
    Gain { name: "method numbers, not names", settings: &[NUMBERED] },
    Gain { name: "full connection events", settings: &[FULL] },
    Gain { name: "writes without a callback", settings: &[AT_ONCE] },
    Gain { name: "interval of 15 ms", settings: &[INTERVAL] },
    Gain { name: "all but the interval", settings: &[IN_FLIGHT, NUMBERED, FULL, AT_ONCE] },
    Gain { name: "all", settings: &[IN_FLIGHT, NUMBERED, FULL, AT_ONCE, INTERVAL] },
];

/// Runs the benchmarks over the link of `profile` with each improvement.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn gains(profile: &Profile, seed: u64) -> Result<Vec<(Gain, Vec<Measured>)>, Error> {
    let one = |gain: &Gain| {
        let mut changed = profile.clone();
        for (name, value) in gain.settings {
            changed.set(name, value)?;
        }
        Ok((*gain, benchmarks(&changed, seed)?))
    };
    side_by_side(&GAINS, one).into_iter().collect()
}
