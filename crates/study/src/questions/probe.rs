//! `airlag probe`: round-trip times, one-way delays with their uncertainty, and losses by direction.

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

/// Relation of the far clock to the near clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// The relation is unknown. Offset and skew are estimated from the timestamps.
    #[default]
    Estimated,
    /// Both ends read one clock.
    Shared,
    /// Both clocks are synchronized by PTP. The clock errors are those that PTP reports.
    Ptp,
    /// Both clocks are synchronized by NTP. The clock errors are those that chrony reports.
    Chrony,
}

/// A session of probes. The timestamps are passed separately.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ProbeQuestion")]
pub struct Question {
    /// Probed target.
    pub target: String,
    /// Size of a request and of its response, bytes.
    pub size: u64,
    /// Time after which a response counts as lost, ns.
    pub timeout_ns: i64,
    /// Relation of the far clock to the near clock.
    #[serde(default)]
    pub clock: ClockKind,
    /// Largest error of the near clock, ns, if it is externally synchronized.
    #[serde(default)]
    pub clock_error_ns: Option<u64>,
    /// Round trip through the program that carries messages between the prober and the link,
    /// measured in a loopback without the link.
    #[serde(default)]
    pub carrier_round_trip_ns: Option<Latency>,
    /// Deadline to check, ns.
    #[serde(default)]
    pub deadline_ns: Option<i64>,
    /// Whether to look for findings.
    #[serde(default = "yes")]
    pub findings: bool,
}

/// Offset, skew and steps of the far clock.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarClock {
    /// Relation to the near clock.
    pub kind: ClockKind,
    /// Offset of the far clock in the middle of the session, ns. Null without a response.
    pub offset_ns: Option<i64>,
    /// Largest error of the offset, ns. Each one-way delay has the same uncertainty. Null without a
    /// response, and if a clock is not synchronized as declared.
    pub offset_uncertainty_ns: Option<i64>,
    /// Skew of the far clock, parts per million. Positive if the far clock runs faster. Null with
    /// fewer than two responses, and if the skew was not estimated.
    pub skew_ppm: Option<f64>,
    /// Steps of the far clock, as times since the start of the session, ns.
    pub steps_ns: Vec<i64>,
}

/// Runs of lost messages (loss episodes, RFC 6534).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Episodes {
    /// Number of episodes.
    pub n: usize,
    /// Mean length, messages.
    pub mean: f64,
    /// Length of the longest episode, messages.
    pub longest: usize,
}

/// A session of probes: its round trips, one-way delays and losses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Probed")]
pub struct Answer {
    /// The run of the round trips, including the residence time at the reflector.
    #[serde(flatten)]
    pub run: Run,
    /// Round-trip delay (RFC 2681). The residence time at the reflector is subtracted if the reflector
    /// reports it. Null without a response.
    pub round_trip_ns: Option<Latency>,
    /// One-way delay to the far end (RFC 7679). Its uncertainty is that of the clock offset. Null if the far
    /// end sends no timestamps.
    pub forward_ns: Option<Latency>,
    /// One-way delay from the far end, with the same uncertainty. Null if the far end sends no timestamps.
    pub return_ns: Option<Latency>,
    /// Residence time at the reflector. Null if the far end sends no timestamps.
    pub residence_ns: Option<Latency>,
    /// Requests that did not reach the far end (RFC 7680).
    pub lost_forward: u64,
    /// Responses that were lost on the return path.
    pub lost_return: u64,
    /// Losses in an unknown direction: after the last response, or without a count from the
    /// reflector.
    pub lost_unknown: u64,
    /// Loss episodes. Null if nothing was lost.
    pub loss_episodes: Option<Episodes>,
    /// Number of duplicate responses (RFC 5560).
    pub duplicates: u64,
    /// Responses that arrived after the response to a later request (RFC 4737).
    pub reordered: u64,
    /// Responses that arrived after the timeout. Their requests count as lost.
    pub too_late: u64,
    /// Requests that were sent more than 50 us late.
    pub late_sends: u64,
    /// Delay of each request after its scheduled send time.
    pub send_delay_ns: Option<Latency>,
    /// Round-trip time of the program that passes messages between prober and link, measured in a loopback
    /// without the link. Each round trip of the session includes such a time. Null if the prober accesses the
    /// link itself.
    pub carrier_round_trip_ns: Option<Latency>,
    /// Offset, skew and steps of the far clock.
    pub clock: FarClock,
}

