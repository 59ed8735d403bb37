//! Charge of each end by activity of a message.

use std::collections::BTreeMap;

use airlag_rig::draws::Drawing;
use airlag_rig::profile::Profile;
use airlag_rig::run::Run;
use airlag_sim::meter::State;
use airlag_stats::pair::Transfers;

use super::{AC_PER_NC, ENDS, current, currents};
use crate::error::Error;
use crate::timeline::{self, Label};

/// Charge of one end from trigger to completion, by activity.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    /// Name of the end.
    pub end: &'static str,
    /// Number of completed messages.
    pub messages: usize,
    /// Sum over all messages and activities, aC.
    pub total_ac: u128,
    /// Sum over all messages by activity, aC, in the order in which the activities occur.
    pub items: Vec<(Label, u128)>,
}

impl Slices {
    /// Mean per message, nC.
    #[must_use]
    pub fn message_nc(&self) -> f64 {
        self.mean_nc(self.total_ac)
    }

    /// Converts a sum over all messages in aC to a mean per message in nC.
    #[must_use]
    pub fn mean_nc(&self, charge_ac: u128) -> f64 {
        charge_ac as f64 / AC_PER_NC / self.messages.max(1) as f64
    }
}

/// Computes the charge by activity of the messages of a run with recorded spans. An end without current
/// data is absent.
///
/// # Errors
///
/// [`Error::NoCurrent`] if a part entered a state without a listed current.
pub fn slices(profile: &Profile, run: &Run, transfers: &Transfers) -> Result<Vec<Slices>, Error> {
    let timelines = timeline::timelines(run, transfers);
    let mut all = Vec::new();
    for end in ENDS {
        let mut curves = Vec::new();
        for drawn in run.draws.of(end) {
            if let Some(currents) = currents(profile, end, drawn)? {
                let wake_ac = u128::from(currents.wake_nc()) * AC_PER_NC as u128;
                let of = |state| current(profile, currents, state);
                curves.push(Curve::new(&drawn.stretches, wake_ac, of)?);
            }
        }
        if curves.is_empty() {
            continue;
        }
        let drawn = |at_ns: i64| curves.iter().map(|curve| curve.at(at_ns)).sum::<u128>();
        let mut order: Vec<Label> = Vec::new();
        let mut sums: BTreeMap<Label, u128> = BTreeMap::new();
        for part in timelines.iter().flatten() {
            let label = Label { name: part.name, class: part.class };
            if !sums.contains_key(&label) {
                order.push(label);
            }
            *sums.entry(label).or_default() += drawn(part.end_ns) - drawn(part.begin_ns);
        }
        let total_ac = sums.values().sum();
        let items = order.into_iter().map(|label| (label, sums[&label])).collect();
        all.push(Slices { end, messages: timelines.len(), total_ac, items });
    }
    Ok(all)
}

/// Cumulative charge of one part over time.
struct Curve {
    /// Breakpoints: time in ns, charge so far in aC, and current from there on in nA.
    bends: Vec<(i64, u128, u64)>,
}

impl Curve {
    fn new(
        stretches: &[Drawing],
        wake_ac: u128,
        current: impl Fn(State) -> Result<u64, Error>,
    ) -> Result<Self, Error> {
        let (mut bends, mut sum, mut rested) = (Vec::with_capacity(stretches.len()), 0, false);
        for one in stretches {
            let rests = matches!(one.state, State::PowerDown | State::Sleep);
            if rested && !rests {
                sum += wake_ac;
            }
            rested = rests;
            let current_na = current(one.state)?;
            bends.push((one.begin_ns, sum, current_na));
            sum += u128::from(one.begin_ns.abs_diff(one.end_ns)) * u128::from(current_na);
        }
        Ok(Self { bends })
    }

    /// Charge drawn until `at_ns`, aC.
    fn at(&self, at_ns: i64) -> u128 {
        let next = self.bends.partition_point(|bend| bend.0 <= at_ns);
        let Some(&(begin_ns, sum, current_na)) =
            next.checked_sub(1).and_then(|n| self.bends.get(n))
        else {
            return 0;
        };
        sum + u128::from(begin_ns.abs_diff(at_ns)) * u128::from(current_na)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_by_the_current_and_steps_where_the_part_wakes() {
        let stretch = |state, begin_ns, end_ns| Drawing { state, begin_ns, end_ns };
        let stretches = [
            stretch(State::PowerDown, 0, 10),
            stretch(State::Receive, 10, 30),
            stretch(State::PowerDown, 30, 40),
        ];
        let curve =
            Curve::new(&stretches, 1_000, |state| Ok(if state == State::Receive { 7 } else { 1 }))
                .expect("known");
        assert_eq!(curve.at(-5), 0);
        assert_eq!(curve.at(9), 9);
        assert_eq!(curve.at(10), 1_010);
        assert_eq!(curve.at(20), 1_010 + 70);
        assert_eq!(curve.at(35), 1_010 + 140 + 5);
    }
}
