//! Entry point of all questions: JSON and arrays in, JSON and arrays out.

use std::collections::BTreeMap;

use airlag_study::question::{Evidence, Given, Progress, Slices};
use airlag_study::questions::recommend;
use airlag_study::{Error, Reply as Answered, json};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyBaseException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bench::link_error;
use crate::capture::{CaptureError, Input, Trace};
use crate::signals::{Ended, attended};
use crate::transfers::Transfers;

/// Non-JSON input of a question.
enum Held<'py> {
    Capture(PyRefMut<'py, Input>),
    Trace(PyRef<'py, Trace>),
    Transfers(Box<airlag_stats::Transfers>),
    Latencies(Vec<i64>),
}

impl<'py> Held<'py> {
    fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(capture) = given.extract() {
            return Ok(Self::Capture(capture));
        }
        if let Ok(trace) = given.extract() {
            return Ok(Self::Trace(trace));
        }
        if let Ok(transfers) = given.extract::<PyRef<'_, Transfers>>() {
            return Ok(Self::Transfers(Box::new(transfers.to_stats(given.py())?)));
        }
        if let Ok(latencies_ns) = given.extract::<PyReadonlyArray1<'_, i64>>() {
            return Ok(Self::Latencies(latencies_ns.as_slice()?.to_vec()));
        }
        let message = "given: expected an Input, a Trace, Transfers or an array of latencies";
        Err(PyTypeError::new_err(message))
    }

    fn given(&mut self) -> Given<'_> {
        match self {
            Self::Capture(capture) => {
                let Input { inner, memory } = &mut **capture;
                Given::Capture(inner, *memory)
            }
            Self::Trace(trace) => Given::Trace(&trace.0),
            Self::Transfers(transfers) => Given::Transfers(std::mem::take(&mut **transfers)),
            Self::Latencies(latencies_ns) => Given::Latencies(std::mem::take(latencies_ns)),
        }
    }
}

/// An answer: one JSON document, with the arrays of each run in it.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Reply {
    #[pyo3(get)]
    json: String,
    #[pyo3(get)]
    transfers: Vec<Option<Py<Transfers>>>,
    #[pyo3(get)]
    traces: Vec<Option<Py<Trace>>>,
    #[pyo3(get)]
    slices: Vec<Option<Py<PyDict>>>,
    /// Latencies of a table, ns.
    #[pyo3(get)]
    latencies_ns: Vec<Py<PyArray1<i64>>>,
    /// The verdict of each region, as JSON.
    #[pyo3(get)]
    law: Vec<String>,
    /// Sniffer results: capture file, number of frames in it, frames omitted by radio family, and frames
    /// beyond the size limit.
    #[pyo3(get)]
    frames: Vec<Option<Frames>>,
    /// Exception of a signal handler that interrupted the work. The answer then covers the completed part.
    #[pyo3(get)]
    pub(crate) stopped: Option<Py<PyBaseException>>,
}

