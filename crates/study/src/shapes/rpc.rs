//! Functional tests of remote procedure calls.

use schemars::JsonSchema;
use serde::Serialize;

/// A functional test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RpcTest {
    /// Name of the test.
    pub test: String,
    /// Whether the test passed.
    pub passed: bool,
    /// Time from the call to its response on the clock of the transport, ns. Null means no
    /// response.
    pub latency_ns: Option<u64>,
    /// Description of the failure. Null if there is none.
    pub problem: Option<String>,
}
