//! Where the time of a run goes, the least time of a message, and advice: `airlag explain`.

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

/// What to explain.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ExplainQuestion")]
pub struct Question {
    /// Name of a link profile.
    pub link: String,
    /// Payload, bytes. Absent where the link has no message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Number of triggers.
    #[serde(default = "thousand")]
    pub count: usize,
    /// Time between triggers, ns. Absent: 200 ms, or as much longer as the link needs.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Phase of the triggers.
    #[serde(default)]
    pub phase: Phase,
    /// Time from a transmission of the link to the trigger, ns. Only with aligned phase. Absent: 0.
    #[serde(default)]
    pub offset_ns: Option<u64>,
    /// Random seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// Parameters of the profile to change.
    #[serde(default)]
    pub settings: Settings,
    /// What is sent at a trigger.
    #[serde(default)]
    pub traffic: Traffic,
    /// Quantile that advice is to reduce.
    #[serde(default, rename = "for")]
    pub aim: Aim,
    /// Whether to measure changes.
    #[serde(default = "yes")]
    pub advice: bool,
    /// Region whose regulatory limits to check. Advice exceeds no limit that the link keeps as it is.
    #[serde(default)]
    pub region: Option<Region>,
    /// Battery that feeds an end.
    #[serde(default)]
    pub battery: Option<String>,
    /// Message rate for current and battery life, 1/s.
    #[serde(default)]
    pub per_second: Option<f64>,
}

/// One run on the virtual bench, with where its time went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ExplainedRun")]
pub struct Answer {
    /// The run.
    #[serde(flatten)]
    pub run: VirtualRun,
    /// Null where nothing completed.
    pub budget: Option<Budget>,
    /// Least time of a message.
    pub floor: Floor,
    /// The same in words, beside the median. Null where nothing completed.
    pub floor_text: Option<String>,
    /// What was published of such calls over this link, in words.
    pub published: Vec<String>,
    /// Null where nothing completed, and where no advice was asked for.
    pub advice: Option<Advice>,
    /// Charge by slice. Null where no end has current data.
    pub slices_charge: Option<SlicesCharge>,
}

/// Runs one link with one payload, and accounts for every nanosecond.
///
/// # Errors
///
/// Those of the bench, in one line that says what cannot be run, and what could.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let Question { count, seed, phase, traffic, .. } = *question;
    let Bound { profile, settings } = Bound::of(&question.link, &question.settings)?;
    let as_is = settings.is_empty();
    let size = profile.bytes(question.size)?;
    let plan = Plan::of(&profile, size, seed, traffic, count, question.period_ns)?;
    let triggers = plan.triggers(phase, question.offset_ns, traffic, count)?;
    let told = explain(&profile, size, &triggers, seed, traffic.into())?;
    let options = Options { seed, spans: false, traffic: traffic.into() };
    let Plan { period, service } = plan;
    let offer = Offer { profile: &profile, size, period, service, options };
    let overload = overload(offer, &told.run, 0, &told.transfers)?;
    let sent = sent(&told.run, &told.transfers, overload, service);
    let cost = charge(&profile, size, sent.round() as u64, &told.run.draws, options)?;
    let slices = charge::slices(&profile, &told.run, &told.transfers)?;
    let mut law = Vec::new();
    if let Some(region) = question.region {
        let found = judged(&profile, size, &triggers, options, region.into())?.1;
        let whole = sent_whole(&told.run, &told.transfers, overload);
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
    let seen = &told.run;
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
    let run = known.run(&told.transfers);
    let overhead_ns = run.transfers.latency_ns.as_ref().zip(facts.wire_ns);
    let overhead_ns = overhead_ns.map(|(latency, wire_ns)| Overhead::of(latency, wire_ns));
    let run = Run { charge: Some(Charge::drawn(&cost)), ..run };
    let run = VirtualRun { run, facts: BenchFacts { overhead_ns, ..facts } };
    let wanted = question.advice && told.budget.is_some();
    let period_ns = Some(plan.period.as_ns());
    let advice = wanted.then(|| advice_of(question, &profile, size, period_ns)).transpose()?;
    let (budget, floor) = (told.budget.as_ref().map(Budget::from), Floor::from(&told.floor));
    // A figure is of the link that it was published for.
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
        transfers: Some(told.transfers),
        names: channels,
        trace: Some(told.run.trace),
        law,
        ..Evidence::default()
    };
    Ok(Answered { answer, evidence: vec![evidence] })
}

/// Measures what can be changed on the link, at a period the link has time for. A region judges it
/// at `period_ns`, or at that period too.
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

/// Measures what can be changed on the link, without the run itself.
///
/// # Errors
///
/// As [`answer`].
pub fn changes(question: &Question) -> Result<Answered<Advice>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let size = profile.bytes(question.size)?;
    Ok(Answered::plain(advice_of(question, &profile, size, question.period_ns)?))
}
