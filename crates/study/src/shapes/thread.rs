//! A Thread network of OpenThread nodes.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::latency::Latency;

/// Topology of a network.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// Two nodes.
    OneHop,
    /// Nodes in a row.
    Chain,
    /// Nodes around a leader.
    Star,
    /// Nodes in a tree.
    Tree,
}

/// Direction of the messages.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Nodes at the ends send to node 1.
    Up,
    /// Node 1 sends to the nodes at the ends.
    Down,
}

/// When messages are sent.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ThreadTraffic")]
pub enum Traffic {
    /// One each period.
    Periodic,
    /// All at once.
    BackToBack,
    /// The next one as soon as there is a message buffer.
    Saturated,
}

/// Messages from one node to another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadFlow")]
pub struct Flow {
    /// Sender; node 1 is the leader.
    pub from_node: u64,
    /// Receiver.
    pub to_node: u64,
    /// Number of hops between them.
    pub hops: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Messages dropped when the sender had no message buffer free.
    pub refused: u64,
    /// Messages that were accepted and did not arrive.
    pub lost: u64,
    /// Messages that arrived more than once.
    pub duplicates: u64,
    /// Latency from the first attempt of the program to the other program; null when nothing arrived.
    pub latency_ns: Option<Latency>,
}

/// The load on a network, and its outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Network {
    /// Topology of the network.
    pub topology: Topology,
    /// Number of nodes, each a process.
    pub nodes: u64,
    /// Hops of the longest path to node 1.
    pub hops: u64,
    /// Profile with the boards of the nodes; null: boards without cost.
    pub boards: Option<String>,
    /// Random seed.
    pub seed: u64,
    /// Direction of the messages.
    pub direction: Direction,
    /// When messages are sent.
    pub traffic: Traffic,
    /// Payload, bytes.
    pub size: u64,
    /// Messages of each flow.
    pub count: u64,
    /// Time between messages of a flow, ns; 0 if it is not periodic.
    pub period_ns: u64,
    /// Poll period of sleepy children, ns; null: none is sleepy.
    pub poll_period_ns: Option<u64>,
    /// Share of frames that each path loses.
    pub frame_loss: f64,
    /// Mean length of a loss burst, frames.
    pub loss_burst: f64,
    /// By node: time from switch-on to its role in the network (leader, router, child), ns.
    pub attach_ns: Vec<u64>,
    /// Time until the last node had its role, ns.
    pub formed_ns: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Messages dropped when the sender had no message buffer free.
    pub refused: u64,
    /// Messages that were accepted and did not arrive.
    pub lost: u64,
    /// User data from the first arrival to the last, kbit/s; null for fewer than two.
    pub goodput_kbps: Option<f64>,
    /// Latency of all flows; null when nothing arrived.
    pub latency_ns: Option<Latency>,
    /// Frames on the air meanwhile, without acknowledgements.
    pub frames: u64,
    /// Frames of these that were retransmissions.
    pub retries: u64,
    /// Frames without an acknowledgement.
    pub no_acks: u64,
    /// Channel assessments that found the channel busy.
    pub busy: u64,
    /// Frames dropped when a radio co-processor had no buffer free.
    pub co_processor_full: u64,
    /// One flow for each node at an end.
    pub flows: Vec<Flow>,
}
