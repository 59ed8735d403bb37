//! Neighbours and next hops of a board.

use airlag_sim::{Duration, Instant};

use super::address::Place;
use crate::stack::ieee802154::Address;

/// Consecutive frames without acknowledgement after which a neighbour is lost
/// (`MeshForwarder::kFailedRouterTransmissions`).
const FAILURES: u8 = 4;

/// Time after which a board that was lost as a neighbour becomes a neighbour again, if the board is
/// switched on. A router that lost a neighbour sends an advertisement again within a second
/// (`Mle::kAdvertiseIntervalMin`). Two routers establish a link when each has received the other's
/// advertisement. The advertisements themselves are not modelled.
const LINK_AGAIN: Duration = Duration::from_secs(1);

/// A neighbour, and the state of communication with it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Neighbour {
    place: Place,
    /// Frame counter of the last accepted frame.
    taken: Option<u32>,
    /// Consecutive frames that it did not acknowledge.
    failures: u8,
    /// Time before which it counts as lost.
    back: Instant,
    /// Whether it is switched on.
    on: bool,
}

/// Routing table of a board. Route discovery is not modelled: routes exist from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes {
    /// The board itself.
    pub own: Place,
    neighbours: Vec<Neighbour>,
    /// Destinations and their next hops, as RLOC16s.
    next: Vec<(Place, u16)>,
}

impl Routes {
    /// Creates the table of a board without neighbours.
    #[must_use]
    pub const fn of(own: Place) -> Self {
        Self { own, neighbours: Vec::new(), next: Vec::new() }
    }

    /// Adds a neighbour that is reached only directly.
    #[must_use]
    pub fn beside(mut self, place: Place) -> Self {
        let (taken, failures, back) = (None, 0, Instant::START);
        self.neighbours.push(Neighbour { place, taken, failures, back, on: true });
        self
    }

    /// Adds a neighbour that was just switched off. No board has detected this yet.
    #[must_use]
    pub fn beside_one_off(self, place: Place) -> Self {
        let mut routes = self.beside(place);
        if let Some(neighbour) = routes.neighbours.last_mut() {
            neighbour.on = false;
        }
        routes
    }

    /// Adds a route to `place` over the neighbour whose RLOC16 is `next`.
    #[must_use]
    pub fn to(mut self, place: Place, next: u16) -> Self {
        self.next.push((place, next));
        self
    }

    /// RLOC16 of the next hop to the board with RLOC16 `to`, if there is a route.
    #[must_use]
    pub fn next_hop(&self, to: u16, now: Instant) -> Option<u16> {
        let (_, next) = self.next.iter().find(|(place, _)| place.rloc == to)?;
        self.neighbour(Address::Short(*next), now).map(|_| *next)
    }

    /// Returns the board with this RLOC16, whether it is a neighbour or not.
    #[must_use]
    pub fn place(&self, rloc: u16) -> Option<Place> {
        self.next.iter().map(|&(place, _)| place).find(|place| place.rloc == rloc)
    }

    /// Neighbour with the link-layer address `address`.
    #[must_use]
    pub fn neighbour(&self, address: Address, now: Instant) -> Option<Place> {
        let neighbour = &self.neighbours[self.index(address)?];
        (now >= neighbour.back).then_some(neighbour.place)
    }

    /// Accepts the frame counter of a neighbour's frame; returns false if it does not exceed the
    /// last one, which indicates a replay (IEEE Std 802.15.4-2006, 7.5.8.2.3).
    pub fn take(&mut self, address: Address, counter: u32) -> bool {
        let Some(at) = self.index(address) else { return false };
        let taken = &mut self.neighbours[at].taken;
        let fresh = taken.is_none_or(|last| counter > last);
        if fresh {
            *taken = Some(counter);
        }
        fresh
    }

    /// Records whether a neighbour acknowledged a frame.
    pub fn acknowledged(&mut self, address: Address, acknowledged: bool, now: Instant) {
        let Some(at) = self.index(address) else { return };
        let neighbour = &mut self.neighbours[at];
        neighbour.failures = if acknowledged { 0 } else { neighbour.failures.saturating_add(1) };
        // A neighbour without a route has no alternative path, so it is kept.
        let short = neighbour.place.rloc;
        if neighbour.failures >= FAILURES && self.next.iter().any(|&(_, to)| to == short) {
            neighbour.failures = 0;
            neighbour.back = if neighbour.on { now + LINK_AGAIN } else { Instant::FOREVER };
        }
    }

    fn index(&self, address: Address) -> Option<usize> {
        self.neighbours.iter().position(|neighbour| match address {
            Address::Extended(eui) => neighbour.place.eui == eui,
            Address::Short(rloc) => neighbour.place.rloc == rloc,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: Place = Place { eui: 1, rloc: 0x0400 };
    const FAR: Place = Place { eui: 2, rloc: 0x0800 };

    fn routes() -> Routes {
        let own = Place { eui: 3, rloc: 0x0C00 };
        Routes::of(own).beside(NEAR).to(NEAR, NEAR.rloc).to(FAR, NEAR.rloc)
    }

    #[test]
    fn four_frames_without_an_acknowledgement_end_a_route_for_a_second() {
        let (mut routes, near, now) = (routes(), Address::Short(NEAR.rloc), Instant::START);
        for _ in 0..3 {
            routes.acknowledged(near, false, now);
        }
        routes.acknowledged(near, true, now);
        for _ in 0..3 {
            routes.acknowledged(near, false, now);
            assert_eq!(routes.next_hop(FAR.rloc, now), Some(NEAR.rloc));
        }
        routes.acknowledged(near, false, now);
        assert_eq!(routes.next_hop(FAR.rloc, now), None);
        assert_eq!(routes.place(FAR.rloc), Some(FAR));
        assert_eq!(routes.next_hop(FAR.rloc, now + LINK_AGAIN), Some(NEAR.rloc));
    }

    #[test]
    fn a_neighbour_that_is_off_does_not_come_back() {
        let mut routes = Routes::of(FAR).beside_one_off(NEAR).to(NEAR, NEAR.rloc);
        for _ in 0..FAILURES {
            assert_eq!(routes.next_hop(NEAR.rloc, Instant::START), Some(NEAR.rloc));
            routes.acknowledged(Address::Short(NEAR.rloc), false, Instant::START);
        }
        assert_eq!(routes.next_hop(NEAR.rloc, Instant::START + Duration::from_secs(1_000)), None);
    }

    #[test]
    fn a_frame_counter_is_taken_once_and_by_each_neighbour() {
        let mut routes = routes();
        assert!(routes.take(Address::Short(NEAR.rloc), 5));
        assert!(!routes.take(Address::Extended(NEAR.eui), 5));
        assert!(routes.take(Address::Extended(NEAR.eui), 6));
        assert!(!routes.take(Address::Short(FAR.rloc), 7), "it is no neighbour");
    }
}
