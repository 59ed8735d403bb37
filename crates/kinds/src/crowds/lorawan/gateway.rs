//! Reception at a gateway, which forwards to the network server.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception, Verdict};

use super::devices::Devices;

/// A gateway. It is connected to the network server without delay.
pub(super) struct Gateway {
    server: Rc<Devices>,
    arrived: Cell<u64>,
    received: Cell<u64>,
}

impl Gateway {
    /// Attaches the receiver of a gateway.
    pub(super) fn attach(air: &Medium, node: NodeId, server: &Rc<Devices>) -> Rc<Self> {
        let server = Rc::clone(server);
        let gateway = Rc::new(Self { server, arrived: Cell::new(0), received: Cell::new(0) });
        let this: Weak<Self> = Rc::downgrade(&gateway);
        air.attach(node, this);
        gateway
    }

    /// Frames that reached it, received or not.
    pub(super) fn arrived(&self) -> u64 {
        self.arrived.get()
    }

    /// Frames that it received.
    pub(super) fn received(&self) -> u64 {
        self.received.get()
    }
}

impl Radio for Gateway {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.arrived.set(self.arrived.get() + 1);
        if reception.verdict == Verdict::Whole {
            self.received.set(self.received.get() + 1);
            self.server.deliver(&reception.frame.bytes);
        }
    }
}
