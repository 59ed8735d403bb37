//! Paths from one sender to its receivers.
//!
//! A node that is in range of all other nodes has a path to each of them. An
//! [isolated](super::Medium::join_isolated) node has only the paths that were explicitly set for
//! it. The computing time of a frame from an isolated node therefore depends on the number of
//! receivers of the frame, and not on the number of all nodes.

use airlag_sim::{Duration, Stream};

use super::{Lossy, NodeId};
use crate::signal::Budget;

/// A path to one receiver. Each frame visits all paths of its sender, so rarely used data is boxed.
pub(super) struct Path {
    pub(super) to: NodeId,
    pub(super) heard: bool,
    pub(super) delay: Duration,
    pub(super) lossy: Option<Box<Lossy>>,
    /// Link budget, where signal levels are modelled.
    pub(super) budget: Option<Box<Budget>>,
    /// Random stream that decides whether frames survive interference.
    pub(super) interference: Option<Box<Stream>>,
}

impl Path {
    pub(super) const fn new(to: NodeId, heard: bool) -> Self {
        let delay = Duration::ZERO;
        Self { to, heard, delay, lossy: None, budget: None, interference: None }
    }
}

/// The paths of a sender, ascending by receiver.
#[derive(Default)]
pub(super) struct Paths(Vec<Path>);

impl Paths {
    /// Position of the path to `to`, or the position at which it would be. If no node is isolated,
    /// the receiver's number is the position.
    fn position(&self, to: NodeId) -> Result<usize, usize> {
        let expected = to.0 as usize;
        match self.0.get(expected) {
            Some(path) if path.to == to => Ok(expected),
            _ => self.0.binary_search_by_key(&to, |path| path.to),
        }
    }

    /// The path to `to`, if there is one.
    pub(super) fn get(&self, to: NodeId) -> Option<&Path> {
        self.position(to).ok().map(|at| &self.0[at])
    }

    /// The path to `to`, if there is one.
    pub(super) fn get_mut(&mut self, to: NodeId) -> Option<&mut Path> {
        self.position(to).ok().map(|at| &mut self.0[at])
    }

    /// The path to `to`. A new one is out of range.
    pub(super) fn entry(&mut self, to: NodeId) -> &mut Path {
        let at = self.position(to).unwrap_or_else(|at| {
            self.0.insert(at, Path::new(to, false));
            at
        });
        &mut self.0[at]
    }

    /// Adds the path to a receiver that has the highest number so far.
    pub(super) fn push(&mut self, path: Path) {
        self.0.push(path);
    }

    /// The path at a position, counted from the lowest receiver.
    pub(super) fn nth(&mut self, at: usize) -> Option<&mut Path> {
        self.0.get_mut(at)
    }

    /// Whether a frame reaches `to`.
    pub(super) fn reach(&self, to: NodeId) -> bool {
        self.get(to).is_some_and(|path| path.heard)
    }

    /// All paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }

    /// All paths, for changes.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Path> {
        self.0.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_and_visited_in_order_of_receivers() {
        let mut paths = Paths::default();
        for to in [40, 7, 12, 7, 0] {
            paths.entry(NodeId(to)).heard = to != 12;
        }
        let visited: Vec<u32> = paths.iter().map(|path| path.to.0).collect();
        assert_eq!(visited, [0, 7, 12, 40]);
        for to in 0..50 {
            let exists = visited.contains(&to);
            assert_eq!(paths.get(NodeId(to)).is_some(), exists, "{to}");
            assert_eq!(paths.reach(NodeId(to)), exists && to != 12, "{to}");
        }
        paths.push(Path::new(NodeId(41), true));
        assert_eq!(paths.nth(4).map(|path| path.to), Some(NodeId(41)));
        assert!(paths.nth(5).is_none());
    }
}
