//! IP tunnels at offered loads on real sockets.

use schemars::JsonSchema;
use serde::Serialize;

use super::emulation::Late;
use crate::answers::traffic::Way;
use crate::questions::under_load::{LoadedTunnel, VirtualLoad};

/// Real time.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RealClock {
    /// The clock of this computer.
    Real,
}

/// Protocol of the bulk flow.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UDP datagrams at a fixed rate.
    Udp,
    /// TCP streams at full speed.
    Tcp,
}

/// Result of iperf3 for one direction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Streams {
    /// Direction. The forward direction is from the first end to the second.
    pub way: Way,
    /// User data that entered the send buffers, kbit/s.
    pub sent_kbps: f64,
    /// User data at the receiver, kbit/s.
    pub received_kbps: f64,
    /// User data sent, bytes.
    pub sent_bytes: u64,
    /// User data received, bytes.
    pub received_bytes: u64,
    /// Retransmitted segments. Null for UDP.
    pub retransmits: Option<u64>,
    /// Datagrams sent. Null for TCP.
    pub datagrams: Option<u64>,
    /// Lost datagrams. Null for TCP.
    pub datagrams_lost: Option<u64>,
}

/// One load on real sockets, in real time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RealLoad {
    /// Clock of the measurement.
    pub clock: RealClock,
    /// The load.
    #[serde(flatten)]
    pub load: LoadedTunnel,
    /// Protocol of the bulk flow.
    pub protocol: Protocol,
    /// Number of parallel iperf3 streams in each direction.
    pub parallel: u64,
    /// Whether the bulk flow runs in both directions at once.
    pub both_ways: bool,
    /// Each direction of the bulk flow.
    pub streams: Vec<Streams>,
    /// Wall time of iperf3, including its control connection, ns.
    pub took_ns: u64,
    /// Emulator scheduling delay. Null if it was stopped early.
    pub late_ns: Option<Late>,
}

/// One load on one tunnel.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TunnelLoad {
    /// In virtual time.
    Virtual(Box<VirtualLoad>),
    /// In real time.
    Real(Box<RealLoad>),
}
