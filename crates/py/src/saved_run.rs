//! Runs as Parquet files.

use std::fs::File;
use std::path::PathBuf;

use airlag_files::draft::{Draft, Replace};
use airlag_study::saved;
use airlag_trace::MemoryLimit;
use airlag_trace::saved_run::{self, KEY, Kept, Rows};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::capture::{CaptureError, Trace, capture_error};
use crate::draft::os_error;

/// An opened saved run whose edges or latencies are not read yet.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct SavedRun {
    path: PathBuf,
    run: airlag_trace::SavedRun<File>,
}

/// Edges, or a table of latencies.
type Content<'py> = (Option<Trace>, Option<Bound<'py, PyArray1<i64>>>);

#[pymethods]
impl SavedRun {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let run = py.detach(|| airlag_trace::SavedRun::open(&path)).map_err(capture_error)?;
        Ok(Self { path, run })
    }

    /// Metadata of the run, as JSON with checked types and ranges.
    #[getter]
    fn metadata(&self) -> PyResult<&str> {
        let metadata = self.run.metadata();
        saved::check(metadata).map(|()| metadata).map_err(|why| {
            let path = self.path.display();
            CaptureError::new_err(format!("{path}: metadata {KEY}: {why}; save the run again"))
        })
    }

    /// Reads its raw edges, or its latencies in ns. One of the two is `None`.
    #[pyo3(signature = (memory_bytes = None) -> "tuple[Trace | None, NDArray[np.int64] | None]")]
    fn read<'py>(&self, py: Python<'py>, memory_bytes: Option<u64>) -> PyResult<Content<'py>> {
        let memory = memory_bytes.map_or_else(MemoryLimit::default, MemoryLimit::of);
        let kept = py.detach(|| self.run.read(memory));
        Ok(match kept.map_err(|at| capture_error(at.of(&self.path)))? {
            Kept::Edges(trace) => (Some(Trace(trace)), None),
            Kept::Latencies(ns) => (None, Some(PyArray1::from_vec(py, ns))),
        })
    }
}

/// Writes a run. Replaces an existing file only if it has the same content, or with `force`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
#[pyo3(signature = (
    path,
    trigger_ns: "NDArray[np.int64] | None",
    completion_ns: "NDArray[np.int64]",
    outcome: "NDArray[np.uint8]",
    outcomes,
    trace,
    metadata,
    force = false,
))]
pub fn save_run(
    py: Python<'_>,
    path: PathBuf,
    trigger_ns: Option<PyReadonlyArray1<'_, i64>>,
    completion_ns: PyReadonlyArray1<'_, i64>,
    outcome: PyReadonlyArray1<'_, u8>,
    outcomes: Vec<String>,
    trace: Option<&Trace>,
    metadata: &str,
    force: bool,
) -> PyResult<()> {
    let outcomes: Vec<&str> = outcomes.iter().map(String::as_str).collect();
    let rows = Rows {
        trigger_ns: trigger_ns.as_ref().map(|triggers| triggers.as_slice()).transpose()?,
        completion_ns: completion_ns.as_slice()?,
        outcome: outcome.as_slice()?,
        outcomes: &outcomes,
    };
    let trace = trace.map(|trace| &trace.0);
    let replace = if force { Replace::Anything } else { Replace::Same };
    let written = py.detach(|| {
        let draft = Draft::create(&path)?;
        saved_run::write(draft.file(), &rows, trace, metadata)?;
        draft.keep(replace)
    });
    written.map_err(|error| os_error(&error, &path))
}
