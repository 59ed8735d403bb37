//! A run on the virtual bench: `airlag run`.

use airlag_law::Region as Rules;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::kind::Medium;
use airlag_rig::places;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run as Seen};
use airlag_rig::stimulus::Stimulus as Triggers;
use airlag_stats::{Taken, Transfers};
use airlag_trace::Trace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Plan, Settings};
use crate::answers::causes::{Causes, Overload};
use crate::answers::charge::{Charge, Fed};
use crate::answers::latency::Overhead;
use crate::answers::law::{Law, Region};
use crate::answers::places::Apart;
use crate::answers::run::{BenchFacts, Known, Run, VirtualRun};
use crate::answers::traffic::{Phase, Traffic, Way};
use crate::error::Error;
use crate::law::{Judged, judged};
use crate::overload::{Offer, sent, sent_whole};
use crate::question::{Answered, Evidence, Frames, Slices};
use crate::{charge, explain, matched, overload};

/// Run to simulate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RunQuestion")]
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
    /// Number of simulated locations. Absent means 20 if locations differ.
    #[serde(default)]
    pub places: Option<usize>,
    /// Whether to search for findings.
    #[serde(default = "yes")]
    pub findings: bool,
    /// Whether to record activity slices as evidence.
    #[serde(default)]
    pub slices: bool,
    /// Whether to record the frames on the air as evidence.
    #[serde(default)]
    pub sniff: bool,
    /// Deadline to check, ns.
    #[serde(default)]
    pub deadline_ns: Option<i64>,
    /// Region whose regulatory limits to check.
    #[serde(default)]
    pub region: Option<Region>,
    /// Battery of each end.
    #[serde(default)]
    pub battery: Option<String>,
    /// Message rate for current and battery life, 1/s.
    #[serde(default)]
    pub per_second: Option<f64>,
}

pub(crate) const fn thousand() -> usize {
    1000
}

pub(crate) const fn one() -> u64 {
    1
}

pub(crate) const fn yes() -> bool {
    true
}

impl Question {
    /// A run of messages of `size` bytes over `link` with default options.
    #[must_use]
    pub fn of(link: &str, size: Option<usize>) -> Self {
        Self {
            link: link.to_owned(),
            size,
            count: thousand(),
            period_ns: None,
            phase: Phase::default(),
            offset_ns: None,
            seed: one(),
            settings: Settings::new(),
            traffic: Traffic::default(),
            places: None,
            findings: yes(),
            slices: false,
            sniff: false,
            deadline_ns: None,
            region: None,
            battery: None,
            per_second: None,
        }
    }
}

/// One run, or two with traffic in both directions: forward, then return.
pub type Answer = Vec<VirtualRun>;

/// Runs one link with one payload.
///
/// # Errors
///
/// [`Error`] if the link cannot be run as configured. The message is one line that names a valid
/// alternative.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let Question { count, seed, phase, traffic, .. } = *question;
    let Bound { profile, settings } = Bound::of(&question.link, &question.settings)?;
    let size = profile.bytes(question.size)?;
    let plan = Plan::of(&profile, size, seed, traffic, count, question.period_ns)?;
    let triggers = plan.triggers(phase, question.offset_ns, traffic, count)?;
    let options = Options { seed, spans: question.slices, traffic: traffic.into() };
    let (seen, judged, frames) = if question.sniff {
        sniffed(question, &profile, size, &triggers, options)?
    } else {
        let places = question.places.unwrap_or_else(|| places::usual(&profile, count));
        let (seen, senders) = emitted_at(&profile, size, &triggers, options, places)?;
        let all = Rules::ALL.into_iter().map(|region| Judged::of(&profile, &senders, region));
        let all = all.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
        (seen, all, None)
    };
    let Plan { period, service } = plan;
    let offer = Offer { profile: &profile, size, period, service, options };
    let ways = ways(&seen, traffic, offer)?;
    let sent = |way: &WayRun| sent(&seen, &way.transfers, way.overload, service);
    let sent = ways.first().map_or(0.0, sent);
    let whole = ways.first().map_or(0.0, |way| sent_whole(&seen, &way.transfers, way.overload));
    let times = count as f64 / whole.max(1.0);
    let law: Vec<Law> = judged.iter().map(|one| Law::from(&one.at_rate(times))).collect();
    let cost = charge(&profile, size, sent.round() as u64, &seen.draws, options)?;
    let facts = Facts { question, profile: &profile, size, cost: &cost, law: &law, seen: &seen };
    let facts = facts.known()?;
    let stimulus = plan.described(phase, question.offset_ns);
    let stand = Apart::of(&profile, &seen);
    let slices =
        question.slices.then(|| Slices { tracks: seen.tracks.clone(), spans: seen.spans.clone() });
    let mut answered = Answered::<Answer>::default();
    for (nth, (way, trace)) in ways.into_iter().zip(pairs(seen.trace.clone())).enumerate() {
        let WayRun { way, transfers, overload } = way;
        let names = names(&trace);
        let causes = Causes::of(&profile, &seen, nth, overload)?;
        let known = Known {
            source: question.link.clone(),
            link: Some(question.link.clone()),
            size: question.size.map(|size| size as u64),
            seed: Some(seed),
            channels: names.clone(),
            settings: Some(settings.clone()),
            traffic,
            way,
            stimulus: Some(stimulus),
            stand: stand.clone(),
            deadline_ns: question.deadline_ns,
            no_findings: !question.findings,
            causes: Some(causes.clone()),
            ..Known::default()
        };
        let run = known.run(&transfers);
        let overhead_ns = run.transfers.latency_ns.as_ref().zip(facts.wire_ns);
        let overhead_ns = overhead_ns.map(|(latency, wire_ns)| Overhead::of(latency, wire_ns));
        let facts = BenchFacts { causes, overhead_ns, ..facts.clone() };
        let run = Run { charge: Some(Charge::drawn(&cost)), ..run };
        answered.answer.push(VirtualRun { run, facts });
        let Trace { epoch_unix_ns, sample_rate_hz, .. } = trace;
        answered.evidence.push(Evidence {
            transfers: Some(transfers),
            names,
            taken: Taken { epoch_unix_ns, sample_rate_hz },
            trace: Some(trace),
            slices: slices.clone(),
            law: law.clone(),
            frames: frames.clone(),
            ..Evidence::default()
        });
    }
    Ok(answered)
}

