//! One end of a tunnel on this computer.

use schemars::JsonSchema;
use serde::Serialize;

/// Traffic of one direction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunnelTraffic")]
pub struct Traffic {
    /// Number of packets.
    pub packets: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Mean rate over the whole run, kbit/s.
    pub kbps: f64,
}

/// Packets that one end of a tunnel dropped, by reason.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunnelDrops")]
pub struct Drops {
    /// Packets dropped because they were in the queue for too long.
    pub late: u64,
    /// Packets dropped because the queues were full.
    pub full: u64,
    /// Packets that were sent but not acknowledged when the other end restarted. They may have
    /// arrived.
    pub restart: u64,
}

/// Statistics of one end of a tunnel over its whole run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunnelEnd")]
pub struct Tunnel {
    /// Name of the network interface.
    pub interface: String,
    /// Time for which this end ran, ns.
    pub elapsed_ns: u64,
    /// Whether a session with the other end existed at the end.
    pub up: bool,
    /// Traffic that the other end acknowledged.
    pub sent: Traffic,
    /// Traffic from the other end.
    pub received: Traffic,
    /// Bytes that were still queued at the end.
    pub waiting_bytes: u64,
    /// MTU of this end, bytes.
    pub mtu: u16,
    /// MTU of the other end, bytes. Null if no frame of the other end was received.
    pub peer_mtu: Option<u16>,
    /// Number of sessions: the first, and one for each rekeying and each restart of an end.
    pub sessions: u64,
    /// Packets that programs on this computer sent through the tunnel: acknowledged, dropped, or not yet
    /// acknowledged.
    pub offered: u64,
    /// Packets that were dropped, by reason.
    pub dropped: Drops,
    /// Frames sent.
    pub frames: u64,
    /// Retransmitted frames.
    pub repeated: u64,
    /// Bursts of frames.
    pub bursts: u64,
    /// Bursts without a response.
    pub unanswered: u64,
    /// Share of bursts without a response. A running tunnel reports it over the last second, a finished one
    /// over the whole run. It includes losses in both directions. Null without bursts.
    pub burst_loss: Option<f64>,
    /// Packets that were received completely, but failed authentication.
    pub broken: u64,
    /// Received frames that were invalid, or that came from a sender without the key.
    pub garbage: u64,
}

/// A requirement of a tunnel on this computer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Requirement")]
pub struct Check {
    /// Name of the check.
    pub name: String,
    /// Whether a tunnel requires this check to pass.
    pub needed: bool,
    /// Whether the check passed.
    pub ok: bool,
    /// Detected value, and the place where it was detected.
    pub found: String,
    /// How to fix the problem. Null without a problem.
    pub mend: Option<String>,
}

/// A generated key.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Key {
    /// File that contains the key.
    pub target: String,
}
