//! Interface of a program to its end of the tunnel: packets in, packets out.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Sim;
use airlag_sim::channel::Notice;
use airlag_tunnel::endpoint::PacketOutcome;
use airlag_tunnel::flow::{UDP_IPV4, datagram};
use airlag_tunnel::radio::Host;
use airlag_tunnel::{Clock, Endpoint, Instant};

use super::parameters::WhenFull;

/// State shared by a program and the tunnel's task.
pub(super) struct Shared {
    pub(super) sim: Sim,
    pub(super) endpoint: RefCell<Endpoint>,
    pub(super) when_full: WhenFull,
    /// Raised when a packet was offered.
    news: Notice,
    /// Raised when a packet arrived, or when the outcome of an offered one is known.
    came: Notice,
    moved: Notice,
    received: RefCell<VecDeque<Vec<u8>>>,
    open: RefCell<BTreeSet<u64>>,
    lost: Cell<bool>,
    broken: RefCell<Option<String>>,
}

impl Shared {
    pub(super) fn new(sim: &Sim, endpoint: Endpoint, when_full: WhenFull) -> Self {
        let [news, came, moved] = [(); 3].map(|()| Notice::new(sim));
        Self {
            sim: sim.clone(),
            endpoint: RefCell::new(endpoint),
            when_full,
            news,
            came,
            moved,
            received: RefCell::default(),
            open: RefCell::default(),
            lost: Cell::new(false),
            broken: RefCell::default(),
        }
    }

    /// Records that the radio failed.
    pub(super) fn break_off(&self, cause: String) {
        *self.broken.borrow_mut() = Some(cause);
        self.came.raise();
        self.moved.raise();
    }
}

impl Clock for Shared {
    fn now(&self) -> Instant {
        Instant::from_ns(self.sim.now().as_ns())
    }

    async fn until(&self, at: Instant) {
        self.sim.sleep_until(airlag_sim::Instant::from_ns(at.as_ns())).await;
    }
}

impl Host for Shared {
    async fn news(&self) {
        self.news.wait().await;
    }

    fn look(&self, endpoint: &mut Endpoint) {
        while let Some(packet) = endpoint.packet() {
            self.received.borrow_mut().push_back(packet);
            self.came.raise();
        }
        while let Some(outcome) = endpoint.outcome() {
            let id = match outcome {
                PacketOutcome::Confirmed(id) => id,
                PacketOutcome::Dropped(dropped) => {
                    self.lost.set(true);
                    dropped.id
                }
            };
            self.open.borrow_mut().remove(&id);
        }
        self.moved.raise();
    }
}

/// One end of a tunnel, for one program.
pub struct TunnelSocket {
    /// Endpoints for sent and for received packets: two where each direction has its own radios.
    out: Rc<Shared>,
    into: Rc<Shared>,
    /// Whether packets are sent and received rather than payloads of datagrams.
    is_ip: bool,
}

/// Default port of programs.
const PORT: u16 = 5_000;

impl TunnelSocket {
    pub(super) const fn new(out: Rc<Shared>, into: Rc<Shared>) -> Self {
        Self { out, into, is_ip: false }
    }

    /// Another handle to the same end.
    #[must_use]
    pub fn another_handle(&self) -> Self {
        Self::new(Rc::clone(&self.out), Rc::clone(&self.into))
    }

    /// Offers a datagram to a port. The datagram is accepted even if many are queued.
    pub fn offer(&self, port: u16, payload: &[u8]) {
        self.offer_packet(&datagram(port, payload));
    }

    fn offer_packet(&self, packet: &[u8]) {
        let mut endpoint = self.out.endpoint.borrow_mut();
        let offered = endpoint.offer(packet, self.out.now());
        if let Ok(id) = offered {
            self.out.open.borrow_mut().insert(id);
        }
        // Packets dropped to make room for this one are reported at once.
        self.out.look(&mut endpoint);
        self.out.news.raise();
    }

    /// Waits until fewer bytes are queued than fit into the longest packet.
    pub async fn room(&self) -> Result<(), String> {
        loop {
            let waiting = self.out.endpoint.borrow().waiting();
            if waiting < self.out.endpoint.borrow().config().mtu {
                return self.check();
            }
            self.out.moved.wait().await;
            self.check()?;
        }
    }

    /// Waits for the next datagram, and returns its port and payload.
    pub async fn next(&self) -> Result<(u16, Vec<u8>), String> {
        let packet = self.next_packet().await?;
        let port = u16::from_be_bytes([packet[20], packet[21]]);
        Ok((port, packet[UDP_IPV4..].to_vec()))
    }

    async fn next_packet(&self) -> Result<Vec<u8>, String> {
        loop {
            if let Some(packet) = self.into.received.borrow_mut().pop_front() {
                return Ok(packet);
            }
            self.check()?;
            self.into.came.wait().await;
        }
    }

    /// Counters of the sending endpoint.
    #[must_use]
    pub fn counts(&self) -> airlag_tunnel::endpoint::Counts {
        self.out.endpoint.borrow().counts()
    }

    fn check(&self) -> Result<(), String> {
        [&self.out, &self.into]
            .iter()
            .try_for_each(|end| end.broken.borrow().clone().map_or(Ok(()), Err))
    }
}

impl Link for TunnelSocket {
    type Error = String;

    fn capability(&self) -> Capability {
        let headers = if self.is_ip { 0 } else { UDP_IPV4 };
        let mtu = self.out.endpoint.borrow().config().mtu - headers;
        Capability::datagram(mtu).acknowledged(true).duplex(true)
    }

    fn carry_ip(&mut self) -> bool {
        self.is_ip = true;
        true
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, String> {
        if self.is_ip {
            self.offer_packet(chunk);
            self.check()?;
            return Ok(Delivery::Sent);
        }
        if self.out.when_full == WhenFull::Wait {
            self.room().await?;
        }
        self.offer(PORT, chunk);
        self.check()?;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, String> {
        while !self.out.open.borrow().is_empty() {
            self.out.moved.wait().await;
            self.check()?;
        }
        Ok(if self.out.lost.replace(false) { Delivery::Lost } else { Delivery::Confirmed })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, String> {
        let payload = if self.is_ip { self.next_packet().await? } else { self.next().await?.1 };
        let len = payload.len().min(buffer.len());
        buffer[..len].copy_from_slice(&payload[..len]);
        Ok(len)
    }
}
