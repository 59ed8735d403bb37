//! Charts: filled specifications, widths of text, and reduced marks.

use airlag_study::chart::names::{self, Named, Words};
use airlag_study::chart::thin::{self, Mark};
use airlag_study::chart::{self, svg, text};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Map, Value};

/// Link, payload, and conditions that differ among runs.
type VirtualWords = (String, Option<String>, Vec<String>);

/// An array of integers.
type Integers<'py> = Bound<'py, PyArray1<i64>>;

/// Fills in the specification of a chart: replaces its variables with values, and its references to
/// parts with these parts. All arguments are JSON. `source` is the specification, `parts` contains
/// the parts by name, `values` contains the values of the variables, and `formats` contains the
/// number formats of the chart's data. Raises `KeyError` if a variable has no value or a part does
/// not exist.
#[pyfunction]
pub fn fill_chart(source: &str, parts: &str, values: &str, formats: &str) -> PyResult<String> {
    let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
    let source: Value = serde_json::from_str(source).map_err(wrong)?;
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).map_err(wrong);
    let (parts, values, formats) = (object(parts)?, object(values)?, object(formats)?);
    let filled = chart::fill(&source, parts, &values, &formats);
    filled.map(|spec| spec.to_string()).map_err(|missing| PyKeyError::new_err(missing.0))
}

/// Adds a prefix to the names of the tables of a specification in JSON.
#[pyfunction]
pub fn rename_data(spec: &str, prefix: &str, tables: Vec<String>) -> PyResult<String> {
    let read = serde_json::from_str::<Value>(spec);
    let mut spec = read.map_err(|error| PyValueError::new_err(error.to_string()))?;
    chart::rename_data(&mut spec, prefix, &tables);
    Ok(spec.to_string())
}

/// Adds the computed width to each text of an SVG, so that a viewer with another font fits the text
/// to this width, and numbers clip paths from 1.
#[pyfunction]
pub fn finished_svg(svg: &str) -> String {
    svg::finished(svg)
}

/// Short, distinct names of runs: from link, payload and differing conditions for a virtual run, or from the
/// source.
#[pyfunction]
pub fn run_names(runs: Vec<(Option<VirtualWords>, String)>) -> Vec<String> {
    let named = |(words, source): (Option<VirtualWords>, String)| Named {
        words: words.map(|(link, size, differing)| Words { link, size, differing }),
        source,
    };
    names::names(&runs.into_iter().map(named).collect::<Vec<_>>())
}

/// Width of a line of text, px. `size` is the font size, px.
#[pyfunction]
#[pyo3(signature = (text, size, bold = false))]
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    text::width(text, size, bold)
}

/// Returns a text in lines of at most `most` px, broken at spaces or within words that are too
/// long.
#[pyfunction]
pub fn wrapped(text: &str, most: f64, size: f64) -> Vec<String> {
    text::wrapped(text, most, size, false)
}

/// Returns a text of at most `most` px, with an ellipsis at the end.
#[pyfunction]
pub fn cut_to_width(text: &str, most: f64, size: f64) -> String {
    text::shortened(text, most, size)
}

/// The first point in each occupied square of a width in px, and the number of points in it.
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

/// Points that are needed to draw a monotonic line, including both ends.
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
