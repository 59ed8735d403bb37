//! A scanner, which listens on one advertising channel at a time.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception, Verdict};
use airlag_models::stack::ble::hop::band;
use airlag_models::stack::btmesh::bearer::CHANNELS;
use airlag_sim::{Duration, Instant, Sim};

use super::Network;
use super::tags::Tags;

/// A scanner. In each scan interval, it listens on the next channel for the scan window.
pub(super) struct Scanner {
    tags: Rc<Tags>,
    interval: Duration,
    window: Duration,
    /// Time by which its sequence of channels is ahead of the start of the run.
    phase: Duration,
    received: Cell<u64>,
}

impl Scanner {
    /// Attaches a scanner. The phase of its sequence of channels is random.
    pub(super) fn attach(
        network: &Network,
        sim: &Sim,
        air: &Medium,
        node: NodeId,
        tags: &Rc<Tags>,
    ) -> Rc<Self> {
        let sequence = network.scan_interval * CHANNELS.len() as u64;
        let scanner = Rc::new(Self {
            tags: Rc::clone(tags),
            interval: network.scan_interval,
            window: network.scan_window,
            phase: sim.stream(&air.name(node)).within(sequence),
            received: Cell::new(0),
        });
        let this: Weak<Self> = Rc::downgrade(&scanner);
        air.attach(node, this);
        scanner
    }

    /// Packets that it received.
    pub(super) fn received(&self) -> u64 {
        self.received.get()
    }

    /// The channel on which it listens from `begin` to `end`, if it does.
    fn channel(&self, begin: Instant, end: Instant) -> Option<u8> {
        let time = (begin.since(Instant::START) + self.phase).as_ns();
        let (nth, into) = (time / self.interval.as_ns(), time % self.interval.as_ns());
        let listens = into + end.since(begin).as_ns() <= self.window.as_ns();
        listens.then_some(CHANNELS[(nth % CHANNELS.len() as u64) as usize])
    }
}

impl Radio for Scanner {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let listens = |channel| reception.frame.band == band(channel);
        if reception.verdict == Verdict::Whole
            && self.channel(reception.begin, reception.end).is_some_and(listens)
        {
            self.received.set(self.received.get() + 1);
            self.tags.deliver(&reception.frame.bytes);
        }
    }
}
