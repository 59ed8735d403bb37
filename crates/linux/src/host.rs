//! This computer as the host of a tunnel: packets of a network interface, and its clock.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;
use std::time::Instant as Wall;

use airlag_tunnel::endpoint::PacketOutcome;
use airlag_tunnel::radio::Host;
use airlag_tunnel::{Clock, Endpoint, Instant};

use crate::reactor::Reactor;
use crate::tun::Tun;

/// Number of packets taken from the interface before the radio continues.
const AT_ONCE: usize = 64;
/// Longest packet, bytes: more than any MTU of a tunnel.
const LONGEST: usize = 4_096;

/// Traffic in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Went {
    /// Number of packets.
    pub packets: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Went {
    /// Sum of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { packets: self.packets + other.packets, bytes: self.bytes + other.bytes }
    }
}

/// One radio of a tunnel on this computer, with its endpoint.
pub struct Computer {
    /// Endpoint of the protocol.
    pub endpoint: RefCell<Endpoint>,
    tun: Rc<Tun>,
    /// Whether this radio sends the packets of this computer. With two radios, the other one only receives.
    sends: bool,
    reactor: Rc<Reactor>,
    began: Wall,
    /// Lengths of the packets that the other end has not acknowledged.
    open: RefCell<HashMap<u64, u64>>,
    sent: Cell<Went>,
    received: Cell<Went>,
    broken: RefCell<Option<io::Error>>,
}

impl Computer {
    /// Creates an endpoint between an interface and a radio. `sends` is whether it sends the packets of this
    /// computer.
    #[must_use]
    pub fn new(endpoint: Endpoint, tun: &Rc<Tun>, sends: bool, reactor: &Rc<Reactor>) -> Self {
        Self {
            endpoint: RefCell::new(endpoint),
            tun: Rc::clone(tun),
            sends,
            reactor: Rc::clone(reactor),
            began: Wall::now(),
            open: RefCell::default(),
            sent: Cell::default(),
            received: Cell::default(),
            broken: RefCell::default(),
        }
    }

    /// Traffic that the other end acknowledged.
    #[must_use]
    pub fn sent(&self) -> Went {
        self.sent.get()
    }

    /// Traffic from the other end.
    #[must_use]
    pub fn received(&self) -> Went {
        self.received.get()
    }

    /// Error of the interface, if any.
    pub fn take_broken(&self) -> Option<io::Error> {
        self.broken.borrow_mut().take()
    }

    /// Moves packets from the interface to the queues of the endpoint, which separate flows.
    fn offer(&self, endpoint: &mut Endpoint) -> io::Result<bool> {
        let (mut packet, mut any) = ([0; LONGEST], false);
        for _ in 0..if self.sends { AT_ONCE } else { 0 } {
            let Some(len) = self.tun.read(&mut packet)? else { break };
            // The interface has the MTU of the endpoint, unless it was changed. A longer packet is dropped,
            // as on any path with a smaller MTU.
            if let Ok(id) = endpoint.offer(&packet[..len], self.now()) {
                self.open.borrow_mut().insert(id, len as u64);
                any = true;
            }
        }
        Ok(any)
    }

    fn deliver(&self, endpoint: &mut Endpoint) -> io::Result<()> {
        while let Some(packet) = endpoint.packet() {
            if self.tun.write(&packet)?.is_some() {
                add(&self.received, packet.len() as u64);
            }
        }
        Ok(())
    }

    fn heed(&self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.broken.borrow_mut().get_or_insert(error);
        }
    }
}

fn add(way: &Cell<Went>, bytes: u64) {
    let Went { packets, bytes: before } = way.get();
    way.set(Went { packets: packets + 1, bytes: before + bytes });
}

impl Clock for Computer {
    fn now(&self) -> Instant {
        Instant::from_ns(u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    async fn until(&self, at: Instant) {
        self.reactor.until(self.began + std::time::Duration::from_nanos(at.as_ns())).await;
    }
}

impl Host for Computer {
    async fn news(&self) {
        if !self.sends {
            return std::future::pending().await;
        }
        loop {
            self.reactor.readable(&self.tun).await;
            let offered = self.offer(&mut self.endpoint.borrow_mut());
            match offered {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => {
                    self.heed(Err(error));
                    // A broken interface would always be readable.
                    return std::future::pending().await;
                }
            }
        }
    }

    fn look(&self, endpoint: &mut Endpoint) {
        self.heed(self.deliver(endpoint));
        while let Some(outcome) = endpoint.outcome() {
            let (id, came) = match outcome {
                PacketOutcome::Confirmed(id) => (id, true),
                PacketOutcome::Dropped(dropped) => (dropped.id, false),
            };
            if let Some(len) = self.open.borrow_mut().remove(&id)
                && came
            {
                add(&self.sent, len);
            }
        }
        self.heed(self.offer(endpoint).map(drop));
    }
}
