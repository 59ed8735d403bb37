//! Quantities as text.

use airlag_study::quantity;
use pyo3::prelude::*;

/// Formats a number with this many significant digits, without exponent, with thousands separators.
#[pyfunction]
#[pyo3(signature = (value, digits=4))]
pub fn number(value: f64, digits: i32) -> String {
    quantity::number(value, digits)
}

/// Formats a ratio in percent. Rounds to 0 % or 100 % only if it is exact.
#[pyfunction]
pub fn percent(ratio: f64) -> String {
    quantity::percent(ratio)
}

/// Formats a duration for a command line, exact to the nanosecond: `16.6ms`.
#[pyfunction]
pub fn exact(value_ns: u64) -> String {
    quantity::exact(value_ns)
}

/// Unit in which the largest of these durations in ns is at least 1 and below 10 000: its name and its size
/// in ns.
#[pyfunction]
pub fn time_unit(durations_ns: Vec<f64>) -> (&'static str, f64) {
    let unit = quantity::time_unit(durations_ns);
    (unit.name, unit.size)
}

/// Unit in which the largest of these charges in nC is at least 1: its name and its size in nC.
#[pyfunction]
pub fn charge_unit(charges_nc: Vec<f64>) -> (&'static str, f64) {
    let largest = charges_nc.into_iter().fold(0.0, |most: f64, nc| most.max(nc.abs()));
    let unit = quantity::largest_unit(largest, &quantity::CHARGES);
    (unit.name, unit.size)
}

/// Formats a charge in a suitable unit: `1.83 uC`.
#[pyfunction]
pub fn charge_in_words(nc: f64) -> String {
    quantity::in_units(nc, &quantity::CHARGES)
}

/// Formats a current in a suitable unit: `26 uA`.
#[pyfunction]
pub fn current_in_words(na: f64) -> String {
    quantity::in_units(na, &quantity::CURRENTS)
}

/// Formats a battery life: `1.4 years`, `35 days`, `7 hours`.
#[pyfunction]
pub fn years_in_words(years: f64) -> String {
    quantity::years(years)
}

/// Formats a message rate for a command line: `1/min`.
#[pyfunction]
pub fn rate_in_words(per_second: f64) -> String {
    quantity::rate(per_second)
}
