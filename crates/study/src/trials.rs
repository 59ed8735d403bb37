//! Repeated trains of back-to-back messages: delivery ratio, lost positions and named events.

use airlag_rig::carry::{Arrived, Train, send_train};
use airlag_rig::profile::Profile;
use airlag_rig::report::Incidents;
use airlag_stats::interval;
use airlag_stats::position::Positions;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;

/// One train.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trial {
    /// Random seed.
    pub seed: u64,
    /// Messages that arrived.
    pub delivered: u32,
    /// Lost messages that were reported to the sending program.
    pub refused: u32,
    /// Messages passed to the link, including messages sent again.
    pub handed: u64,
    /// Time from the start of the first message to the last arrival, ns.
    pub elapsed_ns: u64,
}

/// Outcome of all trains.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// Options of the trains.
    pub train: Train,
    /// Number of frames per message, all of which must arrive. `None` if the link does not fragment.
    pub fragments: Option<u64>,
    /// Outcome of each train.
    pub each: Vec<Trial>,
    /// Positions of the lost messages.
    pub positions: Positions,
    /// Named events over all trains, with counts.
    pub incidents: Incidents,
}

/// Sends a train `count` times with consecutive seeds from `seed`. `done` is called after each train.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn trials(
    profile: &Profile,
    train: Train,
    count: u32,
    seed: u64,
    mut done: impl FnMut(),
) -> Result<Trials, Error> {
    observed(profile, train, count, seed, |_| done())
}

/// Like [`trials`], with a callback for the observations of each train.
pub(crate) fn observed(
    profile: &Profile,
    train: Train,
    count: u32,
    seed: u64,
    mut seen: impl FnMut(&Arrived),
) -> Result<Trials, Error> {
    let (mut each, mut lost, mut incidents) = (Vec::new(), Vec::new(), Incidents::new());
    for nth in 0..u64::from(count) {
        let seed = seed.wrapping_add(nth);
        let arrived = send_train(profile, train, seed)?;
        each.push(trial(&arrived, seed));
        let mut gone: Vec<bool> = arrived.messages.iter().map(|one| one.came.is_none()).collect();
        // The remaining messages of a train, which the link did not let its program send.
        gone.resize(train.count as usize, true);
        lost.push(gone);
        for (name, times) in &arrived.incidents {
            *incidents.entry(*name).or_default() += times;
        }
        seen(&arrived);
    }
    let fragments = profile.bind()?.link().fragments(train.size);
    Ok(Trials { train, fragments, each, positions: Positions::of(&lost), incidents })
}

fn trial(arrived: &Arrived, seed: u64) -> Trial {
    let came = arrived.messages.iter().filter_map(|one| one.came);
    let last = came.clone().max().unwrap_or(arrived.begin);
    Trial {
        seed,
        delivered: came.count() as u32,
        refused: arrived.messages.iter().filter(|one| one.refused && one.came.is_none()).count()
            as u32,
        handed: arrived.handed,
        elapsed_ns: last.since(arrived.begin).as_ns(),
    }
}

impl Trials {
    /// Delivery ratio.
    #[must_use]
    pub fn delivery(&self) -> f64 {
        let delivered: u64 = self.each.iter().map(|one| u64::from(one.delivered)).sum();
        let all = self.each.len() as u64 * u64::from(self.train.count);
        if all == 0 { 0.0 } else { delivered as f64 / all as f64 }
    }

    /// 95 % confidence interval of the delivery ratio from the variation between trains, because the messages
    /// of a train are not independent. Returns `None` for a single train.
    #[must_use]
    pub fn delivery_interval(&self) -> Option<(f64, f64)> {
        let ratio = |one: &Trial| f64::from(one.delivered) / f64::from(self.train.count.max(1));
        let ratios: Vec<f64> = self.each.iter().map(ratio).collect();
        interval::mean(&ratios).map(|(low, high)| (low.max(0.0), high.min(1.0)))
    }

    /// Delivered user data over the time until the last arrival of a train, kbit/s.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        let elapsed: u64 = self.each.iter().map(|one| one.elapsed_ns).sum();
        let delivered: u64 = self.each.iter().map(|one| u64::from(one.delivered)).sum();
        let bits = (delivered * self.train.size as u64 * 8) as f64;
        if elapsed == 0 { 0.0 } else { bits * 1e6 / elapsed as f64 }
    }
}
