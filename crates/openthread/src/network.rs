//! Formation of a network from nodes in a topology.

use std::cell::RefCell;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::rc::Rc;

use airlag_air::error_rate::OqpskDsss;
use airlag_air::{Burst, BySignal, Independent, Medium, NodeId};
use airlag_models::stack::thread::security::NETWORK_KEY;
use airlag_sim::{Duration, Instant, Simulation};

use crate::error::Error;
use crate::node::{Around, Config, Node};
use crate::paths::{CHANNEL, PathLoss, Position, Signals};
use crate::process::{Device, Supervision};
use crate::topology::Topology;
use crate::traffic::Scope;
use crate::wire::Role;

/// Timeout for a node to join after its neighbour. OpenThread sends parent requests four times in about 4 s,
/// then pauses for increasing times of up to 20 minutes.
const PATIENCE_SECONDS: u64 = 120;
/// Time between switching on nodes. Nodes that send parent requests at the same time compete for buffers of
/// the parent.
const APART: Duration = Duration::from_ms(500);
/// Interval between checks of the role of a node.
const LOOK: Duration = Duration::from_ms(100);

/// Independent frame losses of each path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameLoss {
    /// Loss ratio of frames, including acknowledgements.
    pub share: f64,
    /// Mean length of a loss burst, frames. Up to 1, losses are independent.
    pub burst: f64,
}

/// Configuration of a network.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Folder of the node programs.
    pub folder: PathBuf,
    /// Nodes and their neighbours.
    pub topology: Topology,
    /// Configuration of node 1: the border router, if there is one.
    pub leader: Config,
    /// Configuration of all other nodes.
    pub node: Config,
    /// Poll period of leaf nodes. If set, they are sleepy and poll their parent.
    pub poll_period: Option<Duration>,
    /// Frame losses after the network has formed.
    pub loss: FrameLoss,
    /// Random seed.
    pub seed: u64,
}

/// A running network. Dropping it ends its processes.
pub struct Network {
    /// Simulation.
    pub bench: Simulation,
    /// Medium, for taps.
    pub air: Medium,
    nodes: Vec<Rc<Node>>,
    setup: Setup,
    /// Position and partition group of each node. Nodes of different groups do not receive each other.
    pub(crate) sites: Vec<Site>,
    signals: Signals,
    /// Whether frame losses are active.
    lossy: bool,
    broken: Rc<RefCell<Option<Error>>>,
    supervision: Supervision,
}

/// Location of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) position: Position,
    /// Index in a named shape, whose obstacles apply. `None` for a node that was added or moved.
    pub(crate) in_shape: Option<usize>,
    pub(crate) group: usize,
}

impl Network {
    /// Starts all nodes, without forming a network.
    pub fn new(setup: Setup, supervision: Supervision) -> Result<Self, Error> {
        let bench = Simulation::new(setup.seed);
        let air = Medium::new(&bench);
        let mut network = Self {
            bench,
            air,
            nodes: Vec::new(),
            sites: Vec::new(),
            signals: Signals::default(),
            lossy: false,
            broken: Rc::new(RefCell::new(None)),
            supervision,
            setup,
        };
        for index in 0..network.setup.topology.len() {
            let sleepy =
                network.setup.poll_period.is_some() && network.setup.topology.is_leaf(index);
            let config = if index == 0 { network.setup.leader } else { network.setup.node };
            let device = if sleepy { Device::Minimal } else { config.device };
            let position = network.setup.topology.positions[index];
            let site = Site { position, in_shape: Some(index), group: 0 };
            network.put(Config { device, ..config }, site)?;
        }
        Ok(network)
    }

