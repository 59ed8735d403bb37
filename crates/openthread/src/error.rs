//! The closed list of what can go wrong with a network of processes.

use std::io;
use std::path::PathBuf;

use airlag_sim::Instant;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nobody built the nodes.
    #[error("no {} in {}: `make openthread` builds it, or set AIRLAG_OPENTHREAD to its folder", .program, .folder.display())]
    Missing {
        /// The program of a node.
        program: &'static str,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A process could not be started, or its socket failed.
    #[error("node {node}: {source}")]
    Process {
        /// Which node, from 1.
        node: usize,
        /// What the system says.
        source: io::Error,
    },
    /// A process ended, or said what is no record.
    #[error("node {node} at {:.6} s: {what}", .at.as_ns() as f64 / 1e9)]
    Broken {
        /// Which node, from 1.
        node: usize,
        /// When, in virtual time.
        at: Instant,
        /// What it did.
        what: String,
    },
    /// The command-line interface refused a command.
    #[error("node {node}: `{command}` answered {answer:?}")]
    Refused {
        /// Which node, from 1.
        node: usize,
        /// What it was told.
        command: String,
        /// What it said.
        answer: String,
    },
    /// The node was killed earlier in the run.
    #[error("node {node} was killed")]
    Killed {
        /// Which node, from 1.
        node: usize,
    },
    /// There is no node of this number.
    #[error("there is no node {node}: the network has nodes 1 to {count}")]
    NoNode {
        /// The number asked for.
        node: usize,
        /// How many nodes there are.
        count: usize,
    },
    /// The network did not come together.
    #[error(
        "node {node} is still {state} {seconds} s after it was switched on: its neighbours hear too little of it, or they are too many"
    )]
    NotAttached {
        /// Which node, from 1.
        node: usize,
        /// Its role by then.
        state: &'static str,
        /// Seconds of virtual time it had.
        seconds: u64,
    },
    /// The topology cannot be built.
    #[error("{0}")]
    Topology(String),
    /// No datagram is so long, or so short.
    #[error("{size} B: a datagram of this network carries 1 to {} B", crate::traffic::MAX_SIZE)]
    Size {
        /// Octets asked for.
        size: usize,
    },
    /// The simulation broke down.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
    /// Whoever asked does not want it any more.
    #[error("interrupted")]
    Interrupted,
}
