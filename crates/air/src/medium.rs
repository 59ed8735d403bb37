//! Nodes, the paths between them, and overlapping frames.

mod audible;
mod carrier;
mod draws;
mod paths;
mod strength;
mod unobserved;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_sim::{Duration, Instant, Meter, Precedence, Sim, Slice, Stream, Timed, Timers, Track};

use crate::frame::{Band, Frame, FrameId, Modulation};
use crate::interference::Receiver;
use crate::loss::Loss;
use paths::{Path, Paths};
use strength::Interference;

/// A frame on the air.
pub static AIR: Slice = Slice::medium("air", Precedence::Frame);

/// Identifier of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// Outcome of a frame at one receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every bit is correct.
    Whole,
    /// An overlapping frame destroyed the frame.
    Collided,
    /// The frame was lost on the path, because it was too weak or damaged.
    Lost,
    /// The sender aborted the frame. The received part is correct, and the rest is missing.
    Cut,
}

/// A frame as it arrives at one node.
#[derive(Clone, Debug)]
pub struct Reception<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// Arrival of the first bit at this node.
    pub begin: Instant,
    /// Arrival of the last bit at this node: now.
    pub end: Instant,
    /// Outcome.
    pub verdict: Verdict,
}

/// A receiver attached to the medium.
pub trait Radio {
    /// Called when a frame in range has ended, whether the radio listened or not. The radio itself
    /// tracks whether it was tuned in from the first bit to the last.
    fn frame_ended(&self, reception: &Reception<'_>);
}

struct Lossy {
    /// Independent loss models; a frame is lost if any of them loses it.
    losses: Vec<Box<dyn Loss>>,
    stream: Stream,
}

struct Node {
    name: String,
    radio: Option<Weak<dyn Radio>>,
    receiver: Option<Box<Receiver>>,
    /// Meter of the radio's state. `None` if current is not measured, or if the radio has taken it.
    meter: Option<Meter>,
    /// Whether the node is a neighbour of the observed link: its frames are not part of the link's
    /// time slices.
    beside: bool,
    /// Whether only those paths exist that were set.
    isolated: bool,
    paths: Paths,
    /// Frames of isolated senders on the air that the node hears or sends.
    audible: Vec<FrameId>,
}

struct Flying {
    frame: Frame,
    cut: bool,
    /// Frames that overlap this one in time and frequency.
    overlaps: Vec<Overlap>,
    /// Nodes with a [`Receiver`] that read this frame, and those that read another.
    found_by: Vec<NodeId>,
    missed_by: Vec<NodeId>,
}

/// An overlapping frame.
#[derive(Clone, Copy)]
struct Overlap {
    from: NodeId,
    band: Band,
    modulation: Modulation,
    begin: Instant,
    end: Instant,
    /// Whether it destroys the frame if signal levels are not known.
    disturbs: bool,
}

impl Overlap {
    const fn of(frame: &Frame, disturbs: bool) -> Self {
        let &Frame { from, band, modulation, begin, end, .. } = frame;
        Self { from, band, modulation, begin, end, disturbs }
    }
}

struct Inner {
    sim: Sim,
    timers: Timers,
    track: Track,
    next_frame: Cell<u64>,
    /// Whether some node has a [`Receiver`].
    has_receivers: Cell<bool>,
    /// Frames on the air whose senders are not isolated.
    heard_everywhere: Cell<i64>,
    nodes: RefCell<Vec<Node>>,
    #[expect(clippy::vec_box, reason = "moving a record right after writing it stalls the core")]
    flying: RefCell<Vec<Box<Flying>>>,
    /// Records of ended frames, kept for reuse.
    #[expect(clippy::vec_box, reason = "keeps the boxes of `flying` for reuse")]
    landed: RefCell<Vec<Box<Flying>>>,
    /// Positions in `flying` of the frames that a new frame can overlap, kept for reuse.
    met: RefCell<Vec<usize>>,
    /// Frames that have left their sender and are still arriving at a distant node.
    arriving: RefCell<Vec<(NodeId, Frame)>>,
    taps: RefCell<Vec<Tap>>,
    /// Whether some tap needs every frame.
    is_tapped: Cell<bool>,
    /// Detectors of the beginning of transmissions.
    detectors: RefCell<Vec<Detector>>,
    /// Families whose modulations do not disturb each other.
    orthogonal: RefCell<Vec<&'static str>>,
}

type Tap = Box<dyn FnMut(&Frame, Verdict)>;
type Detector = Box<dyn FnMut(NodeId, Instant)>;

/// The air between nodes. Clones share it.
#[derive(Clone)]
pub struct Medium(Rc<Inner>, Option<Rc<str>>);

impl Medium {
    /// Creates an empty air.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(
            Rc::new_cyclic(|this| Inner {
                sim: sim.clone(),
                timers: sim.timers(this),
                track: sim.track("air"),
                next_frame: Cell::new(0),
                has_receivers: Cell::new(false),
                heard_everywhere: Cell::new(0),
                nodes: RefCell::default(),
                flying: RefCell::default(),
                landed: RefCell::default(),
                met: RefCell::default(),
                arriving: RefCell::default(),
                taps: RefCell::default(),
                is_tapped: Cell::new(false),
                detectors: RefCell::default(),
                orthogonal: RefCell::default(),
            }),
            None,
        )
    }

    /// Returns a handle to the same air for neighbours. Their node names may coincide with those of
    /// the observed link, and therefore become `scope/name`.
    #[must_use]
    pub fn beside(&self, scope: &str) -> Self {
        Self(Rc::clone(&self.0), Some(scope.into()))
    }

    /// Adds a node called `name`, in range of all other nodes that join in this way. The name
    /// selects the random streams of its paths.
    pub fn join(&self, name: impl Into<String>) -> NodeId {
        self.add(name.into(), false)
    }

    /// Adds a node without paths. Until [`Medium::set_heard`] creates a path, the node receives no
    /// frames from other nodes, and no other node receives its frames. The computing time of a
    /// frame of this node depends on the number of receivers of the frame, not on the number of
    /// nodes.
    pub fn join_isolated(&self, name: impl Into<String>) -> NodeId {
        self.add(name.into(), true)
    }

    fn add(&self, name: String, isolated: bool) -> NodeId {
        let name = match &self.1 {
            Some(scope) => format!("{scope}/{name}"),
            None => name,
        };
        let mut nodes = self.0.nodes.borrow_mut();
        let id = NodeId(u32::try_from(nodes.len()).expect("fewer than 2^32 nodes"));
        let mut paths = Paths::default();
        if !isolated {
            for (at, node) in (0..).zip(&mut *nodes).filter(|(_, node)| !node.isolated) {
                node.paths.push(Path::new(id, true));
                paths.push(Path::new(NodeId(at), true));
            }
            paths.push(Path::new(id, false));
        }
        let (meter, beside) = (self.metered(&name), self.1.is_some());
        let (radio, receiver, audible) = (None, None, Vec::new());
        nodes.push(Node { name, radio, receiver, meter, beside, isolated, paths, audible });
        id
    }

    /// Name under which a node joined.
    #[must_use]
    pub fn name(&self, node: NodeId) -> String {
        self.0.nodes.borrow()[node.0 as usize].name.clone()
    }

    /// Attaches the receiver of a node.
    pub fn attach(&self, node: NodeId, radio: Weak<dyn Radio>) {
        self.0.nodes.borrow_mut()[node.0 as usize].radio = Some(radio);
    }

    /// Sets the loss model of the path `from` → `to`.
    pub fn set_loss(&self, from: NodeId, to: NodeId, loss: impl Loss + 'static) {
        self.0.lossy(from, to, |lossy| lossy.losses = vec![Box::new(loss)]);
    }

    /// Adds a loss model to the path `from` → `to`. A frame is lost if any model of the path loses
    /// it. All models draw for every frame.
    pub fn add_loss(&self, from: NodeId, to: NodeId, loss: impl Loss + 'static) {
        self.0.lossy(from, to, |lossy| lossy.losses.push(Box::new(loss)));
    }

    /// Sets the propagation delay from `from` to `to`.
    pub fn set_delay(&self, from: NodeId, to: NodeId, delay: Duration) {
        self.0.nodes.borrow_mut()[from.0 as usize].paths.entry(to).delay = delay;
    }

    /// Makes `to` unreachable from `from`: it receives neither frames nor interference.
    pub fn separate(&self, from: NodeId, to: NodeId) {
        self.set_heard(from, to, false);
    }

    /// Sets whether `to` is in range of `from`, for frames that end from now on.
    pub fn set_heard(&self, from: NodeId, to: NodeId, heard: bool) {
        self.0.nodes.borrow_mut()[from.0 as usize].paths.entry(to).heard = heard;
    }

    /// Adds a `tap` that is called at the end of every frame. The verdict is that of a receiver
    /// next to the sender, so it is never [`Verdict::Lost`].
    pub fn tap(&self, tap: impl FnMut(&Frame, Verdict) + 'static) {
        self.0.is_tapped.set(true);
        self.0.sim.observer_attached();
        self.tap_one_of_each(tap);
    }

    /// Like [`Medium::tap`], for a `tap` that needs only one frame of each sender, modulation and
    /// length.
    pub fn tap_one_of_each(&self, tap: impl FnMut(&Frame, Verdict) + 'static) {
        self.0.taps.borrow_mut().push(Box::new(tap));
    }

    /// Adds a `detector` that is called at the first bit of every frame with its sender, like a
    /// power detector at each antenna.
    pub fn detect(&self, detector: impl FnMut(NodeId, Instant) + 'static) {
        self.0.detectors.borrow_mut().push(Box::new(detector));
        self.0.sim.observer_attached();
    }

    /// Declares that frames of `family` disturb each other only with the same modulation, as for
    /// spread spectrum with different chirps or codes.
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
        inner.sends(from, begin, end);
        for detector in &mut *inner.detectors.borrow_mut() {
            detector(from, begin);
        }
        let mut new = inner.lifted(Frame { id, from, band, modulation, begin, end, bytes });
        let (flying, met) = (&mut *inner.flying.borrow_mut(), &mut *inner.met.borrow_mut());
        inner.met_by(from, flying, met);
        for &at in &*met {
            let other = &mut flying[at];
            // A frame that ends at this instant does not overlap, regardless of the order of
            // events.
            if other.frame.end > begin && other.frame.band.overlaps(&band) {
                let disturbs = inner.disturb(other.frame.modulation, modulation);
                other.overlaps.push(Overlap::of(&new.frame, disturbs));
                new.overlaps.push(Overlap::of(&other.frame, disturbs));
            }
        }
        if inner.has_receivers.get() {
            inner.find(flying, met, &mut new);
        }
        flying.push(new);
        inner.begin_at_nodes(from, id);
        inner.timers.set(end, id.0);
        id
    }

    /// Aborts a frame now. Its receivers are notified when it would have ended, with
    /// [`Verdict::Cut`].
    pub fn cut(&self, id: FrameId) {
        let mut flying = self.0.flying.borrow_mut();
        if let Some(found) = flying.iter_mut().find(|flying| flying.frame.id == id) {
            found.cut = true;
            self.0.sends_no_more(found.frame.from);
        }
    }
}

