//! A network: nodes on the air, in a topology, until all of them belong to it.

use std::cell::RefCell;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::rc::Rc;

use airlag_air::{Burst, Independent, Medium};
use airlag_models::stack::thread::security::NETWORK_KEY;
use airlag_sim::{Duration, Instant, Simulation};

use crate::error::Error;
use crate::node::{Config, Node};
use crate::process::Device;
use crate::topology::Topology;
use crate::traffic::Scope;
use crate::wire::Role;

/// How long a node may take to join once its neighbour has: OpenThread asks for a parent four times in about
/// 4 s, then waits up to 20 minutes by ever longer pauses.
const PATIENCE_SECONDS: u64 = 120;
/// From one node being switched on to the next: those that ask for a parent at the same time take each other's
/// buffers there.
const APART: Duration = Duration::from_ms(500);
/// Between two looks at the role of a node.
const LOOK: Duration = Duration::from_ms(100);

/// What paths lose, each for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameLoss {
    /// Share of frames, of acknowledgements as of others.
    pub share: f64,
    /// Mean length of a stretch of losses, frames; up to 1 they are independent.
    pub burst: f64,
}

/// How a network is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Folder of the programs.
    pub folder: PathBuf,
    /// Nodes, and who hears whom.
    pub topology: Topology,
    /// Node 1: the border router, where there is one.
    pub leader: Config,
    /// Every other node.
    pub node: Config,
    /// Nodes that nobody's way leads over are sleepy, and ask their parent for what waits this often.
    pub poll_period: Option<Duration>,
    /// What the air loses, from the moment all nodes belong to the network.
    pub loss: FrameLoss,
    /// Root of all random numbers.
    pub seed: u64,
}

/// A running network. Dropping it ends its processes.
pub struct Network {
    /// The simulation all of it is in.
    pub bench: Simulation,
    /// Its air, for taps.
    pub air: Medium,
    nodes: Vec<Rc<Node>>,
    setup: Setup,
    broken: Rc<RefCell<Option<Error>>>,
    interrupted: fn() -> bool,
}

impl Network {
    /// Switches on every node, and does nothing else. `interrupted` is asked now and then.
    pub fn new(setup: Setup, interrupted: fn() -> bool) -> Result<Self, Error> {
        let bench = Simulation::new(setup.seed);
        let air = Medium::new(&bench);
        let broken = Rc::new(RefCell::new(None));
        let topology = &setup.topology;
        let mut nodes = Vec::new();
        for index in 0..topology.len() {
            let sleepy = setup.poll_period.is_some() && topology.is_leaf(index);
            let config = if index == 0 { setup.leader } else { setup.node };
            let device = if sleepy { Device::Minimal } else { config.device };
            let config = Config { device, ..config };
            nodes.push(Node::start(index + 1, &setup.folder, config, &air, &bench, &broken)?);
        }
        for one in 0..nodes.len() {
            for other in 0..nodes.len() {
                if one != other && !topology.are_neighbours(one, other) {
                    air.separate(nodes[one].id(), nodes[other].id());
                }
            }
        }
        Ok(Self { bench, air, nodes, setup, broken, interrupted })
    }

    /// Its nodes; the leader first.
    #[must_use]
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// How it is set up.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Lets virtual time pass until `at`.
    pub fn run_until(&self, at: Instant) -> Result<(), Error> {
        self.bench.run_until_or(at, self.interrupted)?;
        if let Some(error) = self.broken.borrow_mut().take() {
            return Err(error);
        }
        if self.bench.now() < at {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// Lets virtual time pass.
    pub fn run_for(&self, time: Duration) -> Result<(), Error> {
        self.run_until(self.bench.now() + time)
    }

    /// Forms the network: node 1 is its leader, the others are switched on level by level and one after the
    /// other, once those before them are part of it. How long each took, in order: until it was leader,
    /// router, or child where no way leads over it.
    pub fn form(&self) -> Result<Vec<Duration>, Error> {
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

    fn switch_on(&self, index: usize, dataset: &str) -> Result<(), Error> {
        let node = &self.nodes[index];
        node.command(&format!("dataset set active {dataset}"))?;
        if let Some(period) = self.setup.poll_period.filter(|_| self.setup.topology.is_leaf(index))
        {
            node.command("mode -")?;
            node.command(&format!("pollperiod {}", period.as_ns() / 1_000_000))?;
        } else if self.setup.topology.is_leaf(index) && self.setup.topology.len() > 2 {
            // A full device that never becomes a router, as most of a network's end devices.
            node.command("routereligible disable")?;
        } else {
            // ROUTER_SELECTION_JITTER is 120 s otherwise, which says nothing about the links.
            node.command("routerselectionjitter 1")?;
        }
        node.command("ifconfig up")?;
        node.command("thread start")?;
        Ok(())
    }

    fn is_ready(&self, index: usize) -> bool {
        let role = self.nodes[index].role().0;
        match (index, self.setup.topology.is_leaf(index)) {
            (0, _) => role == Role::Leader,
            (_, true) => matches!(role, Role::Child | Role::Router),
            (_, false) => role == Role::Router,
        }
    }

    /// From now on paths lose frames.
    fn lose(&self) {
        let FrameLoss { share, burst } = self.setup.loss;
        if share <= 0.0 {
            return;
        }
        for from in &self.nodes {
            for to in &self.nodes {
                if burst > 1.0 {
                    self.air.set_loss(from.id(), to.id(), Burst::gilbert(share, burst));
                } else {
                    self.air.set_loss(from.id(), to.id(), Independent { probability: share });
                }
            }
        }
    }

    pub(crate) fn broken(&self) -> Rc<RefCell<Option<Error>>> {
        Rc::clone(&self.broken)
    }

    /// An address of a node.
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

/// The active operational dataset of every network: channel 15, and the key that sniffers know. In the order
/// of its TLVs: active timestamp, channel, channel mask, PAN, extended PAN, network name, mesh-local prefix,
/// key, PSKc, security policy (Thread Specification 1.1, 8.10.1).
fn dataset() -> String {
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

const CHANNEL: u8 = 15;
const PAN: u16 = 0x1234;
