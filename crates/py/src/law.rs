//! What a region says of a run, as plain dictionaries.

use std::collections::BTreeMap;

use airlag_law::check::{Check, Remedy};
use airlag_law::{Region, Ruling, Verdict};
use airlag_rig::emissions::Sender;
use airlag_rig::profile::Profile;
use airlag_rig::run::Options;
use airlag_sim::Duration;
use airlag_study::law::{Condition, Judged, Radio, judged};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::{LinkError, link_error, profile, stimulus, traffic};
use crate::signals::attended;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

/// Names of the regions whose rules are known.
#[pyfunction]
pub fn regions() -> Vec<&'static str> {
    Region::ALL.map(Region::as_str).to_vec()
}

/// The region of this name.
pub(crate) fn region(name: &str) -> PyResult<Region> {
    Region::find(name).ok_or_else(|| {
        let known = Region::ALL.map(Region::as_str).join(" nor ");
        LinkError::new_err(format!("region {name:?} is neither {known}"))
    })
}

/// The rules of a region for links that send at this period, or as they need.
pub(crate) fn condition(
    region: Option<&str>,
    period_ns: Option<u64>,
    seed: u64,
) -> PyResult<Option<Condition>> {
    let period = period_ns.map(Duration::from_ns);
    region.map(|name| Ok(Condition { region: self::region(name)?, period, seed })).transpose()
}

fn check<'py>(py: Python<'py>, found: &Check) -> Dict<'py> {
    let (side, limit) = found.limit.told();
    let dict = PyDict::new(py);
    dict.set_item("quantity", &found.quantity)?;
    dict.set_item("value", found.value)?;
    dict.set_item("bound", side)?;
    dict.set_item("limit", limit)?;
    dict.set_item("unit", found.unit)?;
    dict.set_item("clause", found.clause.to_string())?;
    dict.set_item("confirmed", found.clause.confirmed)?;
    dict.set_item("standing", found.standing.as_str())?;
    let (rarer, quieter_db) = match found.remedy {
        Some(Remedy::Rarer(times)) => (Some(times), None),
        Some(Remedy::Quieter(db)) => (None, Some(db)),
        None => (None, None),
    };
    dict.set_item("rarer", rarer)?;
    dict.set_item("quieter_db", quieter_db)?;
    Ok(dict)
}

fn ruling<'py>(py: Python<'py>, found: &Ruling) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("rule", found.rule)?;
    dict.set_item("standing", found.standing().as_str())?;
    let checks: PyResult<Vec<_>> = found.checks.iter().map(|one| check(py, one)).collect();
    dict.set_item("checks", checks?)?;
    Ok(dict)
}

fn verdict<'py>(py: Python<'py>, found: &Verdict) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("band_khz", [found.band_khz.0, found.band_khz.1])?;
    dict.set_item("airtime", found.airtime)?;
    dict.set_item("kindest", ruling(py, &found.ruling)?)?;
    let others: PyResult<Vec<_>> = found.others.iter().map(|one| ruling(py, one)).collect();
    dict.set_item("others", others?)?;
    Ok(dict)
}

fn radio<'py>(py: Python<'py>, found: &Radio) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("name", &found.name)?;
    dict.set_item("airtime", found.airtime)?;
    let verdicts: PyResult<Vec<_>> = found.verdicts.iter().map(|one| verdict(py, one)).collect();
    dict.set_item("verdicts", verdicts?)?;
    Ok(dict)
}

/// One object `law` of the documented JSON.
pub(crate) fn law<'py>(py: Python<'py>, found: &Judged) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("region", found.region.as_str())?;
    dict.set_item("standing", found.standing().as_str())?;
    dict.set_item("allowed", found.is_allowed())?;
    dict.set_item("airtime", found.airtime())?;
    dict.set_item("reason", found.reason())?;
    dict.set_item("otherwise", found.otherwise())?;
    let radios: PyResult<Vec<_>> = found.radios.iter().map(|one| radio(py, one)).collect();
    dict.set_item("radios", radios?)?;
    Ok(dict)
}

/// What each region says of what was sent, by its name; nothing of a link without a radio.
pub(crate) fn by_region<'py>(
    py: Python<'py>,
    profile: &Profile,
    senders: &[Sender],
) -> PyResult<BTreeMap<&'static str, Bound<'py, PyDict>>> {
    let mut all = BTreeMap::new();
    for region in Region::ALL {
        if let Some(found) = Judged::of(profile, senders, region).map_err(link_error)? {
            all.insert(region.as_str(), law(py, &found)?);
        }
    }
    Ok(all)
}

/// What a region says of a run as `run_link` makes it; `None` of a link without a radio.
#[pyfunction]
#[pyo3(signature = (region, name, size, count, period_ns, phase="uniform", seed=1, settings=BTreeMap::new(), traffic="trigger"))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn law_link<'py>(
    py: Python<'py>,
    region: &str,
    name: &str,
    size: Option<usize>,
    count: usize,
    period_ns: u64,
    phase: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
    traffic: &str,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let region = self::region(region)?;
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let stimulus = stimulus(count, period_ns, phase)?;
    let options = Options { seed, spans: false, traffic: self::traffic(traffic)? };
    let told = attended(py, || judged(&profile, size, &stimulus, options, region));
    let (_, found) = told.whole()?.map_err(link_error)?;
    found.map(|found| law(py, &found)).transpose()
}