    /// Starts one more node and connects it with the existing ones.
    pub(crate) fn put(&mut self, config: Config, site: Site) -> Result<usize, Error> {
        let index = self.nodes.len();
        let around = Around {
            medium: &self.air,
            sim: &self.bench,
            signals: &self.signals,
            broken: &self.broken,
            supervision: self.supervision,
        };
        let node = Node::start(index + 1, &self.setup.folder, config, &around)?;
        if let Some(receiver) = self.setup.topology.paths.receiver() {
            self.air.set_receiver(node.id(), receiver);
        }
        self.nodes.push(node);
        self.sites.push(site);
        for other in 0..index {
            self.connect(index, other);
        }
        Ok(index)
    }

    /// Sets the paths between two nodes in both directions from their positions.
    pub(crate) fn connect(&self, one: usize, other: usize) {
        let topology = &self.setup.topology;
        let sites = [self.sites[one], self.sites[other]];
        let clear = match [sites[0].in_shape, sites[1].in_shape] {
            [Some(one), Some(other)] => topology.are_neighbours(one, other),
            _ => true,
        };
        let alive = [one, other].iter().all(|&node| self.nodes[node].is_alive());
        let joined = clear && alive && sites[0].group == sites[1].group;
        let distance = sites[0].position.distance(&sites[1].position);
        for (from, to) in [(one, other), (other, one)] {
            let ends = [self.nodes[from].id(), self.nodes[to].id()];
            let signal = topology.paths.apply(&self.air, ends, distance);
            self.air.set_heard(ends[0], ends[1], joined && signal.heard);
            self.signals.set(ends[0], ends[1], signal.rssi);
            self.set_losses(ends, topology.paths.loss(distance));
        }
    }

    /// Sets the losses of a path: by distance, plus the configured frame loss.
    fn set_losses(&self, [from, to]: [NodeId; 2], by_distance: PathLoss) {
        let FrameLoss { share, burst } = self.setup.loss;
        let share = if self.lossy { share } else { 0.0 };
        match by_distance {
            PathLoss::BySignal(budget) => {
                self.air.set_loss(from, to, BySignal { budget, demodulator: OqpskDsss });
            }
            PathLoss::Everything => self.air.set_loss(from, to, Independent { probability: 1.0 }),
            PathLoss::Nothing => self.air.set_loss(from, to, Independent { probability: 0.0 }),
        }
        if share > 0.0 && burst > 1.0 {
            self.air.add_loss(from, to, Burst::gilbert(share, burst));
        } else if share > 0.0 {
            self.air.add_loss(from, to, Independent { probability: share });
        }
    }