impl Inner {
    /// Changes the loss models of the path `from` → `to`. Its stream is named after both nodes.
    fn lossy(&self, from: NodeId, to: NodeId, change: impl FnOnce(&mut Lossy)) {
        let mut nodes = self.nodes.borrow_mut();
        let stream = format!("air/{}>{}", nodes[from.0 as usize].name, nodes[to.0 as usize].name);
        let path = nodes[from.0 as usize].paths.entry(to);
        change(path.lossy.get_or_insert_with(|| {
            Box::new(Lossy { losses: Vec::new(), stream: self.sim.stream(&stream) })
        }));
    }

    /// A record for a new frame without overlaps.
    fn lifted(&self, frame: Frame) -> Box<Flying> {
        match self.landed.borrow_mut().pop() {
            Some(mut kept) => {
                kept.frame = frame;
                kept.cut = false;
                kept
            }
            None => Box::new(Flying {
                frame,
                cut: false,
                overlaps: Vec::new(),
                found_by: Vec::new(),
                missed_by: Vec::new(),
            }),
        }
    }

    /// Keeps the record of an ended frame for reuse.
    fn land(&self, mut flown: Box<Flying>) {
        flown.overlaps.clear();
        flown.found_by.clear();
        flown.missed_by.clear();
        self.landed.borrow_mut().push(flown);
    }

