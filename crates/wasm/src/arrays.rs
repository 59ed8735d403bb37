//! Arrays of a run in the memory of the module, and their directory.

use airlag_stats::pair::NONE;
use airlag_study::question::Evidence;
use serde_json::json;

/// Numbers in the memory of the module.
pub enum Array {
    /// Real numbers, such as times in ns.
    Real(&'static str, Vec<f64>),
    /// Whole numbers, such as indices.
    Whole(&'static str, Vec<u32>),
    /// Names, which stand in the directory itself.
    Names(&'static str, Vec<String>),
}

/// Arrays of a run: times of the triggers and completions, ns, and slices of activity.
pub fn of(evidence: &Evidence) -> Vec<Array> {
    let real = |all: &[i64]| -> Vec<f64> {
        all.iter().map(|&ns| if ns == NONE { f64::NAN } else { ns as f64 }).collect()
    };
    let mut arrays = Vec::new();
    if let Some(transfers) = &evidence.transfers {
        arrays.push(Array::Real("trigger_ns", real(&transfers.trigger_ns)));
        arrays.push(Array::Real("completion_ns", real(&transfers.completion_ns)));
    } else {
        arrays.push(Array::Real("latency_ns", real(&evidence.latencies_ns)));
    }
    if let Some(slices) = &evidence.slices {
        let spans = &slices.spans;
        let mut names: Vec<&'static str> = Vec::new();
        let mut name_of = Vec::with_capacity(spans.len());
        for span in spans {
            let name = span.slice.name();
            let known = names.iter().position(|known| *known == name);
            name_of.push(known.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            }) as u32);
        }
        let begins: Vec<i64> = spans.iter().map(|span| span.begin_ns).collect();
        let ends: Vec<i64> = spans.iter().map(|span| span.end_ns).collect();
        arrays.push(Array::Names("tracks", slices.tracks.clone()));
        arrays.push(Array::Names("slices", names.iter().map(|&name| name.to_owned()).collect()));
        arrays.push(Array::Whole("track", spans.iter().map(|span| span.track as u32).collect()));
        arrays.push(Array::Whole("slice", name_of));
        arrays.push(Array::Real("begin_ns", real(&begins)));
        arrays.push(Array::Real("end_ns", real(&ends)));
    }
    arrays
}

/// Directory of the arrays as a JSON object: addresses and numbers of elements, and names themselves.
pub fn directory(arrays: &[Array]) -> String {
    let entry = |array: &Array| match array {
        Array::Real(name, all) => {
            ((*name).to_owned(), json!({"type": "f64", "at": all.as_ptr() as usize, "n": all.len()}))
        }
        Array::Whole(name, all) => {
            ((*name).to_owned(), json!({"type": "u32", "at": all.as_ptr() as usize, "n": all.len()}))
        }
        Array::Names(name, all) => ((*name).to_owned(), json!(all)),
    };
    serde_json::Value::Object(arrays.iter().map(entry).collect()).to_string()
}
