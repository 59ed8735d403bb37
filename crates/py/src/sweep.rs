//! Sweep plans, and parsers of quantities and names in files and command lines.

use std::sync::Arc;

use airlag_kinds::registry;
use airlag_study::Error;
use airlag_study::batch::sweep::{Design, Plan, Points, plan};
use airlag_study::batch::{amounts, duration, links, text};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::bench::link_error;

/// Parses a duration such as `1us`, `200ms` or `16.6ms`, ns.
///
/// Raises `ValueError` with a valid example.
#[pyfunction]
pub fn parse_duration(text: &str) -> PyResult<i64> {
    duration::parse(text).map_err(PyValueError::new_err)
}

/// Parses a memory size such as `4GiB` or `1.5GB`, bytes. Raises `ValueError`.
#[pyfunction]
pub fn parse_memory(text: &str) -> PyResult<i64> {
    amounts::memory(text).map_err(PyValueError::new_err)
}

/// Parses a charge such as `50uC`, nC. Raises `ValueError`.
#[pyfunction]
pub fn parse_charge(text: &str) -> PyResult<f64> {
    amounts::charge(text).map_err(PyValueError::new_err)
}

/// Parses a battery life such as `1y`, `6w` or `90d`, years. Raises `ValueError`.
#[pyfunction]
pub fn parse_life(text: &str) -> PyResult<f64> {
    amounts::life(text).map_err(PyValueError::new_err)
}

/// Parses a message rate such as `1/min` or `10/s`, 1/s. Raises `ValueError`.
#[pyfunction]
pub fn parse_rate(text: &str) -> PyResult<f64> {
    amounts::rate(text).map_err(PyValueError::new_err)
}

/// Parses a sample rate such as `10MHz`, Hz. Returns `None` if it is invalid.
#[pyfunction]
pub fn parse_sample_rate(text: &str) -> Option<u64> {
    amounts::sample_rate(text)
}

/// Returns the link profiles that match any of the patterns and none of `without`. Without
/// patterns, returns all profiles that match none of `without`.
///
/// Raises `LinkError` with the nearest name, or if no link is left.
#[pyfunction]
#[pyo3(signature = (among=None, without=Vec::new()))]
pub fn chosen_links(
    among: Option<Vec<String>>,
    without: Vec<String>,
) -> PyResult<Vec<&'static str>> {
    let names = registry::names().map_err(link_error)?;
    links::chosen(&names, among.as_deref(), &without).map_err(link_error)
}

/// Returns the link profiles that match a pattern.
#[pyfunction]
pub fn links_like(pattern: &str) -> PyResult<Vec<&'static str>> {
    Ok(links::like(pattern, &registry::names().map_err(link_error)?))
}

/// A sweep as a function from run number to run.
#[pyclass(frozen)]
pub struct SweepPlan(Plan);

#[pymethods]
impl SweepPlan {
    /// Reads a sweep from TOML, or from JSON if `is_json`.
    ///
    /// `draw` returns the points of a design with this kind, number of parameters, number of points and seed:
    /// an array of positions from 0 to 1, and its digest.
    #[new]
    #[pyo3(signature = (asked, is_json, name, tried, draw: "Callable[[str, int, int, int], tuple[NDArray[np.float64], str]]"))]
    fn new(
        py: Python<'_>,
        asked: &str,
        is_json: bool,
        name: &str,
        tried: bool,
        draw: Py<PyAny>,
    ) -> PyResult<Self> {
        let read = if is_json {
            serde_json::from_str(asked).map_err(link_error)?
        } else {
            text::read(asked).map_err(link_error)?
        };
        let Value::Object(asked) = read else { return Err(link_error("no table")) };
        let drawn = |design: Design| {
            points(draw.bind(py), design)
                .map_err(|error| Error::Plan { line: error.value(py).to_string() })
        };
        plan(&asked, name, tried, &drawn).map(Self).map_err(link_error)
    }

    /// Name of the sweep.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Link profiles, each with its number of configurations and the names of its settings.
    #[getter]
    fn blocks(&self) -> Vec<(&str, u64, Vec<&str>)> {
        self.0.blocks.iter().map(|one| (one.link.as_str(), one.many(), one.names())).collect()
    }

    /// Number of configurations.
    #[getter]
    fn configurations(&self) -> u64 {
        self.0.configurations()
    }

    /// Number of replications per configuration, or the largest number if a stopping criterion
    /// determines it.
    #[getter]
    fn most(&self) -> u64 {
        self.0.most
    }

    /// Quantile of the stopping criterion. `None` without a criterion.
    #[getter]
    fn looks_at(&self) -> Option<&'static str> {
        self.0.stop.as_ref().map(|stop| stop.quantile)
    }

    /// Number of replications required according to the quantiles so far. `None` in the list is a replication
    /// without arrivals.
    fn wanted(&self, quantiles: Vec<Option<f64>>) -> u64 {
        self.0.stop.as_ref().map_or(self.0.most, |stop| stop.after(&quantiles))
    }

    /// Region whose regulatory limits runs are checked against.
    #[getter]
    fn region(&self) -> Option<&'static str> {
        self.0.region.map(|region| airlag_law::Region::from(region).as_str())
    }

    /// Whether every transfer is written.
    #[getter]
    fn transfers(&self) -> bool {
        self.0.transfers
    }

    /// Whether an unsupported combination yields a row without results.
    #[getter]
    fn keep_impossible(&self) -> bool {
        self.0.keep_impossible
    }

    /// Columns of the settings: name, type, description.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str)> {
        let each = self.0.columns.iter();
        each.map(|one| (one.name.as_str(), one.kind, one.about.as_str())).collect()
    }

    /// Canonical definition of the sweep, as JSON.
    #[getter]
    fn asked(&self) -> PyResult<String> {
        serde_json::to_string(&self.0.asked).map_err(link_error)
    }

    /// Digest of the points of a design.
    #[getter]
    fn digest(&self) -> Option<&str> {
        self.0.digest.as_deref()
    }

    /// Link and settings of a configuration, as text.
    fn sets(&self, configuration: u64) -> Option<(&str, Vec<(String, String)>)> {
        self.0.sets(configuration)
    }

    /// Request for run number `run`, as JSON.
    fn request(&self, run: u64) -> PyResult<String> {
        let task = self.0.task(run).ok_or_else(|| link_error(format!("no run {run}")))?;
        serde_json::to_string(&task).map_err(link_error)
    }
}

fn points(draw: &Bound<'_, PyAny>, design: Design) -> PyResult<Points> {
    let asked = (design.kind, design.dimensions, design.points, design.seed);
    let (shares, digest): (PyReadonlyArray2<'_, f64>, String) = draw.call1(asked)?.extract()?;
    Ok(Points { shares: Arc::new(shares.as_slice()?.to_vec()), digest })
}
