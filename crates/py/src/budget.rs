//! Properties of a link that need no run.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_study::pace;
use pyo3::prelude::*;

use crate::bench::{link_error, profile};

/// Upper bound of the goodput of a link for messages of `size` bytes, kbit/s. `None` if its formulas have no
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

/// Shortest default period for a message that takes `service_ns`, ns.
#[pyfunction]
#[pyo3(signature = (service_ns))]
pub fn unhurried_period_ns(service_ns: Option<u64>) -> u64 {
    pace::unhurried(service_ns.map(Duration::from_ns)).as_ns()
}
