//! Who hears whom.
//!
//! Node 1 is the leader; every other node has one neighbour towards it, and hears nobody else but those that
//! have it as theirs. Only in [`Shape::OneHop`] does everybody hear everybody.

use crate::error::Error;

/// The most routers a Thread network can have (Thread Specification, `MAX_ROUTERS`).
pub const MAX_ROUTERS: usize = 32;
/// The most hops: a route that costs 16 is none (`Mle::kMaxRouteCost`), and a good link costs 1.
pub const MAX_HOPS: usize = 15;
/// The most nodes: each is a process.
pub const MAX_NODES: usize = 64;

/// What a network looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everybody hears everybody.
    OneHop,
    /// One behind the other.
    Chain,
    /// Everybody hears node 1 and nobody else: they are hidden from each other.
    Star,
    /// A tree of so many levels below node 1, as even as it gets.
    Tree {
        /// Levels below node 1.
        hops: usize,
    },
}

/// A network's nodes and who is whose neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Everybody is in hearing.
    pub everybody: bool,
    /// For each node, by index, the index of its neighbour towards node 1; none for node 1.
    pub towards: Vec<Option<usize>>,
}

impl Topology {
    /// `nodes` nodes in this shape.
    pub fn new(shape: Shape, nodes: usize) -> Result<Self, Error> {
        if !(2..=MAX_NODES).contains(&nodes) {
            return Err(Error::Topology(format!(
                "{nodes} nodes: a network has 2 to {MAX_NODES}, and each is a process"
            )));
        }
        let towards = match shape {
            Shape::OneHop | Shape::Star => (0..nodes).map(|node| (node > 0).then_some(0)).collect(),
            Shape::Chain => (0..nodes).map(|node| node.checked_sub(1)).collect(),
            Shape::Tree { hops } => tree(nodes, hops)?,
        };
        let topology = Self { everybody: shape == Shape::OneHop, towards };
        let routers = topology.routers();
        if routers > MAX_ROUTERS {
            return Err(Error::Topology(format!(
                "{routers} nodes have to be routers: a Thread network has at most {MAX_ROUTERS}"
            )));
        }
        let hops = topology.hops();
        if hops > MAX_HOPS {
            return Err(Error::Topology(format!(
                "{hops} hops: a Thread network routes over at most {MAX_HOPS}"
            )));
        }
        Ok(topology)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.towards.len()
    }

    /// Never: there are at least two nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.towards.is_empty()
    }

    /// Hops from a node to node 1.
    #[must_use]
    pub fn depth(&self, node: usize) -> usize {
        std::iter::successors(Some(node), |&at| self.towards[at]).count() - 1
    }

    /// The largest of them.
    #[must_use]
    pub fn hops(&self) -> usize {
        (0..self.len()).map(|node| self.depth(node)).max().unwrap_or(0)
    }

    /// True if no other node's way to node 1 goes over this one.
    #[must_use]
    pub fn is_leaf(&self, node: usize) -> bool {
        node != 0 && !self.towards.contains(&Some(node))
    }

    /// True if the two hear each other.
    #[must_use]
    pub fn are_neighbours(&self, one: usize, other: usize) -> bool {
        self.everybody || self.towards[one] == Some(other) || self.towards[other] == Some(one)
    }

    fn routers(&self) -> usize {
        (0..self.len()).filter(|&node| !self.is_leaf(node)).count()
    }
}

/// The least number of branches a level with which `nodes` fit into `hops` levels; filled level by level.
fn tree(nodes: usize, hops: usize) -> Result<Vec<Option<usize>>, Error> {
    if hops == 0 || hops >= nodes {
        return Err(Error::Topology(format!(
            "a tree of {nodes} nodes has 1 to {} hops, not {hops}",
            nodes - 1
        )));
    }
    let room = |branches: usize| {
        (0..=hops as u32)
            .try_fold(0_usize, |sum, level| sum.checked_add(branches.checked_pow(level)?))
    };
    let branches = (1..nodes).find(|&branches| room(branches).is_none_or(|room| room >= nodes));
    let branches = branches.unwrap_or(nodes - 1);
    // A first branch of all levels, so that none is left out; then the others in order.
    let mut towards = vec![None];
    towards.extend((1..=hops).map(|level| Some(level - 1)));
    let mut children: Vec<usize> = (0..=hops).map(|node| usize::from(node < hops)).collect();
    let mut depth: Vec<usize> = (0..=hops).collect();
    let mut at = 0;
    while towards.len() < nodes {
        if depth[at] < hops && children[at] < branches {
            children[at] += 1;
            towards.push(Some(at));
            depth.push(depth[at] + 1);
            children.push(0);
        } else {
            at += 1;
        }
    }
    Ok(towards)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(shape: Shape, nodes: usize) -> Topology {
        Topology::new(shape, nodes).expect("it can be built")
    }

    #[test]
    fn a_chain_has_one_leaf_and_as_many_hops_as_links() {
        let chain = new(Shape::Chain, 6);
        assert_eq!(chain.hops(), 5);
        let leaves: Vec<_> = (0..6).filter(|&node| chain.is_leaf(node)).collect();
        assert_eq!(leaves, [5]);
        assert!(chain.are_neighbours(2, 3) && !chain.are_neighbours(1, 3));
    }

    #[test]
    fn leaves_of_a_star_are_hidden_from_each_other_and_those_of_one_hop_are_not() {
        assert!(!new(Shape::Star, 4).are_neighbours(1, 2));
        assert!(new(Shape::OneHop, 4).are_neighbours(1, 2));
    }

    #[test]
    fn a_tree_has_the_levels_asked_for_and_every_node() {
        for nodes in 2..=MAX_NODES {
            for hops in 1..nodes.min(6) {
                let tree = new(Shape::Tree { hops }, nodes);
                assert_eq!((tree.len(), tree.hops()), (nodes, hops));
            }
        }
        let tree = new(Shape::Tree { hops: 2 }, 7);
        assert_eq!(tree.towards, [None, Some(0), Some(1), Some(0), Some(1), Some(3), Some(3)]);
    }

    #[test]
    fn what_no_network_can_be_is_refused() {
        for (shape, nodes) in
            [(Shape::Chain, 1), (Shape::Star, 65), (Shape::Chain, 17), (Shape::Tree { hops: 9 }, 5)]
        {
            assert!(Topology::new(shape, nodes).is_err(), "{shape:?} {nodes}");
        }
    }
}
