//! Settings that every network has, and their limits.

use airlag_kinds::crowds::{Area, Db, Dbm, Metres, PathLoss};
use airlag_sim::Duration;

use super::{Question, Reception};
use crate::error::Error;

/// Largest number of messages, which limits memory and time.
const MOST_MESSAGES: u64 = 100_000_000;

/// Default values of a network.
pub(super) struct Defaults {
    pub(super) devices: &'static [usize],
    pub(super) size: usize,
    pub(super) period: Duration,
    pub(super) duration: Duration,
    pub(super) radius_m: f64,
    pub(super) path_loss_exponent: f64,
    pub(super) tx_power_dbm: f64,
}

/// Limits of a network.
pub(super) struct Limits {
    /// Largest number of devices.
    pub(super) devices: usize,
    /// Longest payload, bytes.
    pub(super) size: usize,
    /// Shortest and longest period.
    pub(super) period: [Duration; 2],
}

/// Settings that every network has.
pub(super) struct Settings {
    pub(super) devices: Vec<usize>,
    pub(super) size: usize,
    pub(super) period: Duration,
    pub(super) lasts: Duration,
    pub(super) area: Area,
    /// Whether reception depends on signal levels.
    pub(super) levels: bool,
    pub(super) seed: u64,
}

/// Returns the value of a setting. An absent setting is set to `default`.
pub(super) fn settle<T: Clone>(value: &mut Option<T>, default: T) -> T {
    value.get_or_insert(default).clone()
}

impl Settings {
    /// Returns the settings of a question. Absent settings of the question are set to these defaults.
    pub(super) fn of(asked: &mut Question, defaults: &Defaults) -> Self {
        Self {
            devices: settle(&mut asked.devices, defaults.devices.to_vec()),
            size: settle(&mut asked.size, defaults.size),
            period: Duration::from_ns(settle(&mut asked.period_ns, defaults.period.as_ns())),
            lasts: Duration::from_ns(settle(&mut asked.duration_ns, defaults.duration.as_ns())),
            area: Area {
                radius: Metres(settle(&mut asked.radius_m, defaults.radius_m)),
                path: PathLoss::LogDistance {
                    exponent: settle(&mut asked.path_loss_exponent, defaults.path_loss_exponent),
                },
                shadowing: Db(settle(&mut asked.shadowing_db, 0.0)),
                power: Dbm(settle(&mut asked.tx_power_dbm, defaults.tx_power_dbm)),
                antenna_gain: Db(settle(&mut asked.antenna_gain_db, 0.0)),
            },
            levels: asked.reception == Reception::Levels,
            seed: settle(&mut asked.seed, super::super::goodput::seed()),
        }
    }

    /// Refuses values outside the limits of the standard, the chips or this machine.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Error> {
        for &devices in &self.devices {
            whole("devices", devices, 1, limits.devices)?;
            let periods = self.lasts.as_ns().div_ceil(self.period.as_ns().max(1));
            let messages = devices as u64 * periods;
            if messages > MOST_MESSAGES {
                let name = "the number of messages";
                let allowed = format!("at most {MOST_MESSAGES}; shorten the duration");
                return Err(Error::Network { name, value: messages.to_string(), allowed });
            }
        }
        whole("size", self.size, 1, limits.size)?;
        let [shortest, longest] = limits.period.map(|period| period.as_ns() as f64);
        within("period_ns", self.period.as_ns() as f64, shortest, longest)?;
        within("duration_ns", self.lasts.as_ns() as f64, 1.0, 1e18)?;
        within("radius_m", self.area.radius.0, 1.0, 1e6)?;
        if let PathLoss::LogDistance { exponent } = self.area.path {
            within("path_loss_exponent", exponent, 1.0, 8.0)?;
        }
        within("shadowing_db", self.area.shadowing.0, 0.0, 30.0)?;
        within("tx_power_dbm", self.area.power.0, -100.0, 60.0)?;
        within("antenna_gain_db", self.area.antenna_gain.0, -30.0, 60.0)
    }
}

/// Refuses a value outside its limits.
pub(super) fn within(name: &'static str, value: f64, low: f64, high: f64) -> Result<(), Error> {
    let allowed = || format!("{low} to {high}");
    let refusal = || Error::Network { name, value: value.to_string(), allowed: allowed() };
    (low..=high).contains(&value).then_some(()).ok_or_else(refusal)
}

/// Refuses a number outside its limits.
pub(super) fn whole(
    name: &'static str,
    value: usize,
    low: usize,
    high: usize,
) -> Result<(), Error> {
    within(name, value as f64, low as f64, high as f64)
}

/// Refuses settings that only other networks have.
pub(super) fn absent<const N: usize>(settings: [(&'static str, bool); N]) -> Result<(), Error> {
    match settings.into_iter().find(|(_, is_set)| *is_set) {
        None => Ok(()),
        Some((name, _)) => Err(Error::NotOfNetwork { name }),
    }
}
