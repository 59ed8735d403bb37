//! Hostile input: every reader of bytes or text that somebody else may have written, and what a tunnel
//! or a service hears, as a function of bytes that panics where a promise is broken.
//!
//! Each fuzz target is a separate program of libFuzzer, which `fuzz/run` starts. Inputs that libFuzzer found
//! interesting are kept in `fuzz/kept`, and an ordinary test reads these inputs again. Campaigns, the
//! metadata of a saved run and the command line are tested through the Python package, in `tests/mutation`.

#![forbid(unsafe_code)]

pub mod control;
pub mod edges;
pub mod framing;
pub mod journal;
pub mod links;
#[path = "../../crates/trace/tests/made/mod.rs"]
pub mod made;
pub mod probes;
mod promise;
pub mod radio_frames;
pub mod readers;
pub mod rpc;
pub mod sniff;
pub mod tunnel;
pub mod tunnel_handshake;
#[path = "../../crates/rpc/tests/wired/mod.rs"]
pub mod wired;

/// What is fuzzed.
pub type Target = fn(&[u8]);

/// Every target, by the name of its program and of its folder in `fuzz/kept`.
pub const TARGETS: &[(&str, Target)] = &[
    ("control", control::control),
    ("edges", edges::edges),
    ("framing", framing::framing),
    ("journal", journal::journal),
    ("latency_table", readers::latency_table),
    ("probes", probes::probes),
    ("profiles", links::profiles),
    ("radio_frames", radio_frames::radio_frames),
    ("rpc_assembler", rpc::assembler::assembler),
    ("rpc_between", rpc::between::between),
    ("rpc_central", rpc::ends::central),
    ("rpc_command", rpc::command::command),
    ("rpc_exchange", rpc::exchange::exchange),
    ("rpc_peripheral", rpc::ends::peripheral),
    ("rpc_service", rpc::service::rpc_service),
    ("rpc_session", rpc::session::session),
    ("sal", readers::sal),
    ("saleae_binary", readers::saleae_binary),
    ("saleae_csv", readers::saleae_csv),
    ("saleae_folder", readers::saleae_folder),
    ("saved_run", readers::saved_run),
    ("setting", links::setting),
    ("sigrok", readers::sigrok),
    ("sniff", sniff::sniff),
    ("tunnel", tunnel::tunnel),
    ("tunnel_handshake", tunnel_handshake::tunnel_handshake),
    ("vcd", readers::vcd),
];
