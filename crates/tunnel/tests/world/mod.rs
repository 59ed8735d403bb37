//! Two endpoints and all faults between them, without a radio: frames are lost, corrupted,
//! duplicated, delayed and forged; ends restart; the channel fails. Everything is drawn from one
//! seed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::{Arq, Dropped, PacketOutcome, Reason, Renew};
use airlag_tunnel::wire::Frame;
use airlag_tunnel::{Config, Endpoint, Instant, Lifetime, Pace, Protection, fair};

use crate::numbered::{number_of, packet};

/// nRF24L01+ at 2 Mbit/s with five bytes of address.
pub const PACE: Pace = Pace {
    frame: Duration::from_nanos(164_500),
    answer: Duration::from_micros(302),
    turn: Duration::from_micros(800),
    burst: 24,
};

/// Probability of each fault per frame, and of a restart per burst.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    pub loss: f64,
    pub corruption: f64,
    pub duplication: f64,
    pub delay: f64,
    pub garbage: f64,
    pub restart: f64,
    /// The channel fails for up to 10 s.
    pub dead: f64,
}

/// SplitMix64.
pub struct Draws(pub u64);

impl Draws {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// Random numbers for an end.
    pub fn entropy(&mut self) -> impl FnMut(&mut [u8]) + 'static {
        let mut draws = Self(self.bits());
        move |bytes| bytes.iter_mut().for_each(|byte| *byte = draws.bits() as u8)
    }

    pub fn chance(&mut self, p: f64) -> bool {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64 <= p && p > 0.0
    }
}

/// An attacker on the channel, who receives every frame and does not have the key.
pub trait Attacker {
    /// Processes a frame of one end. Returns the frames that the other end receives in its place.
    fn carry(&mut self, now: Instant, from: usize, frame: &[u8]) -> Vec<Vec<u8>>;

    /// Further frames up to now, with the receiving end.
    fn send(&mut self, now: Instant) -> Vec<(usize, Vec<u8>)>;
}

/// One end, with the state of its packets.
pub struct End {
    pub endpoint: Endpoint,
    laid: Option<Frame>,
    /// Accepted packets without a report: their numbers, with the endpoint's identifiers.
    pub open: BTreeMap<u64, u32>,
    /// Packets received from the other end.
    pub came: BTreeSet<u32>,
    /// Packets reported as delivered, and those reported as dropped.
    pub confirmed: BTreeSet<u32>,
    pub dropped: BTreeMap<u32, Reason>,
    /// Packets that were pending at a restart.
    pub forgotten: BTreeSet<u32>,
}

pub struct World {
    pub now: Instant,
    pub ends: [End; 2],
    pub frames: u64,
    pub faults: Faults,
    pub attacker: Option<Box<dyn Attacker>>,
    /// Offset of the clock of each end.
    pub clocks: [Duration; 2],
    draws: Draws,
    protection: Protection,
    lifetime: Lifetime,
    mtu: usize,
    next_packet: u32,
    held_back: [VecDeque<Vec<u8>>; 2],
    dead_until: Instant,
}

fn config(protection: &Protection, mtu: usize, lifetime: Lifetime) -> Config {
    let limits =
        Limits { target: Duration::from_millis(15), interval: Duration::from_millis(100), mtu };
    let queue = fair::Config { limits, queues: 64, room: 1 << 16 };
    Config {
        protection: protection.clone(),
        mtu,
        queue,
        frame: 32,
        arq: Arq::Laid,
        shared: true,
        pace: PACE,
        lifetime,
    }
}

impl World {
    pub fn new(seed: u64, protection: Protection, mtu: usize, faults: Faults) -> Self {
        Self::living(seed, protection, mtu, faults, Lifetime::default())
    }

    /// Like [`World::new`], with this session lifetime.
    pub fn living(
        seed: u64,
        protection: Protection,
        mtu: usize,
        faults: Faults,
        lifetime: Lifetime,
    ) -> Self {
        let mut draws = Draws(seed);
        let ends = [(); 2].map(|()| End {
            endpoint: Endpoint::new(config(&protection, mtu, lifetime), draws.entropy()),
            laid: None,
            open: BTreeMap::new(),
            came: BTreeSet::new(),
            confirmed: BTreeSet::new(),
            dropped: BTreeMap::new(),
            forgotten: BTreeSet::new(),
        });
        Self {
            now: Instant::from_ns(1),
            ends,
            frames: 0,
            faults,
            attacker: None,
            clocks: [Duration::ZERO; 2],
            draws,
            protection,
            lifetime,
            mtu,
            next_packet: 0,
            held_back: [VecDeque::new(), VecDeque::new()],
            dead_until: Instant::default(),
        }
    }

