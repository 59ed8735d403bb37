//! What an assumption is worth, as plain dictionaries.

use std::collections::BTreeMap;

use airlag_rig::profile::Constant;
use airlag_study::sensitivity::{Changed, Effect, Seen, Sensitivity, sensitivity};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::{bound, link_error, profile, value};
use crate::signals::attended;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn seen<'py>(py: Python<'py>, seen: Option<&Seen>) -> Dict<'py> {
    let quantiles = seen.and_then(|one| one.quantiles_ns);
    let dict = PyDict::new(py);
    dict.set_item("p50_ns", quantiles.map(|[p50, _]| p50))?;
    dict.set_item("p99_ns", quantiles.map(|[_, p99]| p99))?;
    dict.set_item("delivery", seen.and_then(|one| one.delivery))?;
    Ok(dict)
}

fn changed<'py>(py: Python<'py>, found: &Changed) -> Dict<'py> {
    let dict = seen(py, found.seen.as_ref().ok())?;
    dict.set_item("value", value(py, &found.value)?)?;
    dict.set_item("refused", found.seen.as_ref().err().map(ToString::to_string))?;
    Ok(dict)
}

fn constant<'py>(py: Python<'py>, of: &Constant<'_>) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("name", of.name)?;
    dict.set_item("value", value(py, of.value)?)?;
    dict.set_item("unit", of.unit)?;
    dict.set_item("source", of.origin.source.to_string())?;
    Ok(dict)
}

/// A change; none where nothing arrives.
fn share(share: f64) -> Option<f64> {
    share.is_finite().then_some(share)
}

fn effect<'py>(py: Python<'py>, told: &Sensitivity<'_>, found: &Effect<'_>) -> Dict<'py> {
    let dict = constant(py, &found.constant)?;
    dict.set_item("bound", bound(py, found.constant.origin)?)?;
    dict.set_item("effect", share(found.share))?;
    dict.set_item("worth", share(found.worth()))?;
    dict.set_item("open", told.is_open(found))?;
    let side = |one: &Option<Changed>| one.as_ref().map(|one| changed(py, one)).transpose();
    dict.set_item("halved", side(&found.halved)?)?;
    dict.set_item("doubled", side(&found.doubled)?)?;
    let within = found.within.as_ref().map(|within| {
        let dict = PyDict::new(py);
        dict.set_item("effect", share(within.share))?;
        dict.set_item("lowest", side(&within.lowest)?)?;
        dict.set_item("highest", side(&within.highest)?)?;
        PyResult::Ok(dict)
    });
    dict.set_item("within", within.transpose()?)?;
    Ok(dict)
}

/// How far median and 99 % quantile of a link move when each assumed or calibrated constant is
/// halved and doubled, the largest effect first.
#[pyfunction]
#[pyo3(signature = (name, size, count=1000, seed=1, settings=BTreeMap::new()))]
pub fn sensitivity_link<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    count: usize,
    seed: u64,
    settings: BTreeMap<String, String>,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let found = attended(py, || sensitivity(&profile, size, count, seed));
    let found = found.whole()?.map_err(link_error)?;
    let dict = seen(py, Some(&found.own))?;
    let [p50, p99] = found.chance.map(share);
    dict.set_item("chance_p50", p50)?;
    dict.set_item("chance_p99", p99)?;
    let effects = found.effects.iter().map(|one| effect(py, &found, one));
    dict.set_item("constants", effects.collect::<PyResult<Vec<_>>>()?)?;
    let left_out = found.left_out.iter().map(|(one, why)| {
        let dict = constant(py, one)?;
        dict.set_item("why", why.as_str())?;
        Ok(dict)
    });
    dict.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}
