//! Charge and current of both ends: time in each power state times the current of the datasheet.
//!
//! Charges are whole attocoulombs (1 nA for 1 ns), so sums are exact.
//!
//! Three quantities describe each end of a link. The *idle* current is measured on a bench without messages.
//! The *marginal* charge of a message is the charge of a run minus the idle charge of that run, divided by
//! the number of messages. For a given message rate, idle current and marginal charge determine the average
//! current. The charge *during* a message, from trigger to completion, includes the idle current. The charge
//! during a message equals the sum of the charges of all activities of the message.

mod life;
mod slices;

use airlag_rig::draws::{Drawn, Draws};
use airlag_rig::parts::{self, Currents, Supply};
use airlag_rig::places::idle_at;
use airlag_rig::processor;
use airlag_rig::profile::Profile;
use airlag_rig::run::Options;
use airlag_sim::Duration;
use airlag_sim::meter::{Part, State};

use crate::error::Error;

pub use life::{Life, life, most_ma};
pub use slices::{Slices, slices};

/// Attocoulombs per nanocoulomb.
const AC_PER_NC: f64 = 1e9;
/// Duration of the idle measurement, which is extended to whole cycles of the link.
const WATCHED: Duration = Duration::from_secs(10);
/// Nanoseconds per second.
const NS_PER_S: f64 = 1e9;

/// Names of the two ends.
pub const ENDS: [&str; 2] = ["sender", "receiver"];

/// Time and current of a part in one power state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InState {
    /// Power state.
    pub state: State,
    /// Time in the state, ns.
    pub spent_ns: u64,
    /// Current in the state, nA.
    pub current_na: u64,
}

impl InState {
    /// Charge in the state, aC.
    #[must_use]
    pub const fn charge_ac(&self) -> u128 {
        self.spent_ns as u128 * self.current_na as u128
    }
}

/// Charge of one part of an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Spent {
    /// Name of the part on the bench.
    pub name: String,
    /// Currents of the part.
    pub currents: &'static Currents,
    /// Power states that the part entered.
    pub states: Vec<InState>,
    /// Number of times the part left power down or sleep.
    pub wakes: u64,
}

impl Spent {
    /// Charge of all states and of wake-ups, aC.
    #[must_use]
    pub fn charge_ac(&self) -> u128 {
        let states: u128 = self.states.iter().map(InState::charge_ac).sum();
        states + u128::from(self.wakes) * u128::from(self.currents.wake_nc()) * AC_PER_NC as u128
    }
}

/// Charge of one end.
#[derive(Clone, Debug, PartialEq)]
pub struct EndCharge {
    /// Name of the end, one of [`ENDS`].
    pub end: &'static str,
    /// Parts of the end.
    pub parts: Vec<Spent>,
    /// Duration of the observation, ns.
    pub elapsed_ns: u64,
    /// Messages sent during the observation.
    pub messages: u64,
    /// Idle current, nA.
    pub idle_na: f64,
}

impl EndCharge {
    /// Total charge, nC.
    #[must_use]
    pub fn total_nc(&self) -> f64 {
        self.parts.iter().map(Spent::charge_ac).sum::<u128>() as f64 / AC_PER_NC
    }

    /// Mean current, nA.
    #[must_use]
    pub fn average_na(&self) -> f64 {
        if self.elapsed_ns == 0 { 0.0 } else { self.total_nc() * NS_PER_S / self.elapsed_ns as f64 }
    }

    /// Charge that a message adds to the idle charge, nC. Returns `None` without messages. Negative if a
    /// listening end draws less during a message.
    #[must_use]
    pub fn marginal_nc(&self) -> Option<f64> {
        let anyway = self.idle_na * self.elapsed_ns as f64 / NS_PER_S;
        (self.messages > 0).then(|| (self.total_nc() - anyway) / self.messages as f64)
    }

    /// Mean current at a message rate in 1/s, nA. Returns `None` without messages.
    #[must_use]
    pub fn average_at_na(&self, per_second: f64) -> Option<f64> {
        Some((self.idle_na + per_second * self.marginal_nc()?).max(0.0))
    }

    /// Peak of the summed current of all parts, nA.
    #[must_use]
    pub fn peak_na(&self) -> u64 {
        let most = |part: &Spent| part.states.iter().map(|one| one.current_na).max().unwrap_or(0);
        self.parts.iter().map(most).sum()
    }
}

