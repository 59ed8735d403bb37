//! Statistics and findings as plain dictionaries: the objects of the documented JSON.

use airlag_stats::NONE;
use airlag_stats::compare::{self, Difference, Shown};
use airlag_stats::dist::{Delivery, Summary};
use airlag_stats::findings::name_disagrees::{Claim, uart_ns};
use airlag_stats::findings::run::{Context, across_runs, of_run, of_table};
use airlag_stats::findings::{Finding, Name, Value};
use airlag_stats::interval;
use airlag_stats::misses::Misses;
use airlag_stats::places::Places;
use airlag_study::asked::apart;
use numpy::PyReadonlyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::asked::{Noted, differs};
use crate::transfers::Transfers;

/// Whole numbers of nanoseconds as integers, what lies between as floats.
fn number(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        (value as i64).into_bound_py_any(py)
    } else {
        value.into_bound_py_any(py)
    }
}

/// Key of a quantile: `p50`, `p99.9`.
fn key(p: f64) -> String {
    let percent = (p * 1e6).round() / 1e4;
    format!("p{percent}")
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
        dict.set_item(key(quantile.p), number(py, quantile.value_ns)?)?;
    }
    dict.set_item("max", summary.max_ns)?;
    dict.set_item("mean", summary.mean_ns)?;
    dict.set_item("std", summary.std_ns)?;
    let intervals = PyDict::new(py);
    for quantile in &summary.quantiles {
        intervals.set_item(key(quantile.p), [quantile.low_ns, quantile.high_ns])?;
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

/// How places differ, as the documented JSON has it.
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

/// One object of `findings` in the documented JSON.
fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let evidence = PyDict::new(py);
    for (name, value) in &finding.evidence {
        match value {
            Value::Int(value) => evidence.set_item(name, value)?,
            Value::Float(value) => evidence.set_item(name, value)?,
            Value::List(values) => evidence.set_item(name, values)?,
        }
    }
    let dict = PyDict::new(py);
    dict.set_item("name", finding.name.as_str())?;
    dict.set_item("evidence", evidence)?;
    dict.set_item("message", &finding.message)?;
    dict.set_item("advice", &finding.advice)?;
    Ok(dict)
}

fn list<'py>(py: Python<'py>, found: &[Finding]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    found.iter().map(|one| finding(py, one)).collect()
}

/// Runs `work` with what the caller knows; a claim needs both its size and its rate.
fn with_context<T>(
    percentile: f64,
    sample_period_ns: Option<f64>,
    service_ns: Option<i64>,
    claimed_bytes: Option<u64>,
    baud: Option<f64>,
    work: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let least_ns = |bytes| uart_ns(bytes, baud.unwrap_or(f64::INFINITY));
    let claim = claimed_bytes.filter(|_| baud.is_some());
    let claim = claim.map(|bytes| Claim { bytes, least_ns: &least_ns });
    work(&Context { percentile, sample_period_ns, service_ns, claim })
}

/// The findings of one run.
#[pyfunction]
#[pyo3(signature = (transfers, percentile=0.99, sample_period_ns=None, service_ns=None, claimed_bytes=None, baud=None))]
pub fn findings<'py>(
    py: Python<'py>,
    transfers: &Transfers,
    percentile: f64,
    sample_period_ns: Option<f64>,
    service_ns: Option<i64>,
    claimed_bytes: Option<u64>,
    baud: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let transfers = transfers.to_stats(py)?;
    let found = py.detach(|| {
        with_context(percentile, sample_period_ns, service_ns, claimed_bytes, baud, |context| {
            of_run(&transfers, context)
        })
    });
    list(py, &found)
}

/// The findings of a table of latencies.
#[pyfunction]
#[pyo3(signature = (latency_ns, percentile=0.99, claimed_bytes=None, baud=None))]
pub fn table_findings<'py>(
    py: Python<'py>,
    latency_ns: PyReadonlyArray1<'py, i64>,
    percentile: f64,
    claimed_bytes: Option<u64>,
    baud: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let latency_ns = latency_ns.as_slice()?;
    let found = with_context(percentile, None, None, claimed_bytes, baud, |context| {
        of_table(latency_ns, context)
    });
    list(py, &found)
}

