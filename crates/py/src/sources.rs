//! The documents that constants are taken from.

use airlag_rig::origin::Citation;
use airlag_rig::sources::{Document, Group, all};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bench::link_error;

/// Text that may be empty, as `None` where it is.
fn present(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn told<'py>(
    py: Python<'py>,
    (group, key, document): (Group, &str, &Document),
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("key", key)?;
    dict.set_item("group", group.to_string())?;
    dict.set_item("title", &document.title)?;
    dict.set_item("author", present(&document.author))?;
    dict.set_item("year", document.year)?;
    dict.set_item("version", present(&document.version))?;
    dict.set_item("url", &document.url)?;
    dict.set_item("taken", &document.taken)?;
    dict.set_item("checked", present(&document.checked))?;
    Ok(dict)
}

/// Every document of `links/sources.toml`.
#[pyfunction]
pub fn sources(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    all().map_err(link_error)?.map(|one| told(py, one)).collect()
}

/// A document, and where in it.
pub(crate) fn cite<'py>(py: Python<'py>, citation: &Citation) -> PyResult<Bound<'py, PyDict>> {
    let (group, document) = citation.document().map_err(link_error)?;
    let dict = told(py, (group, &citation.key, document))?;
    dict.set_item("at", &citation.at)?;
    Ok(dict)
}