/// One direction of a run.
struct WayRun {
    way: Option<Way>,
    transfers: Transfers,
    overload: Option<Overload>,
}

/// Transfers of each direction of a run, with its overload.
fn ways(seen: &Seen, traffic: Traffic, offer: Offer<'_>) -> Result<Vec<WayRun>, Error> {
    let ways = match traffic {
        Traffic::Both => vec![Some(Way::There), Some(Way::Back)],
        _ => vec![None],
    };
    let one = |(nth, way)| {
        let transfers = matched::way(seen, nth);
        let overload = overload::overload(offer, seen, nth, &transfers)?;
        Ok(WayRun { way, transfers, overload })
    };
    ways.into_iter().enumerate().map(one).collect()
}

/// A run, the regulatory verdicts on it, and the captured frames.
type Heard = (Seen, Vec<Judged>, Option<Frames>);

fn sniffed(
    question: &Question,
    profile: &Profile,
    size: usize,
    triggers: &Triggers,
    options: Options,
) -> Result<Heard, Error> {
    let (seen, heard) = airlag_rig::sniff(profile, size, triggers, options)?;
    let mut verdicts = Vec::new();
    if let Some(region) = question.region {
        // A sniffer records frames but not the airtime of each radio, so the bench runs again
        // without it.
        verdicts.extend(judged(profile, size, triggers, options, region.into())?.1);
    }
    let frames = Frames {
        pcapng: heard.pcapng,
        count: heard.frames,
        left_out: heard.left_out,
        over_limit: heard.over_limit,
    };
    Ok((seen, verdicts, Some(frames)))
}

/// A run at `places` locations, and the transmissions at the first location with its share of the
/// messages.
fn emitted_at(
    profile: &Profile,
    size: usize,
    triggers: &Triggers,
    options: Options,
    places: usize,
) -> Result<(Seen, Vec<Sender>), Error> {
    let Some((first, here)) = places::first(triggers, options, places) else {
        return Ok(emitted(profile, size, triggers, options)?);
    };
    let seen = places::run_at(profile, size, triggers, options, places)?;
    Ok((seen, emitted(profile, size, &first, here)?.1))
}

/// Splits a trace into one trace per pair of trigger and completion.
fn pairs(trace: Trace) -> impl Iterator<Item = Trace> {
    let pairs: Vec<_> = trace.channels.chunks(2).map(<[_]>::to_vec).collect();
    pairs.into_iter().map(move |channels| Trace { channels, current: None, ..trace })
}

/// Names of the trigger and completion channels of a trace.
pub(crate) fn names(trace: &Trace) -> Option<[String; 2]> {
    match &trace.channels[..] {
        [trigger, completion, ..] => Some([trigger.name.clone(), completion.name.clone()]),
        _ => None,
    }
}

/// Inputs for the facts of a virtual run.
pub(crate) struct Facts<'a> {
    pub(crate) question: &'a Question,
    pub(crate) profile: &'a Profile,
    pub(crate) size: usize,
    pub(crate) cost: &'a charge::Charge,
    pub(crate) law: &'a [Law],
    pub(crate) seen: &'a Seen,
}

impl Facts<'_> {
    /// Facts that only the bench records, without the overhead.
    pub(crate) fn known(&self) -> Result<BenchFacts, Error> {
        let Question { traffic, region, battery, per_second, .. } = self.question;
        let law = region.map(|region| self.law.iter().find(|one| one.region == region).cloned());
        Ok(BenchFacts {
            incidents: self
                .seen
                .incidents
                .iter()
                .map(|(name, times)| ((*name).to_owned(), *times))
                .collect(),
            wire_ns: wire_ns(self.profile, self.size, *traffic)?,
            overhead_ns: None,
            causes: Causes::default(),
            law,
            fed: Fed::of(self.cost, battery.as_deref(), *per_second)?,
        })
    }
}

/// Wire time of the message bits at the exact rate of the port divider, ns. Doubled for an echo. Returns
/// `None` for a radio and for calls.
fn wire_ns(profile: &Profile, size: usize, traffic: Traffic) -> Result<Option<u64>, Error> {
    if profile.kind.medium() != Medium::Wire {
        return Ok(None);
    }
    let ns = explain::floor(profile, size)?.ns();
    Ok(match traffic {
        Traffic::Trigger | Traffic::Both => Some(ns),
        Traffic::Echo => Some(2 * ns),
        _ => None,
    })
}
