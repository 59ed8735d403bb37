//! Capture files and raw edges.

use std::path::PathBuf;

use airlag_files::draft::Replace;
use airlag_rig::interrupt;
use airlag_study::questions::analyze::chosen;
use airlag_trace::current::{Current, SampledMeter, Stretch};
use airlag_trace::write::WriteFormat;
use airlag_trace::{Channel, MemoryLimit, Pair, Pick, ReadOptions, Segment, Selection};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::signals::attended;

pyo3::create_exception!(
    _airlag,
    CaptureError,
    PyValueError,
    "Raised for a capture file that cannot be used. The message is one line: file, position, cause, and what is expected."
);

/// Converts an error of the trace crate, which is one line.
pub(crate) fn capture_error(error: airlag_trace::Error) -> PyErr {
    CaptureError::new_err(error.to_string())
}

/// Channels by name or index, in this order. Those in `inverted` are inverted.
pub(crate) fn selection(channels: Option<Vec<String>>, inverted: &[String]) -> PyResult<Selection> {
    let Some(channels) = channels else {
        if let Some(name) = inverted.first() {
            let message = format!("channel {name:?} is to be inverted but no channels are chosen");
            return Err(PyValueError::new_err(message));
        }
        return Ok(Selection::All);
    };
    if let Some(stranger) = inverted.iter().find(|i| !channels.contains(i)) {
        let message = format!(
            "cannot invert channel {stranger:?}: it is not among the chosen ({})",
            channels.join(", ")
        );
        return Err(PyValueError::new_err(message));
    }
    let pick = |channel: String| Pick { invert: inverted.contains(&channel), channel };
    Ok(Selection::Picks(channels.into_iter().map(pick).collect()))
}

/// Raw edges of a capture.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Trace(pub(crate) airlag_trace::Trace);

type SegmentParts<'py> = (i64, i64, bool, PyReadonlyArray1<'py, i64>);
/// Arguments of `Trace.from_edges`, and the current.
type Parts<'py> = (
    Vec<String>,
    Vec<Vec<SegmentOut<'py>>>,
    Option<i64>,
    Option<f64>,
    Option<CurrentParts<Bound<'py, PyArray1<i64>>>>,
);
/// The supply, the peak in nA, and instants and charges of each stretch.
type CurrentParts<A> = (String, u64, Vec<(A, A)>);
type SegmentOut<'py> = (i64, i64, bool, Bound<'py, PyArray1<i64>>);

impl Trace {
    fn channel(&self, index: usize) -> PyResult<&Channel> {
        let count = self.0.channels.len();
        self.0.channels.get(index).ok_or_else(|| {
            PyIndexError::new_err(format!("channel {index} of a trace with {count}"))
        })
    }
}

