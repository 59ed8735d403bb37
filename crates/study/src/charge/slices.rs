//! What each slice of a message costs either end: the charge drawn while it lasted.

use std::collections::BTreeMap;

use airlag_rig::draws::Drawing;
use airlag_rig::profile::Profile;
use airlag_rig::run::Run;
use airlag_sim::meter::State;
use airlag_stats::pair::Transfers;

use super::{AC_PER_NC, ENDS, current, currents};
use crate::error::Error;
use crate::timeline::{self, Label};

/// What one end draws from trigger to completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    /// Which end.
    pub end: &'static str,
    /// Messages that completed.
    pub messages: usize,
    /// All of them together, aC: the sum of the items.
    pub total_ac: u128,
    /// One a name, aC of all messages together, in the order in which messages come to them.
    pub items: Vec<(Label, u128)>,
}

impl Slices {
    /// A message on average, nC.
    #[must_use]
    pub fn message_nc(&self) -> f64 {
        self.mean_nc(self.total_ac)
    }

    /// What `charge_ac` of all messages is of one, nC.
    #[must_use]
    pub fn mean_nc(&self, charge_ac: u128) -> f64 {
        charge_ac as f64 / AC_PER_NC / self.messages.max(1) as f64
    }
}

/// What each slice of the messages of a run costs, whose spans were kept. Ends whose parts nobody
/// lists are left out.
///
/// # Errors
///
/// [`Error::NoCurrent`] where a part was in a state that its table lacks.
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

/// What one part had drawn by an instant.
struct Curve {
    /// From when, up to there in aC, and from there on in nA.
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

    /// What it had drawn by `at_ns`, aC.
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
