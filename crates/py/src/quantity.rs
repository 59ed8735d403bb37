//! Quantities as text.

use airlag_study::quantity;
use pyo3::prelude::*;

/// A number with this many significant digits, in plain notation, with its thousands apart.
#[pyfunction]
#[pyo3(signature = (value, digits=4))]
pub fn number(value: f64, digits: i32) -> String {
    quantity::number(value, digits)
}

/// A ratio in percent; never 0 % or 100 % unless it is exactly that.
#[pyfunction]
pub fn percent(ratio: f64) -> String {
    quantity::percent(ratio)
}

/// A duration as a command line takes it, to the nanosecond: `16.6ms`.
#[pyfunction]
pub fn exact(value_ns: u64) -> String {
    quantity::exact(value_ns)
}

/// The unit in which the largest of these durations, ns, is at least 1 and below 10 000: name, and ns.
#[pyfunction]
pub fn time_unit(durations_ns: Vec<f64>) -> (&'static str, f64) {
    let unit = quantity::time_unit(durations_ns);
    (unit.name, unit.size)
}

/// The unit in which the largest of these charges, nC, is at least 1: name, and nC.
#[pyfunction]
pub fn charge_unit(charges_nc: Vec<f64>) -> (&'static str, f64) {
    let largest = charges_nc.into_iter().fold(0.0, |most: f64, nc| most.max(nc.abs()));
    let unit = quantity::largest_unit(largest, &quantity::CHARGES);
    (unit.name, unit.size)
}

/// A charge in the unit in which it reads well: `1.83 uC`.
#[pyfunction]
pub fn charge_in_words(nc: f64) -> String {
    quantity::in_units(nc, &quantity::CHARGES)
}

/// A current in the unit in which it reads well: `26 uA`.
#[pyfunction]
pub fn current_in_words(na: f64) -> String {
    quantity::in_units(na, &quantity::CURRENTS)
}

/// A battery life: `1.4 years`, `35 days`, `7 hours`.
#[pyfunction]
pub fn years_in_words(years: f64) -> String {
    quantity::years(years)
}

/// A rate of messages as it is asked for: `1/min`.
#[pyfunction]
pub fn rate_in_words(per_second: f64) -> String {
    quantity::rate(per_second)
}
