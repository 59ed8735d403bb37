//! Regions with regulatory limits.

use airlag_law::Region;
use pyo3::prelude::*;

use crate::bench::link_error;

/// Names of the supported regions.
#[pyfunction]
#[pyo3(signature = () -> "list[Region]")]
pub fn regions() -> Vec<&'static str> {
    Region::ALL.map(Region::as_str).to_vec()
}

/// The region with this name.
pub(crate) fn region(name: &str) -> PyResult<Region> {
    Region::find(name).ok_or_else(|| {
        let known = Region::ALL.map(Region::as_str).join(" or ");
        link_error(format!("no region {name:?}; choose {known}"))
    })
}
