//! Histograms for a terminal.

use airlag_study::histogram;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// Formats a histogram in one line, from bins in ascending order: lower bound, ns, and count.
#[pyfunction]
pub fn latency_strip(bins_ns: Vec<(u64, u64)>) -> String {
    histogram::strip(&bins_ns)
}

/// Formats a histogram, the share of messages that would miss each of its times as a deadline, and
/// percentiles evenly spaced on a logit scale. Empty without latencies.
#[pyfunction]
#[pyo3(signature = (latency_ns: "NDArray[np.int64]", lost: "int") -> "str")]
pub fn latency_view(latency_ns: PyReadonlyArray1<'_, i64>, lost: usize) -> PyResult<String> {
    Ok(histogram::view(latency_ns.as_slice()?, lost))
}
