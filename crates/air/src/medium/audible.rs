//! Index of the frames on the air by node, to find the frames with which a new frame can overlap.
//!
//! Two frames affect each other only at a node that hears both frames, or at a node that sends one
//! frame and hears the other. An [isolated](super::Medium::join_isolated) node has only paths that
//! were explicitly created. Each node keeps a list of the frames that it hears or sends, but only
//! of frames whose sender is isolated. A sender that is not isolated reaches all other nodes that
//! are not isolated. To find overlaps, a new frame is compared with all frames on the air if its
//! sender, or the sender of any frame on the air, is not isolated. Otherwise, a new frame is
//! compared only with the frames in the lists of its sender and of its receivers.

use super::{Flying, FrameId, Inner, Node, NodeId};

impl Inner {
    /// Positions in `flying` of the frames that a new frame of `from` can overlap, ascending.
    pub(super) fn met_by(&self, from: NodeId, flying: &[Box<Flying>], met: &mut Vec<usize>) {
        met.clear();
        let nodes = self.nodes.borrow();
        let sender = &nodes[from.0 as usize];
        if !sender.isolated || self.heard_everywhere.get() > 0 {
            met.extend(0..flying.len());
            return;
        }
        let position = |&id: &FrameId| flying.binary_search_by_key(&id, |one| one.frame.id).ok();
        met.extend(sender.audible.iter().filter_map(position));
        for path in sender.paths.iter().filter(|path| path.heard) {
            met.extend(nodes[path.to.0 as usize].audible.iter().filter_map(position));
        }
        met.sort_unstable();
        met.dedup();
    }

    /// Enters a frame at the nodes that hear or send it.
    pub(super) fn begin_at_nodes(&self, from: NodeId, id: FrameId) {
        self.at_nodes(from, 1, |audible| audible.push(id));
    }

    /// Removes a frame from the nodes that heard or sent it.
    pub(super) fn end_at_nodes(&self, from: NodeId, id: FrameId) {
        self.at_nodes(from, -1, |audible| audible.retain(|one| *one != id));
    }

    fn at_nodes(&self, from: NodeId, change: i64, list: impl Fn(&mut Vec<FrameId>)) {
        let nodes = &mut *self.nodes.borrow_mut();
        if !nodes[from.0 as usize].isolated {
            self.heard_everywhere.set(self.heard_everywhere.get() + change);
            return;
        }
        list(&mut nodes[from.0 as usize].audible);
        // A path may have come into range or left it during the frame, so all of them are visited.
        for at in 0.. {
            let Some(path) = nodes[from.0 as usize].paths.nth(at) else { break };
            let to = path.to;
            list(&mut nodes[to.0 as usize].audible);
        }
    }
}

impl Node {
    pub(super) fn is_heard_by(&self, node: NodeId) -> bool {
        self.paths.reach(node)
    }
}
