//! `airlag explain`: latency budget, lower bound of the latency, and advice.

use airlag_rig::run::Options;
use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Plan, Settings};
use super::run::{self, Facts, names, one, thousand, yes};
use crate::alignment::alignment;
use crate::answers::advice::{Advice, Aim};
use crate::answers::budget::{Budget, SlicesCharge};
use crate::answers::causes::Causes;
use crate::answers::charge::Charge;
use crate::answers::floor::Floor;
use crate::answers::latency::Overhead;
use crate::answers::law::{Law, Region};
use crate::answers::places::Apart;
use crate::answers::run::{BenchFacts, Known, Run, VirtualRun};
use crate::answers::traffic::{Phase, Traffic};
use crate::error::Error;
use crate::explain::floor_of;
use crate::law::{Condition, judged};
use crate::overload::{Offer, overload, sent, sent_whole};
use crate::question::{Answered, Evidence};
use crate::rpc::published;
use crate::{advise, advise_within, charge, explain};

/// Run to explain.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ExplainQuestion")]
pub struct Question {
    /// Name of a link profile.
    pub link: String,
    /// Payload, bytes. Absent if the link has no message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Number of triggers.
    #[serde(default = "thousand")]
    pub count: usize,
    /// Time between triggers, ns. Absent means 200 ms, or longer if the link needs it.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Phase of the triggers.
    #[serde(default)]
    pub phase: Phase,
    /// Time from a transmission of the link to the trigger, ns. Only with aligned phase. Absent
    /// means 0.
    #[serde(default)]
    pub offset_ns: Option<u64>,
    /// Random seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
    #[serde(default)]
    pub settings: Settings,
    /// Traffic at each trigger.
    #[serde(default)]
    pub traffic: Traffic,
    /// Quantile of the latency to reduce.
    #[serde(default, rename = "for")]
    pub aim: Aim,
    /// Whether to search for advice.
    #[serde(default = "yes")]
    pub advice: bool,
    /// Region whose regulatory limits to check. Advice exceeds no limit that the unchanged link meets.
    #[serde(default)]
    pub region: Option<Region>,
    /// Battery of each end.
    #[serde(default)]
    pub battery: Option<String>,
    /// Message rate for current and battery life, 1/s.
    #[serde(default)]
    pub per_second: Option<f64>,
}

/// One run on the virtual bench, with its latency budget.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ExplainedRun")]
pub struct Answer {
    /// The run.
    #[serde(flatten)]
    pub run: VirtualRun,
    /// Latency budget. Null if no transfer completed.
    pub budget: Option<Budget>,
    /// Lower bound of the latency.
    pub floor: Floor,
    /// Lower bound compared with the median, in words. Null if no transfer completed.
    pub floor_text: Option<String>,
    /// Published results of this remote procedure call over this link, in words.
    pub published: Vec<String>,
    /// Advice. Null if none was requested, or if no transfer completed.
    pub advice: Option<Advice>,
    /// Charge by activity. Null if no end has current data.
    pub slices_charge: Option<SlicesCharge>,
}