/// One-way delays of the complete exchanges.
struct OneWay {
    forward_ns: Vec<i64>,
    return_ns: Vec<i64>,
    clock: FarClock,
}

/// Summarises a session, estimates the far clock, and searches for findings.
///
/// # Errors
///
/// None at present.
pub fn answer(question: &Question, probes: &Probes) -> Result<Answered<Answer>, Error> {
    let transfers = probes.transfers(question.timeout_ns);
    let complete: Vec<&Exchange> =
        probes.exchanges.iter().filter(|one| one.is_complete()).collect();
    let stamped: Vec<&Exchange> = complete.iter().copied().filter(|one| one.is_stamped()).collect();
    let of = |from: &[&Exchange], value: fn(&Exchange) -> i64| {
        Latency::of(&from.iter().map(|one| value(one)).collect::<Vec<_>>())
    };
    let one_way = one_way(question, probes, &stamped);
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
        round_trip_ns: of(&complete, Exchange::round_trip_ns),
        forward_ns: Latency::of(&one_way.forward_ns),
        return_ns: Latency::of(&one_way.return_ns),
        residence_ns: of(&stamped, |one| one.answered_ns - one.received_ns),
        lost_forward: lost.forward,
        lost_return: lost.back,
        lost_unknown: lost.unknown,
        loss_episodes: lengths(&transfers),
        duplicates: probes.duplicates,
        reordered: probes.reordered(),
        too_late: probes.too_late,
        late_sends: lateness_ns.iter().filter(|&&late| late > LATE_NS).count() as u64,
        send_delay_ns: Latency::of(&lateness_ns),
        carrier_round_trip_ns: question.carrier_round_trip_ns.clone(),
        clock: one_way.clock,
    };
    let taken = Taken { epoch_unix_ns: Some(probes.span_ns[0]), sample_rate_hz: None };
    let ways = [&one_way.forward_ns, &one_way.return_ns]
        .map(|delays| one_way_of(&transfers, &probes.exchanges, delays));
    let evidence = [transfers].into_iter().chain(ways).map(|transfers| Evidence {
        transfers: Some(transfers),
        taken,
        ..Evidence::default()
    });
    Ok(Answered { answer, evidence: evidence.collect() })
}

/// Converts the round trips of messages into transfers of one direction. `delays_ns` are the one-way
/// delays in this direction. An unanswered message counts as lost in either direction, because only a
/// response carries the timestamps of the far end. If a response has no timestamps, the one-way delay is
/// unknown and the transfer is censored.
fn one_way_of(round_trips: &Transfers, exchanges: &[Exchange], delays_ns: &[i64]) -> Transfers {
    let mut one_way = round_trips.clone();
    let mut delays = delays_ns.iter();
    for (nth, exchange) in exchanges.iter().enumerate().filter(|(_, one)| one.is_complete()) {
        match exchange.is_stamped().then(|| delays.next()).flatten() {
            // An estimated delay can be negative within its uncertainty, but a completion has to
            // follow its trigger.
            Some(delay) => one_way.completion_ns[nth] = one_way.trigger_ns[nth] + delay.max(&0),
            None => {
                (one_way.completion_ns[nth], one_way.outcome[nth]) = (NONE, Outcome::Censored);
            }
        }
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
    // With one clock, or two externally synchronized clocks, timestamps are used unchanged.
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
