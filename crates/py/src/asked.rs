//! What was asked of a run, from a dictionary, and in what two runs differ, as the documented JSON.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_study::asked::{Apart, Asked, Differing, Told, What};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A dictionary with these keys; what is not known is `None`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Noted {
    link: Option<String>,
    size: Option<u64>,
    traffic: Option<String>,
    way: Option<String>,
    phase: Option<String>,
    period_ns: Option<u64>,
    service_ns: Option<u64>,
    settings: Option<BTreeMap<String, String>>,
    version: Option<String>,
}

impl From<Noted> for Asked {
    fn from(noted: Noted) -> Self {
        let Noted { link, size, traffic, way, phase, settings, version, .. } = noted;
        let (period, service) = (noted.period_ns, noted.service_ns);
        let (period, service) = (period.map(Duration::from_ns), service.map(Duration::from_ns));
        Self { link, size, traffic, way, phase, period, service, settings, version }
    }
}

/// In what two runs differ: one dictionary each.
pub(crate) fn differs<'py>(py: Python<'py>, found: &Apart) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let told = |told: &Option<Told>| match told {
        None => Ok(py.None().into_bound(py)),
        Some(Told::Text(text)) => text.into_bound_py_any(py),
        Some(Told::Number(number)) => number.into_bound_py_any(py),
    };
    let one = |each: &Differing| {
        let dict = PyDict::new(py);
        dict.set_item("what", each.what.name())?;
        let setting = if let What::Setting(name) = &each.what { Some(name) } else { None };
        dict.set_item("setting", setting)?;
        dict.set_item("a", told(&each.a)?)?;
        dict.set_item("b", told(&each.b)?)?;
        Ok(dict)
    };
    found.differs.iter().map(one).collect()
}
