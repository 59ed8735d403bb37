//! Positions of nodes, and propagation on the paths between them.
//!
//! A [`PathModel`] converts a distance to the properties of a path: reception, signal strength and loss.
//! Named shapes use [`PathModel::Disc`], where reception is binary.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::error_rate::OqpskDsss;
use airlag_air::quantity::{Db, Dbm, Hertz, Metres};
use airlag_air::{Budget, Medium, NodeId, Receiver, Sense, propagation};
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::Channel;

/// Signal of every path of a disc, dBm: 40 dB above the noise floor. OpenThread rates a link as good from 20
/// dB.
pub const GOOD: i8 = -60;
/// Receiver sensitivity that `node/radio.c` reports, dBm. OpenThread computes link margins from it.
const SENSITIVITY: f64 = -100.0;
/// Smallest link margin of a usable link, dB (`LinkQualityInfo`: `kThreshold1`).
const LEAST_MARGIN: f64 = 2.0;
/// CCA threshold that `node/radio.c` reports, dBm.
const CCA_THRESHOLD: Dbm = Dbm(-75.0);
/// Channel of every network.
pub(crate) const CHANNEL: u8 = 15;

/// A position on a plane, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// East coordinate.
    pub x: f64,
    /// North coordinate.
    pub y: f64,
}

impl Position {
    /// Distance to another position.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Metres {
        Metres((self.x - other.x).hypot(self.y - other.y))
    }
}

/// Propagation model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathModel {
    /// Two discs: reception within one, carrier sensing within the other.
    Disc {
        /// Distance up to which frames are received.
        reach: Metres,
        /// Distance up to which frames keep the channel busy and collide with others.
        sensed: Metres,
    },
    /// Signal and noise. The range in the budget is replaced by the distance of each path.
    Loss(Budget),
}

/// Default reception distance of a disc, m.
pub const REACH: Metres = Metres(100.0);

impl Default for PathModel {
    fn default() -> Self {
        Self::Disc { reach: REACH, sensed: REACH }
    }
}

impl PathModel {
    /// Whether OpenThread can use a link over this distance, without fading.
    #[must_use]
    pub fn is_usable(&self, distance: Metres) -> bool {
        match self {
            Self::Disc { reach, .. } => distance.0 <= reach.0,
            Self::Loss(budget) => {
                let Dbm(received) = over(budget, distance).received(frequency());
                received - SENSITIVITY > LEAST_MARGIN
            }
        }
    }

    /// Sets the path `from` → `to` over `distance`. Returns its signal.
    pub(crate) fn apply(&self, air: &Medium, [from, to]: [NodeId; 2], distance: Metres) -> Signal {
        let budget = match self {
            Self::Loss(budget) => budget,
            Self::Disc { reach, sensed } => {
                let heard = distance.0 <= reach.0.max(sensed.0);
                return Signal { heard, rssi: GOOD };
            }
        };
        let budget = over(budget, distance);
        air.set_delay(from, to, propagation::delay(distance));
        air.set_budget(from, to, budget);
        let Dbm(received) = budget.received(frequency());
        // Rounded as reported by transceivers.
        Signal { heard: true, rssi: (received.round() as i64).clamp(-127, 20) as i8 }
    }

    /// Loss of a path by distance.
    pub(crate) fn loss(&self, distance: Metres) -> PathLoss {
        match self {
            Self::Disc { .. } if self.is_usable(distance) => PathLoss::Nothing,
            Self::Disc { .. } => PathLoss::Everything,
            Self::Loss(budget) => PathLoss::BySignal(over(budget, distance)),
        }
    }

    /// Receiver of every node, if signal levels matter.
    pub(crate) fn receiver(&self) -> Option<Receiver> {
        let Self::Loss(budget) = self else { return None };
        Some(Receiver {
            family: channel().modulation().family,
            demodulator: Rc::new(OqpskDsss),
            noise_figure: budget.noise_figure,
            harm: Db(0.0),
            sense: Sense::energy(CCA_THRESHOLD),
            demodulators: None,
        })
    }
}

/// Loss of a path by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PathLoss {
    Nothing,
    Everything,
    BySignal(Budget),
}

/// Signal of a path at its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    pub(crate) heard: bool,
    pub(crate) rssi: i8,
}

/// Signals of all paths, dBm. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals(Rc<RefCell<BTreeMap<(NodeId, NodeId), i8>>>);

impl Signals {
    pub(crate) fn set(&self, from: NodeId, to: NodeId, rssi: i8) {
        self.0.borrow_mut().insert((from, to), rssi);
    }

    pub(crate) fn of(&self, from: NodeId, to: NodeId) -> i8 {
        self.0.borrow().get(&(from, to)).copied().unwrap_or(GOOD)
    }
}

fn over(budget: &Budget, range: Metres) -> Budget {
    Budget { range, ..*budget }
}

fn channel() -> Channel {
    Channel::new(CHANNEL).unwrap_or(Channel::first(Phy::Oqpsk2450))
}

fn frequency() -> Hertz {
    channel().band().centre()
}

#[cfg(test)]
mod tests {
    use airlag_air::{Fading, PathLoss};

    use super::*;

    fn budget() -> Budget {
        Budget {
            power: Dbm(0.0),
            antenna_gain: Db(0.0),
            path: PathLoss::LogDistance { exponent: 3.0 },
            range: Metres(0.0),
            shadowing: Db(0.0),
            fading: Fading::Steady,
            noise_figure: Db(10.5),
        }
    }

    #[test]
    fn a_disc_ends_at_its_reach() {
        let disc = PathModel::default();
        assert!(disc.is_usable(Metres(100.0)) && !disc.is_usable(Metres(100.1)));
    }

    #[test]
    fn a_link_is_usable_to_two_db_above_the_sensitivity() {
        // The loss of free space over 1 m at 2425 MHz is 40.14 dB. A loss of 98 dB is reached at
        // 10^((98 - 40.14) / 30) = 84.9 m.
        let model = PathModel::Loss(budget());
        assert!(model.is_usable(Metres(84.0)) && !model.is_usable(Metres(86.0)));
    }

    #[test]
    fn distance_is_that_of_a_plane() {
        let from = Position { x: 1.0, y: 1.0 };
        assert_eq!(from.distance(&Position { x: 4.0, y: 5.0 }), Metres(5.0));
    }
}
