//! Instruments on serial lines.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration as Wall;

use airlag_live::boards::{BoardCounters, End, Pair};
use airlag_live::record::address::Address;
use airlag_live::record::{Plan, Recorded};
use airlag_live::trigger::{self, Line, Start};
use airlag_sim::Duration;
use airlag_trace::MemoryLimit;
use pyo3::prelude::*;

use crate::bench::LinkError;
use crate::capture::Trace;
use crate::signals::{Ended, attended};

/// The record, the reason for a premature end, the exception of a signal handler, and the number of missing
/// samples.
type Outcome = (Trace, Option<String>, Option<Py<PyAny>>, u64);

/// Records the instrument at an address. Returns the record, the reason for a premature end (`None` if there
/// was none), the exception of a signal handler that ended it, and the number of missing samples.
#[pyfunction]
#[pyo3(signature = (address, channels, *, lasting_ns=None, memory_bytes=None) -> "tuple[Trace, str | None, BaseException | None, int]")]
pub fn record_serial(
    py: Python<'_>,
    address: &str,
    channels: Vec<String>,
    lasting_ns: Option<u64>,
    memory_bytes: Option<u64>,
) -> PyResult<Outcome> {
    let address = Address::read(address, &channels);
    let address = address.map_err(|mistaken| LinkError::new_err(mistaken.to_string()))?;
    let plan = Plan {
        lasting: lasting_ns.map(Duration::from_ns),
        memory: memory_bytes.map_or_else(MemoryLimit::default, MemoryLimit::of),
    };
    let (recorded, stopped) = match attended(py, || address.record(&plan, |_| ())) {
        Ended::Done(done) => (done, None),
        Ended::Stopped(raised, Some(done)) => (done, Some(raised.into_value(py).into_any())),
        Ended::Stopped(raised, None) => return Err(raised),
    };
    let Recorded { trace, lost_samples, ended } =
        recorded.map_err(|error| LinkError::new_err(error.to_string()))?;
    Ok((Trace(trace), ended.map(|why| why.to_string()), stopped, lost_samples))
}

/// Counters of boards, by end and name.
type Counters = BTreeMap<&'static str, BTreeMap<String, u64>>;

/// Trigger of a real bench. There are three ways to start a run: by a board with the serial console
/// `DEVICE?baud=115200`, whose responses begin with `expected`; by a command that runs on this computer; or
/// by two boards with an image of airlag, at the serial devices `sender` and `receiver`.
#[pyclass(module = "airlag._airlag")]
pub struct Trigger(trigger::Trigger);

#[pymethods]
impl Trigger {
    #[new]
    #[pyo3(signature = (console, expected, timeout_ns, sender = None, receiver = None))]
    fn new(
        console: Option<&str>,
        expected: Option<String>,
        timeout_ns: u64,
        sender: Option<PathBuf>,
        receiver: Option<PathBuf>,
    ) -> PyResult<Self> {
        let line = |device: &str| match Address::read(&format!("board:{device}"), &[]) {
            Ok(Address::Board { path, baud }) => Ok(Line { path, baud, expected }),
            _ => {
                let right = "write one such as /dev/ttyUSB0?baud=115200";
                Err(LinkError::new_err(format!("{device}: no console; {right}")))
            }
        };
        let line = console.map(line).transpose()?;
        let boards = sender.map(|sender| Pair { sender, receiver });
        Ok(Self(trigger::Trigger::new(line, boards, Wall::from_nanos(timeout_ns))))
    }

    /// Runs a command, unless the previous one was the same, sends lines, and changes settings of the boards.
    fn prepare(
        &mut self,
        py: Python<'_>,
        command: Vec<String>,
        lines: Vec<String>,
        settings: BTreeMap<String, u64>,
    ) -> PyResult<()> {
        let settings: Vec<_> = settings.into_iter().collect();
        let done = attended(py, || self.0.prepare(&command, &lines, &settings)).whole()?;
        done.map_err(|error| LinkError::new_err(error.to_string()))
    }

    /// Starts the messages of a run after a delay, by a line, by a command or by the boards.
    fn start(&mut self, line: Option<String>, command: Vec<String>, after_ns: u64, limit_ns: u64) {
        let start = match line {
            Some(line) => Start::Line(line),
            None if command.is_empty() => Start::Boards,
            None => Start::Command(command),
        };
        self.0.start(start, Wall::from_nanos(after_ns), Wall::from_nanos(limit_ns));
    }

    /// Waits for the end of the start, or cancels it. Returns the counters of the boards.
    #[pyo3(signature = (*, cancel = false) -> "dict[str, dict[str, int]]")]
    fn finish(&mut self, py: Python<'_>, cancel: bool) -> PyResult<Counters> {
        let done = attended(py, || self.0.finish(cancel)).whole()?;
        let found = done.map_err(|error| LinkError::new_err(error.to_string()))?;
        let of =
            |(end, counters): (End, BoardCounters)| (end.name(), counters.into_iter().collect());
        Ok(found.into_iter().map(of).collect())
    }
}