    pub fn offer(&mut self, from: usize, len: usize) {
        let number = self.next_packet;
        self.next_packet += 1;
        let bytes = packet(from, number, len.clamp(8, self.mtu));
        let end = &mut self.ends[from];
        let now = self.now + self.clocks[from];
        let id = end.endpoint.offer(&bytes, now).expect("short enough");
        end.open.insert(id, number);
    }

    /// Compares the output of an end with the input of the other.
    fn look(&mut self, at: usize) {
        let from = 1 - at;
        while let Some(bytes) = self.ends[at].endpoint.packet() {
            let number = number_of(from, &bytes);
            let number = number.unwrap_or_else(|| panic!("a packet came corrupted: {bytes:02x?}"));
            assert!(number < self.next_packet, "packet {number} was never sent");
            assert!(self.ends[at].came.insert(number), "packet {number} came twice");
        }
        while let Some(outcome) = self.ends[at].endpoint.outcome() {
            let end = &mut self.ends[at];
            match outcome {
                PacketOutcome::Confirmed(id) => {
                    let number = end.open.remove(&id).expect("a packet under way");
                    end.confirmed.insert(number);
                    assert!(self.ends[from].came.contains(&number), "{number} did not come");
                }
                PacketOutcome::Dropped(Dropped { id, reason }) => {
                    let number = end.open.remove(&id).expect("a packet under way");
                    end.dropped.insert(number, reason);
                    if reason != Reason::Restart {
                        assert!(!self.ends[from].came.contains(&number), "{number}: {reason:?}");
                    }
                }
            }
        }
    }

    /// Restarts an end.
    pub fn restart(&mut self, at: usize) {
        self.look(at);
        let config = config(&self.protection, self.mtu, self.lifetime);
        let entropy = self.draws.entropy();
        let end = &mut self.ends[at];
        let forgotten = std::mem::take(&mut end.open).into_values();
        end.forgotten.extend(forgotten);
        end.endpoint = Endpoint::new(config, entropy);
        end.laid = None;
    }

    /// Passes a frame to an end. Returns its response if one is requested, which only the last
    /// frame of a burst does.
    fn hear(&mut self, at: usize, bytes: &[u8]) -> Option<Instant> {
        let (end, now) = (&mut self.ends[at], self.now + self.clocks[at]);
        match end.endpoint.heard(now, bytes) {
            Renew::No => None,
            Renew::Now => {
                end.laid = Some(end.endpoint.answer(now));
                None
            }
            Renew::Behind(at) => Some(at),
        }
    }

    /// Frames of the attacker arrive too.
    fn attack(&mut self) {
        let Some(mut attacker) = self.attacker.take() else { return };
        for (to, bytes) in attacker.send(self.now) {
            self.frames += 1;
            self.hear(to, &bytes);
            self.look(to);
        }
        self.attacker = Some(attacker);
    }

    /// Copies of a frame that arrive over the air.
    fn carry(&mut self, to: usize, frame: &[u8]) -> Vec<Vec<u8>> {
        let (faults, mut came) = (self.faults, Vec::new());
        self.frames += 1;
        if let Some(attacker) = &mut self.attacker {
            return attacker.carry(self.now, 1 - to, frame);
        }
        if self.now < self.dead_until {
            return came;
        }
        if self.draws.chance(faults.garbage) {
            let len = self.draws.below(33) as usize;
            came.push((0..len).map(|_| self.draws.bits() as u8).collect());
        }
        if !self.held_back[to].is_empty() && self.draws.chance(0.2) {
            came.extend(self.held_back[to].pop_front());
        }
        if self.draws.chance(faults.loss) {
            return came;
        }
        let mut bytes = frame.to_vec();
        if self.draws.chance(faults.corruption) {
            let bit = self.draws.below(bytes.len() as u64 * 8) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
            if self.draws.chance(0.2) {
                bytes.truncate(bit / 8);
            }
        }
        if self.draws.chance(faults.delay) && self.held_back[to].len() < 64 {
            self.held_back[to].push_back(bytes);
            return came;
        }
        if self.draws.chance(faults.duplication) {
            if self.draws.chance(0.5) && self.held_back[to].len() < 64 {
                self.held_back[to].push_back(bytes.clone());
            } else {
                came.push(bytes.clone());
            }
        }
        came.push(bytes);
        came
    }

