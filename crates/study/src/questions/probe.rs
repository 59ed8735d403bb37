//! Live probes: round trips, one-way delays with their uncertainty, losses by direction: `airlag
//! probe`.

use airlag_stats::clock::{Clock, Exchange};
use airlag_stats::probes::{LATE_NS, Probes, episodes};
use airlag_stats::{NONE, Outcome, Taken, Transfers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::run::yes;
use crate::answers::latency::Latency;
use crate::answers::run::{Known, Run};
use crate::error::Error;
use crate::question::{Answered, Evidence};

/// How the far clock relates to the near one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// Nothing is known: offset and skew are estimated from the stamps.
    #[default]
    Estimated,
    /// Both ends read one clock.
    Shared,
    /// Both clocks are kept by PTP, with the errors that they report.
    Ptp,
    /// Both clocks are kept by NTP, with the errors that chrony reports.
    Chrony,
}

/// A session of probes, whose stamps are given beside.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ProbeQuestion")]
pub struct Question {
    /// What was probed.
    pub target: String,
    /// Bytes of a question, and of its answer.
    pub size: u64,
    /// How long an answer was waited for, ns.
    pub timeout_ns: i64,
    /// How the far clock relates to the near one.
    #[serde(default)]
    pub clock: ClockKind,
    /// Largest error of the near clock, ns, where something external keeps it.
    #[serde(default)]
    pub clock_error_ns: Option<u64>,
    /// Deadline to check, ns.
    #[serde(default)]
    pub deadline_ns: Option<i64>,
    /// Whether to look for findings.
    #[serde(default = "yes")]
    pub findings: bool,
}

/// The far clock.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarClock {
    /// How it relates to the near clock.
    pub kind: ClockKind,
    /// Offset of the far clock in the middle of the session, ns. Null where nothing was answered.
    pub offset_ns: Option<i64>,
    /// Largest error of the offset, ns. Each one-way delay may be off by as much. Null where nothing was
    /// answered, and where a clock is not synchronized although it is said to be.
    pub offset_uncertainty_ns: Option<i64>,
    /// How much faster the far clock is, parts per million. Null with fewer than two answers, and where
    /// it was not estimated.
    pub skew_ppm: Option<f64>,
    /// Times at which the far clock was set, since the start of the session, ns.
    pub steps_ns: Vec<i64>,
}

/// Runs of lost messages (loss episodes, RFC 6534).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Episodes {
    /// How many.
    pub n: usize,
    /// Mean number of messages.
    pub mean: f64,
    /// Messages of the longest.
    pub longest: usize,
}

/// A session of probes: the run of its round trips, and what four stamps tell besides.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Probed")]
pub struct Answer {
    /// The run of the round trips, residence at the reflector included.
    #[serde(flatten)]
    pub run: Run,
    /// Round-trip delay without the residence at the reflector (RFC 2681). Null where nothing was
    /// answered.
    pub round_trip_ns: Option<Latency>,
    /// One-way delay to the far end (RFC 7679), within the uncertainty of the clock.
    pub forward_ns: Option<Latency>,
    /// One-way delay back.
    pub return_ns: Option<Latency>,
    /// Residence at the reflector.
    pub residence_ns: Option<Latency>,
    /// Questions that never reached the far end (RFC 7680).
    pub lost_forward: u64,
    /// Answers that never came back.
    pub lost_return: u64,
    /// Lost in an unknown direction: after the last answer, or the reflector does not count.
    pub lost_unknown: u64,
    /// Episodes of loss. Null where nothing was lost.
    pub loss_episodes: Option<Episodes>,
    /// Further answers to one question (RFC 5560).
    pub duplicates: u64,
    /// Answers overtaken by the answer to a later question (RFC 4737).
    pub reordered: u64,
    /// Answers after the timeout, whose question counts as lost.
    pub too_late: u64,
    /// Questions that left more than 50 us after their time.
    pub late_sends: u64,
    /// How late questions left.
    pub send_delay_ns: Option<Latency>,
    /// The far clock.
    pub clock: FarClock,
}

/// One-way delays of the complete exchanges.
struct OneWay {
    forward_ns: Vec<i64>,
    return_ns: Vec<i64>,
    clock: FarClock,
}

