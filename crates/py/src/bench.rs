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
    "A link that cannot be run as asked: one line that says what, where and what would be right."
);

/// Every error of a bench, and of a question, is one line already.
pub(crate) fn link_error(error: impl std::fmt::Display) -> PyErr {
    LinkError::new_err(error.to_string())
}

/// Names of all link profiles.
#[pyfunction]
pub fn links() -> PyResult<Vec<&'static str>> {
    registry::names().map_err(link_error)
}

/// What is run on a link where messages of `sizes`, in bytes, are asked for: each of them, or once
/// `None` where there is no message.
#[pyfunction]
pub fn payloads(name: &str, sizes: Vec<usize>) -> PyResult<Vec<Option<usize>>> {
    Ok(registry::find(name).map_err(link_error)?.payloads(&sizes))
}

/// The settings that differ from the profile's, each value in the unit of its parameter.
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

/// A constant of a link with its unit; the profile's where no value is given.
#[pyfunction]
#[pyo3(signature = (link, name, value=None))]
pub fn constant_in_words(link: &str, name: &str, value: Option<String>) -> String {
    let value = value.or_else(|| labels::own(link, name));
    value.map_or_else(
        || "as in the profile".to_owned(),
        |value| labels::with_unit(link, name, &value),
    )
}

/// Every run that lists of values and of payloads span, in the order typed, each once: link, settings
/// that differ from its profile, payload. What is wrong with a link or a setting stays for its run.
///
/// Raises `LinkError` when they are more than `most`.
#[pyfunction]
pub fn spanned(
    pairs: Vec<(String, String)>,
    links: Vec<(String, Vec<Option<usize>>)>,
    most: usize,
) -> PyResult<Vec<Spanned>> {
    span::spanned(&pairs, &links, most).map_err(link_error)
}
