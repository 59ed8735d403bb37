//! IP tunnels at offered loads: the question, and its answer as printed by `--json`.

use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::seed;
use super::steps::Steps;
use crate::answers::latency::Latency;
use crate::error::Error;
use crate::load::Rate;
use crate::question::{Answered, Progress};
use crate::under_load::{self, LADDER, Loaded, Task, under_load};

/// IP tunnels at offered loads in virtual time, with a bulk flow and a sparse flow.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TunnelLoadQuestion")]
pub struct Question {
    /// The tunnels.
    pub tunnels: Vec<Given>,
    /// Offered loads of the bulk flow, kbit/s of user data. If no load is given, eleven loads from 0.1
    /// to 10 times the saturated goodput of each tunnel are used.
    #[serde(default)]
    pub offered_kbps: Vec<f64>,
    /// Duration of each load, ns.
    #[serde(default = "window")]
    pub window_ns: u64,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
}

const fn window() -> u64 {
    10_000_000_000
}

/// A tunnel profile with its settings.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GivenTunnel")]
pub struct Given {
    /// Tunnel profile.
    pub profile: Tunnel,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
    #[serde(default)]
    pub settings: Settings,
}

/// Tunnel profile by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tunnel {
    /// Link profile `tunnel`.
    Tunnel,
    /// Link profile `tunnel-naive`.
    Naive,
}

impl Tunnel {
    const fn link(self) -> &'static str {
        match self {
            Self::Tunnel => "tunnel",
            Self::Naive => "tunnel-naive",
        }
    }
}

/// One load on one tunnel, in virtual or real time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadedTunnel {
    /// Tunnel profile.
    pub profile: Tunnel,
    /// Rate of the radio, kbit/s.
    pub rate_kbps: Option<f64>,
    /// Frame loss ratio on the air.
    pub frame_loss: Option<f64>,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// Random seed.
    pub seed: u64,
    /// Size of an IP packet of the bulk flow, bytes: the MTU of the tunnel.
    pub packet: usize,
    /// Duration of the load, ns.
    pub window_ns: u64,
    /// Offered user data of the bulk flow, kbit/s. Null for TCP.
    pub offered_kbps: Option<f64>,
    /// Delivered user data of the bulk flow within the duration, kbit/s.
    pub goodput_kbps: f64,
    /// Offered packets of the bulk flow. Null for TCP.
    pub offered: Option<usize>,
    /// Lost packets of the bulk flow: rejected by a full queue, dropped from a queue, or lost on the air.
    /// Null for TCP.
    pub lost: Option<usize>,
    /// Offered packets of the sparse flow, 64 bytes every 100 ms.
    pub sparse_offered: usize,
    /// Lost packets of the sparse flow.
    pub sparse_lost: usize,
    /// Latency of the sparse flow. Null if nothing arrived.
    pub sparse_latency_ns: Option<Latency>,
    /// Time from the end of the load to the last arrival of the bulk flow, ns. The published measurement
    /// calls this time the latency. Null if nothing arrived.
    pub completion_excess_ns: Option<u64>,
}

/// One load in virtual time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VirtualLoad {
    /// Clock of the measurement.
    pub clock: Virtual,
    /// The load.
    #[serde(flatten)]
    pub load: LoadedTunnel,
    /// Saturated goodput of the tunnel, kbit/s.
    pub limit_kbps: f64,
    /// Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s.
    pub ceiling_kbps: Option<f64>,
    /// Latency of the bulk flow. Null if nothing arrived.
    pub bulk_latency_ns: Option<Latency>,
}

/// Virtual time.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Virtual {
    /// The clock of the simulation.
    Virtual,
}

fn points(question: &Question, given: &Given, found: &Loaded) -> Vec<VirtualLoad> {
    let point = |point: &under_load::Point| VirtualLoad {
        clock: Virtual::Virtual,
        load: LoadedTunnel {
            profile: given.profile,
            rate_kbps: found.rate_kbps,
            frame_loss: found.frame_loss,
            settings: given.settings.clone(),
            seed: question.seed,
            packet: found.packet,
            window_ns: question.window_ns,
            offered_kbps: Some(point.offered_kbps),
            goodput_kbps: point.goodput_kbps,
            offered: Some(point.bulk.offered),
            lost: Some(point.bulk.lost()),
            sparse_offered: point.sparse.offered,
            sparse_lost: point.sparse.lost(),
            sparse_latency_ns: Latency::of(&point.sparse.latencies_ns),
            completion_excess_ns: point.completion_excess.map(Duration::as_ns),
        },
        limit_kbps: found.limit.kbps(),
        ceiling_kbps: found.limit.ceiling_kbps(),
        bulk_latency_ns: Latency::of(&point.bulk.latencies_ns),
    };
    found.points.iter().map(point).collect()
}

/// Offers each load to each tunnel. Returns one entry per load, by tunnel and then by ascending load.
/// Progress is one step per load.
///
/// # Errors
///
/// [`Error`] for an unknown setting. The errors of [`under_load`](crate::under_load()) are returned
/// too.
pub fn answer(
    question: &Question,
    progress: Progress<'_>,
) -> Result<Answered<Vec<VirtualLoad>>, Error> {
    let bound = |one: &Given| Ok(Bound::of(one.profile.link(), &one.settings)?.profile);
    let profiles = question.tunnels.iter().map(bound).collect::<Result<Vec<_>, Error>>()?;
    let mut offered: Vec<Rate> = question.offered_kbps.iter().copied().map(Rate::Kbps).collect();
    if offered.is_empty() {
        offered = LADDER.map(Rate::Utilisation).to_vec();
    }
    let steps = Steps::new(progress, offered.len() * profiles.len());
    let window = Duration::from_ns(question.window_ns);
    let task = Task { offered, window, seed: question.seed };
    let found = under_load(&profiles, &task, || steps.step())?;
    let each = question.tunnels.iter().zip(&found);
    Ok(Answered::plain(each.flat_map(|(given, one)| points(question, given, one)).collect()))
}
