//! Traffic, trigger timing and direction of a run.

use airlag_kinds::calls::request::Call as Calls;
use airlag_rig::run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;

/// Phase of the triggers relative to the clocks of the boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Each trigger is delayed by a random time of up to half a period.
    #[default]
    Uniform,
    /// Triggers are exactly one period apart.
    Frozen,
    /// Each trigger follows a scheduled transmission of the link after a fixed offset.
    Aligned,
}

words! {
    /// Name of a call.
    Call: Calls::ALL.map(Calls::name).to_vec();
}

/// Traffic that each trigger starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// A one-way message. The receiving board strobes on arrival.
    #[default]
    Trigger,
    /// A message and its echo. The latency is the round-trip time.
    Echo,
    /// Messages in both directions, each with its own triggers. Yields two runs.
    Both,
    /// A text of `size` bytes and its echo.
    RpcEcho,
    /// A read of `size` bytes from the flash of the peripheral.
    RpcRead,
    /// A write of `size` bytes to the peripheral.
    RpcWrite,
    /// A stream of `size` items from the peripheral.
    RpcStream,
    /// A stream of `size` items to the peripheral.
    RpcUpload,
}

impl Traffic {
    /// Returns the call. `None` for messages.
    #[must_use]
    pub const fn call(self) -> Option<Calls> {
        match self {
            Self::Trigger | Self::Echo | Self::Both => None,
            Self::RpcEcho => Some(Calls::Echo),
            Self::RpcRead => Some(Calls::FlashRead),
            Self::RpcWrite => Some(Calls::DataWrite),
            Self::RpcStream => Some(Calls::CounterStream),
            Self::RpcUpload => Some(Calls::CounterUpload),
        }
    }

    /// Whether this is the default traffic.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Traffic> for run::Traffic {
    fn from(traffic: Traffic) -> Self {
        match traffic {
            Traffic::Trigger => Self::Trigger,
            Traffic::Echo => Self::Echo,
            Traffic::Both => Self::Both,
            other => other.call().map_or(Self::Trigger, |call| Self::Exchange(call.traffic())),
        }
    }
}

/// Direction of a run with traffic in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From the first board to the second.
    There,
    /// From the second board to the first.
    Back,
}

/// Trigger timing of a virtual run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stimulus {
    /// Time between triggers, ns.
    pub period_ns: u64,
    /// Phase of the triggers.
    pub phase: Phase,
    /// Longest latency of a few messages sent one at a time, ns. Null if none arrived.
    pub service_ns: Option<u64>,
    /// Time from a transmission of the link to the trigger, ns. Only with aligned phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_ns: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_go_by_the_names_that_the_bench_has_for_them() {
        let traffic = [
            Traffic::RpcEcho,
            Traffic::RpcRead,
            Traffic::RpcWrite,
            Traffic::RpcStream,
            Traffic::RpcUpload,
        ];
        let named = traffic.map(|one| (serde_json::json!(one), one.call()));
        let known = Calls::ALL.map(|call| (serde_json::json!(call.name()), Some(call)));
        assert_eq!(named, known);
    }
}