    /// Nodes, starting with the leader.
    #[must_use]
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// Configuration.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Advances virtual time to `at`.
    pub fn run_until(&self, at: Instant) -> Result<(), Error> {
        self.bench.run_until_or(at, self.supervision.interrupted)?;
        if let Some(error) = self.broken.borrow_mut().take() {
            return Err(error);
        }
        if self.bench.now() < at {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// Advances virtual time.
    pub fn run_for(&self, time: Duration) -> Result<(), Error> {
        self.run_until(self.bench.now() + time)
    }

    /// Forms the network: node 1 becomes the leader. The other nodes are then switched on one by one, in the
    /// order of their number of hops to node 1, and only after all nodes with fewer hops have joined.
    /// Returns, for each node, the time from switching the node on until it has its role: leader, router, or
    /// child for a leaf node.
    pub fn form(&mut self) -> Result<Vec<Duration>, Error> {
        let dataset = dataset();
        let mut took = vec![Duration::ZERO; self.nodes.len()];
        for level in 0..=self.setup.topology.hops() {
            let mut switched_on = Vec::new();
            for index in 0..self.nodes.len() {
                if self.setup.topology.depth(index) == level {
                    switched_on.push((index, self.bench.now()));
                    self.switch_on(index, &dataset)?;
                    self.run_for(APART)?;
                }
            }
            let deadline = self.bench.now() + Duration::from_secs(PATIENCE_SECONDS);
            for (index, since) in switched_on {
                while !self.is_ready(index) {
                    if self.bench.now() >= deadline {
                        let (node, seconds) = (index + 1, PATIENCE_SECONDS);
                        let state = self.nodes[index].role().0.name();
                        return Err(Error::NotAttached { node, state, seconds });
                    }
                    self.run_for(LOOK)?;
                }
                took[index] = self.nodes[index].role().1.since(since);
            }
        }
        self.lose();
        Ok(took)
    }

    pub(crate) fn switch_on(&self, index: usize, dataset: &str) -> Result<(), Error> {
        let node = &self.nodes[index];
        let topology = &self.setup.topology;
        // A node that was added later is not in the topology. It becomes a router if required.
        let leaf = index < topology.len() && topology.is_leaf(index);
        node.command(&format!("dataset set active {dataset}"))?;
        if let Some(period) = self.setup.poll_period.filter(|_| leaf) {
            node.command("mode -")?;
            node.command(&format!("pollperiod {}", period.as_ns() / 1_000_000))?;
        } else if leaf && topology.shape.is_some() && topology.len() > 2 {
            // A full device that never becomes a router, like most end devices.
            node.command("routereligible disable")?;
        } else {
            // The default of ROUTER_SELECTION_JITTER is 120 s, which does not depend on the links.
            node.command("routerselectionjitter 1")?;
        }
        node.command("ifconfig up")?;
        node.command("thread start")?;
        Ok(())
    }

    fn is_ready(&self, index: usize) -> bool {
        let role = self.nodes[index].role().0;
        let topology = &self.setup.topology;
        match index {
            0 => role == Role::Leader,
            // OpenThread may select another parent than the nearest node.
            _ if topology.is_leaf(index) || topology.shape.is_none() => {
                matches!(role, Role::Child | Role::Router)
            }
            _ => role == Role::Router,
        }
    }

    /// Activates frame losses.
    fn lose(&mut self) {
        self.lossy = true;
        for one in 0..self.nodes.len() {
            for other in 0..one {
                self.connect(one, other);
            }
        }
    }

    pub(crate) fn broken(&self) -> Rc<RefCell<Option<Error>>> {
        Rc::clone(&self.broken)
    }

    /// Returns an address of a node.
    pub fn address(&self, index: usize, scope: Scope) -> Result<Ipv6Addr, Error> {
        let command = match scope {
            Scope::MeshLocal => "ipaddr mleid",
            Scope::LinkLocal => "ipaddr linklocal",
        };
        let node = &self.nodes[index];
        let lines = node.command(command)?;
        lines.first().and_then(|line| line.parse().ok()).ok_or_else(|| Error::Refused {
            node: index + 1,
            command: command.to_owned(),
            answer: lines.concat(),
        })
    }
}

/// Active operational dataset of every simulated network. The dataset has channel 15 and a fixed key, so
/// that sniffers can decrypt frames. The TLVs of the dataset are, in this order: active timestamp, channel,
/// channel mask, PAN, extended PAN, network name, mesh-local prefix, key, PSKc, security policy (Thread
/// Specification 1.1, 8.10.1).
pub(crate) fn dataset() -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let mut tlv = |kind: u8, value: &[u8]| {
        bytes.extend([kind, value.len() as u8]);
        bytes.extend_from_slice(value);
    };
    tlv(14, &[0, 0, 0, 0, 0, 1, 0, 0]);
    tlv(0, &[0, 0, CHANNEL]);
    tlv(53, &[0, 4, 0x00, 0x1F, 0xFF, 0xE0]);
    tlv(1, &PAN.to_be_bytes());
    tlv(2, &[0xDE, 0xAD, 0x00, 0xBE, 0xEF, 0x00, 0xCA, 0xFE]);
    tlv(3, b"airlag");
    tlv(7, &[0xFD, 0x00, 0x0D, 0xB8, 0, 0, 0, 0]);
    tlv(5, &NETWORK_KEY);
    tlv(4, &[0; 16]);
    tlv(12, &[0x02, 0xA0, 0xF7, 0xF8]);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

const PAN: u16 = 0x1234;
