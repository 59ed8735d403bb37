//! Steps of a script, and their outcomes.

use airlag_openthread::{Network, Ping, Position};
use airlag_sim::{Duration, Instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words;
use crate::error::Error;

/// A timed action on a network.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ThreadStep")]
pub struct Step {
    /// Time since the network formed and sending began, ns. A step starts later if the previous step takes
    /// longer.
    pub at_ns: u64,
    /// The action.
    #[serde(rename = "do")]
    pub action: Action,
}

/// An action on a running network. Nodes are counted from 1.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "ThreadAction")]
pub enum Action {
    /// Adds a node at a position, m, and switches it on.
    Add {
        /// East coordinate.
        x: f64,
        /// North coordinate.
        y: f64,
    },
    /// Moves a node to a position, m.
    Move {
        /// The node.
        node: usize,
        /// East coordinate.
        x: f64,
        /// North coordinate.
        y: f64,
    },
    /// Stops a node, as in a power loss.
    Kill {
        /// The node.
        node: usize,
    },
    /// Splits the network into groups. A node receives no frames from nodes of other groups.
    /// Unlisted nodes form one more group.
    Partition {
        /// Nodes of each group.
        groups: Vec<Vec<usize>>,
    },
    /// Ends all partitions.
    Heal,
    /// Sends echo requests.
    Ping {
        /// The node that sends.
        from: usize,
        /// The node that responds.
        to: usize,
        /// Payload, bytes.
        #[serde(default = "eight")]
        size: usize,
        /// Number of requests.
        #[serde(default = "one")]
        count: usize,
        /// Time between requests, ns.
        #[serde(default = "second")]
        interval_ns: u64,
        /// Time after which a response counts as missing, ns.
        #[serde(default = "three")]
        timeout_ns: u64,
    },
    /// Runs a command of a node's command-line interface, `ot-cli`.
    Command {
        /// The node.
        node: usize,
        /// Command line.
        line: String,
    },
}

const fn eight() -> usize {
    8
}

const fn one() -> usize {
    1
}

const fn second() -> u64 {
    1_000_000_000
}

const fn three() -> u64 {
    3_000_000_000
}

/// A step and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ThreadOutcome")]
pub struct Outcome {
    /// Start of the step, as time since the network formed and sending began, ns.
    pub begin_ns: u64,
    /// End of the step, ns.
    pub end_ns: u64,
    /// The action.
    #[serde(rename = "do")]
    pub action: Action,
    /// Number of the added node. Null for other steps.
    pub node: Option<usize>,
    /// Response lines of a command. Null for other steps.
    pub lines: Option<Vec<String>>,
    /// Round-trip time of each echo request, ns, or null without a response. Null for other steps.
    pub rtt_ns: Option<Vec<Option<u64>>>,
    /// Description of the step and its outcome, in words.
    pub text: String,
}

impl Action {
    /// Performs the action on a network whose time 0 is `zero`.
    pub(super) fn perform(&self, network: &mut Network, zero: Instant) -> Result<Outcome, Error> {
        let since = |network: &Network| network.bench.now().since(zero).as_ns();
        let begin_ns = since(network);
        let (mut node, mut lines, mut rtt_ns) = (None, None, None);
        let position = |x: f64, y: f64| {
            let finite = x.is_finite() && y.is_finite();
            finite.then_some(Position { x, y }).ok_or_else(|| {
                super::refused("a position is two finite numbers, in metres".to_owned())
            })
        };
        match self {
            &Self::Add { x, y } => node = Some(network.add(position(x, y)?)?),
            &Self::Move { node, x, y } => network.move_to(node, position(x, y)?)?,
            &Self::Kill { node } => network.kill(node)?,
            Self::Partition { groups } => network.partition(groups)?,
            Self::Heal => network.heal(),
            &Self::Ping { from, to, size, count, interval_ns, timeout_ns } => {
                let (interval, timeout) =
                    (Duration::from_ns(interval_ns), Duration::from_ns(timeout_ns));
                let answers = network.ping(from, to, Ping { size, count, interval, timeout })?;
                let ns = answers.iter().map(|rtt| rtt.map(|rtt| rtt.as_ns()));
                rtt_ns = Some(ns.collect());
            }
            Self::Command { node, line } => lines = Some(network.run_command(*node, line)?),
        }
        let (end_ns, action) = (since(network), self.clone());
        let text = String::new();
        let outcome = Outcome { begin_ns, end_ns, action, node, lines, rtt_ns, text };
        Ok(Outcome { text: words::step(&outcome), ..outcome })
    }
}
