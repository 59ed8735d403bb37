//! Captures held against the virtual bench.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use airlag_kinds::registry;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_stats::PairOptions;
use airlag_study::matching::{
    self, Candidate, Certainty, Evidence, Fate, Match, Options, QuantileError, Ranking,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::{link_error, profile, value};
use crate::capture::Trace;
use crate::signals::attended;
use crate::transfers::Transfers;

fn key(p: f64) -> String {
    format!("p{}", p * 100.0)
}

fn quantile_error<'py>(py: Python<'py>, errors: &[QuantileError]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for error in errors {
        let inner = PyDict::new(py);
        inner.set_item("captured_ns", error.captured_ns)?;
        inner.set_item("virtual_ns", error.virtual_ns)?;
        inner.set_item("error_ns", error.error_ns())?;
        inner.set_item("error", error.relative())?;
        dict.set_item(key(error.p), inner)?;
    }
    Ok(dict)
}

fn fate<'py>(py: Python<'py>, fate: Fate) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("triggers", fate.triggers)?;
    dict.set_item("delivered", fate.delivered)?;
    dict.set_item("lost", fate.lost)?;
    Ok(dict)
}

fn evidence<'py>(py: Python<'py>, found: &Evidence) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (part, share) in found.parts() {
        dict.set_item(part.as_str(), share)?;
    }
    Ok(dict)
}

fn named<'py>(
    py: Python<'py>,
    name: &str,
    unit: &str,
    given: &Value,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", name)?;
    dict.set_item("value", value(py, given)?)?;
    dict.set_item("unit", unit)?;
    Ok(dict)
}

fn matched<'py>(py: Python<'py>, found: &Match) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("link", &found.profile.name)?;
    dict.set_item("ks", found.ks)?;
    dict.set_item("ks_chance", found.ks_chance)?;
    dict.set_item("distance", found.distance)?;
    dict.set_item("shape", found.shape)?;
    dict.set_item("explains", found.explains())?;
    dict.set_item("verdict", found.verdict().to_string())?;
    dict.set_item("contradiction", found.contradiction().to_string())?;
    dict.set_item("tolerance", matching::TOLERANCE)?;
    dict.set_item("evidence", evidence(py, &found.evidence)?)?;
    dict.set_item("quantile_error", quantile_error(py, &found.quantile_error)?)?;
    dict.set_item("free", found.free)?;
    let fitted = found.fitted.iter().map(|one| named(py, one.name, one.unit, &one.value));
    dict.set_item("fitted", fitted.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("captured", fate(py, found.captured)?)?;
    dict.set_item("virtual", fate(py, found.bench)?)?;
    Ok(dict)
}

fn candidate<'py>(py: Python<'py>, found: &Candidate) -> PyResult<Bound<'py, PyDict>> {
    let dict = matched(py, &found.matched)?;
    dict.set_item("size", found.size)?;
    dict.set_item("explains", found.explains())?;
    dict.set_item("score", found.score)?;
    let settings = PyDict::new(py);
    for (name, set) in &found.settings {
        settings.set_item(name, value(py, set)?)?;
    }
    dict.set_item("settings", settings)?;
    Ok(dict)
}

fn ranking<'py>(py: Python<'py>, found: &Ranking) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let candidates = found.candidates.iter().map(|one| candidate(py, one));
    dict.set_item("candidates", candidates.collect::<PyResult<Vec<_>>>()?)?;
    // The best is the first, if any; where the next stands among them, by place.
    dict.set_item("explained", found.best().is_some())?;
    let next = found
        .next_kind()
        .and_then(|next| found.candidates.iter().position(|one| std::ptr::eq(one, next)));
    dict.set_item("next", next)?;
    dict.set_item("odds", found.odds())?;
    dict.set_item("certainty", found.certainty().map(Certainty::as_str))?;
    dict.set_item("reason", found.reason().map(|why| why.to_string()))?;
    dict.set_item("impossible", found.impossible)?;
    dict.set_item("unlike", found.unlike)?;
    let mut tried = Vec::new();
    for one in &found.tried {
        let inner = named(py, one.name, one.unit, &one.best)?;
        inner.set_item("own", value(py, &one.own)?)?;
        inner.set_item("distance", one.distance)?;
        inner.set_item("own_distance", one.own_distance)?;
        inner.set_item("next_distance", one.next_distance)?;
        tried.push(inner);
    }
    dict.set_item("tried", tried)?;
    Ok(dict)
}

