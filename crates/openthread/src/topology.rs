//! Positions and neighbours of nodes.
//!
//! Node 1 is the leader. In every named [`Shape`] except [`Shape::OneHop`], each node other than node 1 has a
//! next hop: its neighbour on the route to node 1. A node receives only its next hop and the nodes whose next
//! hop it is. All other nodes are too far away in a chain, and hidden by obstacles in a star or a tree. In
//! [`Shape::OneHop`], all nodes receive each other. For [placed](Topology::placed) nodes, reception depends
//! on the distance between nodes.

use airlag_air::quantity::Metres;

use crate::error::Error;
use crate::paths::{PathModel, Position, REACH};

/// Largest number of routers of a Thread network (Thread Specification, `MAX_ROUTERS`).
pub const MAX_ROUTERS: usize = 32;
/// Largest number of hops: a route with cost 16 is invalid (`Mle::kMaxRouteCost`), and a good link has cost 1.
pub const MAX_HOPS: usize = 15;
/// Largest number of nodes, each of which is a process.
pub const MAX_NODES: usize = 64;

/// Shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All nodes receive each other.
    OneHop,
    /// A row of nodes.
    Chain,
    /// All nodes receive only node 1, and are hidden from each other.
    Star,
    /// A balanced tree below node 1.
    Tree {
        /// Number of levels below node 1.
        hops: usize,
    },
}

/// Nodes of a network with their neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// Named shape, with obstacles between nodes that are not neighbours. `None` if only distance matters.
    pub shape: Option<Shape>,
    /// Index of the neighbour towards node 1 of each node. `None` for node 1.
    pub towards: Vec<Option<usize>>,
    /// Position of each node.
    pub positions: Vec<Position>,
    /// Propagation model.
    pub paths: PathModel,
}

/// Distance of neighbours in a named shape, m.
const SPACING: f64 = 0.8 * REACH.0;

impl Topology {
    /// A network of `nodes` nodes in this shape.
    pub fn new(shape: Shape, nodes: usize) -> Result<Self, Error> {
        if !(2..=MAX_NODES).contains(&nodes) {
            return Err(Error::Topology(format!(
                "{nodes} nodes is out of range; a network has 2 to {MAX_NODES}"
            )));
        }
        let towards = match shape {
            Shape::OneHop | Shape::Star => (0..nodes).map(|node| (node > 0).then_some(0)).collect(),
            Shape::Chain => (0..nodes).map(|node| node.checked_sub(1)).collect(),
            Shape::Tree { hops } => tree(nodes, hops)?,
        };
        let positions = positions(shape, &towards);
        let topology = Self { shape: Some(shape), towards, positions, paths: PathModel::default() };
        let routers = topology.routers();
        if routers > MAX_ROUTERS {
            return Err(Error::Topology(format!(
                "{routers} routers are required, but a Thread network has at most {MAX_ROUTERS}"
            )));
        }
        let hops = topology.hops();
        if hops > MAX_HOPS {
            return Err(Error::Topology(format!(
                "{hops} hops are required, but a Thread network has at most {MAX_HOPS}"
            )));
        }
        Ok(topology)
    }

    /// The same shape with another reception distance, scaled accordingly.
    ///
    /// # Errors
    ///
    /// If the model is loss by distance, which does not preserve a shape.
    pub fn scaled(mut self, paths: PathModel) -> Result<Self, Error> {
        let PathModel::Disc { reach, .. } = paths else {
            let cause = "an environment needs the positions of the nodes; specify them instead of a topology";
            return Err(Error::Topology(cause.to_owned()));
        };
        let scale = reach.0 / REACH.0;
        for position in &mut self.positions {
            *position = Position { x: position.x * scale, y: position.y * scale };
        }
        self.paths = paths;
        Ok(self)
    }

    /// A network with these positions, the first of which is the leader. Each node has the route with the
    /// fewest hops, and of these the one over the nearest neighbour.
    pub fn placed(positions: Vec<Position>, paths: PathModel) -> Result<Self, Error> {
        let nodes = positions.len();
        if !(2..=MAX_NODES).contains(&nodes) {
            return Err(Error::Topology(format!(
                "{nodes} positions is out of range; a network has 2 to {MAX_NODES} nodes"
            )));
        }
        let mut towards = vec![None; nodes];
        let mut reached = vec![0];
        let mut level = vec![0];
        while !level.is_empty() {
            let mut next = Vec::new();
            for node in (0..nodes).filter(|node| !reached.contains(node)) {
                let distance = |to: &usize| positions[node].distance(&positions[*to]).0;
                let nearest = (level.iter().copied())
                    .min_by(|one, other| distance(one).total_cmp(&distance(other)));
                if let Some(nearest) = nearest.filter(|to| paths.is_usable(Metres(distance(to)))) {
                    towards[node] = Some(nearest);
                    next.push(node);
                }
            }
            reached.extend(&next);
            level = next;
        }
        if let Some(apart) = (0..nodes).find(|node| !reached.contains(node)) {
            let distance = |to: &usize| positions[apart].distance(&positions[*to]).0;
            let least = reached.iter().map(distance).fold(f64::INFINITY, f64::min);
            return Err(Error::Topology(format!(
                "node {} is out of reach: {least:.1} m from the nearest node with a route to node 1",
                apart + 1
            )));
        }
        let topology = Self { shape: None, towards, positions, paths };
        let hops = topology.hops();
        if hops > MAX_HOPS {
            return Err(Error::Topology(format!(
                "{hops} hops are required, but a Thread network has at most {MAX_HOPS}"
            )));
        }
        Ok(topology)
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.towards.len()
    }