    /// Draws the reception of a frame over a lossy path, or one that other frames overlap.
    #[inline(never)]
    fn disturbed(&self, nodes: &mut [Node], flown: &Flying, to: NodeId) -> Verdict {
        let path = nodes[flown.frame.from.0 as usize].paths.get_mut(to);
        let lost = path
            .and_then(|path| path.lossy.as_mut())
            .is_some_and(|lossy| lossy.loses(&flown.frame));
        match self.interference_at(nodes, flown, to) {
            Interference::Clear => verdict(flown.cut, false, lost),
            Interference::Collided => Verdict::Collided,
            Interference::Missed => Verdict::Lost,
        }
    }

    /// Delivers a frame to a node after a delay.
    #[inline(never)]
    fn deliver_later(
        self: &Rc<Self>,
        to: NodeId,
        radio: &Rc<dyn Radio>,
        frame: &Frame,
        delay: Duration,
        verdict: Verdict,
    ) {
        let (this, radio, frame) = (Rc::clone(self), Rc::downgrade(radio), frame.clone());
        self.arriving.borrow_mut().push((to, frame.clone()));
        self.sim.at(frame.end + delay, move || {
            let mut arriving = this.arriving.borrow_mut();
            arriving.retain(|(node, one)| *node != to || one.id != frame.id);
            drop(arriving);
            if let Some(radio) = radio.upgrade() {
                deliver(&*radio, &frame, delay, verdict);
            }
        });
    }

