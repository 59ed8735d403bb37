//! # airlag-py: Python bindings of the Rust core
//!
//! **Input:** paths, options, names of links, numpy arrays. **Output:** numpy arrays and dictionaries.
//! Converts and calls, without any logic. Long work runs without the interpreter lock.

mod answers;
mod ask;
mod bench;
mod boards;
mod budget;
mod capture;
mod charge;
mod chart;
mod draft;
mod histogram;
mod iperf;
mod law;
mod live;
mod lock;
mod probe;
mod quantity;
mod record;
mod rpc;
mod saved_run;
mod signals;
mod sweep;
mod thread;
mod transfers;
mod tune;
mod tunnel;

use pyo3::prelude::*;

/// The compiled half of the `airlag` package.
#[pymodule]
mod _airlag {
    #[pymodule_export]
    use super::answers::{claimed_bytes, mean_interval, misses, summary};
    #[pymodule_export]
    use super::ask::{Reply, ask, json_of_toml, requirement_limits, schemas};
    #[pymodule_export]
    use super::bench::{LinkError, constant_in_words, differing, links, payloads, spanned};
    #[pymodule_export]
    use super::boards::{configure_board, connected_boards};
    #[pymodule_export]
    use super::budget::{link_ceiling, unhurried_period_ns};
    #[pymodule_export]
    use super::capture::{CaptureError, Input, Trace, read, restored_trace, write};
    #[pymodule_export]
    use super::charge::battery_life;
    #[pymodule_export]
    use super::chart::{
        corners, cut_to_width, fill_chart, finished_svg, one_per_square, rename_data, run_names,
        text_width, wrapped,
    };
    #[pymodule_export]
    use super::draft::Draft;
    #[pymodule_export]
    use super::histogram::{latency_strip, latency_view};
    #[pymodule_export]
    use super::iperf::{iperf_error, iperf_results};
    #[pymodule_export]
    use super::law::regions;
    #[pymodule_export]
    use super::live::{
        Ports, emulate_link, emulated_location, goes_both_ways, journal_of, read_journal,
    };
    #[pymodule_export]
    use super::lock::Lock;
    #[pymodule_export]
    use super::probe::{
        Carrier, MessageReflector, Reflector, answered_journal, clock_error_ns, probe_target,
    };
    #[pymodule_export]
    use super::quantity::{
        charge_in_words, charge_unit, current_in_words, exact, number, percent, rate_in_words,
        time_unit, years_in_words,
    };
    #[pymodule_export]
    use super::record::{Trigger, record_serial};
    #[pymodule_export]
    use super::rpc::{RpcBench, RpcCentral, RpcError, RpcPeripheral};
    #[pymodule_export]
    use super::saved_run::{SavedRun, save_run};
    #[pymodule_export]
    use super::signals::{Interrupt, end, end_on_signals, signal_answered};
    #[pymodule_export]
    use super::sweep::{
        SweepPlan, chosen_links, links_like, parse_charge, parse_duration, parse_life,
        parse_memory, parse_rate, parse_sample_rate,
    };
    #[pymodule_export]
    use super::thread::ThreadNetwork;
    #[pymodule_export]
    use super::transfers::{Transfers, pair, restored_transfers, transfers};
    #[pymodule_export]
    use super::tune::{
        TuneBench, TuneMeasured, TuneParameter, TuneSpace, pareto_front, tune_clauses, tune_limits,
        tune_metrics,
    };
    #[pymodule_export]
    use super::tunnel::{TunnelError, tunnel_doctor, tunnel_key, tunnel_up};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("MEMORY_BYTES", airlag_trace::MemoryLimit::default().bytes())?;
        module.add("ENVIRONMENT", airlag_rig::propagation::USUAL)?;
        module.add("MATTERS", airlag_study::sensitivity::MATTERS)?;
        module.add("LONGEST_FILE", airlag_study::batch::text::LONGEST)?;
        module.add("RUN_FORMAT", airlag_trace::saved_run::FORMAT)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