/// Charge of both ends. An end without current data is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Charge {
    /// The sender, then the receiver.
    pub ends: Vec<EndCharge>,
}

/// Measures the charge of a run of `messages` over `profile`, and the idle current on the same bench.
/// `size` is the payload, bytes.
///
/// # Errors
///
/// [`Error::NoCurrent`] if a part entered a state without a listed current. The errors of a run are
/// returned too.
pub fn charge(
    profile: &Profile,
    size: usize,
    messages: u64,
    draws: &Draws,
    options: Options,
) -> Result<Charge, Error> {
    charge_beside(profile, size, messages, draws, options, WATCHED)
}

/// Like [`charge`], with a given duration of the idle measurement.
///
/// # Errors
///
/// Returns the errors of [`charge`].
pub(crate) fn charge_beside(
    profile: &Profile,
    size: usize,
    messages: u64,
    draws: &Draws,
    options: Options,
    watched: Duration,
) -> Result<Charge, Error> {
    if profile.supply.sender.is_none() && profile.supply.receiver.is_none() {
        return Ok(Charge::default());
    }
    let options = Options { spans: false, ..options };
    let quiet = idle_at(profile, size, watched, options, draws.further_places + 1)?;
    let mut ends = Vec::new();
    for end in ENDS {
        let parts = spent(profile, end, draws)?;
        if parts.is_empty() {
            continue;
        }
        let elapsed_ns = elapsed(draws, end);
        let at_rest: u128 = spent(profile, end, &quiet)?.iter().map(Spent::charge_ac).sum();
        let idle_na = at_rest as f64 / elapsed(&quiet, end).max(1) as f64;
        ends.push(EndCharge { end, parts, elapsed_ns, messages, idle_na });
    }
    Ok(Charge { ends })
}

/// Total charge of each end per message, nC. Empty without messages.
///
/// # Errors
///
/// [`Error::NoCurrent`] if a part entered a state without a listed current.
pub(crate) fn by_message(
    profile: &Profile,
    draws: &Draws,
    messages: u64,
) -> Result<Vec<(&'static str, f64)>, Error> {
    let mut all = Vec::new();
    for end in ENDS.into_iter().filter(|_| messages > 0) {
        let parts = spent(profile, end, draws)?;
        if !parts.is_empty() {
            let total: u128 = parts.iter().map(Spent::charge_ac).sum();
            all.push((end, total as f64 / AC_PER_NC / messages as f64));
        }
    }
    Ok(all)
}

/// Time over which the parts of an end were observed, ns.
fn elapsed(draws: &Draws, end: &str) -> u64 {
    draws.of(end).map(|one| one.spent_ns.iter().sum()).max().unwrap_or(0)
}

/// Charge of the parts of an end whose currents are listed.
fn spent(profile: &Profile, end: &str, draws: &Draws) -> Result<Vec<Spent>, Error> {
    let mut all = Vec::new();
    for drawn in draws.of(end) {
        if let Some(currents) = currents(profile, end, drawn)? {
            all.push(one(profile, drawn, currents)?);
        }
    }
    Ok(all)
}

/// Currents of a part of an end. Returns `None` if they are not listed.
fn currents(
    profile: &Profile,
    end: &str,
    drawn: &Drawn,
) -> Result<Option<&'static Currents>, Error> {
    let Supply { sender, receiver, .. } = &profile.supply;
    let Some(fed) = (if end == ENDS[0] { sender } else { receiver }) else { return Ok(None) };
    let key = match drawn.part {
        Part::Radio => fed.radio.as_deref(),
        Part::Processor if drawn.name == end => processor::of(profile, fed),
        Part::Processor => fed.modem.as_deref(),
    };
    Ok(key.map(parts::find).transpose()?)
}

fn one(profile: &Profile, drawn: &Drawn, currents: &'static Currents) -> Result<Spent, Error> {
    let mut states = Vec::new();
    for state in State::ALL {
        let spent_ns = drawn.spent_ns[state.index()];
        if spent_ns > 0 {
            let current_na = current(profile, currents, state)?;
            states.push(InState { state, spent_ns, current_na });
        }
    }
    Ok(Spent { name: drawn.name.clone(), currents, states, wakes: drawn.wakes })
}

fn current(profile: &Profile, currents: &Currents, state: State) -> Result<u64, Error> {
    currents
        .current_na(state, profile)
        .ok_or_else(|| Error::NoCurrent { part: currents.key.clone(), state: state.as_str() })
}
