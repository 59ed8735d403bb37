//! Functional tests of calls.

use schemars::JsonSchema;
use serde::Serialize;

/// A functional test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RpcTest {
    /// Name of the test.
    pub test: String,
    /// Whether it passed.
    pub passed: bool,
    /// Time from the call to its answer on the clock of the transport, ns; null: no answer.
    pub latency_ns: Option<u64>,
    /// What is wrong; null: nothing.
    pub problem: Option<String>,
}
