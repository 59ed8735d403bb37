//! Charge and current of both ends, and battery life.

use airlag_rig::batteries::Battery;
use airlag_sim::meter::State;
use airlag_stats::Metered;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::words;
use crate::charge;
use crate::error::Error;

/// Nanocoulombs per attocoulomb.
const NC_PER_AC: f64 = 1e-9;

words! {
    /// Power state of a part.
    PowerState: State::ALL.map(State::as_str).to_vec();
}

/// Time and charge of a part in one power state.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InState {
    /// Power state of the part.
    pub state: PowerState,
    /// Time in the state, ns.
    pub ns: u64,
    /// Current in the state, nA.
    pub current_na: u64,
    /// Charge in the state, nC.
    #[schemars(range(min = 0))]
    pub nc: f64,
}

/// Charge of one part of an end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PartCharge {
    /// Name of the part on the bench.
    pub name: String,
    /// Key of the part in `links/parts.toml`.
    pub part: String,
    /// Description of the part, with its supply voltage.
    pub about: String,
    /// Time and charge in each power state that the part entered.
    pub states: Vec<InState>,
    /// Number of times the part left power down or sleep.
    pub wakes: u64,
    /// Charge of one wake-up, nC.
    pub wake_nc: u64,
    /// Total charge, nC.
    #[schemars(range(min = 0))]
    pub nc: f64,
}

/// Charge and current of one end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EndCharge {
    /// Charge that one message adds to the idle charge, nC. Null without messages. Negative if a listening
    /// radio draws less during a message.
    pub marginal_nc: Option<f64>,
    /// 95 % interval of `marginal_nc`. Only for a measured current.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marginal_interval95_nc: Option<(f64, f64)>,
    /// Idle current, nA. A measured value may be negative because of the instrument's offset.
    pub idle_na: f64,
    /// Mean current, nA.
    pub average_na: f64,
    /// Peak current of the end: largest sum of the currents of its parts, nA.
    pub peak_na: u64,
    /// Total charge, nC.
    pub total_nc: f64,
    /// Duration of the observation, ns.
    pub elapsed_ns: u64,
    /// Charge of each part of the end. Empty for a measured current.
    pub parts: Vec<PartCharge>,
}

impl From<&charge::EndCharge> for EndCharge {
    fn from(found: &charge::EndCharge) -> Self {
        let in_state = |one: &charge::InState| InState {
            state: PowerState(one.state.as_str()),
            ns: one.spent_ns,
            current_na: one.current_na,
            nc: one.charge_ac() as f64 * NC_PER_AC,
        };
        let part = |one: &charge::Spent| PartCharge {
            name: one.name.clone(),
            part: one.currents.key.clone(),
            about: one.currents.about.clone(),
            states: one.states.iter().map(in_state).collect(),
            wakes: one.wakes,
            wake_nc: one.currents.wake_nc(),
            nc: one.charge_ac() as f64 * NC_PER_AC,
        };
        Self {
            marginal_nc: found.marginal_nc(),
            marginal_interval95_nc: None,
            idle_na: found.idle_na,
            average_na: found.average_na(),
            peak_na: found.peak_na(),
            total_nc: found.total_nc(),
            elapsed_ns: found.elapsed_ns,
            parts: found.parts.iter().map(part).collect(),
        }
    }
}

impl From<&Metered> for EndCharge {
    fn from(found: &Metered) -> Self {
        Self {
            marginal_nc: found.marginal_nc,
            marginal_interval95_nc: found.marginal_interval_nc,
            idle_na: found.idle_na,
            average_na: found.average_na,
            peak_na: found.peak_na,
            total_nc: found.total_nc,
            elapsed_ns: found.elapsed_ns,
            parts: Vec::new(),
        }
    }
}

/// One value for each end of a link. An end without current data is absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "{T}Ends")]
pub struct Ends<T> {
    /// The end that sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<T>,
    /// The end that receives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<T>,
}

