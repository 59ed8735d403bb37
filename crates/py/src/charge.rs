//! Batteries.

use airlag_rig::batteries::Battery;
use airlag_study::answers::charge::Life;
use airlag_study::json;
use pyo3::prelude::*;

use crate::bench::link_error;

/// Life of a battery at a mean current, and an overload by the peak current, as a JSON object.
#[pyfunction]
#[pyo3(signature = (battery, average_na, peak_na=0))]
pub fn battery_life(battery: &str, average_na: f64, peak_na: u64) -> PyResult<String> {
    let battery = Battery::find(battery).map_err(link_error)?;
    json::written(&Life::of(&battery, average_na, peak_na)).map_err(link_error)
}
