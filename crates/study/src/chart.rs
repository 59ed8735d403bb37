//! Charts as data: Vega-Lite specifications in files, filled with values.
//!
//! **Input:** a specification with variables and their values. **Output:** a specification that any
//! renderer of Vega-Lite draws, with titles broken into lines that fit.
//!
//! - [`names`]: short, distinct names of runs.
//! - [`svg`]: post-processing of SVG pictures, which then look the same in every viewer.
//! - [`template`]: variables of chart specifications.
//! - [`text`]: widths of text, for layout.
//! - [`thin`]: reduction of the number of marks in a chart, without hiding any transfer.

pub mod names;
pub mod svg;
pub mod template;
pub mod text;
pub mod thin;

use serde_json::{Map, Value, json};

pub use template::Missing;

/// Font size of a title and of the lines below it, px.
const TITLE: f64 = 16.0;
const SUBTITLE: f64 = 12.0;

/// Fills a specification.
///
/// `parts` are objects that the specification refers to by name, in addition to its own `$parts`. Titles
/// are broken into lines of at most `wide` px. `formats` are data formats by name of the data.
///
/// # Errors
///
/// [`Missing`] if a variable has no value or a part does not exist.
pub fn fill(
    source: &Value,
    mut parts: Map<String, Value>,
    values: &Map<String, Value>,
    formats: &Map<String, Value>,
) -> Result<Value, Missing> {
    if let Some(own) = source.get("$parts").and_then(Value::as_object) {
        parts.extend(own.clone());
    }
    let mut filled = template::expanded(source, values, &parts)?;
    let wide = values.get("wide").and_then(Value::as_f64).unwrap_or(f64::INFINITY);
    finish(&mut filled, wide, formats);
    Ok(filled)
}

/// Adds a prefix to the data names in `tables`, in every object of a specification.
pub fn rename_data(node: &mut Value, prefix: &str, tables: &[String]) {
    match node {
        Value::Array(list) => list.iter_mut().for_each(|each| rename_data(each, prefix, tables)),
        Value::Object(object) => {
            object.values_mut().for_each(|each| rename_data(each, prefix, tables));
            let data = object.get_mut("data").and_then(Value::as_object_mut);
            if let Some(Value::String(name)) = data.and_then(|data| data.get_mut("name"))
                && tables.contains(name)
            {
                *name = format!("{prefix}-{name}");
            }
        }
        _ => {}
    }
}

/// Sets data formats and breaks titles into lines, in every object of a specification.
fn finish(node: &mut Value, wide: f64, formats: &Map<String, Value>) {
    match node {
        Value::Array(list) => list.iter_mut().for_each(|each| finish(each, wide, formats)),
        Value::Object(object) => {
            if let Some(Value::Object(data)) = object.get_mut("data") {
                let format =
                    data.get("name").and_then(Value::as_str).and_then(|it| formats.get(it));
                if let Some(format) = format.cloned() {
                    data.insert("format".into(), format);
                }
            }
            if let Some(Value::Object(title)) = object.get_mut("title") {
                break_title(title, wide);
            }
            object.values_mut().for_each(|each| finish(each, wide, formats));
        }
        _ => {}
    }
}

/// Breaks a title and its subtitle into lines that fit. Removes empty texts.
fn break_title(title: &mut Map<String, Value>, wide: f64) {
    let size = title.get("fontSize").and_then(Value::as_f64).unwrap_or(TITLE);
    for (key, size, bold) in [("text", size, true), ("subtitle", SUBTITLE, false)] {
        let Some(texts) = title.get_mut(key) else { continue };
        let several = texts.as_array().map_or(std::slice::from_ref(texts), Vec::as_slice);
        let words = several.iter().filter_map(Value::as_str);
        let lines = words.flat_map(|text| text::wrapped(text, wide, size, bold));
        let mut lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            lines.push(String::new());
        }
        *texts = json!(lines);
    }
}
