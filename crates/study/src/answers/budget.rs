//! Latency budget of a run: time and charge by activity.

use airlag_stats::budget::{self as stats, Chosen};
use schemars::JsonSchema;
use serde::Serialize;

use super::charge::Ends;
use super::floor::{Floor, Part, SliceClass, Term};
use crate::charge::Slices;
use crate::explain::is_fixture;
use crate::quantity::{duration, duration_in, number, short_percent, time_unit};
use crate::timeline::Label;

/// Latency budget of one transfer. The parts add up to the latency.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Timeline {
    /// Position among the completed transfers, from 0.
    pub index: usize,
    /// Time from trigger to completion, ns.
    pub latency_ns: i64,
    /// Time spent in the measurement setup, ns: detecting the trigger and driving the strobe.
    pub fixture_ns: i64,
    /// Parts of the latency in time order.
    pub parts: Vec<Part>,
}

impl From<&Chosen<Label>> for Timeline {
    fn from(found: &Chosen<Label>) -> Self {
        let timeline = &found.timeline;
        Self {
            index: found.index,
            latency_ns: timeline.latency_ns(),
            fixture_ns: timeline.spent(is_fixture),
            parts: timeline.parts().iter().map(|one| Part::of(one.name, one.ns)).collect(),
        }
    }
}

/// Time that a run spends on one activity. A transfer without the activity counts as 0.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Item {
    /// Name of the activity.
    pub name: &'static str,
    /// Kind of activity.
    pub class: SliceClass,
    /// Sum over all completed transfers, ns.
    pub total_ns: i128,
    /// Mean over all completed transfers, ns.
    pub mean_ns: f64,
    /// Median over all completed transfers, ns.
    pub p50_ns: f64,
    /// 99 % quantile over all completed transfers, ns.
    pub p99_ns: f64,
}

/// Latency budget of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Budget {
    /// Number of completed transfers.
    pub n: usize,
    /// Sum of the latencies, ns. Equals the sum of the item totals.
    pub total_ns: i128,
    /// Mean latency, ns.
    pub mean_ns: f64,
    /// Part of the mean latency that is spent in the measurement setup, ns.
    pub fixture_ns: f64,
    /// Activities in the order in which they occur in a transfer.
    pub items: Vec<Item>,
    /// A transfer with the median latency.
    pub median: Timeline,
    /// A transfer whose latency is the 99 % quantile.
    pub p99: Timeline,
    /// Share of the measurement setup in the median transfer, in words.
    pub fixture_text: String,
}

impl From<&stats::Budget<Label>> for Budget {
    fn from(found: &stats::Budget<Label>) -> Self {
        let item = |one: &stats::Item<Label>| Item {
            name: one.name.name,
            class: SliceClass(one.name.class.as_str()),
            total_ns: one.total_ns,
            mean_ns: one.mean_ns,
            p50_ns: one.p50_ns,
            p99_ns: one.p99_ns,
        };
        Self {
            n: found.n,
            total_ns: found.total_ns,
            mean_ns: found.mean_ns,
            fixture_ns: found.mean_of(is_fixture),
            items: found.items.iter().map(item).collect(),
            median: Timeline::from(&found.median),
            p99: Timeline::from(&found.p99),
            fixture_text: fixture(&Timeline::from(&found.median)),
        }
    }
}

impl Budget {
    /// Compares the median latency with its lower bound, in words.
    #[must_use]
    pub fn floor_text(&self, floor: &Floor) -> String {
        let median_ns = self.median.latency_ns as f64;
        let term = |one: &Term| {
            let times = if one.count > 1 { format!("{} × ", one.count) } else { String::new() };
            format!("{times}{} {}", duration(one.each_ns as f64), one.name)
        };
        let terms = floor.terms.iter().map(term).collect::<Vec<_>>().join(" + ");
        let least = duration_in(floor.ns as f64, time_unit([median_ns]));
        let times = match floor.ns {
            0 => "–".to_owned(),
            ns => number(median_ns / ns as f64, 3),
        };
        format!("{least}: {terms}. The median is {times} times this floor.")
    }
}

fn fixture(median: &Timeline) -> String {
    let percent = 100.0 * median.fixture_ns as f64 / median.latency_ns.max(1) as f64;
    let share = match percent {
        _ if percent < 0.1 => "less than 0.1 %".to_owned(),
        _ => format!("{} %", short_percent(percent)),
    };
    format!(
        "{} of the median ({share}) is spent detecting the trigger and driving the strobe, which belong \
         to the measurement setup, not to the link.",
        duration(median.fixture_ns as f64)
    )
}

/// Charge of an end during one activity.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SliceCharge {
    /// Name of the activity.
    pub name: &'static str,
    /// Kind of activity.
    pub class: SliceClass,
    /// Mean per message, nC.
    #[schemars(range(min = 0))]
    pub mean_nc: f64,
}

/// Charge of an end from trigger to completion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MessageCharge {
    /// Mean per message, nC. Equals the sum of the items.
    #[schemars(range(min = 0))]
    pub message_nc: f64,
    /// Activities in the order in which they occur in a message.
    pub items: Vec<SliceCharge>,
}

/// Charge of both ends from trigger to completion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SlicesCharge {
    /// Each end.
    #[serde(flatten)]
    pub ends: Ends<MessageCharge>,
}

impl SlicesCharge {
    /// Charge by activity. Returns `None` if no end has current data.
    #[must_use]
    pub fn of(found: &[Slices]) -> Option<Self> {
        let end = |one: &Slices| {
            let item = |&(label, charge_ac): &(Label, u128)| SliceCharge {
                name: label.name,
                class: SliceClass(label.class.as_str()),
                mean_nc: one.mean_nc(charge_ac),
            };
            let items = one.items.iter().map(item).collect();
            (one.end, MessageCharge { message_nc: one.message_nc(), items })
        };
        (!found.is_empty()).then(|| Self { ends: Ends::of(found.iter().map(end)) })
    }
}
