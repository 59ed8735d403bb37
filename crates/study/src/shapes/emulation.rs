//! An emulated link in real time between other programs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::run::Run;

/// Emulator scheduling delay: time from the arrival of a packet on the bench to its delivery, ns. Programs
/// observe the sum of the latency and this delay. Quantiles have a relative resolution of 1/16.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Late {
    /// Number of delivered packets or pieces of a stream.
    pub n: u64,
    /// Median, ns.
    pub p50: u64,
    /// 99 % quantile, ns.
    pub p99: u64,
    /// Largest, ns.
    pub max: u64,
    /// Number of deliveries with a delay above 1 ms.
    pub marked: u64,
}

/// One direction of an emulated link, and the emulator scheduling delay.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmulatedRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Events that the link model counts, such as `retry`: number of occurrences by name.
    pub incidents: BTreeMap<String, u64>,
    /// Packets dropped because the queue was full, or because they are longer than a message.
    pub refused: u64,
    /// Bytes received from the sending program.
    pub bytes_in: u64,
    /// Bytes delivered to the receiving program.
    pub bytes_out: u64,
    /// Scheduling delay of the emulator, over both directions.
    pub late_ns: Late,
    /// Virtual time that elapsed, ns.
    pub elapsed_ns: u64,
}
