//! # airlag-trace: capture files of logic analysers and sniffers
//!
//! **Input:** a capture file, whose format is detected. **Output:** rows of levels in time order, passed to
//! a [`Sink`], or a whole [`Trace`]. **Used by:** `airlag-stats`, which pairs trigger and completion edges.
//!
//! Modules in reading order:
//!
//! - [`mod@trace`]: edges per channel in integer nanoseconds, with gaps.
//! - [`current`]: current of a supply, stored as cumulative charge, for captures with a current meter.
//! - [`sink`]: interface between the readers of formats and the code that uses the levels.
//! - [`select`]: selection of channels.
//! - [`error`]: errors of capture files.
//! - [`memory`]: memory limits.
//! - [`input`]: files, folders and pipes from which a capture is read.
//! - [`format`](mod@format): detection of the file format.
//! - one module per format: [`saleae_csv`] and [`saleae_csv_writer`], [`sal`], [`saleae_binary`], [`sigrok`],
//!   [`vcd`]; [`latency_table`] for latencies without edges.
//! - [`packets`]: recordings of a sniffer in pcapng or pcap. [`frames`]: the link-layer frames in such a
//!   recording.
//! - `saved_run` (feature `saved-runs`): runs as Parquet files, which other tools can read.
//! - [`mod@write`]: choice of the writer for an output file.
//!
//! This crate contains no statistics and does not interpret edges.

mod archive;
pub mod current;
mod decimal;
pub mod error;
mod fields;
pub mod format;
pub mod frames;
mod grid;
pub mod input;
pub mod latency_table;
mod lines;
#[cfg(test)]
#[path = "../tests/made/mod.rs"]
mod made;
pub mod memory;
pub mod packets;
mod pieces;
pub mod sal;
pub mod saleae_binary;
pub mod saleae_csv;
pub mod saleae_csv_writer;
#[cfg(feature = "saved-runs")]
pub mod saved_run;
pub mod select;
pub mod sigrok;
pub mod sink;
mod stamp;
pub mod survey;
pub mod trace;
pub mod vcd;
mod wires;
pub mod write;

pub use current::{Current, Meter};
pub use error::{Error, Place, Problem};
pub use format::{Format, ReadOptions, read, read_into, read_stream, read_table};
pub use input::Input;
pub use latency_table::{LatencyTable, TableOptions, TableUnit};
pub use memory::MemoryLimit;
#[cfg(feature = "saved-runs")]
pub use saved_run::SavedRun;
pub use select::{Pair, Pick, Selection};
pub use sink::{Header, Recorder, Row, Sink};
pub use survey::{Survey, Wire};
pub use trace::{Channel, Segment, Trace};
pub use wires::replay;
pub use write::{WriteFormat, write_to};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