#[pymethods]
impl Trace {
    #[staticmethod]
    #[pyo3(signature = (
    names,
    segments: "Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]]",
    epoch_unix_ns = None,
    sample_rate_hz = None,
))]
    fn from_edges(
        names: Vec<String>,
        segments: Vec<Vec<SegmentParts<'_>>>,
        epoch_unix_ns: Option<i64>,
        sample_rate_hz: Option<f64>,
    ) -> PyResult<Self> {
        if names.len() != segments.len() {
            let message = format!("{} names for {} channels", names.len(), segments.len());
            return Err(PyValueError::new_err(message));
        }
        let channels = names
            .into_iter()
            .zip(segments)
            .map(|(name, parts)| {
                let segments = parts.into_iter().map(|(begin_ns, end_ns, initial, edges)| {
                    Ok(Segment { begin_ns, end_ns, initial, edges_ns: edges.as_slice()?.to_vec() })
                });
                Ok(Channel { name, segments: segments.collect::<PyResult<_>>()? })
            })
            .collect::<PyResult<_>>()?;
        let current = None;
        Ok(Self(airlag_trace::Trace { epoch_unix_ns, sample_rate_hz, channels, current }))
    }

    /// Support for pickle and copy.
    #[pyo3(signature = () -> "tuple[Any, tuple[Any, ...]]")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let made = py.import("airlag._airlag")?.getattr("restored_trace")?;
        let segments = |channel: &Channel| {
            let part = |s: &Segment| {
                (s.begin_ns, s.end_ns, s.initial, PyArray1::from_slice(py, &s.edges_ns))
            };
            channel.segments.iter().map(part).collect()
        };
        let parts = self.0.channels.iter().map(segments).collect();
        let current = self.0.current.as_ref().map(|current| {
            let stretch = |of: &Stretch| {
                (PyArray1::from_slice(py, &of.at_ns), PyArray1::from_slice(py, &of.charge_fc))
            };
            let stretches = current.stretches.iter().map(stretch).collect();
            (current.supply.clone(), current.peak_na, stretches)
        });
        let Self(trace) = self;
        Ok((made, (self.names(), parts, trace.epoch_unix_ns, trace.sample_rate_hz, current)))
    }

    #[getter]
    fn epoch_unix_ns(&self) -> Option<i64> {
        self.0.epoch_unix_ns
    }

    #[getter]
    fn sample_rate_hz(&self) -> Option<f64> {
        self.0.sample_rate_hz
    }

    #[getter]
    fn begin_ns(&self) -> i64 {
        self.0.begin_ns()
    }

    #[getter]
    fn end_ns(&self) -> i64 {
        self.0.end_ns()
    }

    /// Returns a trace of these channels, in this order. Channels are names or indices from 0. The channels
    /// in `inverted` are inverted. `path` is the file that errors name.
    fn chosen(
        &self,
        channels: Vec<String>,
        inverted: Vec<String>,
        path: PathBuf,
    ) -> PyResult<Self> {
        let selection = selection(Some(channels), &inverted)?;
        chosen(&self.0, &selection, &path).map(Self).map_err(capture_error)
    }

    /// Returns a trace of the trigger and completion channels, each a name or an index from 0. `None` selects
    /// the first channel that is not the other one. The channels in `invert` are inverted. `path` is the file
    /// that errors name.
    fn chosen_pair(
        &self,
        trigger: Option<String>,
        completion: Option<String>,
        invert: Vec<String>,
        path: PathBuf,
    ) -> PyResult<Self> {
        let selection = Selection::Pair(Pair { trigger, completion, invert });
        chosen(&self.0, &selection, &path).map(Self).map_err(capture_error)
    }

    /// Returns the trace with the current of the supply `supply`. `blocks` are arrays of samples, nA, taken
    /// at `rate_hz`, the first one at `begin_ns`. NaN samples are gaps.
    #[pyo3(signature = (
        supply,
        blocks: "Iterable[NDArray[np.float32]]",
        rate_hz,
        begin_ns = 0,
        memory_bytes = None,
    ))]
    fn metered(
        &self,
        supply: &str,
        blocks: &Bound<'_, PyAny>,
        rate_hz: f64,
        begin_ns: i64,
        memory_bytes: Option<u64>,
    ) -> PyResult<Self> {
        let memory = memory_bytes.map_or_else(MemoryLimit::default, MemoryLimit::of);
        let mut meter = SampledMeter::new(&self.0, memory, supply, begin_ns, 1e9 / rate_hz);
        for block in blocks.try_iter()? {
            let block: PyReadonlyArray1<'_, f32> = block?.extract()?;
            block.as_slice()?.iter().for_each(|&na| meter.sample(f64::from(na)));
        }
        if let Some(refusal) = meter.refusal() {
            return Err(CaptureError::new_err(refusal.to_string()));
        }
        let trace = self.0.clone();
        Ok(Self(airlag_trace::Trace { current: Some(meter.finish()), ..trace }))
    }

    /// Whether two traces have the same channels with the same edges.
    fn same_edges(&self, other: &Self) -> bool {
        self.0.channels == other.0.channels
    }

    /// Layout of the edges in a saved run, as JSON.
    #[getter]
    fn layout(&self) -> String {
        airlag_trace::saved_run::layout(&self.0)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.channels.iter().map(|c| c.name.clone()).collect()
    }

    fn segments(&self, channel: usize) -> PyResult<Vec<(i64, i64, bool)>> {
        let segments = &self.channel(channel)?.segments;
        Ok(segments.iter().map(|s| (s.begin_ns, s.end_ns, s.initial)).collect())
    }

    #[pyo3(signature = (channel, segment) -> "NDArray[np.int64]")]
    fn edges_ns<'py>(
        &self,
        py: Python<'py>,
        channel: usize,
        segment: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let segments = &self.channel(channel)?.segments;
        let found = segments.get(segment).ok_or_else(|| {
            PyIndexError::new_err(format!("segment {segment} of a channel with {}", segments.len()))
        })?;
        Ok(PyArray1::from_slice(py, &found.edges_ns))
    }
}

