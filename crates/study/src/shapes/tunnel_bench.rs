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
    /// Datagrams at a rate.
    Udp,
    /// Streams as fast as they can.
    Tcp,
}

/// The report of iperf3 on one direction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Streams {
    /// Direction; there: from the first end to the second.
    pub way: Way,
    /// User data that entered the buffers of the sender, kbit/s.
    pub sent_kbps: f64,
    /// User data at the receiver, kbit/s.
    pub received_kbps: f64,
    /// User data sent, bytes.
    pub sent_bytes: u64,
    /// User data received, bytes.
    pub received_bytes: u64,
    /// Retransmitted segments; null for UDP.
    pub retransmits: Option<u64>,
    /// Datagrams sent; null for TCP.
    pub datagrams: Option<u64>,
    /// Datagrams of these that the receiver missed; null for TCP.
    pub datagrams_lost: Option<u64>,
}

/// One load on real sockets, in real time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RealLoad {
    /// The clock that it ran by.
    pub clock: RealClock,
    /// The load.
    #[serde(flatten)]
    pub load: LoadedTunnel,
    /// Protocol of the bulk flow.
    pub protocol: Protocol,
    /// Streams of iperf3 at once in each direction.
    pub parallel: u64,
    /// Whether the bulk flow went in both directions at once.
    pub both_ways: bool,
    /// Each direction of the bulk flow.
    pub streams: Vec<Streams>,
    /// Wall time of iperf3, its own connection included, ns.
    pub took_ns: u64,
    /// Emulator scheduling delay; null where it was stopped early.
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