    /// Returns true if overlapping frames of the two modulations damage each other.
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
            let at = flying.binary_search_by_key(&token, |flying| flying.frame.id.0);
            let Ok(at) = at else { return };
            // Not `swap_remove`: the order of the frames affects the result, and the search relies
            // on it.
            flying.remove(at)
        };
        let frame = &flown.frame;
        self.end_at_nodes(frame.from, frame.id);
        if !self.nodes.borrow()[frame.from.0 as usize].beside {
            self.sim.span(self.track, &AIR, frame.begin, frame.end);
        }
        for tap in self.taps.borrow_mut().iter_mut() {
            let collided = flown.overlaps.iter().any(|one| one.disturbs);
            tap(frame, verdict(flown.cut, collided, false));
        }
        let (from, mut at, mut last) = (frame.from.0 as usize, 0, None);
        // Verdict without interference, which applies to most receivers.
        let undisturbed = verdict(flown.cut, false, false);
        loop {
            // The borrow must end before a radio acts, because the radio may send at once.
            let (to, radio, delay, verdict) = {
                let nodes = &mut *self.nodes.borrow_mut();
                let Some(path) = nodes[from].paths.nth(at) else { break };
                at += 1;
                // A radio may have added a path in front of this one, which shifts the others.
                if !path.heard || last.is_some_and(|last| path.to <= last) {
                    continue;
                }
                let id = path.to;
                last = Some(id);
                let (delay, mut became) = (path.delay, undisturbed);
                if !flown.overlaps.is_empty() || !flown.missed_by.is_empty() || path.lossy.is_some()
                {
                    became = self.disturbed(nodes, &flown, id);
                }
                if !strength::notices(nodes, id, frame, became == undisturbed) {
                    continue;
                }
                let radio = nodes[id.0 as usize].radio.as_ref().and_then(Weak::upgrade);
                (id, radio, delay, became)
            };
            let Some(radio) = radio else { continue };
            if delay.is_zero() {
                deliver(&*radio, frame, delay, verdict);
            } else {
                self.deliver_later(to, &radio, frame, delay, verdict);
            }
        }
        self.land(flown);
    }
}

impl Lossy {
    /// All models draw, even after a loss.
    fn loses(&mut self, frame: &Frame) -> bool {
        let Self { losses, stream } = self;
        losses.iter_mut().fold(false, |lost, one| one.loses(frame, stream) | lost)
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

fn deliver(radio: &dyn Radio, frame: &Frame, delay: Duration, verdict: Verdict) {
    let (begin, end) = (frame.begin + delay, frame.end + delay);
    radio.frame_ended(&Reception { frame, begin, end, verdict });
}

#[cfg(test)]
pub(crate) mod tests;