type Frames = (Py<PyBytes>, u64, Vec<(&'static str, u64)>, u64);

impl Reply {
    pub(crate) fn of(py: Python<'_>, answered: Answered) -> PyResult<Self> {
        let mut reply = Self {
            json: answered.json,
            transfers: Vec::new(),
            traces: Vec::new(),
            slices: Vec::new(),
            latencies_ns: Vec::new(),
            law: Vec::new(),
            frames: Vec::new(),
            stopped: None,
        };
        for one in answered.evidence {
            let Evidence { transfers, names, taken, latencies_ns, trace, slices, law, frames } =
                one;
            let transfers = transfers
                .map(|transfers| Py::new(py, Transfers::captured(py, transfers, names, taken)));
            reply.transfers.push(transfers.transpose()?);
            reply.traces.push(trace.map(|trace| Py::new(py, Trace(trace))).transpose()?);
            reply.slices.push(slices.map(|one| columns(py, &one)).transpose()?);
            reply.latencies_ns.push(PyArray1::from_vec(py, latencies_ns).unbind());
            reply.law.push(json::written(&law).map_err(raised)?);
            reply.frames.push(frames.map(|one| {
                let file = PyBytes::new(py, &one.pcapng).unbind();
                (file, one.count, one.left_out.into_iter().collect(), one.over_limit)
            }));
        }
        Ok(reply)
    }
}

/// Activity slices as arrays. Row `i` of each array is the same slice.
fn columns(py: Python<'_>, slices: &Slices) -> PyResult<Py<PyDict>> {
    let mut names: Vec<&str> = slices.spans.iter().map(|span| span.slice.name()).collect();
    names.sort_unstable();
    names.dedup();
    // The list contains all names, so the search always succeeds.
    let place = |name| names.partition_point(|known| *known < name) as u16;
    let spans = || slices.spans.iter();
    let dict = PyDict::new(py);
    dict.set_item("tracks", &slices.tracks)?;
    dict.set_item("track", PyArray1::from_iter(py, spans().map(|s| s.track as u16)))?;
    dict.set_item("name", PyArray1::from_iter(py, spans().map(|s| place(s.slice.name()))))?;
    dict.set_item("begin_ns", PyArray1::from_iter(py, spans().map(|s| s.begin_ns)))?;
    dict.set_item("end_ns", PyArray1::from_iter(py, spans().map(|s| s.end_ns)))?;
    dict.set_item("names", names)?;
    Ok(dict.unbind())
}

pub(crate) fn raised(error: Error) -> PyErr {
    match error {
        Error::Question { .. } => PyValueError::new_err(error.to_string()),
        Error::Capture { .. } => CaptureError::new_err(error.to_string()),
        other => link_error(other),
    }
}

/// Answers a question in JSON. `given` contains the inputs of the question that are not JSON. `on_progress` is
/// called with the number of completed steps and the total number of steps. If a signal handler raises an
/// exception, the work ends. If `partial` is set and the question supports partial answers, the function then
/// returns the answer from the completed part of the work, with the exception in `Reply.stopped`. In all other
/// cases, the function raises the exception.
#[pyfunction]
#[pyo3(signature = (
    question,
    given: "Sequence[Input | Trace | Transfers | NDArray[np.int64]]" = Vec::new(),
    on_progress: "Callable[[int, int], object] | None" = None,
    partial = false,
))]
pub fn ask(
    py: Python<'_>,
    question: &str,
    given: Vec<Bound<'_, PyAny>>,
    on_progress: Option<Py<PyAny>>,
    partial: bool,
) -> PyResult<Reply> {
    let mut held = given.iter().map(Held::of).collect::<PyResult<Vec<_>>>()?;
    let given: Vec<Given<'_>> = held.iter_mut().map(Held::given).collect();
    let report = |done: u64, of: u64| {
        let Some(on_progress) = &on_progress else { return };
        // An error of the progress callback does not stop the work.
        Python::attach(|py| drop(on_progress.call1(py, (done, of))));
    };
    let progress: Progress<'_> = &report;
    let answered = match attended(py, || airlag_study::ask(question, given, progress)) {
        Ended::Stopped(stopped, Some(answered)) if partial => {
            let mut reply = Reply::of(py, answered.map_err(raised)?)?;
            reply.stopped = Some(stopped.into_value(py));
            return Ok(reply);
        }
        answered => answered.whole()?,
    };
    Reply::of(py, answered.map_err(raised)?)
}

/// Returns the JSON Schemas of all answers and questions, as one JSON document.
#[pyfunction]
pub fn schemas() -> PyResult<String> {
    json::written(&airlag_study::schemas()).map_err(raised)
}

/// Returns a TOML document without dates as JSON, which Python decodes sooner.
#[pyfunction]
pub fn json_of_toml(text: &str) -> PyResult<String> {
    json::of_toml(text).map_err(raised)
}

/// Lowest and highest value of each number of the requirements of a recommendation.
#[pyfunction]
pub fn requirement_limits() -> BTreeMap<&'static str, (f64, f64)> {
    recommend::LIMITS.into_iter().collect()
}