    /// Always false, because there are at least two nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.towards.is_empty()
    }

    /// Number of hops from a node to node 1.
    #[must_use]
    pub fn depth(&self, node: usize) -> usize {
        std::iter::successors(Some(node), |&at| self.towards[at]).count() - 1
    }

    /// Largest number of hops.
    #[must_use]
    pub fn hops(&self) -> usize {
        (0..self.len()).map(|node| self.depth(node)).max().unwrap_or(0)
    }

    /// Whether no route of another node to node 1 uses this one.
    #[must_use]
    pub fn is_leaf(&self, node: usize) -> bool {
        node != 0 && !self.towards.contains(&Some(node))
    }

    /// Whether there is no obstacle between two nodes.
    #[must_use]
    pub fn are_neighbours(&self, one: usize, other: usize) -> bool {
        matches!(self.shape, None | Some(Shape::OneHop | Shape::Chain))
            || self.towards[one] == Some(other)
            || self.towards[other] == Some(one)
    }

    fn routers(&self) -> usize {
        (0..self.len()).filter(|&node| !self.is_leaf(node)).count()
    }
}

/// Positions of a named shape. Neighbours are within the reception distance of a disc.
fn positions(shape: Shape, towards: &[Option<usize>]) -> Vec<Position> {
    let nodes = towards.len();
    let at = |Position { x, y }: Position, angle: f64, radius: f64| Position {
        x: x + radius * angle.cos(),
        y: y + radius * angle.sin(),
    };
    let turn = std::f64::consts::TAU;
    let origin = Position::default();
    match shape {
        Shape::OneHop => {
            let angle = |node: usize| turn * node as f64 / nodes as f64;
            (0..nodes).map(|node| at(origin, angle(node), SPACING / 2.0)).collect()
        }
        Shape::Chain => (0..nodes).map(|node| at(origin, 0.0, SPACING * node as f64)).collect(),
        Shape::Star | Shape::Tree { .. } => {
            let mut placed = vec![(origin, 0.0); nodes];
            // Parents come first: nodes farther from node 1 have higher indices, or are in the
            // first branch.
            let mut order: Vec<usize> = (0..nodes).collect();
            let depth = |node: usize| std::iter::successors(Some(node), |&n| towards[n]).count();
            order.sort_by_key(|&node| depth(node));
            for &node in &order {
                let Some(parent) = towards[node] else { continue };
                let siblings: Vec<usize> =
                    (0..nodes).filter(|&one| towards[one] == Some(parent)).collect();
                let nth = siblings.iter().position(|&one| one == node).unwrap_or(0) as f64;
                let (from, heading) = placed[parent];
                let whole = if parent == 0 { turn } else { turn / 4.0 };
                let angle = heading + whole * (nth + 0.5) / siblings.len() as f64 - whole / 2.0;
                placed[node] = (at(from, angle, SPACING), angle);
            }
            placed.into_iter().map(|(position, _)| position).collect()
        }
    }
}

/// The smallest number of branches per level with which `nodes` fit into `hops` levels, filled level by level.
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
    // The first branch has all levels, so that none is empty. The other nodes follow in order.
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
        let far = chain.positions[1].distance(&chain.positions[3]);
        assert!(chain.are_neighbours(2, 3) && !chain.paths.is_usable(far));
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
    fn neighbours_of_a_named_shape_stand_within_reach() {
        for shape in [Shape::OneHop, Shape::Chain, Shape::Star, Shape::Tree { hops: 3 }] {
            let shape = new(shape, 13);
            for (one, other) in shape.towards.iter().enumerate() {
                let Some(other) = *other else { continue };
                let distance = shape.positions[one].distance(&shape.positions[other]);
                assert!(shape.paths.is_usable(distance), "{:?} {one} {other}", shape.shape);
            }
        }
    }

    #[test]
    fn placed_nodes_take_the_way_of_fewest_hops() {
        let at = |x, y| Position { x, y };
        let positions = vec![at(0.0, 0.0), at(150.0, 0.0), at(90.0, 0.0), at(60.0, 0.0)];
        let placed = Topology::placed(positions, PathModel::default()).expect("all are in reach");
        // A distance of 150 m needs two hops. Of the two nodes in between, the one at 90 m is
        // nearer.
        assert_eq!(placed.towards, [None, Some(2), Some(0), Some(0)]);
        assert!(placed.is_leaf(1) && placed.is_leaf(3) && !placed.is_leaf(2));
    }

    #[test]
    fn a_node_out_of_reach_is_named_with_its_distance() {
        let at = |x| Position { x, y: 0.0 };
        let apart = Topology::placed(vec![at(0.0), at(90.0), at(200.0)], PathModel::default());
        let error = apart.expect_err("110 m").to_string();
        assert!(error.contains("node 3") && error.contains("110.0 m"), "{error}");
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
