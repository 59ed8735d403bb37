//! Recorded causes of losses and delays in a virtual run.

use std::collections::BTreeMap;

use airlag_rig::kind::Timer;
use airlag_rig::messages::MessageOutcome;
use airlag_rig::profile::Profile;
use airlag_rig::run::Run;
use airlag_stats::findings::bench::{self, Bench};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::Stand;
use crate::error::Error;

/// Name of the event by which models count retransmitted frames.
const RETRY: &str = "retry";
/// Events that occur in transfers without any loss.
const ORDINARY: [&str; 3] = [RETRY, "deferral", "duplicate"];

/// Offered and carried message rate of an overloaded link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overload {
    /// Offered message rate, 1/s.
    #[schemars(range(min = 0))]
    pub offered_per_s: f64,
    /// Carried message rate, 1/s.
    #[schemars(range(min = 0))]
    pub carried_per_s: f64,
}

/// Causes of losses and delays, as the bench recorded them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Causes {
    /// Triggers at which the sending board was busy with an earlier message.
    pub not_taken: usize,
    /// Messages that the link gave up after its last retry.
    pub given_up: usize,
    /// Number of retransmitted frames. 0 if the link model does not count them.
    pub retries: u64,
    /// Offered and carried message rate. Null if the link carries the offered rate.
    pub overload: Option<Overload>,
    /// Events that may explain lost messages: number of occurrences by name.
    pub events: BTreeMap<String, u64>,
    /// Whether a peer delays its TCP acknowledgements.
    pub delays_acks: bool,
    /// Whether a radio sleeps between Wi-Fi beacons.
    pub sleeps_between_beacons: bool,
}

impl Causes {
    /// Collects the causes of losses and delays in the `nth` direction of a run over the link of
    /// `profile`.
    ///
    /// # Errors
    ///
    /// [`Error`] if a parameter of the profile cannot be read.
    pub fn of(
        profile: &Profile,
        run: &Run,
        nth: usize,
        overload: Option<Overload>,
    ) -> Result<Self, Error> {
        let messages = run.matched.get(nth).map_or(&[][..], |one| &one.messages);
        let count =
            |outcome: MessageOutcome| messages.iter().filter(|one| one.outcome == outcome).count();
        let event = |(name, times): (&&'static str, &u32)| {
            (!ORDINARY.contains(name)).then(|| ((*name).to_owned(), u64::from(*times)))
        };
        let timers = profile.bind()?.link().timers();
        Ok(Self {
            not_taken: count(MessageOutcome::NotTaken),
            given_up: count(MessageOutcome::GivenUp),
            retries: run.incidents.get(RETRY).map_or(0, |&times| u64::from(times)),
            overload,
            events: run.incidents.iter().filter_map(event).collect(),
            delays_acks: timers.contains(&Timer::DelayedAck),
            sleeps_between_beacons: timers.contains(&Timer::Beacon),
        })
    }

    /// Returns the facts from the bench that the findings of the run need.
    #[must_use]
    pub fn bench(&self, stand: Option<&Stand>) -> Bench {
        Bench {
            not_taken: self.not_taken,
            given_up: self.given_up,
            retries: self.retries,
            overload: self.overload.map(|Overload { offered_per_s, carried_per_s }| {
                bench::Overload { offered_per_s, carried_per_s }
            }),
            range: stand.map(|stand| bench::Range {
                metres: stand.range_m,
                fade_margin_db: stand.fade_margin_db,
            }),
            events: self.events.iter().map(|(name, times)| (name.clone(), *times)).collect(),
            delays_acks: self.delays_acks,
            sleeps_between_beacons: self.sleeps_between_beacons,
        }
    }
}
