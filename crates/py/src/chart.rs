//! Charts: specifications that are filled, widths of text, and marks that stand for several points.

use airlag_study::chart::names::{self, Named, Words};
use airlag_study::chart::thin::{self, Mark};
use airlag_study::chart::{self, svg, text};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Map, Value};

/// Link, payload, and what differs among runs.
type VirtualWords = (String, Option<String>, Vec<String>);

/// An array of whole numbers.
type Integers<'py> = Bound<'py, PyArray1<i64>>;

/// Fills the specification of a chart: JSON of it, of the parts it uses by name, of its values and of
/// the formats of its data. Raises `KeyError` when a variable has no value, or no part has a name.
#[pyfunction]
pub fn fill_chart(source: &str, parts: &str, values: &str, formats: &str) -> PyResult<String> {
    let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
    let source: Value = serde_json::from_str(source).map_err(wrong)?;
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).map_err(wrong);
    let (parts, values, formats) = (object(parts)?, object(values)?, object(formats)?);
    let filled = chart::fill(&source, parts, &values, &formats);
    filled.map(|spec| spec.to_string()).map_err(|missing| PyKeyError::new_err(missing.0))
}

/// A specification, JSON, with a prefix before the names of its tables.
#[pyfunction]
pub fn rename_data(spec: &str, prefix: &str, tables: Vec<String>) -> PyResult<String> {
    let read = serde_json::from_str::<Value>(spec);
    let mut spec = read.map_err(|error| PyValueError::new_err(error.to_string()))?;
    chart::rename_data(&mut spec, prefix, &tables);
    Ok(spec.to_string())
}

/// An SVG in which each text has its width, to which a viewer with another font squeezes it, and clip
/// paths are numbered from 1.
#[pyfunction]
pub fn finished_svg(svg: &str) -> String {
    svg::finished(svg)
}

/// Short names of runs, all different: of a virtual one by its link, its payload and what differs, of
/// another by its source.
#[pyfunction]
pub fn run_names(runs: Vec<(Option<VirtualWords>, String)>) -> Vec<String> {
    let named = |(words, source): (Option<VirtualWords>, String)| Named {
        words: words.map(|(link, size, differing)| Words { link, size, differing }),
        source,
    };
    names::names(&runs.into_iter().map(named).collect::<Vec<_>>())
}

/// Width of a line of text of a size in px, px.
#[pyfunction]
#[pyo3(signature = (text, size, bold = false))]
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    text::width(text, size, bold)
}

/// A text in lines no wider than `most` px, broken at blanks, else where they end.
#[pyfunction]
pub fn wrapped(text: &str, most: f64, size: f64) -> Vec<String> {
    text::wrapped(text, most, size, false)
}

/// A text no wider than `most` px, with an ellipsis in the place of its end.
#[pyfunction]
pub fn cut_to_width(text: &str, most: f64, size: f64) -> String {
    text::shortened(text, most, size)
}

/// The first point in each occupied square of a width in px, and how many points are in it.
#[pyfunction]
#[pyo3(signature = (
    right: "NDArray[np.float64]", down: "NDArray[np.float64]", width
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]")]
pub fn one_per_square<'py>(
    py: Python<'py>,
    right: PyReadonlyArray1<'py, f64>,
    down: PyReadonlyArray1<'py, f64>,
    width: f64,
) -> PyResult<(Integers<'py>, Integers<'py>)> {
    let marks = thin::one_per_square(right.as_slice()?, down.as_slice()?, width);
    let array = |of: fn(&Mark) -> usize| {
        marks.iter().map(|mark| of(mark) as i64).collect::<Vec<_>>().into_pyarray(py)
    };
    Ok((array(|mark| mark.at), array(|mark| mark.stands_for)))
}

/// Points of a rising line that it takes to draw it; its ends too.
#[pyfunction]
#[pyo3(signature = (
    right: "NDArray[np.float64]", up: "NDArray[np.float64]"
) -> "NDArray[np.int64]")]
pub fn corners<'py>(
    py: Python<'py>,
    right: PyReadonlyArray1<'py, f64>,
    up: PyReadonlyArray1<'py, f64>,
) -> PyResult<Integers<'py>> {
    let kept = thin::corners(right.as_slice()?, up.as_slice()?);
    Ok(kept.into_iter().map(|at| at as i64).collect::<Vec<_>>().into_pyarray(py))
}
