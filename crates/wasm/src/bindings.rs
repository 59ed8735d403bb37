//! Functions and classes of JavaScript.

use std::cell::RefCell;

use airlag_stats::Transfers;
use airlag_study::question::{Evidence, Given, ask as answer_of};
use airlag_trace::{Input, MemoryLimit};
use js_sys::Function;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::arrays;

thread_local! {
    /// Receives the numbers of completed and total steps. A progress callback must be shareable
    /// between threads, which a function of JavaScript is not.
    static PROGRESS: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// An answer, with the runs on which it is based.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Answer {
    json: String,
    evidence: Vec<Evidence>,
}

#[wasm_bindgen]
impl Answer {
    /// Returns the answer as one JSON document.
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

    /// Names that the arrays of a run refer to: a JSON object with `tracks`, `slices` and `channels`.
    #[must_use]
    pub fn names(&self, run: usize) -> String {
        self.evidence.get(run).map_or_else(String::new, arrays::names)
    }

    /// Returns an array of a run: times in ns, with NaN for missing ones, or indices of names.
    /// Empty if there is no such array.
    #[must_use]
    pub fn array(&self, run: usize, name: &str) -> Vec<f64> {
        self.evidence.get(run).map_or_else(Vec::new, |evidence| arrays::array(evidence, name))
    }
}

/// A capture in memory, and the transfers of its last analysis.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Capture {
    input: Input,
    paired: Option<Transfers>,
}

/// Questions about transfers, which a capture has only after it was analysed.
const OF_TRANSFERS: [&str; 2] = ["match", "rank"];

#[wasm_bindgen]
impl Capture {
    /// Opens the file called `name` and recognises its format. The contents are read when a question needs
    /// them, a part at a time.
    ///
    /// # Errors
    ///
    /// Returns one line (problem, location and remedy) if the file cannot be read or its format is unknown.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self, JsError> {
        let input =
            Input::of_bytes(name, bytes).map_err(|error| JsError::new(&error.to_string()))?;
        Ok(Self { input, paired: None })
    }

    /// Answers a question about the capture. `match` and `rank` are about the transfers of the last
    /// `analyze`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ask`].
    pub fn ask(&mut self, question: &str, progress: Option<Function>) -> Result<Answer, JsError> {
        let tag = serde_json::from_str::<Value>(question).unwrap_or_default();
        let tag = tag["question"].as_str().unwrap_or_default();
        let given = match &self.paired {
            Some(paired) if OF_TRANSFERS.contains(&tag) => Given::Transfers(paired.clone()),
            _ => Given::Capture(&mut self.input, MemoryLimit::default()),
        };
        let found = answer(question, vec![given], progress)?;
        if tag == "analyze" {
            self.paired = found.evidence.first().and_then(|run| run.transfers.clone());
        }
        Ok(found)
    }
}

/// Answers a question. `progress` is called with the numbers of completed and total steps.
///
/// # Errors
///
/// One line: problem, location and remedy.
#[wasm_bindgen]
pub fn ask(question: &str, progress: Option<Function>) -> Result<Answer, JsError> {
    answer(question, Vec::new(), progress)
}

fn answer(
    question: &str,
    given: Vec<Given<'_>>,
    progress: Option<Function>,
) -> Result<Answer, JsError> {
    PROGRESS.set(progress);
    let reply = answer_of(question, given, &report);
    PROGRESS.set(None);
    let reply = reply.map_err(|error| JsError::new(&error.to_string()))?;
    Ok(Answer { json: reply.json, evidence: reply.evidence })
}

fn report(done: u64, of: u64) {
    PROGRESS.with_borrow(|called| {
        if let Some(function) = called {
            // A value returned or thrown by the function is ignored.
            let _ = function.call2(&JsValue::NULL, &(done as f64).into(), &(of as f64).into());
        }
    });
}