fn options(
    seed: u64,
    count: usize,
    min_low_ns: i64,
    overlap_ns: Option<i64>,
    settings: &BTreeMap<String, String>,
) -> Options {
    Options {
        seed,
        triggers: count,
        pairing: PairOptions { min_low_ns, overlap_ns },
        fixed: settings.keys().cloned().collect(),
        events: matching::EVENTS,
        ..Options::default()
    }
}

/// Tells Python how far long work is: each percent once, and never less than before.
struct Teller {
    told: Option<Py<PyAny>>,
    percent: AtomicU32,
    /// What Python was told last.
    said: AtomicU32,
}

impl Teller {
    fn new(told: Option<Py<PyAny>>) -> Self {
        Self { told, percent: AtomicU32::new(0), said: AtomicU32::new(0) }
    }

    fn tell(&self, share: f64) {
        let Some(told) = &self.told else { return };
        let percent = (100.0 * share).clamp(0.0, 100.0) as u32;
        if self.percent.fetch_max(percent, Ordering::Relaxed) < percent {
            Python::attach(|py| {
                // While this thread waited for Python's, another may have come further.
                let percent = self.percent.load(Ordering::Relaxed);
                if self.said.fetch_max(percent, Ordering::Relaxed) < percent {
                    // What goes wrong with a line on a screen is no reason to stop.
                    drop(told.call1(py, (percent,)));
                }
            });
        }
    }
}

/// Holds a capture against one link profile.
#[pyfunction]
#[pyo3(signature = (transfers, name, size, count, seed=1, settings=BTreeMap::new(), min_low_ns=1000, overlap_ns=None, told=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn match_link<'py>(
    py: Python<'py>,
    transfers: &Transfers,
    name: &str,
    size: Option<usize>,
    count: usize,
    seed: u64,
    settings: BTreeMap<String, String>,
    min_low_ns: i64,
    overlap_ns: Option<i64>,
    told: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Transfers, Trace)> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let captured = transfers.to_stats(py)?;
    let options = options(seed, count, min_low_ns, overlap_ns, &settings);
    let teller = Teller::new(told);
    let tell = |share: f64| teller.tell(share);
    let found = attended(py, || matching::hold_told(&profile, size, &captured, &options, &tell));
    let found = found.whole()?.map_err(link_error)?;
    let dict = matched(py, &found)?;
    let trace = Trace(found.run.trace);
    Ok((dict, crate::transfers::pair(py, &trace, min_low_ns, overlap_ns, Vec::new()), trace))
}

/// Holds a capture against the link profiles of these names, nearest first.
#[pyfunction]
#[pyo3(signature = (transfers, names, size=None, count=1000, seed=1, min_low_ns=1000, overlap_ns=None, told=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn rank_links<'py>(
    py: Python<'py>,
    transfers: &Transfers,
    names: Vec<String>,
    size: Option<usize>,
    count: usize,
    seed: u64,
    min_low_ns: i64,
    overlap_ns: Option<i64>,
    told: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let captured = transfers.to_stats(py)?;
    let options = options(seed, count, min_low_ns, overlap_ns, &BTreeMap::new());
    let profiles: Result<Vec<Profile>, _> = names.iter().map(|name| registry::find(name)).collect();
    let profiles = profiles.map_err(link_error)?;
    let teller = Teller::new(told);
    let tell = |share: f64| teller.tell(share);
    let found = attended(py, || matching::rank_told(&profiles, size, &captured, &options, &tell))
        .whole()?;
    ranking(py, &found.map_err(link_error)?)
}
