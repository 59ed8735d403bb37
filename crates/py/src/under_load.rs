//! Tunnels under load, as plain dictionaries.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::dist::Summary;
use airlag_study::load::Rate;
use airlag_study::under_load;
use airlag_study::under_load::{Flow, LADDER, Loaded, Point, Task};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::latency;
use crate::bench::{link_error, profile};
use crate::signals::attended;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn flow<'py>(py: Python<'py>, found: &Flow) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("offered", found.offered)?;
    dict.set_item("lost", found.lost())?;
    dict.set_item("latency_ns", latency(py, Summary::of(&found.latencies_ns).as_ref())?)?;
    Ok(dict)
}

fn point<'py>(py: Python<'py>, found: &Point) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("offered_kbps", found.offered_kbps)?;
    dict.set_item("goodput_kbps", found.goodput_kbps)?;
    dict.set_item("bulk", flow(py, &found.bulk)?)?;
    dict.set_item("sparse", flow(py, &found.sparse)?)?;
    dict.set_item("completion_excess_ns", found.completion_excess.map(Duration::as_ns))?;
    Ok(dict)
}

fn loaded<'py>(py: Python<'py>, found: &Loaded) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("rate_kbps", found.rate_kbps)?;
    dict.set_item("frame_loss", found.frame_loss)?;
    dict.set_item("packet", found.packet)?;
    dict.set_item("limit_kbps", found.limit.kbps())?;
    dict.set_item("ceiling_kbps", found.limit.ceiling_kbps())?;
    let points = found.points.iter().map(|one| point(py, one));
    dict.set_item("points", points.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

/// What tunnels, each a name and its settings, make of a bulk that offers more and more and of a sparse flow
/// beside it, in virtual time. `done` is called after each load with how many there are.
#[pyfunction]
#[pyo3(signature = (tunnels, *, offered_kbps=Vec::new(), window_ns=10_000_000_000, seed=1, done=None))]
pub fn load_tunnels<'py>(
    py: Python<'py>,
    tunnels: Vec<(String, BTreeMap<String, String>)>,
    offered_kbps: Vec<f64>,
    window_ns: u64,
    seed: u64,
    done: Option<Py<PyAny>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let profiles = tunnels.iter().map(|(name, settings)| profile(name, settings));
    let profiles = profiles.collect::<PyResult<Vec<_>>>()?;
    let mut offered: Vec<Rate> = offered_kbps.into_iter().map(Rate::Kbps).collect();
    if offered.is_empty() {
        offered = LADDER.map(Rate::Utilisation).to_vec();
    }
    let total = offered.len() * profiles.len();
    let task = Task { offered, window: Duration::from_ns(window_ns), seed };
    let told = || {
        let Some(done) = &done else { return };
        // What goes wrong with a bar is no reason to stop.
        Python::attach(|py| drop(done.call1(py, (total,))));
    };
    let found = attended(py, || under_load(&profiles, &task, told)).whole()?.map_err(link_error)?;
    found.iter().map(|one| loaded(py, one)).collect()
}
