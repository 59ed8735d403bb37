//! Errors of a network of processes.

use std::io;
use std::path::PathBuf;

use airlag_sim::Instant;

/// Reason why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The node programs were not built.
    #[error("no {} in {}: run `make openthread`, or set AIRLAG_OPENTHREAD to its folder", .program, .folder.display())]
    Missing {
        /// Name of the program.
        program: &'static str,
        /// Folder that was searched.
        folder: PathBuf,
    },
    /// A process could not be started, or its socket failed.
    #[error("node {node}: {source}")]
    Process {
        /// Number of the node, from 1.
        node: usize,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A process ended, or sent an invalid record.
    #[error("node {node} at {:.6} s: {what}", .at.as_ns() as f64 / 1e9)]
    Broken {
        /// Number of the node, from 1.
        node: usize,
        /// Virtual time.
        at: Instant,
        /// Description of the failure.
        what: String,
    },
    /// The command-line interface rejected a command.
    #[error("node {node}: `{command}` answered {answer:?}")]
    Refused {
        /// Number of the node, from 1.
        node: usize,
        /// Command.
        command: String,
        /// Response.
        answer: String,
    },
    /// The node was killed earlier in the run.
    #[error("node {node} was killed")]
    Killed {
        /// Number of the node, from 1.
        node: usize,
    },
    /// An unknown node number.
    #[error("no node {node}; the network has nodes 1 to {count}")]
    NoNode {
        /// Requested number.
        node: usize,
        /// Number of nodes.
        count: usize,
    },
    /// A node did not join the network.
    #[error(
        "node {node} is still {state} {seconds} s after it was switched on: the links to its neighbours are too weak, or there are too many nodes"
    )]
    NotAttached {
        /// Number of the node, from 1.
        node: usize,
        /// Its role at that time.
        state: &'static str,
        /// Virtual time since it was switched on, s.
        seconds: u64,
    },
    /// An invalid topology.
    #[error("{0}")]
    Topology(String),
    /// A datagram size out of range.
    #[error(
        "{size} B is out of range; a datagram of this network carries 1 to {} B",
        crate::traffic::MAX_SIZE
    )]
    Size {
        /// Requested size, octets.
        size: usize,
    },
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}
