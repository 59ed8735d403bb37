//! IP packets over a link without IP support. Each board runs one end of a tunnel, and the tunnel
//! uses the link as its radio. The tunnel retransmits what the link loses. Traffic that exceeds the
//! capacity of the link waits in a separate queue for each flow.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Sim;
use airlag_sim::channel::Notice;
use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::PacketOutcome;
use airlag_tunnel::radio::{self, Host};
use airlag_tunnel::{Clock, Config, Endpoint, Instant, Lifetime, Over, Protection, fair};

use airlag_rig::ends::BoxedLink;
use airlag_rig::programs::relayed::{Framing, Tunnel};
use airlag_rig::report::SharedReport;

/// Longest packet, bytes: the Ethernet MTU, which hosts expect.
const MTU: usize = 1_500;
/// Shared key of both ends. The choice has no measurable effect.
const KEY: [u8; 32] = [0x61; 32];
/// Target and interval of CoDel: RFC 8289, sections 4.4 and 4.3. For a link that is too slow for
/// these values, the endpoint increases them.
const TARGET: core::time::Duration = core::time::Duration::from_millis(5);
const INTERVAL: core::time::Duration = core::time::Duration::from_millis(100);
/// Number of flow queues: RFC 8290, section 5.2, flows.
const QUEUES: u64 = 1_024;
/// Capacity of the queues, bytes: more than any flow of a link needs, so only a flood fills it.
const ROOM: usize = 1_000_000;

/// IP packets over any bidirectional link.
pub const FRAMING: Framing = Framing::Ip(Tunnel(begin));

/// One end.
struct Tunnelled(Rc<Inside>);

/// State shared by the program and the tunnel's task.
struct Inside {
    sim: Sim,
    endpoint: RefCell<Endpoint>,
    /// Raised when a packet is offered, and when one arrives.
    news: Notice,
    came: Notice,
    received: RefCell<VecDeque<Vec<u8>>>,
    report: SharedReport,
    broken: RefCell<Option<String>>,
}

struct Ticks(Sim);

impl Clock for Ticks {
    fn now(&self) -> Instant {
        Instant::from_ns(self.0.now().as_ns())
    }

    async fn until(&self, at: Instant) {
        self.0.sleep_until(airlag_sim::Instant::from_ns(at.as_ns())).await;
    }
}

impl Host for Inside {
    async fn news(&self) {
        self.news.wait().await;
    }

    fn look(&self, endpoint: &mut Endpoint) {
        while let Some(packet) = endpoint.packet() {
            self.received.borrow_mut().push_back(packet);
            self.came.raise();
        }
        while let Some(outcome) = endpoint.outcome() {
            if let PacketOutcome::Dropped(_) = outcome {
                self.report.borrow_mut().sent.lost += 1;
            }
        }
    }
}

/// Starts a tunnel over an open link.
fn begin(board: &'static str, link: BoxedLink, sim: &Sim, report: &SharedReport) -> BoxedLink {
    let mut radio = Over::new(link, Ticks(sim.clone()));
    let name = format!("{board} tunnel");
    let limits = Limits { target: TARGET, interval: INTERVAL, mtu: MTU };
    let mut stream = sim.stream(&name);
    let config = Config {
        protection: Protection::Sealed(KEY),
        mtu: MTU,
        queue: fair::Config { limits, queues: QUEUES, room: ROOM },
        frame: radio.frame(),
        arq: radio.arq(),
        shared: radio.is_shared(),
        pace: radio.pace(),
        lifetime: Lifetime::default(),
    };
    let endpoint = RefCell::new(Endpoint::new(config, move |bytes| stream.fill(bytes)));
    let [news, came] = [(); 2].map(|()| Notice::new(sim));
    let inside = Rc::new(Inside {
        sim: sim.clone(),
        endpoint,
        news,
        came,
        received: RefCell::default(),
        report: Rc::clone(report),
        broken: RefCell::default(),
    });
    let mine = Rc::clone(&inside);
    sim.spawn(name, async move {
        let clock = Ticks(mine.sim.clone());
        let cause = radio::run(&mine.endpoint, &mut radio, &clock, &*mine).await;
        *mine.broken.borrow_mut() = Some(cause.to_string());
        mine.came.raise();
    });
    BoxedLink::new(Tunnelled(inside))
}

impl Tunnelled {
    fn check(&self) -> Result<(), String> {
        self.0.broken.borrow().clone().map_or(Ok(()), Err)
    }
}

impl Link for Tunnelled {
    type Error = String;

    fn capability(&self) -> Capability {
        Capability::datagram(MTU).duplex(true)
    }

    fn carry_ip(&mut self) -> bool {
        true
    }

    /// Returns at once. Packets that wait too long are dropped, as in the queue of a network
    /// interface, and reported later.
    async fn send(&mut self, packet: &[u8]) -> Result<Delivery, String> {
        self.check()?;
        let inside = &*self.0;
        let mut endpoint = inside.endpoint.borrow_mut();
        let offered = endpoint.offer(packet, Ticks(inside.sim.clone()).now());
        inside.look(&mut endpoint);
        inside.news.raise();
        Ok(if offered.is_ok() { Delivery::Sent } else { Delivery::Lost })
    }

    async fn flush(&mut self) -> Result<Delivery, String> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, String> {
        loop {
            let next = self.0.received.borrow_mut().pop_front();
            if let Some(packet) = next {
                let len = packet.len().min(buffer.len());
                buffer[..len].copy_from_slice(&packet[..len]);
                return Ok(len);
            }
            self.check()?;
            self.0.came.wait().await;
        }
    }
}
