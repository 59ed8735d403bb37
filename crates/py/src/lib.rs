//! # airlag-py: the Rust core, as Python sees it
//!
//! **Enters:** paths, options, names of links, numpy arrays. **Leaves:** numpy arrays and plain dictionaries.
//! Converts and calls; there is no logic here. The long work runs without the interpreter lock.

mod answers;
mod asked;
mod bench;
mod budget;
mod capture;
mod charge;
mod draft;
mod law;
mod live;
mod load;
mod matching;
mod recommend;
mod rpc;
mod sensitivity;
mod signals;
mod sources;
mod thread;
mod transfers;
mod tunnel;
mod under_load;

use pyo3::prelude::*;

/// The compiled half of the `airlag` package.
#[pymodule]
mod _airlag {
    #[pymodule_export]
    use super::answers::{
        compare_runs, findings, findings_across, mean_interval, misses, summary, table_findings,
    };
    #[pymodule_export]
    use super::bench::{
        LinkError, link, link_parameters, links, payloads, run_link, sniff_link, values,
    };
    #[pymodule_export]
    use super::budget::{
        advise_link, explain_link, link_ceiling, link_floor, link_knobs, service_ns, slice_classes,
        unhurried_period_ns,
    };
    #[pymodule_export]
    use super::capture::{
        CaptureError, Input, Trace, latency_table, read, restored_trace, survey, survey_of, write,
    };
    #[pymodule_export]
    use super::charge::{battery_life, battery_names};
    #[pymodule_export]
    use super::draft::Draft;
    #[pymodule_export]
    use super::law::{law_link, regions};
    #[pymodule_export]
    use super::live::{Ports, emulate_link};
    #[pymodule_export]
    use super::load::{burst_link, explain_burst, goodput_link, load_link};
    #[pymodule_export]
    use super::matching::{match_link, rank_links};
    #[pymodule_export]
    use super::recommend::recommend_links;
    #[pymodule_export]
    use super::rpc::{
        RpcBench, RpcCentral, RpcError, RpcPeripheral, rpc_bench, rpc_gains, rpc_platforms,
    };
    #[pymodule_export]
    use super::sensitivity::sensitivity_link;
    #[pymodule_export]
    use super::signals::{end, end_on_signals, signal_answered};
    #[pymodule_export]
    use super::sources::sources;
    #[pymodule_export]
    use super::thread::thread_network;
    #[pymodule_export]
    use super::transfers::{Transfers, pair, restored_transfers, transfers, transfers_and_edges};
    #[pymodule_export]
    use super::tunnel::{TunnelError, tunnel_doctor, tunnel_key, tunnel_up};
    #[pymodule_export]
    use super::under_load::load_tunnels;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("MEMORY_BYTES", airlag_trace::MemoryLimit::default().bytes())?;
        module.add("ENVIRONMENT", airlag_rig::propagation::USUAL)?;
        module.add("MATTERS", airlag_study::sensitivity::MATTERS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
