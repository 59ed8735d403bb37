//! A network around the two boards: routers between them, and other senders.
//!
//! ```text
//!  border router ─── relay 1 ─── relay 2 ─── device        3 hops
//!     │ └ other 4      └ other 2    └ other 3
//!     └ other 1
//! ```
//!
//! The routers form a row, in which neighbouring routers are one hop apart. The boards that send in
//! addition to the device under test (`other` in the diagram) are distributed over the routers in
//! turn. Each other sending board is a child of one router, is located beside that router, and
//! sends to the border router. The relays and the other sending boards have the same hardware as
//! the device under test.

use airlag_models::stack::thread::address::{Place, Scope};
use airlag_models::stack::thread::background::{Arrivals, Background};
use airlag_models::stack::thread::routes::Routes;
use airlag_sim::Duration;

use airlag_rig::error::Refusal;
use airlag_rig::parameter::{choices, parameters};

choices! {
    /// Addresses in datagrams over more than one hop.
    pub enum AddressType {
        /// Routing locators, as short as between neighbours.
        Rloc = "rloc",
        /// Mesh-local endpoint identifiers, 16 octets longer.
        MlEid = "ml-eid",
    }
}

choices!(for Arrivals { Poisson = "poisson", Periodic = "periodic" });

const ONE_HOP: &str = "no effect while hops is 1";
const ALONE: &str = "no effect while senders is 0";

parameters! {
    /// Boards between the two ends, and beside them.
    pub struct Mesh {
        /// hops from the sender to the receiver, over routers like the device
        hops: u8 = whole(1, 5, "").or("1", "the two boards are neighbours"),
        /// addresses in datagrams over several hops: routing locators, or the identifiers that
        /// programs use
        address: AddressType = unit("").or("ml-eid", ONE_HOP),
        /// distance up to which a frame is sensed and interferes; it is decoded only one hop away
        interference_range: u8 = whole(1, 5, "hops").or("2", "a relay with a good link at one hop is still sensed at two hops; no effect while hops is 1"),
        /// silence after a frame that a neighbour forwards,
        /// OPENTHREAD_CONFIG_MAC_COLLISION_AVOIDANCE_DELAY_INTERVAL
        collision_avoidance: Duration,
        /// time after which a board drops a queued frame that it forwards; 0: never
        forward_drop_after: Duration,
        /// relay that is switched off, counted from the border router; 0: none
        relay_off: u8 = whole(0, 4, "").or("0", "none is off"),
        /// number of other boards that send to the border router
        senders: u8 = whole(0, 20, "boards").or("0", "no other boards"),
        /// arrivals of the other senders: Poisson or periodic
        sender_traffic: Arrivals = unit("").or("poisson", ALONE),
        /// payload of the other senders
        sender_size: usize = whole(1, 1_232, "B").or("10", ALONE),
        /// mean interval between datagrams of each other sender
        sender_interval: Duration = whole(1_000_000, 1_000_000_000_000, "ns").or("1s", ALONE),
    }
}

/// A board of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) place: Place,
    /// Index of the next board towards the border router, which is its own parent.
    parent: usize,
    /// Distance from the border router, hops.
    stands: u8,
}

/// EUI-64s of the boards, from the block for documentation (RFC 7042, 2.2.3). The choice has no
/// measurable effect.
const FIRST_EUI: u64 = 0x0200_5E10_0000_0001;
/// Offsets of the device, the border router, and the first of the other boards.
const DEVICE: u64 = 0;
const ROUTER: u64 = 1;
const FIRST: u64 = 2;

/// Position of the router number in an RLOC16, bits.
const ROUTER_SHIFT: u16 = 10;

/// Index of the border router in the list of boards.
pub(super) const ROOT: usize = 0;

impl Mesh {
    /// Addresses in datagrams between the two boards.
    pub(super) const fn scope(&self) -> Scope {
        match (self.hops, self.address) {
            (1, _) => Scope::Link,
            (_, AddressType::Rloc) => Scope::Locator,
            (_, AddressType::MlEid) => Scope::Endpoint,
        }
    }

    /// Addresses in datagrams of the other senders, which their parents may forward.
    pub(super) const fn senders_scope(&self) -> Scope {
        match self.address {
            AddressType::Rloc => Scope::Locator,
            AddressType::MlEid => Scope::Endpoint,
        }
    }

    /// Index of the device in the list of boards.
    pub(super) fn device(&self) -> usize {
        self.hops.into()
    }

    /// Index of the relay that is switched off.
    pub(super) fn off(&self) -> Option<usize> {
        Some(self.relay_off.into()).filter(|&off| off > ROOT)
    }

