//! A link between two ends in virtual time, with all its faults.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Instant, Sim, Stream};

/// Properties of a link.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub capability: Capability,
    /// Transmission time of a chunk and of each of its bytes, and delay of the link.
    pub chunk: Duration,
    pub byte: Duration,
    pub way: Duration,
    /// Half-duplex: a sender receives nothing, and simultaneous transmissions collide.
    pub half_duplex: bool,
}

/// Probability of each fault per chunk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    pub loss: f64,
    pub corruption: f64,
    pub duplication: f64,
    pub delay: f64,
    /// Confirmed by the link, but lost above it because of a full queue.
    pub swallowed: f64,
    /// An end restarts.
    pub restart: f64,
}

/// The end was switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchedOff;

/// Chunks that arrive at an end.
struct Inlet {
    chunks: RefCell<VecDeque<Vec<u8>>>,
    news: Notice,
    /// End of this end's transmission.
    sending: Cell<Instant>,
    /// Set if the other end began to send meanwhile.
    spoiled: Cell<bool>,
}

/// State shared by both ends.
pub struct Medium {
    sim: Sim,
    shape: Shape,
    pub faults: Cell<Faults>,
    draws: RefCell<Stream>,
    inlets: [Inlet; 2],
    pub chunks: Cell<u64>,
}

impl Medium {
    pub fn new(sim: &Sim, shape: Shape) -> Rc<Self> {
        let inlets = [(); 2].map(|()| Inlet {
            chunks: RefCell::default(),
            news: Notice::new(sim),
            sending: Cell::new(Instant::START),
            spoiled: Cell::new(false),
        });
        let draws = RefCell::new(sim.stream("faults"));
        let (sim, faults, chunks) = (sim.clone(), Cell::default(), Cell::new(0));
        Rc::new(Self { sim, shape, faults, draws, inlets, chunks })
    }

    fn chance(&self, p: f64) -> bool {
        self.draws.borrow_mut().chance(p)
    }

    fn below(&self, bound: usize) -> usize {
        self.draws.borrow_mut().below(bound as u64) as usize
    }

    fn arrive(self: &Rc<Self>, to: usize, bytes: Vec<u8>, late: Duration) {
        let this = Rc::clone(self);
        self.sim.at(self.sim.now() + self.shape.way + late, move || {
            this.inlets[to].chunks.borrow_mut().push_back(bytes);
            this.inlets[to].news.raise();
        });
    }

    /// Corrupts, delays and delivers a chunk that is not lost.
    fn carry(self: &Rc<Self>, to: usize, chunk: &[u8]) {
        let (faults, mut bytes) = (self.faults.get(), chunk.to_vec());
        if self.chance(faults.corruption) {
            let at = self.below(bytes.len());
            match self.below(3) {
                // A stream loses some of its bytes; a chunk is cut short there.
                0 if self.shape.capability.stream => drop(bytes.drain(at..).next()),
                0 => bytes.truncate(at),
                _ => bytes[at] ^= 1 << self.below(8),
            }
        }
        if self.shape.capability.padded {
            bytes.resize(self.shape.capability.mtu, 0);
        }
        let late = |share| Duration::from_ns(self.shape.way.as_ns() * share);
        let mixed = !self.shape.capability.stream;
        if mixed && self.chance(faults.duplication) {
            self.arrive(to, bytes.clone(), late(self.below(20) as u64));
        }
        let delayed = mixed && self.chance(faults.delay);
        self.arrive(to, bytes, if delayed { late(self.below(20) as u64) } else { Duration::ZERO });
    }
}

/// One end of the link.
pub struct Wire {
    pub medium: Rc<Medium>,
    pub at: usize,
}

impl Wire {
    /// Whether this end is switched off now.
    fn check(&self) -> Result<(), SwitchedOff> {
        let medium = &self.medium;
        if medium.chance(medium.faults.get().restart) { Err(SwitchedOff) } else { Ok(()) }
    }

    /// Sends once. Returns whether it was received.
    async fn transmit(&self, chunk: &[u8]) -> bool {
        let (medium, other) = (&self.medium, &self.medium.inlets[1 - self.at]);
        let (shape, mine) = (&medium.shape, &medium.inlets[self.at]);
        let end = medium.sim.now() + shape.chunk + shape.byte * chunk.len() as u64;
        mine.spoiled.set(false);
        let busy = shape.half_duplex && other.sending.get() > medium.sim.now();
        if busy {
            mine.spoiled.set(true);
            other.spoiled.set(true);
        }
        mine.sending.set(end);
        medium.sim.sleep_until(end).await;
        medium.chunks.set(medium.chunks.get() + 1);
        !mine.spoiled.get() && !medium.chance(medium.faults.get().loss)
    }
}

impl Link for Wire {
    type Error = SwitchedOff;

    fn capability(&self) -> Capability {
        self.medium.shape.capability
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, SwitchedOff> {
        self.check()?;
        let medium = Rc::clone(&self.medium);
        assert!(chunk.len() <= medium.shape.capability.mtu, "a chunk of {} B", chunk.len());
        if !medium.shape.capability.acknowledged {
            if self.transmit(chunk).await {
                medium.carry(1 - self.at, chunk);
            }
            return Ok(Delivery::Sent);
        }
        let mut came = false;
        for _ in 0..3 {
            if self.transmit(chunk).await {
                let swallowed = medium.chance(medium.faults.get().swallowed);
                if !came && !swallowed {
                    medium.carry(1 - self.at, chunk);
                }
                came = true;
                if !medium.chance(medium.faults.get().loss) {
                    let knows = !medium.chance(0.1);
                    return Ok(if knows { Delivery::Confirmed } else { Delivery::Sent });
                }
            }
        }
        Ok(Delivery::Lost)
    }

    async fn flush(&mut self) -> Result<Delivery, SwitchedOff> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, SwitchedOff> {
        let medium = Rc::clone(&self.medium);
        let inlet = &medium.inlets[self.at];
        loop {
            let next = inlet.chunks.borrow_mut().pop_front();
            let Some(mut chunk) = next else {
                inlet.news.wait().await;
                continue;
            };
            self.check()?;
            if medium.shape.capability.stream && chunk.len() > 1 {
                let rest = chunk.split_off(1 + medium.below(chunk.len() - 1));
                inlet.chunks.borrow_mut().push_front(rest);
            }
            buffer[..chunk.len()].copy_from_slice(&chunk);
            return Ok(chunk.len());
        }
    }
}
