//! Positions of nodes, and what the paths between them do to frames.
//!
//! A [`PathModel`] turns a distance into a path: whether frames are heard, how strong they arrive, how many are
//! lost. Named shapes are placed with [`PathModel::Disc`], where a path is there or not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::error_rate::OqpskDsss;
use airlag_air::quantity::{Db, Dbm, Hertz, Metres};
use airlag_air::{Budget, Medium, NodeId, Receiver, Sense, propagation};
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::Channel;

/// Signal of every path of a disc, dBm: 40 dB above the noise floor, where OpenThread rates a link as good from
/// 20 dB on.
pub const GOOD: i8 = -60;
/// Receiver sensitivity that `node/radio.c` reports, dBm: OpenThread measures link margin from there.
const SENSITIVITY: f64 = -100.0;
/// Least link margin of a usable link, dB (`LinkQualityInfo`: `kThreshold1`).
const LEAST_MARGIN: f64 = 2.0;
/// Energy in the channel from which it is busy, dBm: what `node/radio.c` reports as its CCA threshold.
const CCA_THRESHOLD: Dbm = Dbm(-75.0);
/// Channel of every network.
pub(crate) const CHANNEL: u8 = 15;

/// A position on a plane, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// To the east.
    pub x: f64,
    /// To the north.
    pub y: f64,
}

impl Position {
    /// Distance to another one.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Metres {
        Metres((self.x - other.x).hypot(self.y - other.y))
    }
}

/// What distance does to frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathModel {
    /// Two discs: understood within one, sensed within the other.
    Disc {
        /// Frames are received well up to this distance.
        reach: Metres,
        /// Frames keep the channel busy and collide with others up to this distance.
        sensed: Metres,
    },
    /// Signal and noise decide; the range in the budget is replaced by each path's.
    Loss(Budget),
}

/// Reach of a disc unless said otherwise, m.
pub const REACH: Metres = Metres(100.0);

impl Default for PathModel {
    fn default() -> Self {
        Self::Disc { reach: REACH, sensed: REACH }
    }
}

impl PathModel {
    /// True if a link over this distance is good enough for OpenThread, frames that fade left aside.
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

    /// Sets up the path `from` → `to` over `distance`, and reports its signal.
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
        // Rounded as transceivers report it.
        Signal { heard: true, rssi: (received.round() as i64).clamp(-127, 20) as i8 }
    }

    /// What distance makes a path lose.
    pub(crate) fn loss(&self, distance: Metres) -> PathLoss {
        match self {
            Self::Disc { .. } if self.is_usable(distance) => PathLoss::Nothing,
            Self::Disc { .. } => PathLoss::Everything,
            Self::Loss(budget) => PathLoss::BySignal(over(budget, distance)),
        }
    }

    /// The receiver of every node, where levels matter.
    pub(crate) fn receiver(&self) -> Option<Receiver> {
        let Self::Loss(budget) = self else { return None };
        Some(Receiver {
            family: channel().modulation().family,
            demodulator: Rc::new(OqpskDsss),
            noise_figure: budget.noise_figure,
            harm: Db(0.0),
            sense: Sense::energy(CCA_THRESHOLD),
        })
    }
}

/// What distance makes a path lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PathLoss {
    Nothing,
    Everything,
    BySignal(Budget),
}

/// A path as its receiver sees it.
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
        // Free space over 1 m at 2425 MHz takes 40.14 dB: 98 dB are reached at 10^((98 - 40.14) / 30) = 84.9 m.
        let model = PathModel::Loss(budget());
        assert!(model.is_usable(Metres(84.0)) && !model.is_usable(Metres(86.0)));
    }

    #[test]
    fn distance_is_that_of_a_plane() {
        let from = Position { x: 1.0, y: 1.0 };
        assert_eq!(from.distance(&Position { x: 4.0, y: 5.0 }), Metres(5.0));
    }
}
