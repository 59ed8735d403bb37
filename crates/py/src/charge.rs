//! What a message costs, as plain dictionaries.

use airlag_rig::batteries::{self, Battery};
use airlag_study::charge::{Charge, EndCharge, InState, Slices, Spent, life};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::link_error;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

/// nC of an aC.
const NC_PER_AC: f64 = 1e-9;

fn in_state<'py>(py: Python<'py>, found: &InState) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("state", found.state.as_str())?;
    dict.set_item("ns", found.spent_ns)?;
    dict.set_item("current_na", found.current_na)?;
    dict.set_item("nc", found.charge_ac() as f64 * NC_PER_AC)?;
    Ok(dict)
}

fn part<'py>(py: Python<'py>, found: &Spent) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("name", &found.name)?;
    dict.set_item("part", &found.currents.key)?;
    dict.set_item("about", &found.currents.about)?;
    let states: PyResult<Vec<_>> = found.states.iter().map(|one| in_state(py, one)).collect();
    dict.set_item("states", states?)?;
    dict.set_item("wakes", found.wakes)?;
    dict.set_item("wake_nc", found.currents.wake_nc())?;
    dict.set_item("nc", found.charge_ac() as f64 * NC_PER_AC)?;
    Ok(dict)
}

fn end<'py>(py: Python<'py>, found: &EndCharge) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("marginal_nc", found.marginal_nc())?;
    dict.set_item("idle_na", found.idle_na)?;
    dict.set_item("average_na", found.average_na())?;
    dict.set_item("peak_na", found.peak_na())?;
    dict.set_item("total_nc", found.total_nc())?;
    dict.set_item("elapsed_ns", found.elapsed_ns)?;
    let parts: PyResult<Vec<_>> = found.parts.iter().map(|one| part(py, one)).collect();
    dict.set_item("parts", parts?)?;
    Ok(dict)
}

/// One object `charge` of the documented JSON; none where nobody lists what a link draws.
pub(crate) fn charge<'py>(py: Python<'py>, found: &Charge) -> PyResult<Option<Bound<'py, PyDict>>> {
    if found.ends.is_empty() {
        return Ok(None);
    }
    let dict = PyDict::new(py);
    for one in &found.ends {
        dict.set_item(one.end, end(py, one)?)?;
    }
    Ok(Some(dict))
}

/// What each end draws from trigger to completion, slice by slice; none where nobody lists it.
pub(crate) fn slices<'py>(
    py: Python<'py>,
    found: &[Slices],
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if found.is_empty() {
        return Ok(None);
    }
    let ends = PyDict::new(py);
    for one in found {
        let mut items = Vec::new();
        for &(label, charge_ac) in &one.items {
            let dict = PyDict::new(py);
            dict.set_item("name", label.name)?;
            dict.set_item("class", label.class.as_str())?;
            dict.set_item("mean_nc", one.mean_nc(charge_ac))?;
            items.push(dict);
        }
        let dict = PyDict::new(py);
        dict.set_item("message_nc", one.message_nc())?;
        dict.set_item("items", items)?;
        ends.set_item(one.end, dict)?;
    }
    Ok(Some(ends))
}

/// Names of the batteries there are.
#[pyfunction]
pub fn battery_names() -> Vec<&'static str> {
    batteries::names()
}

/// How long a battery lasts at a mean current, and what it is asked for at once and does not give.
#[pyfunction]
#[pyo3(signature = (battery, average_na, peak_na=0))]
pub fn battery_life<'py>(
    py: Python<'py>,
    battery: &str,
    average_na: f64,
    peak_na: u64,
) -> Dict<'py> {
    let battery = Battery::find(battery).map_err(link_error)?;
    let found = life(&battery, average_na, peak_na);
    let dict = PyDict::new(py);
    dict.set_item("about", &battery.about)?;
    dict.set_item("capacity_mah", battery.capacity_mah.value)?;
    dict.set_item("years", found.years)?;
    dict.set_item("overloaded_ma", found.overloaded_ma)?;
    Ok(dict)
}
