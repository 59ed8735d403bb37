//! Columns of the settings of a sweep, with a common type for their values.

use airlag_kinds::registry;
use airlag_rig::parameter::Value as Held;
use serde::Serialize;

use super::plan::Block;
use crate::error::Error;
use crate::questions::bench::Settings;

/// A dataset column for a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Name of the parameter.
    pub name: String,
    /// Type of its values: `Int64`, `Float64`, `Boolean` or `String`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Description with the unit.
    pub about: String,
}

/// Columns for all parameters that are set, in the order of the file.
pub(super) fn columns(blocks: &[Block]) -> Result<Vec<Column>, Error> {
    let mut found: Vec<Column> = Vec::new();
    for block in blocks {
        let profile = registry::find(&block.link)?;
        let known = profile.kind.parameters();
        for (name, text) in block.axes.iter().flat_map(|axis| axis.ends()).flatten() {
            let Some(known) = known.iter().find(|one| one.name == name) else { continue };
            let kind = kind(&block.link, &name, &text);
            match found.iter_mut().find(|column| column.name == name) {
                Some(column) => column.kind = both(column.kind, kind),
                None => {
                    let unit = if known.unit.is_empty() { "" } else { ", " };
                    let about = format!("{}{unit}{}", known.about, known.unit);
                    found.push(Column { name, kind, about });
                }
            }
        }
    }
    Ok(found)
}

/// Common type of two column types.
fn both(one: &'static str, other: &'static str) -> &'static str {
    match (one, other) {
        _ if one == other => one,
        ("Int64", "Float64") | ("Float64", "Int64") => "Float64",
        _ => "String",
    }
}

fn kind(link: &str, name: &str, text: &str) -> &'static str {
    let Ok(mut profile) = registry::find(link) else { return "String" };
    // A value that cannot be set is stored as written.
    if profile.set(name, text).is_err() {
        return "String";
    }
    match profile.parameters.get(name).map(|one| &one.value) {
        Some(Held::Flag(_)) => "Boolean",
        Some(Held::Whole(_)) => "Int64",
        Some(Held::Real(_)) => "Float64",
        Some(Held::Choice(_)) | None => "String",
    }
}

/// Checks that every value can be set, alone or together with the first configuration.
pub(super) fn check(block: &Block) -> Result<(), Error> {
    let first = block.parameters(block.at(0));
    for sets in block.axes.iter().flat_map(|axis| axis.ends()) {
        let changed = block.parameters(sets);
        let set = |settings: &Settings| crate::questions::bench::Bound::of(&block.link, settings);
        if let Err(alone) = set(&changed) {
            let mut beside = first.clone();
            beside.extend(changed);
            set(&beside).map_err(|_| alone)?;
        }
    }
    Ok(())
}
