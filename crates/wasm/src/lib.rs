//! # airlag-wasm: the questions for a browser
//!
//! **Enters:** a question in JSON. **Leaves:** the answer in JSON, byte for byte what the command line prints, and
//! the arrays on which it is based. Converts and calls, without any logic. There is one thread, so a page runs it in a
//! worker, and ends the worker to cancel.

mod arrays;

use airlag_study::question::{Evidence, SILENT, ask as answer_of};
use wasm_bindgen::prelude::*;

/// An answer, with the runs on which it is based.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Answer {
    json: String,
    evidence: Vec<Evidence>,
}

#[wasm_bindgen]
impl Answer {
    /// The answer as one JSON document.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// Number of runs on which it is based.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn runs(&self) -> usize {
        self.evidence.len()
    }

    /// Names of the arrays of a run, in the order of [`Answer::array`], and of tracks and slices: a JSON object.
    #[must_use]
    pub fn names(&self, run: usize) -> String {
        self.evidence.get(run).map_or_else(String::new, arrays::names)
    }

    /// An array of a run: times in ns, with NaN for none, or indices of names. Empty if there is no such array.
    #[must_use]
    pub fn array(&self, run: usize, name: &str) -> Vec<f64> {
        self.evidence.get(run).map_or_else(Vec::new, |evidence| arrays::array(evidence, name))
    }
}

/// Answers a question.
///
/// # Errors
///
/// One line: what is wrong, where, and what would be right.
#[wasm_bindgen]
pub fn ask(question: &str) -> Result<Answer, JsError> {
    let reply = answer_of(question, Vec::new(), SILENT);
    let reply = reply.map_err(|error| JsError::new(&error.to_string()))?;
    Ok(Answer { json: reply.json, evidence: reply.evidence })
}
