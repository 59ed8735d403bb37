//! Nodes, the paths between them, and what overlaps.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_sim::{Duration, Instant, Sim, Stream, Timed, Track};

use crate::frame::{Band, Frame, FrameId, Modulation};
use crate::loss::Loss;

/// Names a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// What became of a frame at one receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every bit is right.
    Whole,
    /// Another frame was in the way.
    Collided,
    /// The path lost it: too weak, or damaged, to the receiver all the same.
    Lost,
    /// Its sender broke it off; what came is right but the rest is missing.
    Cut,
}

/// A frame as it arrives at one node.
#[derive(Clone, Debug)]
pub struct Reception<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// First bit reached this node.
    pub begin: Instant,
    /// Last bit reached this node: now.
    pub end: Instant,
    /// What became of it.
    pub verdict: Verdict,
}

/// A receiver attached to the medium.
pub trait Radio {
    /// A frame in hearing has ended. Called for every one, listening or not: only the radio knows
    /// whether it was tuned in from the first bit to the last.
    fn frame_ended(&self, reception: &Reception<'_>);
}

struct Path {
    delay: Duration,
    /// Each decides for itself; one is enough to lose a frame.
    losses: Vec<Box<dyn Loss>>,
    stream: Stream,
}

struct Node {
    name: String,
    radio: Option<Weak<dyn Radio>>,
    /// Who hears this node, in the order the nodes came.
    heard_by: Vec<NodeId>,
}

struct Flying {
    frame: Frame,
    cut: bool,
    /// Senders whose frames overlap this one in time and frequency.
    overlapped_by: Vec<NodeId>,
}

struct Inner {
    sim: Sim,
    track: Track,
    next_frame: Cell<u64>,
    nodes: RefCell<Vec<Node>>,
    /// By sender, then by receiver.
    paths: RefCell<Vec<Vec<Option<Path>>>>,
    flying: RefCell<Vec<Flying>>,
    taps: RefCell<Vec<Tap>>,
    /// Families whose modulations do not disturb each other.
    orthogonal: RefCell<Vec<&'static str>>,
}

type Tap = Box<dyn FnMut(&Frame, Verdict)>;

/// The air between nodes. Clones share it.
#[derive(Clone)]
pub struct Medium(Rc<Inner>);

impl Medium {
    /// Empty air.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(Rc::new(Inner {
            sim: sim.clone(),
            track: sim.track("air"),
            next_frame: Cell::new(0),
            nodes: RefCell::default(),
            paths: RefCell::default(),
            flying: RefCell::default(),
            taps: RefCell::default(),
            orthogonal: RefCell::default(),
        }))
    }

    /// Adds a node called `name` that hears everybody and is heard by everybody. The name picks
    /// the random streams of its paths.
    pub fn join(&self, name: impl Into<String>) -> NodeId {
        let mut nodes = self.0.nodes.borrow_mut();
        let mut paths = self.0.paths.borrow_mut();
        let id = NodeId(u32::try_from(nodes.len()).expect("fewer than 2^32 nodes"));
        let heard_by: Vec<_> = (0..id.0).map(NodeId).collect();
        nodes.push(Node { name: name.into(), radio: None, heard_by });
        let new = &nodes[id.0 as usize];
        let path = |from: &str, to: &str| {
            let stream = self.0.sim.stream(&format!("air/{from}>{to}"));
            Some(Path { delay: Duration::ZERO, losses: Vec::new(), stream })
        };
        for (from, row) in paths.iter_mut().enumerate() {
            row.push(path(&nodes[from].name, &new.name));
        }
        let mut row: Vec<_> =
            nodes[..id.0 as usize].iter().map(|to| path(&new.name, &to.name)).collect();
        row.push(None);
        paths.push(row);
        for node in &mut nodes[..id.0 as usize] {
            node.heard_by.push(id);
        }
        id
    }

    /// What a node was called when it joined.
    #[must_use]
    pub fn name(&self, node: NodeId) -> String {
        self.0.nodes.borrow()[node.0 as usize].name.clone()
    }

    /// Attaches the receiver of a node.
    pub fn attach(&self, node: NodeId, radio: Weak<dyn Radio>) {
        self.0.nodes.borrow_mut()[node.0 as usize].radio = Some(radio);
    }

    /// Sets what the path `from` → `to` does to frames.
    pub fn set_loss(&self, from: NodeId, to: NodeId, loss: impl Loss + 'static) {
        if let Some(path) = &mut self.0.paths.borrow_mut()[from.0 as usize][to.0 as usize] {
            path.losses = vec![Box::new(loss)];
        }
    }

    /// Adds to what the path `from` → `to` does to frames: each of its losses may lose a frame, and
    /// all of them draw for every one.
    pub fn add_loss(&self, from: NodeId, to: NodeId, loss: impl Loss + 'static) {
        if let Some(path) = &mut self.0.paths.borrow_mut()[from.0 as usize][to.0 as usize] {
            path.losses.push(Box::new(loss));
        }
    }

    /// Sets how long a bit takes from `from` to `to`.
    pub fn set_delay(&self, from: NodeId, to: NodeId, delay: Duration) {
        if let Some(path) = &mut self.0.paths.borrow_mut()[from.0 as usize][to.0 as usize] {
            path.delay = delay;
        }
    }

    /// Puts `to` out of the hearing of `from`: it gets neither frames nor interference.
    pub fn separate(&self, from: NodeId, to: NodeId) {
        self.0.nodes.borrow_mut()[from.0 as usize].heard_by.retain(|&node| node != to);
    }

    /// Calls `tap` at the end of every frame, besides those that tap it already: a listener that
    /// hears everything. The verdict is that of one beside the sender, so [`Verdict::Lost`] never
    /// comes.
    pub fn tap(&self, tap: impl FnMut(&Frame, Verdict) + 'static) {
        self.0.taps.borrow_mut().push(Box::new(tap));
    }

    /// Says that frames of `family` disturb each other only where their modulation is the same, as
    /// spread spectrum with different chirps or codes does.
    pub fn orthogonal(&self, family: &'static str) {
        let mut orthogonal = self.0.orthogonal.borrow_mut();
        if !orthogonal.contains(&family) {
            orthogonal.push(family);
        }
    }

    /// Sends a frame from now until `end`.
    pub fn send(
        &self,
        from: NodeId,
        band: Band,
        modulation: Modulation,
        end: Instant,
        bytes: Rc<[u8]>,
    ) -> FrameId {
        let inner = &*self.0;
        let id = FrameId(inner.next_frame.get());
        inner.next_frame.set(id.0 + 1);
        let begin = inner.sim.now();
        let frame = Frame { id, from, band, modulation, begin, end, bytes };
        let mut flying = inner.flying.borrow_mut();
        let mut overlapped_by = Vec::new();
        for other in flying.iter_mut() {
            // One that ends at this very instant is over, whatever order the events come in.
            if other.frame.end > begin
                && other.frame.band.overlaps(&band)
                && inner.disturb(other.frame.modulation, modulation)
            {
                other.overlapped_by.push(from);
                overlapped_by.push(other.frame.from);
            }
        }
        flying.push(Flying { frame, cut: false, overlapped_by });
        drop(flying);
        inner.sim.timer(end, Rc::clone(&self.0) as Rc<dyn Timed>, id.0);
        id
    }

    /// Breaks a frame off now. Its receivers learn of it when it would have ended, and find it
    /// [`Verdict::Cut`].
    pub fn cut(&self, id: FrameId) {
        let mut flying = self.0.flying.borrow_mut();
        if let Some(found) = flying.iter_mut().find(|flying| flying.frame.id == id) {
            found.cut = true;
        }
    }

    /// The frame in `band` that `node` can hear at this moment and that a receiver set to
    /// `modulation` is able to read, if there is one.
    #[must_use]
    pub fn hearing(&self, node: NodeId, band: Band, modulation: Modulation) -> Option<Frame> {
        let flying = self.0.flying.borrow();
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        let audible = |frame: &Frame| {
            frame.band == band
                && frame.modulation == modulation
                && frame.end > now
                && nodes[frame.from.0 as usize].heard_by.contains(&node)
        };
        flying.iter().map(|flying| &flying.frame).find(|frame| audible(frame)).cloned()
    }

    /// True if any frame that touches `band` is audible at `node` now: what a carrier detector
    /// sees.
    #[must_use]
    pub fn busy(&self, node: NodeId, band: Band) -> bool {
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        self.0.flying.borrow().iter().any(|flying| {
            flying.frame.band.overlaps(&band)
                && flying.frame.end > now
                && nodes[flying.frame.from.0 as usize].heard_by.contains(&node)
        })
    }

    /// When the first of the frames that touch `band` and are audible at `node` now began: a
    /// carrier detector that takes its time has not seen one that began a moment ago.
    #[must_use]
    pub fn busy_since(&self, node: NodeId, band: Band) -> Option<Instant> {
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        let flying = self.0.flying.borrow();
        let audible = flying.iter().map(|flying| &flying.frame).filter(|frame| {
            frame.band.overlaps(&band)
                && frame.end > now
                && nodes[frame.from.0 as usize].heard_by.contains(&node)
        });
        audible.map(|frame| frame.begin).min()
    }
}

