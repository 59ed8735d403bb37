//! Two hosts on an Ethernet switch: full duplex, store and forward (IEEE Std 802.3-2018, 4.2.3 and
//! 4A.4.2).
//!
//! A frame is sent once on each of the two wires, because the switch forwards it when it is
//! complete. No frame is lost.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_sim::{Duration, Instant, Precedence, Sim, Slice, Timed, Timers};

use super::ip::{Port, PortUser};

/// A frame on a wire.
pub use crate::slices::WIRE;

/// A frame in a switch.
pub static SWITCH: Slice = Slice::wait("switch", Precedence::Follow);

/// Overhead of a packet: preamble 7, delimiter 1, addresses 12, type 2, FCS 4, and the interframe
/// gap of 12 octets (3.1.1, 4A.4.2).
const AROUND: usize = 38;
/// Shortest packet, octets; shorter ones are padded (4A.4.2).
const SHORTEST: usize = 46;

/// Configuration of the wires and the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Rate of each wire, Mbit/s.
    pub mbps: u32,
    /// Time from the arrival of a frame in the switch until its first bit leaves.
    pub switch: Duration,
    /// Largest packet, bytes.
    pub mtu: usize,
    /// Packets that a host queues for sending.
    pub queue: usize,
}

impl Config {
    /// Time of a packet of `len` bytes on one wire, including the gap after it.
    #[must_use]
    pub const fn wire_ns(&self, len: usize) -> u64 {
        let octets = AROUND + if len < SHORTEST { SHORTEST } else { len };
        let mbps = if self.mbps == 0 { 1 } else { self.mbps };
        octets as u64 * 8_000 / mbps as u64
    }
}

/// Network interface of one host.
pub struct Interface {
    timers: Timers,
    sim: Sim,
    config: Config,
    peer: RefCell<Weak<Self>>,
    user: RefCell<Option<Weak<dyn PortUser>>>,
    /// Packets in transit to this host, with their arrival times.
    coming: RefCell<VecDeque<(Instant, Vec<u8>)>>,
    /// Departure times of this host's packets, in order.
    leaving: RefCell<VecDeque<Instant>>,
}

mod timer {
    pub(super) const ARRIVED: u64 = 0;
    pub(super) const LEFT: u64 = 1;
}

impl Interface {
    /// Creates two hosts on a switch.
    #[must_use]
    pub fn pair(sim: &Sim, config: Config) -> [Rc<Self>; 2] {
        let one = || {
            Rc::new_cyclic(|this| Self {
                timers: sim.timers(this),
                sim: sim.clone(),
                config,
                peer: RefCell::default(),
                user: RefCell::new(None),
                coming: RefCell::default(),
                leaving: RefCell::default(),
            })
        };
        let (near, far) = (one(), one());
        *near.peer.borrow_mut() = Rc::downgrade(&far);
        *far.peer.borrow_mut() = Rc::downgrade(&near);
        [near, far]
    }

    fn user(&self) -> Option<Rc<dyn PortUser>> {
        self.user.borrow().as_ref().and_then(Weak::upgrade)
    }
}

impl Timed for Interface {
    fn due(self: Rc<Self>, token: u64) {
        let user = self.user();
        if token == timer::LEFT {
            let was_full = self.room() == 0;
            self.leaving.borrow_mut().pop_front();
            if let Some(user) = user.filter(|_| was_full) {
                user.has_room();
            }
        } else if let Some((_, packet)) = self.coming.borrow_mut().pop_front()
            && let Some(user) = user
        {
            user.arrived(&packet);
        }
    }
}

impl Port for Interface {
    fn mtu(&self) -> usize {
        self.config.mtu
    }

    fn room(&self) -> usize {
        self.config.queue.saturating_sub(self.leaving.borrow().len())
    }

    fn send(&self, packet: Vec<u8>) {
        let Some(peer) = self.peer.borrow().upgrade() else { return };
        let now = self.sim.now();
        let begin = self.leaving.borrow().back().map_or(now, |&last| last.max(now));
        let on_wire = Duration::from_ns(self.config.wire_ns(packet.len()));
        let left = begin + on_wire;
        self.leaving.borrow_mut().push_back(left);
        self.timers.set(left, timer::LEFT);
        // The second wire has the same rate, so no queue forms in the switch.
        let there = left + self.config.switch + on_wire;
        let track = self.sim.track("wire");
        self.sim.span(track, &WIRE, begin, left);
        self.sim.span(track, &SWITCH, left, left + self.config.switch);
        self.sim.span(track, &WIRE, left + self.config.switch, there);
        peer.coming.borrow_mut().push_back((there, packet));
        peer.timers.set(there, timer::ARRIVED);
    }

    fn attach(&self, user: Weak<dyn PortUser>) {
        *self.user.borrow_mut() = Some(user);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_frame_takes_what_every_textbook_says() {
        // 1538 octets at 100 Mbit/s, gap included; the shortest has 84.
        let config = |mbps| Config { mbps, switch: Duration::ZERO, mtu: 1_500, queue: 1 };
        assert_eq!(config(100).wire_ns(1_500), 123_040);
        assert_eq!(config(100).wire_ns(20), 6_720);
        assert_eq!(config(1_000).wire_ns(1_500), 12_304);
    }
}