    /// Sends the next burst of either end, with its response. Returns false if neither has anything
    /// to send.
    pub fn step(&mut self) -> bool {
        self.attack();
        for at in [0, 1] {
            if self.draws.chance(self.faults.restart) {
                self.restart(at);
            }
        }
        if self.draws.chance(self.faults.dead) {
            self.dead_until = self.now + Duration::from_millis(self.draws.below(10_000));
        }
        let clocks = self.clocks;
        let wake =
            |ends: &[End; 2], at: usize| ends[at].endpoint.wake().map(|wake| wake - clocks[at]);
        let first = match (wake(&self.ends, 0), wake(&self.ends, 1)) {
            (None, None) => return false,
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (Some(one), Some(other)) => usize::from(other < one),
        };
        let at = wake(&self.ends, first).expect("just seen");
        self.now = self.now.max(at);
        // Both begin before they can hear each other, so both bursts are lost.
        let soon = self.now + Duration::from_micros(150);
        let other = wake(&self.ends, 1 - first).filter(|&other| other <= soon);
        if let Some(other) = other {
            self.now = self.now.max(other);
            let bursts = [first, 1 - first].map(|from| self.begin(from).len());
            self.now = self.now + PACE.frame * *bursts.iter().max().unwrap_or(&0) as u32;
            for from in [0, 1] {
                let now = self.now + self.clocks[from] + PACE.answer;
                self.ends[from].endpoint.answered(now, None);
                self.look(from);
            }
        } else {
            self.burst(first);
        }
        true
    }

    fn begin(&mut self, from: usize) -> Vec<Frame> {
        let (end, now) = (&mut self.ends[from], self.now + self.clocks[from]);
        end.laid = None;
        // A session may have become too old meanwhile.
        let Some(frames) = end.endpoint.burst(now).map(<[Frame]>::to_vec) else {
            return Vec::new();
        };
        assert!(frames.last().is_some_and(Frame::asks), "the last one asks");
        assert!((1..=PACE.burst).contains(&frames.len()), "{} frames", frames.len());
        frames
    }

    fn burst(&mut self, from: usize) {
        let to = 1 - from;
        let listening = &mut self.ends[to];
        if listening.laid.is_none() {
            listening.laid = Some(listening.endpoint.answer(self.now + self.clocks[to]));
        }
        let frames = self.begin(from);
        if frames.is_empty() {
            return;
        }
        let (mut asked, mut renew) = (false, None);
        for (nth, frame) in frames.iter().enumerate() {
            self.now = self.now + PACE.frame;
            self.attack();
            let last = nth + 1 == frames.len();
            for bytes in self.carry(to, frame.bytes()) {
                // The radio responds to a frame that requests it, even if its bytes are corrupted.
                asked |= last;
                renew = self.hear(to, &bytes).or(renew);
            }
            self.look(to);
        }
        let answer = self.ends[to].laid.filter(|_| asked);
        self.now = self.now + PACE.answer;
        let came = answer.and_then(|answer| self.carry(from, answer.bytes()).pop());
        self.ends[from].endpoint.answered(self.now + self.clocks[from], came.as_deref());
        self.look(from);
        if renew.is_some() {
            self.ends[to].laid = None;
        }
    }

    /// Runs without faults until nothing is left to send. Returns the time until a packet offered
    /// meanwhile arrived.
    pub fn calm(&mut self) -> Duration {
        (self.faults, self.attacker) = (Faults::default(), None);
        self.dead_until = self.now;
        self.held_back = Default::default();
        let (begin, mut asked) = (self.now, self.next_packet);
        let first = asked;
        self.offer(0, 64);
        let mut back = None;
        for _ in 0..100_000 {
            let more = self.step();
            if back.is_none() && self.ends[1].came.range(first..).next().is_some() {
                back = Some(self.now.since(begin));
            }
            let due = begin + Duration::from_millis(50) * (asked - first);
            if back.is_none() && (!more || self.now > due) {
                self.now = self.now.max(due);
                // A packet accepted in a session that ended may be lost with it.
                (asked, _) = (asked + 1, self.offer(0, 64));
            } else if !more {
                break;
            }
        }
        for at in [0, 1] {
            self.look(at);
            let end = &self.ends[at];
            let counts = end.endpoint.counts();
            assert!(end.open.is_empty(), "{} never heard of again: {counts:?}", end.open.len());
            let other = &self.ends[1 - at];
            assert!(end.confirmed.is_subset(&other.came));
        }
        back.expect("the link came back")
    }
}