/// Runs one link with one payload, and attributes every nanosecond of each transfer to an activity.
///
/// # Errors
///
/// [`Error`] if the link cannot be run as configured. The message is one line that names a valid
/// alternative.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let Question { count, seed, phase, traffic, .. } = *question;
    let Bound { profile, settings } = Bound::of(&question.link, &question.settings)?;
    let as_is = settings.is_empty();
    let size = profile.bytes(question.size)?;
    let plan = Plan::of(&profile, size, seed, traffic, count, question.period_ns)?;
    let triggers = plan.triggers(phase, question.offset_ns, traffic, count)?;
    let explained = explain(&profile, size, &triggers, seed, traffic.into())?;
    let options = Options { seed, spans: false, traffic: traffic.into() };
    let Plan { period, service } = plan;
    let offer = Offer { profile: &profile, size, period, service, options };
    let overload = overload(offer, &explained.run, 0, &explained.transfers)?;
    let sent = sent(&explained.run, &explained.transfers, overload, service);
    let cost = charge(&profile, size, sent.round() as u64, &explained.run.draws, options)?;
    let slices = charge::slices(&profile, &explained.run, &explained.transfers)?;
    let mut law = Vec::new();
    if let Some(region) = question.region {
        let found = judged(&profile, size, &triggers, options, region.into())?.1;
        let whole = sent_whole(&explained.run, &explained.transfers, overload);
        let times = count as f64 / whole.max(1.0);
        law.extend(found.map(|found| Law::from(&found.at_rate(times))));
    }
    let asked = run::Question {
        traffic,
        region: question.region,
        battery: question.battery.clone(),
        per_second: question.per_second,
        ..run::Question::of(&question.link, question.size)
    };
    let seen = &explained.run;
    let facts = Facts { question: &asked, profile: &profile, size, cost: &cost, law: &law, seen };
    let causes = Causes::of(&profile, seen, 0, overload)?;
    let facts = BenchFacts { causes: causes.clone(), ..facts.known()? };
    let channels = names(&seen.trace);
    let known = Known {
        source: question.link.clone(),
        link: Some(question.link.clone()),
        size: question.size.map(|size| size as u64),
        seed: Some(seed),
        channels: channels.clone(),
        settings: Some(settings),
        traffic,
        stimulus: Some(plan.described(phase, question.offset_ns)),
        stand: Apart::of(&profile, seen),
        causes: Some(causes),
        ..Known::default()
    };
    let run = known.run(&explained.transfers);
    let overhead_ns = run.transfers.latency_ns.as_ref().zip(facts.wire_ns);
    let overhead_ns = overhead_ns.map(|(latency, wire_ns)| Overhead::of(latency, wire_ns));
    let run = Run { charge: Some(Charge::drawn(&cost)), ..run };
    let run = VirtualRun { run, facts: BenchFacts { overhead_ns, ..facts } };
    let wanted = question.advice && explained.budget.is_some();
    let period_ns = Some(plan.period.as_ns());
    let advice = wanted.then(|| advice_of(question, &profile, size, period_ns)).transpose()?;
    let (budget, floor) =
        (explained.budget.as_ref().map(Budget::from), Floor::from(&explained.floor));
    // A published figure applies only to the link as it was published.
    let call = traffic.call().filter(|_| as_is);
    let published = |call| published::sentences(&question.link, call, size);
    let answer = Answer {
        run,
        published: call.map(published).unwrap_or_default(),
        floor_text: budget.as_ref().map(|budget| budget.floor_text(&floor)),
        budget,
        floor,
        advice,
        slices_charge: SlicesCharge::of(&slices),
    };
    let evidence = Evidence {
        transfers: Some(explained.transfers),
        names: channels,
        trace: Some(explained.run.trace),
        law,
        ..Evidence::default()
    };
    Ok(Answered { answer, evidence: vec![evidence] })
}

/// Measures changes of the link at a period that suits the link. Regulatory limits are checked at
/// `period_ns` if given, and otherwise at the same period.
fn advice_of(
    question: &Question,
    profile: &airlag_rig::Profile,
    size: usize,
    period_ns: Option<u64>,
) -> Result<Advice, Error> {
    let Question { aim, count, seed, traffic, .. } = *question;
    let found = match question.region {
        Some(region) => {
            let period = period_ns.map(Duration::from_ns);
            let law = Condition { region: region.into(), period, seed };
            advise_within(profile, size, count, aim.into(), traffic.into(), law)
        }
        None => advise(profile, size, count, seed, aim.into(), traffic.into()),
    };
    let aligned = match traffic {
        Traffic::Trigger => alignment(profile, size, seed, aim.into())?,
        _ => None,
    };
    let floor_ns = floor_of(profile, size, traffic.into())?.ns();
    Ok(Advice::of(aim, &found?, aligned, floor_ns))
}

/// Measures changes of the link, without the run itself.
///
/// # Errors
///
/// Returns the errors of [`answer`].
pub fn changes(question: &Question) -> Result<Answered<Advice>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let size = profile.bytes(question.size)?;
    Ok(Answered::plain(advice_of(question, &profile, size, question.period_ns)?))
}
