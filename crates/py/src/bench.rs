//! Link profiles by name.

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::profile::Profile;
use airlag_study::batch::span::{self, Spanned};
use airlag_study::questions::bench::{Bound as Study, Settings};
use airlag_study::questions::labels;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    _airlag,
    LinkError,
    PyValueError,
    "Raised for a link that cannot run with these arguments. The message is one line: the cause, and what is expected."
);

/// Converts an error of a bench or a question, which is one line.
pub(crate) fn link_error(error: impl std::fmt::Display) -> PyErr {
    LinkError::new_err(error.to_string())
}

/// Names of all link profiles.
#[pyfunction]
pub fn links() -> PyResult<Vec<&'static str>> {
    registry::names().map_err(link_error)
}

/// Payloads to run on a link from `sizes`, in bytes. A single `None` for a link without messages.
#[pyfunction]
pub fn payloads(name: &str, sizes: Vec<usize>) -> PyResult<Vec<Option<usize>>> {
    Ok(registry::find(name).map_err(link_error)?.payloads(&sizes))
}

/// Settings that differ from the profile, each in the unit of its parameter.
#[pyfunction]
pub fn differing(link: &str, settings: Settings) -> PyResult<Settings> {
    Ok(Study::of(link, &settings).map_err(link_error)?.settings)
}

pub(crate) fn profile(name: &str, settings: &BTreeMap<String, String>) -> PyResult<Profile> {
    let mut profile = registry::find(name).map_err(link_error)?;
    for (key, value) in settings {
        profile.set(key, value).map_err(link_error)?;
    }
    Ok(profile)
}

/// Formats a constant of a link with its unit. Without a value, the constant of the profile.
#[pyfunction]
#[pyo3(signature = (link, name, value=None))]
pub fn constant_in_words(link: &str, name: &str, value: Option<String>) -> String {
    let value = value.or_else(|| labels::own(link, name));
    value.map_or_else(
        || "as in the profile".to_owned(),
        |value| labels::with_unit(link, name, &value),
    )
}

/// Every combination of lists of values and payloads, in the order given, without duplicates: link, settings
/// that differ from its profile, payload. An invalid link or setting is kept and fails in its run.
///
/// Raises `LinkError` if there are more than `most`.
#[pyfunction]
pub fn spanned(
    pairs: Vec<(String, String)>,
    links: Vec<(String, Vec<Option<usize>>)>,
    most: usize,
) -> PyResult<Vec<Spanned>> {
    span::spanned(&pairs, &links, most).map_err(link_error)
}
