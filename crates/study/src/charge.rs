//! What a message costs: how long each part of an end was in which state, times what its datasheet
//! says it draws there.
//!
//! Charges are whole attocoulombs: one nanoampere for one nanosecond. So sums are exact.
//!
//! Three figures of an end must not be taken for each other. What it draws *between* messages is
//! measured on a bench where nobody sends. What a message *adds* is the rest of what a run drew, by
//! message: with it and a rate there is an average current. What an end draws *during* a message,
//! from trigger to completion, contains what it would have drawn anyway; it is what the slices of a
//! message add up to.

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

/// Attocoulombs of a nanocoulomb.
const AC_PER_NC: f64 = 1e9;
/// How long an end is watched while nobody sends: some hundreds of the longest intervals that links
/// here have.
const WATCHED: Duration = Duration::from_secs(10);
/// Nanoseconds of a second.
const NS_PER_S: f64 = 1e9;

/// The two ends, as boards are called.
pub const ENDS: [&str; 2] = ["sender", "receiver"];

/// How long a part was in a state, and what it drew there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InState {
    /// Which state.
    pub state: State,
    /// How long, ns.
    pub spent_ns: u64,
    /// What it draws, nA.
    pub current_na: u64,
}

impl InState {
    /// The charge, aC.
    #[must_use]
    pub const fn charge_ac(&self) -> u128 {
        self.spent_ns as u128 * self.current_na as u128
    }
}

/// What one part of an end drew.
#[derive(Clone, Debug, PartialEq)]
pub struct Spent {
    /// What it is called on the bench.
    pub name: String,
    /// Its currents.
    pub currents: &'static Currents,
    /// The states it was in.
    pub states: Vec<InState>,
    /// How often it left power down or sleep.
    pub wakes: u64,
}

impl Spent {
    /// The charge of all states, and of waking, aC.
    #[must_use]
    pub fn charge_ac(&self) -> u128 {
        let states: u128 = self.states.iter().map(InState::charge_ac).sum();
        states + u128::from(self.wakes) * u128::from(self.currents.wake_nc()) * AC_PER_NC as u128
    }
}

/// What one end drew.
#[derive(Clone, Debug, PartialEq)]
pub struct EndCharge {
    /// Which: one of [`ENDS`].
    pub end: &'static str,
    /// Each of its parts.
    pub parts: Vec<Spent>,
    /// How long it was watched, ns.
    pub elapsed_ns: u64,
    /// Messages sent meanwhile.
    pub messages: u64,
    /// What it draws while nobody sends, nA.
    pub idle_na: f64,
}

impl EndCharge {
    /// All it drew, nC.
    #[must_use]
    pub fn total_nc(&self) -> f64 {
        self.parts.iter().map(Spent::charge_ac).sum::<u128>() as f64 / AC_PER_NC
    }

    /// The mean current, nA.
    #[must_use]
    pub fn average_na(&self) -> f64 {
        if self.elapsed_ns == 0 { 0.0 } else { self.total_nc() * NS_PER_S / self.elapsed_ns as f64 }
    }

    /// What a message adds to what is drawn anyway, nC; none without messages. Less than nothing where
    /// an end that listens does something cheaper meanwhile.
    #[must_use]
    pub fn marginal_nc(&self) -> Option<f64> {
        let anyway = self.idle_na * self.elapsed_ns as f64 / NS_PER_S;
        (self.messages > 0).then(|| (self.total_nc() - anyway) / self.messages as f64)
    }

    /// The mean current at so many messages a second, nA; none without messages.
    #[must_use]
    pub fn average_at_na(&self, per_second: f64) -> Option<f64> {
        Some((self.idle_na + per_second * self.marginal_nc()?).max(0.0))
    }

    /// The most that its parts draw at once, nA.
    #[must_use]
    pub fn peak_na(&self) -> u64 {
        let most = |part: &Spent| part.states.iter().map(|one| one.current_na).max().unwrap_or(0);
        self.parts.iter().map(most).sum()
    }
}

/// What both ends drew; an end whose parts nobody lists is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Charge {
    /// The one that sends, then the one that receives.
    pub ends: Vec<EndCharge>,
}

/// What a run of `messages` over `profile` cost, beside the same bench when nobody sends. Messages are
/// of `size` bytes.
///
/// # Errors
///
/// Those of a run; [`Error::NoCurrent`] where a part was in a state that its table lacks.
pub fn charge(
    profile: &Profile,
    size: usize,
    messages: u64,
    draws: &Draws,
    options: Options,
) -> Result<Charge, Error> {
    charge_beside(profile, size, messages, draws, options, WATCHED)
}

/// The same beside a bench that is watched for so long while nobody sends.
///
/// # Errors
///
/// As [`charge`].
pub(crate) fn charge_beside(
    profile: &Profile,
    size: usize,
    messages: u64,
    draws: &Draws,
    options: Options,
    watched: Duration,
) -> Result<Charge, Error> {
    if profile.supply == Supply::default() {
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

/// What each end drew in all, by message, nC; nothing without messages.
///
/// # Errors
///
/// [`Error::NoCurrent`] where a part was in a state that its table lacks.
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

/// How long the parts of an end were watched, ns.
fn elapsed(draws: &Draws, end: &str) -> u64 {
    draws.of(end).map(|one| one.spent_ns.iter().sum()).max().unwrap_or(0)
}

/// What the parts of an end drew, those whose currents its profile names.
fn spent(profile: &Profile, end: &str, draws: &Draws) -> Result<Vec<Spent>, Error> {
    let mut all = Vec::new();
    for drawn in draws.of(end) {
        if let Some(currents) = currents(profile, end, drawn)? {
            all.push(one(profile, drawn, currents)?);
        }
    }
    Ok(all)
}

/// The currents of a part of an end; none where nobody lists it.
fn currents(
    profile: &Profile,
    end: &str,
    drawn: &Drawn,
) -> Result<Option<&'static Currents>, Error> {
    let Supply { sender, receiver } = &profile.supply;
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
