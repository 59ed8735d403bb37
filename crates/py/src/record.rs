//! Instruments on serial lines.

use std::path::PathBuf;

use airlag_live::record::{Plan, Recorded, board};
use airlag_sim::Duration;
use airlag_trace::MemoryLimit;
use pyo3::prelude::*;

use crate::bench::LinkError;
use crate::capture::Trace;
use crate::signals::{Ended, attended};

/// Records the edges that a board timestamps itself. Returns them, the reason for a premature end (`None` if
/// there was none), and the exception of a signal handler that ended it.
#[pyfunction]
#[pyo3(signature = (device, *, baud, lasting_ns=None, memory_bytes=None) -> "tuple[Trace, str | None, BaseException | None]")]
pub fn record_board(
    py: Python<'_>,
    device: PathBuf,
    baud: u32,
    lasting_ns: Option<u64>,
    memory_bytes: Option<u64>,
) -> PyResult<(Trace, Option<String>, Option<Py<PyAny>>)> {
    let plan = Plan {
        baud,
        lasting: lasting_ns.map(Duration::from_ns),
        memory: memory_bytes.map_or_else(MemoryLimit::default, MemoryLimit::of),
    };
    let (recorded, stopped) = match attended(py, || board::record(&device, &plan, |_| ())) {
        Ended::Done(done) => (done, None),
        Ended::Stopped(raised, Some(done)) => (done, Some(raised.into_value(py).into_any())),
        Ended::Stopped(raised, None) => return Err(raised),
    };
    let Recorded { trace, ended } =
        recorded.map_err(|error| LinkError::new_err(error.to_string()))?;
    Ok((Trace(trace), ended.map(|why| why.to_string()), stopped))
}