/// What misses each of some deadlines, and how many in a row: objects `deadline` of the documented
/// JSON. Messages are latencies in the order of their triggers, `NONE` for a lost one; without any
/// there is nothing to say.
#[pyfunction]
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

/// The findings several runs make together, each with the indices of its runs.
#[pyfunction]
pub fn findings_across<'py>(
    py: Python<'py>,
    runs: Vec<PyRef<'py, Transfers>>,
) -> PyResult<Vec<(Vec<usize>, Bound<'py, PyDict>)>> {
    let runs = runs.iter().map(|run| run.to_stats(py)).collect::<PyResult<Vec<_>>>()?;
    let found = py.detach(|| across_runs(&runs.iter().collect::<Vec<_>>()));
    found.iter().map(|across| Ok((across.runs.clone(), finding(py, &across.finding)?))).collect()
}

/// The object `latency_ns` of the documented JSON for bare latencies.
#[pyfunction]
pub fn summary<'py>(
    py: Python<'py>,
    latency_ns: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    latency(py, Summary::of(latency_ns.as_slice()?).as_ref())
}

/// Student's interval at 95 % of the mean of runs, each of which gives one value; `None` of fewer than
/// two.
#[pyfunction]
pub fn mean_interval(values: Vec<f64>) -> Option<(f64, f64)> {
    interval::mean(&values)
}

/// One `difference` of the documented JSON, times in ns or a ratio.
pub(crate) fn difference<'py>(py: Python<'py>, found: &Difference) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("a", number(py, found.a)?)?;
    dict.set_item("b", number(py, found.b)?)?;
    dict.set_item("difference", number(py, found.change.value)?)?;
    dict.set_item("interval95", [found.change.low, found.change.high])?;
    Ok(dict)
}

/// What was found of a run: name and message of each finding.
type Found = Vec<(String, String)>;

fn shown(found: Found) -> PyResult<Vec<Shown>> {
    let known = |(name, message): (String, String)| match Name::find(&name) {
        Some(name) => Ok((name, message)),
        None => Err(PyValueError::new_err(format!("no finding {name:?}"))),
    };
    found.into_iter().map(known).collect()
}

/// What differs from run `a` to run `b`, and why that may mean nothing, knowing what was found of
/// each and what was asked of each.
#[pyfunction]
#[pyo3(name = "compare")]
pub fn compare_runs<'py>(
    py: Python<'py>,
    a: &Transfers,
    b: &Transfers,
    found_a: Found,
    found_b: Found,
    asked_a: Noted,
    asked_b: Noted,
) -> PyResult<Bound<'py, PyDict>> {
    let (a, b) = (a.to_stats(py)?, b.to_stats(py)?);
    let (found_a, found_b) = (shown(found_a)?, shown(found_b)?);
    let mut told = py.detach(|| compare::compare(&a, &b).knowing(&found_a, &found_b));
    let asked = apart(&asked_a.into(), &asked_b.into());
    told.obstacles.splice(0..0, asked.obstacles.iter().cloned());
    let dict = PyDict::new(py);
    dict.set_item("differs", differs(py, &asked)?)?;
    dict.set_item("comparable", told.is_comparable())?;
    dict.set_item("obstacles", told.obstacles)?;
    dict.set_item("notes", asked.notes)?;
    let quantiles = PyDict::new(py);
    for (p, found) in &told.quantiles {
        quantiles.set_item(key(*p), difference(py, found)?)?;
    }
    dict.set_item("latency_ns", quantiles)?;
    let delivery = told.delivery.as_ref().map(|found| difference(py, found)).transpose()?;
    dict.set_item("delivery", delivery)?;
    let quicker = told.superiority.map(|found| found.second_smaller);
    dict.set_item("b_quicker", quicker)?;
    dict.set_item("p", told.superiority.map(|found| found.p))?;
    dict.set_item("ks", told.ks)?;
    Ok(dict)
}
