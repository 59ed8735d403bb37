//! iperf3 results for Python.

use airlag_study::iperf::{self, Load};
use airlag_study::json;
use pyo3::prelude::*;

use crate::bench::{LinkError, link_error};

/// Reads the JSON of both ends of iperf3. Returns a JSON object with the counts of each direction, and the goodput
/// of the first direction within the window.
#[pyfunction]
#[pyo3(signature = (client, server, *, is_udp, window_ns, back, both_ways))]
pub fn iperf_results(
    client: &str,
    server: &str,
    is_udp: bool,
    window_ns: u64,
    back: bool,
    both_ways: bool,
) -> PyResult<String> {
    let load = Load { is_udp, window_s: window_ns as f64 / 1e9, back, both_ways };
    let found = iperf::read(client, server, &load);
    json::written(&found.map_err(|error| LinkError::new_err(error.to_string()))?)
        .map_err(link_error)
}

/// Returns the error that iperf3 reports in its JSON instead of a result, or `None`.
#[pyfunction]
pub fn iperf_error(client: &str) -> PyResult<Option<String>> {
    iperf::reported_error(client).map_err(|error| LinkError::new_err(error.to_string()))
}
