//! Two endpoints over a link in virtual time: sent packets, received packets and reports are
//! compared at every step.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use airlag_link::Capability;
use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Sim, Simulation};
use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::{Dropped, PacketOutcome, Reason};
use airlag_tunnel::radio::{self, Host};
use airlag_tunnel::{Clock, Config, Endpoint, Instant, Lifetime, Over, Protection, fair};

pub mod wire;

use crate::numbered::{number_of, packet};
use crate::world::Draws;
use wire::{Faults, Medium, Shape, Wire};

const MTU: usize = 1_500;

const fn shape(capability: Capability, byte_ns: u64) -> Shape {
    let byte = Duration::from_ns(byte_ns);
    let (chunk, way) = (Duration::from_us(200), Duration::from_us(500));
    Shape { capability, chunk, byte, way, half_duplex: false }
}

/// One link of each kind.
pub fn shapes() -> [(&'static str, Shape); 7] {
    let datagram = Capability::datagram;
    [
        ("datagrams", shape(datagram(240), 2_000)),
        ("a slow channel", Shape { half_duplex: true, ..shape(datagram(222), 800_000) }),
        (
            "a stream",
            Shape { way: Duration::from_ms(20), ..shape(datagram(2_048).stream(true), 174_000) },
        ),
        ("confirmed", shape(datagram(116).acknowledged(true), 32_000)),
        (
            "confirmed, on one channel",
            Shape { half_duplex: true, ..shape(datagram(250).acknowledged(true), 8_000) },
        ),
        ("padded", shape(datagram(64).padded(true), 4_000)),
        ("narrow", shape(datagram(20), 10_000)),
    ]
}

/// Time that a full packet needs on the link.
pub fn packet_time(shape: &Shape) -> Duration {
    let chunks = MTU.div_ceil(shape.capability.mtu) as u64;
    (shape.chunk + shape.way) * chunks + shape.byte * MTU as u64
}

#[derive(Clone)]
struct Ticks(Sim);

impl Clock for Ticks {
    fn now(&self) -> Instant {
        Instant::from_ns(self.0.now().as_ns())
    }

    async fn until(&self, at: Instant) {
        self.0.sleep_until(airlag_sim::Instant::from_ns(at.as_ns())).await;
    }
}

/// State of one end's packets.
#[derive(Default)]
pub struct Ledger {
    /// Accepted packets without a report, by the endpoint's identifier.
    pub open: BTreeMap<u64, u32>,
    /// Packets from the other end.
    pub came: BTreeSet<u32>,
    pub confirmed: BTreeSet<u32>,
    pub dropped: BTreeMap<u32, Reason>,
    /// Packets that were pending at a restart.
    pub forgotten: BTreeSet<u32>,
}

/// One end.
pub struct End {
    at: usize,
    pub endpoint: RefCell<Endpoint>,
    news: Notice,
    ledgers: Rc<RefCell<[Ledger; 2]>>,
}

impl Host for End {
    async fn news(&self) {
        self.news.wait().await;
    }

    fn look(&self, endpoint: &mut Endpoint) {
        let mut ledgers = self.ledgers.borrow_mut();
        while let Some(bytes) = endpoint.packet() {
            let number = number_of(1 - self.at, &bytes);
            let number = number.unwrap_or_else(|| panic!("a packet came corrupted: {bytes:02x?}"));
            assert!(ledgers[self.at].came.insert(number), "packet {number} came twice");
        }
        while let Some(outcome) = endpoint.outcome() {
            let (PacketOutcome::Confirmed(id) | PacketOutcome::Dropped(Dropped { id, .. })) =
                outcome;
            let number = ledgers[self.at].open.remove(&id).expect("a packet under way");
            let came = ledgers[1 - self.at].came.contains(&number);
            match outcome {
                PacketOutcome::Confirmed(_) => {
                    assert!(came, "{number} is confirmed and did not come");
                    ledgers[self.at].confirmed.insert(number);
                }
                PacketOutcome::Dropped(Dropped { reason, .. }) => {
                    assert!(!came || reason == Reason::Restart, "{number} came: {reason:?}");
                    ledgers[self.at].dropped.insert(number, reason);
                }
            }
        }
    }
}

/// Two ends and the link between them.
pub struct Pair {
    pub time: Simulation,
    pub medium: Rc<Medium>,
    pub ends: [Rc<End>; 2],
    pub ledgers: Rc<RefCell<[Ledger; 2]>>,
    next_packet: u32,
}

fn config(radio: &Over<Wire, Ticks>, protection: &Protection) -> Config {
    let limits = Limits {
        target: std::time::Duration::from_millis(15),
        interval: std::time::Duration::from_millis(100),
        mtu: MTU,
    };
    Config {
        protection: protection.clone(),
        mtu: MTU,
        queue: fair::Config { limits, queues: 64, room: 1 << 16 },
        frame: radio.frame(),
        arq: radio.arq(),
        shared: radio.is_shared(),
        pace: radio.pace(),
        lifetime: Lifetime::default(),
    }
}

impl Pair {
    pub fn new(seed: u64, shape: Shape, protections: [Protection; 2], faults: Faults) -> Self {
        let time = Simulation::new(seed);
        let (medium, ledgers) = (Medium::new(&time, shape), Rc::<RefCell<[Ledger; 2]>>::default());
        medium.faults.set(faults);
        let ends = [0, 1].map(|at| {
            let (sim, protection) = (time.sim(), protections[at].clone());
            let mut random = sim.stream(&format!("end {at}"));
            let medium = Rc::clone(&medium);
            let clock = Ticks(sim.clone());
            let radio = move || Over::new(Wire { medium: Rc::clone(&medium), at }, clock.clone());
            let mut set_up = move |radio: &_| {
                let mut draws = Draws(random.bits());
                Endpoint::new(config(radio, &protection), draws.entropy())
            };
            let first = radio();
            let (news, ledgers) = (Notice::new(&sim), Rc::clone(&ledgers));
            let endpoint = RefCell::new(set_up(&first));
            let end = Rc::new(End { at, endpoint, news, ledgers });
            let mine = Rc::clone(&end);
            time.spawn(format!("end {at}"), async move {
                let mut radio_now = first;
                let clock = Ticks(sim);
                loop {
                    let wire::SwitchedOff =
                        radio::run(&mine.endpoint, &mut radio_now, &clock, &*mine).await;
                    mine.look(&mut mine.endpoint.borrow_mut());
                    radio_now = radio();
                    *mine.endpoint.borrow_mut() = set_up(&radio_now);
                    let ledger = &mut mine.ledgers.borrow_mut()[at];
                    let forgotten = std::mem::take(&mut ledger.open);
                    ledger.forgotten.extend(forgotten.into_values());
                }
            });
            end
        });
        Self { time, medium, ends, ledgers, next_packet: 0 }
    }

    pub fn offer(&mut self, from: usize, len: usize) {
        let number = self.next_packet;
        self.next_packet += 1;
        let now = Instant::from_ns(self.time.now().as_ns());
        let (end, bytes) = (&self.ends[from], packet(from, number, len.clamp(8, MTU)));
        let mut endpoint = end.endpoint.borrow_mut();
        let id = endpoint.offer(&bytes, now).expect("short enough");
        self.ledgers.borrow_mut()[from].open.insert(id, number);
        end.look(&mut endpoint);
        end.news.raise();
    }

    pub fn pass(&self, wait: Duration) {
        self.time.run_until(self.time.now() + wait).expect("it runs");
    }

    /// Runs without faults and with an occasional packet, until one of these has arrived in each
    /// direction and every packet has a report.
    pub fn calm(&mut self, turn: Duration) {
        self.medium.faults.set(Faults::default());
        let first = self.next_packet;
        // An end that never received a response waits for a minute, and as long for a free channel.
        let turn = turn.max(Duration::from_ms(100));
        for round in 0..2_000 {
            let ledgers = self.ledgers.borrow();
            let back = [0, 1].map(|at| ledgers[at].came.range(first..).next().is_some());
            let told = ledgers.iter().all(|ledger| ledger.open.is_empty());
            drop(ledgers);
            if back == [true, true] && told {
                return;
            }
            for from in [0, 1] {
                if !back[1 - from] && round % 10 == 0 {
                    self.offer(from, 64);
                }
            }
            self.pass(turn);
        }
        let open = self.ledgers.borrow().each_ref().map(|ledger| ledger.open.len());
        let counts = self.ends.each_ref().map(|end| end.endpoint.borrow().counts());
        panic!("never heard of again: {open:?}, {counts:?}");
    }
}