/// Summarises a session, estimates the far clock, and looks for findings.
///
/// # Errors
///
/// None so far.
pub fn answer(question: &Question, probes: &Probes) -> Result<Answered<Answer>, Error> {
    let transfers = probes.transfers(question.timeout_ns);
    let complete: Vec<&Exchange> =
        probes.exchanges.iter().filter(|one| one.is_complete()).collect();
    let of = |value: fn(&Exchange) -> i64| {
        Latency::of(&complete.iter().map(|one| value(one)).collect::<Vec<_>>())
    };
    let one_way = one_way(question, probes, &complete);
    let lost = probes.lost(&transfers);
    let lateness_ns = probes.lateness_ns();
    let known = Known {
        source: question.target.clone(),
        size: Some(question.size),
        deadline_ns: question.deadline_ns,
        no_findings: !question.findings,
        ..Known::default()
    };
    let answer = Answer {
        run: known.run(&transfers),
        round_trip_ns: of(Exchange::round_trip_ns),
        forward_ns: Latency::of(&one_way.forward_ns),
        return_ns: Latency::of(&one_way.return_ns),
        residence_ns: of(|one| one.answered_ns - one.received_ns),
        lost_forward: lost.forward,
        lost_return: lost.back,
        lost_unknown: lost.unknown,
        loss_episodes: lengths(&transfers),
        duplicates: probes.duplicates,
        reordered: probes.reordered(),
        too_late: probes.too_late,
        late_sends: lateness_ns.iter().filter(|&&late| late > LATE_NS).count() as u64,
        send_delay_ns: Latency::of(&lateness_ns),
        clock: one_way.clock,
    };
    let taken = Taken { epoch_unix_ns: Some(probes.span_ns[0]), sample_rate_hz: None };
    let ways =
        [&one_way.forward_ns, &one_way.return_ns].map(|delays| one_way_of(&transfers, delays));
    let evidence = [transfers].into_iter().chain(ways).map(|transfers| Evidence {
        transfers: Some(transfers),
        taken,
        ..Evidence::default()
    });
    Ok(Answered { answer, evidence: evidence.collect() })
}

/// The answered messages as transfers of one direction, from these delays. A message without an answer is
/// lost whichever way it was lost: only an answer carries the stamps of the far end.
fn one_way_of(round_trips: &Transfers, delays_ns: &[i64]) -> Transfers {
    let mut one_way = round_trips.clone();
    let answered = one_way.completion_ns.iter_mut().zip(&one_way.trigger_ns);
    let answered = answered.filter(|(completion, _)| **completion != NONE);
    for ((completion, trigger), delay) in answered.zip(delays_ns) {
        // An estimate may be negative by its uncertainty; a completion is after its trigger.
        *completion = trigger + delay.max(&0);
    }
    one_way
}

fn lengths(transfers: &Transfers) -> Option<Episodes> {
    let lengths = episodes(transfers);
    let longest = lengths.iter().copied().max()?;
    let mean = transfers.count(Outcome::Lost) as f64 / lengths.len() as f64;
    Some(Episodes { n: lengths.len(), mean, longest })
}

fn one_way(question: &Question, probes: &Probes, complete: &[&Exchange]) -> OneWay {
    if question.clock == ClockKind::Estimated {
        return estimated(probes, complete);
    }
    // One clock, or two that something else keeps: stamps are taken as they are.
    let near = question.clock_error_ns;
    let uncertainty = match question.clock {
        ClockKind::Shared => Some(0),
        _ => near.zip(probes.far_error_ns).map(|(near, far)| (near + far) as i64),
    };
    let clock = FarClock {
        kind: question.clock,
        offset_ns: (!complete.is_empty()).then_some(0),
        offset_uncertainty_ns: uncertainty.filter(|_| !complete.is_empty()),
        skew_ppm: None,
        steps_ns: Vec::new(),
    };
    OneWay {
        forward_ns: complete.iter().map(|one| one.received_ns - one.sent_ns).collect(),
        return_ns: complete.iter().map(|one| one.arrived_ns - one.answered_ns).collect(),
        clock,
    }
}

fn estimated(probes: &Probes, complete: &[&Exchange]) -> OneWay {
    let far = Clock::of(&probes.exchanges);
    let [start_ns, end_ns] = probes.span_ns;
    let middle_ns = i64::midpoint(start_ns, end_ns);
    let middle = far.at(middle_ns);
    let uncertainty = far.largest_uncertainty_ns(&probes.exchanges);
    let clock = FarClock {
        kind: ClockKind::Estimated,
        offset_ns: middle.map(|piece| piece.offset_ns(middle_ns).round() as i64),
        offset_uncertainty_ns: uncertainty.map(|most| most.ceil() as i64),
        skew_ppm: middle.filter(|_| complete.len() > 1).map(|piece| piece.skew() * 1e6),
        steps_ns: far.pieces.iter().skip(1).map(|piece| piece.from_ns - start_ns).collect(),
    };
    let delays = complete.iter().filter_map(|one| Some(far.at(one.sent_ns)?.one_way_ns(one)));
    let (forward_ns, return_ns) =
        delays.map(|[forward, back]| (forward.round() as i64, back.round() as i64)).unzip();
    OneWay { forward_ns, return_ns, clock }
}
