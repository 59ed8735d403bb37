//! # airlag-trace: what a logic analyser saw
//!
//! **Enters:** a capture file, recognised by its content. **Leaves:** rows of levels in time order,
//! poured into a [`Sink`], or a whole [`Trace`]. **Next on the way:** `airlag-stats`, which pairs
//! trigger and completion edges.
//!
//! Walk through the files in this order:
//!
//! - [`mod@trace`]: edges per channel, in integer nanoseconds, with the gaps a capture may have.
//! - [`current`]: the charge that flowed meanwhile, where it was measured.
//! - [`sink`]: the seam between readers and everything else.
//! - [`select`]: which channels to read.
//! - [`error`]: the closed list of what can be wrong with a file.
//! - [`memory`]: what reading may cost.
//! - [`input`]: a file, a folder, or what comes through a pipe.
//! - [`format`](mod@format): recognises a file and calls its reader.
//! - one file per format: [`saleae_csv`] and [`saleae_csv_writer`], [`sal`], [`saleae_binary`],
//!   [`sigrok`], [`vcd`]; [`latency_table`] for results without a capture.
//! - `saved_run` (feature `saved-runs`): runs as Parquet files, which other tools read.
//! - [`mod@write`]: chooses a writer.
//!
//! There is no statistics here and no opinion about what an edge means.

mod archive;
pub mod current;
mod decimal;
pub mod error;
mod fields;
pub mod format;
mod grid;
pub mod input;
pub mod latency_table;
mod lines;
#[cfg(test)]
#[path = "../tests/made/mod.rs"]
mod made;
pub mod memory;
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
