//! Reception with known signal levels: capture effect and carrier sense thresholds.
//!
//! At a node with a [`Receiver`], the power of a frame and the power of the frames that overlap it
//! determine whether the node receives the frame. This requires a known link [`Budget`] for the
//! path of each of these frames to the node. If a budget is unknown, or if the node has no
//! [`Receiver`], overlapping frames destroy each other.
//!
//! A receiver detects a frame if the noise and the interference at the start of the frame permit
//! the reception of the frame with a probability of at least one half. The receiver then reads this
//! frame to its end. Until then, the receiver misses every other frame of the same modulation in
//! the same band, however strong the other frame is. Message-in-message capture (a receiver
//! abandons a frame for a later, stronger frame) is not modelled, because none of the modelled
//! standards requires it.

use airlag_sim::Stream;

use super::{Flying, Inner, Medium, Node, NodeId, Overlap};
use crate::frame::{Band, Frame};
use crate::interference::{Interferer, Receiver, arrives};
use crate::quantity::{Db, Dbm, Hertz};
use crate::signal::Budget;

/// Outcome of a frame at a node with respect to other frames.
pub(super) enum Interference {
    /// No relevant interference.
    Clear,
    /// The receiver read it, with errors.
    Collided,
    /// The receiver was sending, read another frame, or never found it.
    Missed,
}

impl Medium {
    /// Sets the receiver properties of a node.
    pub fn set_receiver(&self, node: NodeId, receiver: Receiver) {
        self.0.nodes.borrow_mut()[node.0 as usize].receiver = Some(Box::new(receiver));
        self.0.has_receivers.set(true);
    }

    /// Sets the link budget of the path `from` → `to`.
    pub fn set_budget(&self, from: NodeId, to: NodeId, budget: Budget) {
        let mut nodes = self.0.nodes.borrow_mut();
        nodes[from.0 as usize].paths.entry(to).budget = Some(Box::new(budget));
    }
}

impl Node {
    /// Received power of a frame of this node in `band` at `to`, if known.
    fn received(&self, to: NodeId, band: &Band) -> Option<Dbm> {
        let budget = self.paths.get(to)?.budget.as_ref()?;
        Some(budget.received(Hertz(f64::from(band.centre_khz()) * 1e3)))
    }
}

/// Returns true if a carrier detector of `node` in `band` senses a frame that is in range.
pub(super) fn senses(nodes: &[Node], node: NodeId, band: &Band, frame: &Frame) -> bool {
    let Some(receiver) = &nodes[node.0 as usize].receiver else { return true };
    let received = nodes[frame.from.0 as usize].received(node, &frame.band);
    let Some(received) = received else { return true };
    let own = frame.band == *band && receiver.family == frame.modulation.family;
    let in_band = received + Db::of(frame.band.share_in(band));
    (own && received >= receiver.sense.own) || in_band >= receiver.sense.energy
}

/// Returns true if a radio at `node` notices a frame. A radio notices a frame in two cases. In the
/// first case, the frame has the modulation family of the radio, and the outcome of the frame at
/// this node is the same as without interference and without losses on the path (`whole`). In the
/// second case, the carrier detector of the radio senses the frame. This function has no
/// information about the band of the carrier detector. It therefore assumes that the detector
/// receives the full power of the frame.
pub(super) fn notices(nodes: &[Node], node: NodeId, frame: &Frame, whole: bool) -> bool {
    let Some(receiver) = &nodes[node.0 as usize].receiver else { return true };
    whole && receiver.family == frame.modulation.family || senses(nodes, node, &frame.band, frame)
}

/// Interferers of a frame at `node`. `None` if a level is not known.
fn interferers(nodes: &[Node], node: NodeId, overlaps: &[Overlap]) -> Option<Vec<Interferer>> {
    let heard = |one: &&Overlap| nodes[one.from.0 as usize].is_heard_by(node);
    let at = |one: &Overlap| {
        let received = nodes[one.from.0 as usize].received(node, &one.band)?;
        let Overlap { band, modulation, begin, end, .. } = *one;
        Some(Interferer { band, modulation, received, begin, end })
    };
    overlaps.iter().filter(heard).map(at).collect()
}

