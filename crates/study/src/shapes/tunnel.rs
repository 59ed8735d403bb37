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
    /// Mean rate over the whole time, kbit/s.
    pub kbps: f64,
}

/// Packets that one end of a tunnel dropped, by reason.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunnelDrops")]
pub struct Drops {
    /// Queued for too long.
    pub late: u64,
    /// No room in the queues.
    pub full: u64,
    /// Sent and unconfirmed when the other end restarted: they may have arrived.
    pub restart: u64,
}

/// One end of a tunnel, from start to end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunnelEnd")]
pub struct Tunnel {
    /// Name of the network interface.
    pub interface: String,
    /// Duration, ns.
    pub elapsed_ns: u64,
    /// Whether there was a session with the other end when it ended.
    pub up: bool,
    /// Traffic that the other end confirmed.
    pub sent: Traffic,
    /// Traffic from the other end.
    pub received: Traffic,
    /// Bytes that were still queued.
    pub waiting_bytes: u64,
    /// Longest packet that this end takes, bytes.
    pub mtu: u16,
    /// Longest packet that the other end takes, bytes; null: it has not been heard.
    pub peer_mtu: Option<u16>,
    /// Sessions: the first, and one for each renewal and each restart of an end.
    pub sessions: u64,
    /// Packets from programs of this computer: sent, dropped or still unconfirmed.
    pub offered: u64,
    /// Packets that were dropped, by reason.
    pub dropped: Drops,
    /// Frames sent.
    pub frames: u64,
    /// Frames of these that were retransmissions.
    pub repeated: u64,
    /// Bursts of frames.
    pub bursts: u64,
    /// Bursts without an answer.
    pub unanswered: u64,
    /// Their share over the last second, at the end over the whole run: loss of both directions together.
    /// Null without bursts.
    pub burst_loss: Option<f64>,
    /// Packets that failed authentication.
    pub broken: u64,
    /// Received frames that were not authentic.
    pub garbage: u64,
}

/// A requirement of a tunnel on this computer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Requirement")]
pub struct Check {
    /// Name of the check.
    pub name: String,
    /// Whether a tunnel requires it.
    pub needed: bool,
    /// Whether it is present and works.
    pub ok: bool,
    /// What was found, and where.
    pub found: String,
    /// How to fix it; null: nothing to fix.
    pub mend: Option<String>,
}

/// A generated key.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Key {
    /// The file that was written.
    pub target: String,
}
