//! What is sent at a trigger, when triggers come, and which way a run is of.

use airlag_kinds::calls::request::Call as Calls;
use airlag_rig::run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;

/// Phase of the triggers relative to whatever ticks on the boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Each trigger comes up to half a period late.
    #[default]
    Uniform,
    /// Triggers are exactly one period apart.
    Frozen,
    /// Each trigger comes a fixed offset after a transmission that the link makes on its own.
    Aligned,
}

words! {
    /// Name of a call.
    Call: Calls::ALL.map(Calls::name).to_vec();
}

/// What is sent at a trigger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// A message, and the other board strobes for it.
    #[default]
    Trigger,
    /// A message that comes back. A latency is that of the round trip.
    Echo,
    /// A message each way, at triggers of their own: two runs.
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
    /// The call that is made; none where messages are sent.
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

    /// Whether it is that of a run that asks for nothing else.
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

/// Direction of a run with traffic both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From the first board to the second.
    There,
    /// From the second board to the first.
    Back,
}

/// The triggers of a virtual run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stimulus {
    /// Time between triggers, ns.
    pub period_ns: u64,
    /// Phase of the triggers.
    pub phase: Phase,
    /// Longest latency of a few messages sent one at a time, ns. Null where none arrived.
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
