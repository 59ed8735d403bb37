//! Statistics as dictionaries of the documented JSON.

use airlag_stats::NONE;
use airlag_stats::dist::{Delivery, Summary, quantile_name};
use airlag_stats::interval;
use airlag_stats::misses::Misses;
use airlag_stats::places::Places;
use airlag_study::answers::claim::Claim;
use numpy::PyReadonlyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Converts a number to an integer if it is whole, else to a float.
fn number(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        (value as i64).into_bound_py_any(py)
    } else {
        value.into_bound_py_any(py)
    }
}

/// The object `latency_ns` of the documented JSON.
pub(crate) fn latency<'py>(
    py: Python<'py>,
    summary: Option<&Summary>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(summary) = summary else { return Ok(None) };
    let dict = PyDict::new(py);
    dict.set_item("n", summary.n)?;
    dict.set_item("min", summary.min_ns)?;
    for quantile in &summary.quantiles {
        dict.set_item(quantile_name(quantile.p), number(py, quantile.value_ns)?)?;
    }
    dict.set_item("max", summary.max_ns)?;
    dict.set_item("mean", summary.mean_ns)?;
    dict.set_item("std", summary.std_ns)?;
    let intervals = PyDict::new(py);
    for quantile in &summary.quantiles {
        intervals.set_item(quantile_name(quantile.p), [quantile.low_ns, quantile.high_ns])?;
    }
    dict.set_item("interval95", intervals)?;
    if let Some(jitter) = &summary.jitter {
        let inner = PyDict::new(py);
        inner.set_item("mean", jitter.mean_ns)?;
        inner.set_item("p50", number(py, jitter.p50_ns)?)?;
        inner.set_item("p99", number(py, jitter.p99_ns)?)?;
        dict.set_item("jitter", inner)?;
    }
    Ok(Some(dict))
}

/// The object `delivery` of the documented JSON.
pub(crate) fn delivery<'py>(
    py: Python<'py>,
    delivery: Option<&Delivery>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(delivery) = delivery else { return Ok(None) };
    let dict = PyDict::new(py);
    dict.set_item("ratio", delivery.ratio)?;
    dict.set_item("interval95", [delivery.low, delivery.high])?;
    Ok(Some(dict))
}

/// Variation between simulated locations, as in the documented JSON.
pub(crate) fn places<'py>(py: Python<'py>, found: &Places) -> PyResult<Bound<'py, PyDict>> {
    let [low, middle, high] = found.shares;
    let shares = PyDict::new(py);
    for (name, share) in [("p10", low), ("p50", middle), ("p90", high)] {
        shares.set_item(name, share)?;
    }
    let keep = PyDict::new(py);
    keep.set_item("count", found.keep)?;
    keep.set_item("ratio", found.keep as f64 / found.count as f64)?;
    keep.set_item("interval95", found.keep_interval)?;
    let dict = PyDict::new(py);
    dict.set_item("count", found.count)?;
    dict.set_item("shares", shares)?;
    dict.set_item("mean", found.mean)?;
    dict.set_item("mean_interval95", found.mean_interval)?;
    dict.set_item("keep", keep)?;
    Ok(dict)
}

/// Missed messages for each deadline: objects `deadline` of the documented JSON. Messages are latencies in
/// trigger order, `NONE` for a lost one. `None` without messages.
#[pyfunction]
#[pyo3(signature = (fates_ns: "NDArray[np.int64]", deadlines_ns) -> "list[Deadline]")]
pub fn misses<'py>(
    py: Python<'py>,
    fates_ns: PyReadonlyArray1<'py, i64>,
    deadlines_ns: Vec<i64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let fates = fates_ns.as_slice()?.iter().map(|&fate| (fate != NONE).then_some(fate));
    let fates: Vec<Option<i64>> = fates.collect();
    let each = |&deadline_ns| Misses::of(&fates, deadline_ns);
    let found: Vec<Misses> = py.detach(|| deadlines_ns.iter().filter_map(each).collect());
    let object = |found: Misses| {
        let dict = PyDict::new(py);
        dict.set_item("deadline_ns", found.deadline_ns)?;
        dict.set_item("n", found.n)?;
        dict.set_item("missed", found.missed)?;
        dict.set_item("interval95", [found.interval.0, found.interval.1])?;
        dict.set_item("longest_run", found.longest_run)?;
        Ok(dict)
    };
    found.into_iter().map(object).collect()
}

/// Returns the object `latency_ns` of the documented JSON for an array of latencies.
#[pyfunction]
#[pyo3(signature = (latency_ns: "NDArray[np.int64]") -> "Latency | None")]
pub fn summary<'py>(
    py: Python<'py>,
    latency_ns: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    latency(py, Summary::of(latency_ns.as_slice()?).as_ref())
}

/// Returns the 95 % Student's t interval of the mean of one value per run. `None` for fewer than
/// two.
#[pyfunction]
pub fn mean_interval(values: Vec<f64>) -> Option<(f64, f64)> {
    interval::mean(&values)
}

/// Returns the payload that the name of a run states, bytes. `None` if it states none or several.
#[pyfunction]
pub fn claimed_bytes(source: &str) -> Option<u64> {
    Claim::of(source, None, None).bytes
}
