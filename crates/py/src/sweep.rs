//! Sweeps as a plan, and the times and names that files and command lines have.

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

/// Nanoseconds of a duration such as `1us`, `200ms` or `16.6ms`.
///
/// Raises `ValueError` that says what would be right.
#[pyfunction]
pub fn parse_duration(text: &str) -> PyResult<i64> {
    duration::parse(text).map_err(PyValueError::new_err)
}

/// Bytes of a size of memory such as `4GiB` or `1.5GB`; raises `ValueError`.
#[pyfunction]
pub fn parse_memory(text: &str) -> PyResult<i64> {
    amounts::memory(text).map_err(PyValueError::new_err)
}

/// Nanocoulombs of a charge such as `50uC`; raises `ValueError`.
#[pyfunction]
pub fn parse_charge(text: &str) -> PyResult<f64> {
    amounts::charge(text).map_err(PyValueError::new_err)
}

/// Years of a battery life such as `1y`, `6w` or `90d`; raises `ValueError`.
#[pyfunction]
pub fn parse_life(text: &str) -> PyResult<f64> {
    amounts::life(text).map_err(PyValueError::new_err)
}

/// Messages per second of a rate such as `1/min` or `10/s`; raises `ValueError`.
#[pyfunction]
pub fn parse_rate(text: &str) -> PyResult<f64> {
    amounts::rate(text).map_err(PyValueError::new_err)
}

/// The link profiles that are like any of the patterns, and like none of `without`; without patterns
/// all but those.
///
/// Raises `LinkError` with the nearest name, or when nothing is left.
#[pyfunction]
#[pyo3(signature = (among=None, without=Vec::new()))]
pub fn chosen_links(
    among: Option<Vec<String>>,
    without: Vec<String>,
) -> PyResult<Vec<&'static str>> {
    let names = registry::names().map_err(link_error)?;
    links::chosen(&names, among.as_deref(), &without).map_err(link_error)
}

/// The link profiles that are like a pattern; none where none is.
#[pyfunction]
pub fn links_like(pattern: &str) -> PyResult<Vec<&'static str>> {
    Ok(links::like(pattern, &registry::names().map_err(link_error)?))
}

/// A sweep: every run of it as a function of its number.
#[pyclass(frozen)]
pub struct SweepPlan(Plan);

#[pymethods]
impl SweepPlan {
    /// The sweep that a file asks for, which is TOML, or JSON where `is_json`.
    ///
    /// `draw` gives the points of a design, of this kind, with so many parameters and points, and of
    /// this seed: an array of shares, and a digest of it.
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

    /// Link profiles, each with how many configurations it has and what these set.
    #[getter]
    fn blocks(&self) -> Vec<(&str, u64, Vec<&str>)> {
        self.0.blocks.iter().map(|one| (one.link.as_str(), one.many(), one.names())).collect()
    }

    /// How many configurations there are.
    #[getter]
    fn configurations(&self) -> u64 {
        self.0.configurations()
    }

    /// Replications of a configuration; the most of them where an interval decides.
    #[getter]
    fn most(&self) -> u64 {
        self.0.most
    }

    /// Quantile whose interval decides when to stop; `None` where none does.
    #[getter]
    fn looks_at(&self) -> Option<&'static str> {
        self.0.stop.as_ref().map(|stop| stop.quantile)
    }

    /// How many replications there are to be, as far as the quantiles of the first ones show; `None`
    /// where nothing arrived.
    fn wanted(&self, quantiles: Vec<Option<f64>>) -> u64 {
        self.0.stop.as_ref().map_or(self.0.most, |stop| stop.after(&quantiles))
    }

    /// Region whose regulatory limits runs are checked against.
    #[getter]
    fn region(&self) -> Option<&'static str> {
        self.0.region.map(|region| airlag_law::Region::from(region).as_str())
    }

    /// Whether every transfer is kept.
    #[getter]
    fn transfers(&self) -> bool {
        self.0.transfers
    }

    /// Whether a combination that a link cannot be run with is a row without figures.
    #[getter]
    fn keep_impossible(&self) -> bool {
        self.0.keep_impossible
    }

    /// Columns of what is set: name, type, and what it is.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str)> {
        let each = self.0.columns.iter();
        each.map(|one| (one.name.as_str(), one.kind, one.about.as_str())).collect()
    }

    /// What was asked for, as JSON.
    #[getter]
    fn asked(&self) -> PyResult<String> {
        serde_json::to_string(&self.0.asked).map_err(link_error)
    }

    /// Digest of the points of a design.
    #[getter]
    fn digest(&self) -> Option<&str> {
        self.0.digest.as_deref()
    }

    /// The link of a configuration, and what is set there, as text.
    fn sets(&self, configuration: u64) -> Option<(&str, Vec<(String, String)>)> {
        self.0.sets(configuration)
    }

    /// What the bench is asked for as number `run`, as JSON.
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
