//! Positions of all radios, for signal strength.
//!
//! A neighbour is at its configured distance from both ends of the link. The distance between two
//! neighbours is the larger of their two distances from the link. The two ends of the link are as
//! far apart as the setting `range` of the link, and so are the two ends of a neighbour that is a
//! pair of radios. A range of 0 means no path loss between the two ends. In this case, the two ends
//! count as 1 m apart, because the comparison of powers needs a distance. All paths between radios
//! have the environment of the link. Shadowing applies only between the two ends of the link, and
//! between the two ends of such a neighbour.

use std::cell::{Cell, RefCell};

use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, Fading, Medium, NodeId, PathLoss, Receiver};

/// Distance between the ends of a pair without a range.
const PAIR: Metres = Metres(1.0);

/// A radio at a position.
#[derive(Clone, Copy)]
struct Placed {
    node: NodeId,
    group: u16,
    distance: Metres,
    budget: Budget,
}

/// All radios on an air where powers matter.
pub struct PlacedRadios {
    placed: RefCell<Vec<Placed>>,
    groups: Cell<u16>,
}

/// Position of a radio: its group, and its distance from the link under test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Group number, which is the same for both ends of a pair.
    pub group: u16,
    /// Distance from both ends of the link under test. 0 for these ends themselves.
    pub distance: Metres,
}

impl PlacedRadios {
    /// Creates an empty set of radios; group 0 is reserved for the link.
    #[must_use]
    pub const fn new() -> Self {
        Self { placed: RefCell::new(Vec::new()), groups: Cell::new(0) }
    }

    /// Reserves a position for another group.
    pub(crate) fn next(&self, distance: Metres) -> Place {
        let group = self.groups.get() + 1;
        self.groups.set(group);
        Place { group, distance }
    }

    /// Places a neighbour's radio at `place`, in the link's environment.
    pub fn neighbour(
        &self,
        air: &Medium,
        node: NodeId,
        place: Place,
        power: Dbm,
        receiver: Receiver,
    ) {
        let bare = Budget {
            power,
            antenna_gain: Db(0.0),
            path: PathLoss::FreeSpace,
            range: PAIR,
            shadowing: Db(0.0),
            fading: Fading::Steady,
            noise_figure: receiver.noise_figure,
        };
        let link = self.placed.borrow().iter().find(|one| one.group == 0).map(|one| one.budget);
        let budget = link.map_or(bare, |link| Budget {
            power,
            antenna_gain: Db(0.0),
            shadowing: Db(0.0),
            ..link
        });
        self.end(air, node, place, budget, receiver);
    }

    /// Places an end of a link at `place`, unless it is already there. Its link budget is that of
    /// the path to the other end.
    pub fn end(
        &self,
        air: &Medium,
        node: NodeId,
        place: Place,
        budget: Budget,
        receiver: Receiver,
    ) {
        let Place { group, distance } = place;
        let mut placed = self.placed.borrow_mut();
        if placed.iter().any(|one| one.node == node) {
            return;
        }
        air.set_receiver(node, receiver);
        let new = Placed { node, group, distance, budget };
        for other in &*placed {
            air.set_budget(node, other.node, new.to(other));
            air.set_budget(other.node, node, other.to(&new));
        }
        placed.push(new);
    }
}

impl Default for PlacedRadios {
    fn default() -> Self {
        Self::new()
    }
}

impl Placed {
    /// Link budget from this radio to another.
    fn to(&self, other: &Self) -> Budget {
        if self.group == other.group {
            let apart = self.budget.range.0;
            return Budget {
                range: if apart > 0.0 { self.budget.range } else { PAIR },
                ..self.budget
            };
        }
        let range = Metres(self.distance.0.max(other.distance.0));
        Budget { range, shadowing: Db(0.0), ..self.budget }
    }
}

#[cfg(test)]
mod tests {
    use airlag_air::quantity::Hertz;

    use super::*;

    fn end(range: f64, power: f64) -> Budget {
        Budget {
            power: Dbm(power),
            antenna_gain: Db(0.0),
            path: PathLoss::FreeSpace,
            range: Metres(range),
            shadowing: Db(4.0),
            fading: Fading::Steady,
            noise_figure: Db(10.0),
        }
    }

    fn at(group: u16, distance: f64, range: f64, power: f64) -> Placed {
        let node = Medium::new(&airlag_sim::Simulation::new(1)).join("any");
        Placed { node, group, distance: Metres(distance), budget: end(range, power) }
    }

    /// Received power at 2.4 GHz, dBm.
    fn received(from: &Placed, to: &Placed) -> f64 {
        from.to(to).received(Hertz(2.4e9)).0
    }

    #[test]
    fn everybody_is_as_loud_as_by_hand() {
        let (link, pair) = (at(0, 0.0, 0.0, 0.0), at(0, 0.0, 100.0, 0.0));
        // 40.05 dB over the 1 m of a pair without a range, 80.05 dB over 100 m, plus shadowing.
        assert!((received(&link, &link) + 44.05).abs() < 0.01);
        assert!((received(&pair, &pair) + 84.05).abs() < 0.01);
        // 10 m are 60.05 dB; neither shadowing nor the other pair's range applies between groups.
        let (near, far) = (at(1, 3.0, 0.0, 20.0), at(2, 10.0, 0.0, 20.0));
        for one in [&link, &pair] {
            assert!((received(&far, one) + 40.05).abs() < 0.01);
        }
        assert!((received(&near, &far) + 40.05).abs() < 0.01);
        assert!((received(&link, &far) + 60.05).abs() < 0.01);
    }
}