impl Inner {
    /// True if frames of the two modulations damage each other where they overlap.
    fn disturb(&self, one: Modulation, other: Modulation) -> bool {
        one.family != other.family
            || one.setting == other.setting
            || !self.orthogonal.borrow().contains(&one.family)
    }
}

/// Tokens are frame numbers.
impl Timed for Inner {
    fn due(self: Rc<Self>, token: u64) {
        let flown = {
            let mut flying = self.flying.borrow_mut();
            let at = flying.iter().position(|flying| flying.frame.id.0 == token);
            let Some(at) = at else { return };
            // Not `swap_remove`: the order of frames in the air is part of the result.
            flying.remove(at)
        };
        let frame = &flown.frame;
        self.sim.span(self.track, "air", frame.begin, frame.end);
        for tap in self.taps.borrow_mut().iter_mut() {
            tap(frame, verdict(flown.cut, !flown.overlapped_by.is_empty(), false));
        }
        let mut index = 0;
        loop {
            // The list is not held while a radio acts: it may send at once.
            let (radio, delay, verdict) = {
                let nodes = self.nodes.borrow();
                let Some(&to) = nodes[frame.from.0 as usize].heard_by.get(index) else { break };
                index += 1;
                let Some(radio) = &nodes[to.0 as usize].radio else { continue };
                let collided = flown
                    .overlapped_by
                    .iter()
                    .any(|&other| other == to || nodes[other.0 as usize].heard_by.contains(&to));
                let mut paths = self.paths.borrow_mut();
                let Some(path) = &mut paths[frame.from.0 as usize][to.0 as usize] else { continue };
                // All of them draw, lost already or not.
                let losses = path.losses.iter_mut();
                let lost =
                    losses.fold(false, |lost, one| one.loses(frame, &mut path.stream) | lost);
                (radio.clone(), path.delay, verdict(flown.cut, collided, lost))
            };
            if delay.is_zero() {
                deliver(&radio, frame, delay, verdict);
            } else {
                let frame = frame.clone();
                self.sim.at(frame.end + delay, move || deliver(&radio, &frame, delay, verdict));
            }
        }
    }
}

const fn verdict(cut: bool, collided: bool, lost: bool) -> Verdict {
    if collided {
        Verdict::Collided
    } else if lost {
        Verdict::Lost
    } else if cut {
        Verdict::Cut
    } else {
        Verdict::Whole
    }
}

fn deliver(radio: &Weak<dyn Radio>, frame: &Frame, delay: Duration, verdict: Verdict) {
    if let Some(radio) = radio.upgrade() {
        let (begin, end) = (frame.begin + delay, frame.end + delay);
        radio.frame_ended(&Reception { frame, begin, end, verdict });
    }
}

#[cfg(test)]
pub(crate) mod tests;