/// Creates a trace from the result of its `__reduce__`. Pickle finds only functions of a module.
#[pyfunction]
#[pyo3(signature = (
    names,
    segments: "Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]]",
    epoch_unix_ns = None,
    sample_rate_hz = None,
    current: "tuple[str, int, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] | None" = None,
))]
pub fn restored_trace(
    names: Vec<String>,
    segments: Vec<Vec<SegmentParts<'_>>>,
    epoch_unix_ns: Option<i64>,
    sample_rate_hz: Option<f64>,
    current: Option<CurrentParts<PyReadonlyArray1<'_, i64>>>,
) -> PyResult<Trace> {
    let Trace(edges) = Trace::from_edges(names, segments, epoch_unix_ns, sample_rate_hz)?;
    let current = current.map(|(supply, peak_na, parts)| {
        let stretches = parts.into_iter().map(|(at_ns, charge_fc)| {
            let (at_ns, charge_fc) = (at_ns.as_slice()?.to_vec(), charge_fc.as_slice()?.to_vec());
            Ok(Stretch { at_ns, charge_fc })
        });
        PyResult::Ok(Current { supply, peak_na, stretches: stretches.collect::<PyResult<_>>()? })
    });
    Ok(Trace(airlag_trace::Trace { current: current.transpose()?, ..edges }))
}

/// An opened capture with a known format, and a memory limit. `-` is standard input. A pipe can be read only
/// once.
#[pyclass(module = "airlag._airlag")]
pub struct Input {
    pub(crate) inner: airlag_trace::Input,
    pub(crate) memory: MemoryLimit,
}

#[pymethods]
impl Input {
    #[new]
    #[pyo3(signature = (path, memory_bytes=None))]
    fn new(py: Python<'_>, path: PathBuf, memory_bytes: Option<u64>) -> PyResult<Self> {
        let inner = py
            .detach(|| airlag_trace::Input::open_until(&path, interrupt::is_requested))
            .map_err(capture_error)?;
        let memory = memory_bytes.map_or_else(MemoryLimit::default, MemoryLimit::of);
        Ok(Self { inner, memory })
    }

    /// Name of the detected format.
    #[getter]
    fn format(&self) -> String {
        self.inner.format().to_string()
    }
}

/// Writes a trace in the format of the file name: .csv, .vcd or .sr. Replaces an existing file only if it has
/// the same content, or with `force`.
#[pyfunction]
#[pyo3(signature = (path, trace, force=false))]
pub fn write(py: Python<'_>, path: PathBuf, trace: &Trace, force: bool) -> PyResult<()> {
    let replace = if force { Replace::Anything } else { Replace::Same };
    let written = py.detach(|| {
        let format = WriteFormat::from_path(&path)?;
        airlag_files::capture::write(&path, &trace.0, format, replace)
    });
    written.map_err(capture_error)
}

/// Reads a whole capture.
#[pyfunction]
#[pyo3(signature = (capture, channels=None, inverted=Vec::new()))]
pub fn read(
    py: Python<'_>,
    capture: &mut Input,
    channels: Option<Vec<String>>,
    inverted: Vec<String>,
) -> PyResult<Trace> {
    let selection = selection(channels, &inverted)?;
    let options = ReadOptions { selection, memory: capture.memory };
    let trace = attended(py, || capture.inner.read(&options)).whole()?;
    trace.map(Trace).map_err(capture_error)
}