impl<T> Default for Ends<T> {
    fn default() -> Self {
        Self { sender: None, receiver: None }
    }
}

impl<T> Ends<T> {
    /// Collects values by name of the end.
    pub fn of(values: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut all = Self::default();
        for (end, value) in values {
            *(if end == charge::ENDS[0] { &mut all.sender } else { &mut all.receiver }) =
                Some(value);
        }
        all
    }
}

/// Charge and current of both ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Charge {
    /// Each end.
    #[serde(flatten)]
    pub ends: Ends<EndCharge>,
}

impl Charge {
    /// Charge drawn by both ends. Returns `None` if no end has current data.
    #[must_use]
    pub fn drawn(found: &charge::Charge) -> Option<Self> {
        let ends = found.ends.iter().map(|one| (one.end, EndCharge::from(one)));
        (!found.ends.is_empty()).then(|| Self { ends: Ends::of(ends) })
    }

    /// Charge of the measured end.
    #[must_use]
    pub fn measured(found: &Metered) -> Self {
        let [sender, receiver] = charge::ENDS;
        let end = if found.supply == receiver { receiver } else { sender };
        Self { ends: Ends::of([(end, EndCharge::from(found))]) }
    }
}

/// Battery life.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Life {
    /// Description of the battery.
    pub about: String,
    /// Capacity, mAh.
    #[schemars(range(min = 0))]
    pub capacity_mah: f64,
    /// Time until the capacity is used up, years. Includes self-discharge.
    #[schemars(range(min = 0))]
    pub years: f64,
    /// Peak current of the end, and the largest pulse current that the battery can supply, mA. Null if the
    /// battery can supply the peak current.
    pub overloaded_ma: Option<(f64, f64)>,
}

impl Life {
    /// Battery life at a mean current and a peak current, both in nA.
    #[must_use]
    pub fn of(battery: &Battery, average_na: f64, peak_na: u64) -> Self {
        let found = charge::life(battery, average_na, peak_na);
        Self {
            about: battery.about.clone(),
            capacity_mah: battery.capacity_mah.value,
            years: found.years,
            overloaded_ma: found.overloaded_ma,
        }
    }
}

/// Mean current of an end at a message rate, and its battery life.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FedEnd {
    /// Mean current, nA. Null without messages.
    pub average_na: Option<f64>,
    /// Battery life. Null without a battery.
    pub life: Option<Life>,
}

/// Mean currents and battery life at a message rate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fed {
    /// Name of the battery. Null without a battery.
    pub battery: Option<String>,
    /// Message rate, 1/s.
    #[schemars(range(min = 0))]
    pub per_second: f64,
    /// Each end.
    #[serde(flatten)]
    pub ends: Ends<FedEnd>,
}

impl Fed {
    /// Message rate for a battery life if no rate is given, 1/s.
    pub const USUAL_RATE: f64 = 1.0 / 60.0;

    /// Currents and battery life of both ends at a message rate. Returns `None` if neither a rate nor a
    /// battery is given.
    ///
    /// # Errors
    ///
    /// [`Error`] if [`Battery::find`] does not recognise the battery.
    pub fn of(
        found: &charge::Charge,
        battery: Option<&str>,
        per_second: Option<f64>,
    ) -> Result<Option<Self>, Error> {
        let per_second = per_second.or_else(|| battery.map(|_| Self::USUAL_RATE));
        let Some(per_second) = per_second else { return Ok(None) };
        let listed = battery.map(Battery::find).transpose()?;
        let end = |one: &charge::EndCharge| {
            let average_na = one.average_at_na(per_second);
            let life = listed.as_ref().zip(average_na);
            let life = life.map(|(battery, average)| Life::of(battery, average, one.peak_na()));
            (one.end, FedEnd { average_na, life })
        };
        let ends = Ends::of(found.ends.iter().map(end));
        Ok(Some(Self { battery: battery.map(str::to_owned), per_second, ends }))
    }
}