    /// Checks that the relay to switch off exists.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.relay_off < self.hops {
            return Ok(());
        }
        let (off, hops) = (self.relay_off, self.hops);
        let cause = format!("there is no relay {off} on a route of {hops} hops; 0 leaves all on");
        Err(Refusal::setting(Self::relay_off, cause))
    }

    /// All boards: border router, relays, device, others.
    pub(super) fn members(&self) -> Vec<Member> {
        let hops = usize::from(self.hops);
        let chain = (0..=hops).map(|nth| {
            let eui = match nth {
                ROOT => ROUTER,
                nth if nth == hops => DEVICE,
                nth => FIRST + nth as u64 - 1,
            };
            let place = Place { eui: FIRST_EUI + eui, rloc: (nth as u16) << ROUTER_SHIFT };
            Member { place, parent: nth.saturating_sub(1), stands: nth as u8 }
        });
        let mut all: Vec<Member> = chain.collect();
        for nth in 0..usize::from(self.senders) {
            let parent = nth % hops;
            let rloc = (parent as u16) << ROUTER_SHIFT | (nth / hops + 1) as u16;
            let place = Place { eui: FIRST_EUI + FIRST + (hops + nth) as u64, rloc };
            all.push(Member { place, parent, stands: parent as u8 });
        }
        all
    }

    /// Whether one board senses frames of the other.
    pub(super) const fn hears(&self, one: &Member, other: &Member) -> bool {
        one.stands.abs_diff(other.stands) <= self.interference_range
    }

    /// Traffic of the other senders.
    pub(super) const fn background(&self) -> Background {
        let (arrivals, size) = (self.sender_traffic, self.sender_size);
        Background { arrivals, size, interval: self.sender_interval }
    }

    /// Returns the largest number of successive hops of the route that exclude each other. While
    /// datagrams follow one another, only one of these hops can have a frame on the air at a time,
    /// because every sender that a receiver senses disturbs reception at this receiver.
    pub(super) fn exclusive(&self) -> u64 {
        u64::from(self.hops.min(self.interference_range + 2))
    }
}

/// Routing table of the board `at`, which does not account for a board that is switched off.
pub(super) fn routes(members: &[Member], at: usize, scope: Scope, off: Option<usize>) -> Routes {
    let mut routes = Routes::of(members[at].place);
    for (nth, member) in members.iter().enumerate().filter(|&(nth, _)| nth != at) {
        let next = next_hop(members, at, nth);
        if next == nth {
            routes = match off {
                Some(off) if off == nth => routes.beside_one_off(member.place),
                _ => routes.beside(member.place),
            };
        }
        // Neighbours with link-layer addresses need no route.
        let linked = scope == Scope::Link && at.min(nth) == ROOT && at.max(nth) == 1;
        if !linked {
            routes = routes.to(member.place, members[next].place.rloc);
        }
    }
    routes
}

/// Neighbour of one board on the path to another, in the tree of parents.
fn next_hop(members: &[Member], from: usize, to: usize) -> usize {
    let mut below = to;
    while below != ROOT {
        let above = members[below].parent;
        if above == from {
            return below;
        }
        below = above;
    }
    members[from].parent
}

/// Pairs of boards that exchange frames.
pub(super) fn links(members: &[Member]) -> impl Iterator<Item = (usize, usize)> {
    members.iter().enumerate().skip(1).map(|(nth, member)| (nth, member.parent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(hops: u8, senders: u8) -> Mesh {
        Mesh {
            hops,
            address: AddressType::Rloc,
            interference_range: 2,
            collision_avoidance: Duration::from_ms(8),
            forward_drop_after: Duration::from_ms(500),
            relay_off: 0,
            senders,
            sender_traffic: Arrivals::Poisson,
            sender_size: 10,
            sender_interval: Duration::from_secs(1),
        }
    }

    #[test]
    fn every_board_is_reached_in_as_many_hops_as_it_stands_away() {
        for hops in 1..=5 {
            let members = mesh(hops, 20).members();
            assert_eq!(members.len(), usize::from(hops) + 1 + 20);
            for from in 0..members.len() {
                let (mut at, mut count) = (from, 0);
                while at != ROOT {
                    at = next_hop(&members, at, ROOT);
                    count += 1;
                }
                let extra = u8::from(from > usize::from(hops));
                assert_eq!(count, members[from].stands + extra);
                // And in the return direction.
                (at, count) = (ROOT, 0);
                while at != from {
                    at = next_hop(&members, at, from);
                    count += 1;
                }
                assert_eq!(count, members[from].stands + extra);
            }
        }
    }

    #[test]
    fn no_two_boards_are_called_the_same() {
        let members = mesh(3, 20).members();
        for (nth, one) in members.iter().enumerate() {
            for other in &members[nth + 1..] {
                assert_ne!(one.place.rloc, other.place.rloc);
                assert_ne!(one.place.eui, other.place.eui);
            }
        }
    }
}
