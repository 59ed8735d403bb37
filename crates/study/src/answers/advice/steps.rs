//! Advice in words: the settings to change, with the measured effect.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Advice, Aim, Alignment, Change};
use crate::answers::charge::Ends;
use crate::quantity::{
    CHARGES, CURRENTS, duration, duration_in, in_units, number, short_percent, time_unit,
};

/// Largest number of listed changes that have a cost.
const TRADES: usize = 3;
/// Smallest change of a charge or a current that is reported, as a share of the larger value.
const NOTED: f64 = 0.1;

/// Kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Kind {
    /// A gain without a cost.
    Free,
    /// A gain at a cost.
    Trade,
    /// A remark on the changes.
    Note,
    /// The method by which the changes were found.
    Method,
}

/// One change to make, or a remark on the changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "AdviceStep")]
pub struct Step {
    /// Kind of the step.
    pub kind: Kind,
    /// Relation to the other steps, such as "best change", "alternative" or "aligned". Empty for a note.
    pub lead: &'static str,
    /// Command-line options of the change. Empty for a note.
    pub settings: String,
    /// Measured effect of the change, or the text of the note.
    pub text: String,
}

impl Step {
    const fn note(kind: Kind, text: String) -> Self {
        Self { kind, lead: "", settings: String::new(), text }
    }

    fn change(kind: Kind, lead: &'static str, change: &Change, aim: Aim) -> Self {
        let sets = change.settings.iter().map(|(name, value)| format!("--set {name}={value}"));
        let settings = sets.collect::<Vec<_>>().join(" ");
        let [p50, p99] = [("p50", change.p50_ns), ("p99", change.p99_ns)]
            .map(|(name, ns)| moved(name, ns.a.0, ns.b.0));
        let quantiles = match aim {
            Aim::Tail => format!("{p99}, {p50}"),
            Aim::Median => format!("{p50}, {p99}"),
        };
        let costs = match kind {
            Kind::Trade => format!("; {}", change.costs.join(", ")),
            _ => String::new(),
        };
        Self { kind, lead, settings, text: format!("{quantiles}{}{costs}", drawn(change)) }
    }

    fn aligned(found: &Alignment) -> Self {
        let [p50, p99] = [("p50", found.p50_ns), ("p99", found.p99_ns)]
            .map(|(name, [before, after])| moved(name, before, after));
        let offset = duration(found.offset_ns as f64).replace(' ', "");
        Self {
            kind: Kind::Trade,
            lead: "aligned",
            settings: format!("--phase aligned --offset {offset}"),
            text: format!(
                "{p50}, {p99}; the program must detect when its radio transmits, by interrupt or \
                 status pin"
            ),
        }
    }
}

/// Returns the steps of advice, best first. `floor_ns` is the lower bound of the latency of the
/// unchanged link.
pub(super) fn of(advice: &Advice, floor_ns: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    if advice.single.is_empty() {
        let none = "No cost-free change gives a significant gain.".to_owned();
        steps.push(Step::note(Kind::Note, none));
    }
    for (nth, change) in best_of_each(&advice.single).into_iter().enumerate() {
        let lead = if nth == 0 { "best change" } else { "alternative" };
        steps.push(Step::change(Kind::Free, lead, change, advice.aim));
    }
    if let Some(last) = advice.combined.last() {
        if advice.combined.len() > 1 {
            steps.push(Step::change(Kind::Free, "combined", last, advice.aim));
        }
        steps.push(Step::note(Kind::Note, reached(last, floor_ns)));
    }
    steps.extend(advice.alignment.as_ref().map(Step::aligned));
    for change in best_of_each(&advice.trades).into_iter().take(TRADES) {
        steps.push(Step::change(Kind::Trade, "at a cost", change, advice.aim));
    }
    steps.push(Step::note(Kind::Method, method(advice)));
    steps
}

/// Returns the best change of each parameter.
fn best_of_each(changes: &[Change]) -> Vec<&Change> {
    let mut best: Vec<&Change> = Vec::new();
    for change in changes {
        let parameter = |change: &Change| change.settings.keys().next().copied();
        if best.iter().all(|known| parameter(known) != parameter(change)) {
            best.push(change);
        }
    }
    best
}

/// Changes of charge and current of each end, in words, if they are at least [`NOTED`].
fn drawn(change: &Change) -> String {
    let mut words = Vec::new();
    let Ends { sender, receiver } = &change.charges;
    for (end, charge) in [("sender", sender), ("receiver", receiver)] {
        let Some(charge) = charge else { continue };
        for ([before, after], units, of) in
            [(charge.marginal_nc, &CHARGES, "per message"), (charge.idle_na, &CURRENTS, "idle")]
        {
            if (after - before).abs() >= NOTED * before.abs().max(after.abs()) {
                let [before, after] = [before, after].map(|value| in_units(value, units));
                words.push(format!("{end} {before} → {after} {of}"));
            }
        }
    }
    if words.is_empty() { String::new() } else { format!("; {}", words.join(", ")) }
}

/// Change of a quantile from `before` to `after`, ns, in words.
fn moved(name: &str, before: f64, after: f64) -> String {
    let unit = time_unit([before, after]);
    let percent = if before == 0.0 { 0.0 } else { 100.0 * (after - before) / before };
    let after = number(after / unit.size, 4);
    if percent.abs() < 0.1 {
        return format!("{name} {after} {} as before", unit.name);
    }
    let sign = if percent > 0.0 { '+' } else { '-' };
    let before = number(before / unit.size, 4);
    let percent = short_percent(percent.abs());
    format!("{name} {before} → {after} {} ({sign}{percent} %)", unit.name)
}

fn reached(tuned: &Change, floor_ns: u64) -> String {
    let unit = time_unit([tuned.p50_ns.b.0]);
    let times = |ns: f64, floor_ns: u64| match floor_ns {
        0 => "–".to_owned(),
        _ => number(ns / floor_ns as f64, 3),
    };
    let untuned = if floor_ns == tuned.floor_ns {
        "the same floor".to_owned()
    } else {
        format!("the floor of {}", duration_in(floor_ns as f64, unit))
    };
    format!(
        "With these changes, the median is {}, {} times the floor of {}. Without them, it is {} times {untuned}.",
        duration_in(tuned.p50_ns.b.0, unit),
        times(tuned.p50_ns.b.0, tuned.floor_ns),
        duration_in(tuned.floor_ns as f64, unit),
        times(tuned.p50_ns.a.0, floor_ns),
    )
}

/// Number of runs that selected the changes, and number of runs that measured them again.
fn method(advice: &Advice) -> String {
    let Advice { tried, measured, choice_seed, .. } = advice;
    let searched = tried - measured;
    if advice.single.is_empty() && advice.trades.is_empty() {
        return format!("Searched {searched} runs with another seed.");
    }
    format!(
        "The changes were selected in {searched} runs with seed {choice_seed}. The values above are from {measured} \
         other runs with the seed of this command, to exclude gains by chance."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_moves_in_one_unit_or_stays() {
        assert_eq!(moved("p50", 2e6, 1e6), "p50 2.000 → 1.000 ms (-50 %)");
        assert_eq!(moved("p99", 1e6, 1.0004e6), "p99 1.000 ms as before");
        assert_eq!(moved("p99", 1e3, 5e3), "p99 1.000 → 5.000 us (+400 %)");
        assert_eq!(moved("p50", 0.0, 1e6), "p50 1.000 ms as before");
    }
}
