//! Numbers of a link that need no run, or a short one.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_study::advice::candidates;
use airlag_study::pace;
use airlag_study::timeline::Class;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::{link_error, profile};
use crate::signals::attended;

/// What kinds of things time is spent on, in the order of their enumeration.
#[pyfunction]
pub fn slice_classes() -> Vec<&'static str> {
    Class::ALL.iter().map(|class| class.as_str()).collect()
}

/// What a link carries at most of messages of `size` bytes, kbit/s; `None` where its formulas have no
/// limit.
#[pyfunction]
#[pyo3(signature = (name, size, settings=BTreeMap::new()))]
pub fn link_ceiling(
    name: &str,
    size: usize,
    settings: BTreeMap<String, String>,
) -> PyResult<Option<f64>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(Some(size)).map_err(link_error)?;
    Ok(profile.bind().and_then(|link| link.cycle(size)).map_err(link_error)?.kbps(size))
}

/// The longest latency of a few messages sent one at a time, ns; `None` when none arrived.
#[pyfunction]
#[pyo3(signature = (name, size, seed=1, settings=BTreeMap::new()))]
pub fn service_ns(
    py: Python<'_>,
    name: &str,
    size: Option<usize>,
    seed: u64,
    settings: BTreeMap<String, String>,
) -> PyResult<Option<u64>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let taken = attended(py, || pace::service(&profile, size, seed));
    let service = taken.whole()?.map_err(link_error)?;
    Ok(service.map(Duration::as_ns))
}

/// The shortest usual period that leaves a message of `service_ns` twice its time, ns.
#[pyfunction]
#[pyo3(signature = (service_ns))]
pub fn unhurried_period_ns(service_ns: Option<u64>) -> u64 {
    pace::unhurried(service_ns.map(Duration::from_ns)).as_ns()
}

/// What can be turned on a link, value by value, as `advise_link` turns it; values it has are left out.
#[pyfunction]
#[pyo3(signature = (name, settings=BTreeMap::new()))]
pub fn link_knobs<'py>(
    py: Python<'py>,
    name: &str,
    settings: BTreeMap<String, String>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let profile = profile(name, &settings)?;
    let found = candidates(&profile).map_err(link_error)?;
    let told = found.iter().map(|one| {
        let dict = PyDict::new(py);
        dict.set_item("name", one.knob.as_str())?;
        dict.set_item("value", one.value)?;
        dict.set_item("gives_up", one.gives_up)?;
        Ok(dict)
    });
    told.collect()
}
