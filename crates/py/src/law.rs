//! Regions with regulatory limits.

use airlag_law::Region;
use pyo3::prelude::*;

use crate::bench::link_error;

/// Names of the regions whose rules are known.
#[pyfunction]
#[pyo3(signature = () -> "list[Region]")]
pub fn regions() -> Vec<&'static str> {
    Region::ALL.map(Region::as_str).to_vec()
}

/// The region of this name.
pub(crate) fn region(name: &str) -> PyResult<Region> {
    Region::find(name).ok_or_else(|| {
        let known = Region::ALL.map(Region::as_str).join(" nor ");
        link_error(format!("region {name:?} is neither {known}"))
    })
}
