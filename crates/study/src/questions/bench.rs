//! The link and the trigger timing in all questions about the virtual bench.

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_rig::stimulus::{Aligned, Periodic, Stimulus as Triggers};
use airlag_sim::Duration;

use crate::answers::traffic::{Phase, Stimulus, Traffic};
use crate::error::Error;
use crate::json::shortest;
use crate::pace;

/// Longest run, ns: a quarter of the largest signed 64-bit number, 73 years.
const LONGEST_NS: u64 = 1 << 61;

/// Parameters of a profile to change, as text.
pub type Settings = BTreeMap<String, String>;

/// A link profile with some parameters changed.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The profile with the changes.
    pub profile: Profile,
    /// Changes that differ from the profile, each in the unit of its parameter.
    pub settings: Settings,
}

impl Bound {
    /// Reads the profile named `link` and applies `settings`.
    ///
    /// # Errors
    ///
    /// [`Error`] if the link or a parameter does not exist, or a value is not accepted.
    pub fn of(link: &str, settings: &Settings) -> Result<Self, Error> {
        let own = registry::find(link)?;
        let mut profile = own.clone();
        for (name, text) in settings {
            profile.set(name, text)?;
        }
        let value = |profile: &Profile, name: &String| {
            profile.constants().find(|one| one.name == *name).map(|one| one.value.clone())
        };
        let mut differing = Settings::new();
        for name in settings.keys() {
            let asked = value(&profile, name);
            if let Some(asked) = asked.filter(|asked| value(&own, name).as_ref() != Some(asked)) {
                differing.insert(name.clone(), plain(&asked));
            }
        }
        Ok(Self { profile, settings: differing })
    }

    /// Returns the message size for a payload, bytes. If the link has no message, the size has no
    /// effect.
    ///
    /// # Errors
    ///
    /// [`Error`] if the link has a message and no payload is given.
    pub fn bytes(&self, size: Option<usize>) -> Result<usize, Error> {
        Ok(self.profile.bytes(size)?)
    }
}

/// Formats the value of a constant in the syntax of `--set`.
#[must_use]
pub fn plain(value: &Value) -> String {
    match value {
        Value::Flag(value) => value.to_string(),
        Value::Whole(value) => value.to_string(),
        Value::Real(value) => shortest(*value),
        Value::Choice(value) => value.clone(),
    }
}

/// Trigger timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Time between triggers.
    pub period: Duration,
    /// Longest latency of a few messages sent one at a time. `None` if none arrived.
    pub service: Option<Duration>,
}

impl Plan {
    /// Measures the latency of single messages, and chooses a period if none is given.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if the run is too long. The errors of a run are returned too.
    pub fn of(
        profile: &Profile,
        size: usize,
        seed: u64,
        traffic: Traffic,
        count: usize,
        period_ns: Option<u64>,
    ) -> Result<Self, Error> {
        let alone = match traffic {
            // The service time is measured in one direction. With traffic in both directions it is
            // the same.
            Traffic::Both => Traffic::Trigger,
            other => other,
        };
        let service = pace::taken(profile, size, seed, alone.into())?;
        let period = match period_ns {
            Some(ns) => Duration::from_ns(ns),
            None => pace::period(profile, size, service)?,
        };
        if (count as u64).saturating_mul(period.as_ns()) > LONGEST_NS {
            let (link, period_s) = (profile.name.clone(), period.as_ns() as f64 / 1e9);
            return Err(Error::TooLong { link, count, period_s });
        }
        Ok(Self { period, service })
    }

    /// Returns `count` triggers of a phase. Aligned triggers follow a transmission by `offset_ns`.
    ///
    /// # Errors
    ///
    /// [`Error::Offset`] if triggers that are not aligned have an offset. [`Error::AlignedBothWays`] for
    /// aligned triggers in both directions.
    pub fn triggers(
        &self,
        phase: Phase,
        offset_ns: Option<u64>,
        traffic: Traffic,
        count: usize,
    ) -> Result<Triggers, Error> {
        let period = self.period;
        match (phase, offset_ns, traffic) {
            (Phase::Uniform | Phase::Frozen, Some(_), _) => Err(Error::Offset),
            (Phase::Aligned, _, Traffic::Both) => Err(Error::AlignedBothWays),
            (Phase::Frozen, None, _) => Ok(Triggers::Periodic(Periodic::new(period, count))),
            (Phase::Uniform, None, _) => Ok(pace::uniform(period, count)),
            (Phase::Aligned, offset_ns, _) => {
                let offset = Duration::from_ns(offset_ns.unwrap_or(0));
                Ok(Triggers::Aligned(Aligned { offset, period, count, skipped: 0 }))
            }
        }
    }

    /// Returns the trigger timing as part of an answer.
    #[must_use]
    pub fn described(&self, phase: Phase, offset_ns: Option<u64>) -> Stimulus {
        Stimulus {
            period_ns: self.period.as_ns(),
            phase,
            offset_ns: (phase == Phase::Aligned).then(|| offset_ns.unwrap_or(0)),
            service_ns: self.service.map(Duration::as_ns),
        }
    }
}