impl Inner {
    /// Determines the receivers that find a new frame, and those that miss it because they read
    /// others. `met` are the positions in `flying` of the frames that the new frame can overlap.
    pub(super) fn find(&self, flying: &[Box<Flying>], met: &[usize], new: &mut Flying) {
        let nodes = self.nodes.borrow();
        let Flying { frame, overlaps, found_by, missed_by, .. } = new;
        let from = &nodes[frame.from.0 as usize];
        for path in from.paths.iter().filter(|path| path.heard) {
            let id = path.to;
            let Some(receiver) = &nodes[id.0 as usize].receiver else { continue };
            if receiver.family != frame.modulation.family {
                continue;
            }
            let reads =
                |other: &Flying| other.frame.end > frame.begin && other.found_by.contains(&id);
            let same = |other: &Flying| {
                other.frame.band == frame.band && other.frame.modulation == frame.modulation
            };
            let mut read = met.iter().map(|&at| &*flying[at]).filter(|other| reads(other));
            let occupied = match receiver.demodulators {
                None => read.any(&same),
                Some(limit) => {
                    let (mut count, mut taken) = (0, false);
                    for other in read {
                        (count, taken) = (count + 1, taken || same(other));
                    }
                    taken || count >= limit
                }
            };
            if occupied {
                missed_by.push(id);
                continue;
            }
            let Some(received) = from.received(id, &frame.band) else { continue };
            let Some(others) = interferers(&nodes, id, overlaps) else { continue };
            let sends = overlaps.iter().any(|one| one.from == id);
            if !sends && arrives(receiver, frame, received, &others) >= 0.5 {
                found_by.push(id);
            }
        }
    }

    /// Draws the survival of frames `from` → `to` that others overlap.
    pub(super) fn interference<'a>(
        &self,
        nodes: &'a mut [Node],
        from: NodeId,
        to: NodeId,
    ) -> &'a mut Stream {
        let names = [from, to].map(|node| nodes[node.0 as usize].name.clone());
        let path = nodes[from.0 as usize].paths.entry(to);
        path.interference.get_or_insert_with(|| {
            let [from, to] = names;
            Box::new(self.sim.stream(&format!("air/interference/{from}>{to}")))
        })
    }

    /// Outcome of a frame's overlaps at `to`.
    pub(super) fn interference_at(
        &self,
        nodes: &mut [Node],
        flown: &Flying,
        to: NodeId,
    ) -> Interference {
        if flown.overlaps.is_empty() && flown.missed_by.is_empty() {
            return Interference::Clear;
        }
        let Some(whole) = survives(nodes, flown, to) else {
            let collides = |one: &Overlap| {
                one.disturbs && (one.from == to || nodes[one.from.0 as usize].is_heard_by(to))
            };
            let collided = flown.overlaps.iter().any(collides);
            return if collided { Interference::Collided } else { Interference::Clear };
        };
        if flown.missed_by.contains(&to) || flown.overlaps.iter().any(|one| one.from == to) {
            return Interference::Missed;
        }
        let lost =
            whole < 1.0 && self.interference(nodes, flown.frame.from, to).chance(1.0 - whole);
        match lost {
            false => Interference::Clear,
            true if flown.found_by.contains(&to) => Interference::Collided,
            true => Interference::Missed,
        }
    }
}

/// Probability that a frame survives its overlaps at `to`, given that noise alone does not lose it.
/// `None` if levels are not known.
fn survives(nodes: &[Node], flown: &Flying, to: NodeId) -> Option<f64> {
    let (frame, receiver) = (&flown.frame, nodes[to.0 as usize].receiver.as_ref()?);
    let received = nodes[frame.from.0 as usize].received(to, &frame.band)?;
    let others = interferers(nodes, to, &flown.overlaps)?;
    let alone = arrives(receiver, frame, received, &[]);
    let among = arrives(receiver, frame, received, &others);
    Some(if alone > 0.0 { (among / alone).min(1.0) } else { 1.0 })
}
