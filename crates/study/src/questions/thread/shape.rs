//! Results of a Thread network, as `--json` prints them.

use std::collections::BTreeMap;

use airlag_openthread::Flow as Messages;
use airlag_openthread::LoadResult;
use airlag_sim::Duration;
use airlag_stats::dist::Summary;
use schemars::JsonSchema;
use serde::Serialize;

use super::session::Ran;
use super::step::Outcome;
use super::{Direction, Question, Topology, Traffic, words};
use crate::answers::latency::Latency;
use crate::answers::number::Number;
use crate::questions::bench::Settings;

/// Messages from one node to another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadFlow")]
pub struct Flow {
    /// Sender. Node 1 is the leader.
    pub from_node: u64,
    /// Receiver.
    pub to_node: u64,
    /// Number of hops between them.
    pub hops: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Messages dropped because the sender had no free message buffer.
    pub refused: u64,
    /// Messages that were accepted but did not arrive.
    pub lost: u64,
    /// Messages that arrived more than once.
    pub duplicates: u64,
    /// Time from the first attempt of the sending program to the arrival at the receiving program. Null if
    /// nothing arrived.
    pub latency_ns: Option<Latency>,
}

/// Results of one of several networks that differ in their random seed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadSeed")]
pub struct SeedRun {
    /// Random seed.
    pub seed: u64,
    /// Time until the last node has its role, ns.
    pub formed_ns: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Goodput between the first and the last arrival, kbit/s. Null for fewer than two arrivals.
    pub goodput_kbps: Option<f64>,
    /// Latency over all flows. Null if nothing arrived.
    pub latency_ns: Option<Latency>,
}

/// Spread of a result over networks with different random seeds.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadRange")]
pub struct Range {
    /// Smallest.
    pub min: Number,
    /// Median.
    pub median: Number,
    /// Largest.
    pub max: Number,
}

/// Spread of the results over the random seeds. A result is null if one of the networks does not have it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadSpread")]
pub struct Spread {
    /// Time until the last node has its role, ns.
    pub formed_ns: Option<Range>,
    /// Delivery ratio.
    pub delivered_share: Option<Range>,
    /// Goodput, kbit/s.
    pub goodput_kbps: Option<Range>,
    /// Median latency, ns.
    pub p50_ns: Option<Range>,
    /// 99 % quantile of latency, ns.
    pub p99_ns: Option<Range>,
}

/// Load on a Thread network, and its outcome over the networks of all seeds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Network {
    /// Topology of the network.
    pub topology: Topology,
    /// Number of nodes. Each node is a process.
    pub nodes: u64,
    /// Number of hops of the longest path to node 1.
    pub hops: u64,
    /// Position of each node at switch-on, x and y, m.
    pub positions_m: Vec<[f64; 2]>,
    /// Distance up to which a frame is received, m. Ignored if the settings contain an environment.
    pub reach_m: f64,
    /// Distance up to which a frame keeps the channel busy, m.
    pub sensed_m: f64,
    /// Link profile of the boards of the nodes. Null means boards whose software takes no time.
    pub boards: Option<String>,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// Random seed of the first network.
    pub seed: u64,
    /// Direction of the messages.
    pub direction: Direction,
    /// Message timing.
    pub traffic: Traffic,
    /// Payload, bytes.
    pub size: u64,
    /// Number of messages per flow.
    pub count: u64,
    /// Time between the messages of a flow, ns. 0 if the flow is not periodic.
    pub period_ns: u64,
    /// Poll period of sleepy children, ns. Null means no sleepy children.
    pub poll_period_ns: Option<u64>,
    /// Frame loss ratio of each path.
    pub frame_loss: f64,
    /// Mean length of a loss burst, frames.
    pub loss_burst: f64,
    /// For each node of the first network: time from switch-on until the node has its role (leader, router,
    /// child), ns.
    pub attach_ns: Vec<u64>,
    /// Time until the last node of the first network has its role, ns.
    pub formed_ns: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Messages dropped because the sender had no free message buffer.
    pub refused: u64,
    /// Messages that were accepted but did not arrive.
    pub lost: u64,
    /// Goodput between the first and the last arrival, kbit/s: mean over the networks. Null for fewer than
    /// two arrivals.
    pub goodput_kbps: Option<f64>,
    /// Latency over all flows. Null if nothing arrived.
    pub latency_ns: Option<Latency>,
    /// Frames on the air during the load, excluding acknowledgement frames.
    pub frames: u64,
    /// Number of retransmitted frames.
    pub retries: u64,
    /// Transmitted frames that were not acknowledged.
    pub no_acks: u64,
    /// Channel assessments that found the channel busy.
    pub busy: u64,
    /// Frames dropped because a radio co-processor had no free buffer.
    pub co_processor_full: u64,
    /// One flow for each leaf node.
    pub flows: Vec<Flow>,
    /// Outcomes of the steps in the first network.
    pub steps: Vec<Outcome>,
    /// For each node of the first network: role at the end (disabled, detached, child, router, leader).
    pub roles: Vec<String>,
    /// Results for each random seed.
    pub by_seed: Vec<SeedRun>,
    /// Spread of the results over the networks.
    pub spread: Spread,
    /// Formation of the first network, in words.
    pub formation_text: String,
    /// Activity on the air, in words.
    pub radio_text: String,
    /// Spread of the results, in words.
    pub spread_text: String,
}

fn latency(latencies: &[Duration]) -> Option<Latency> {
    let ns: Vec<i64> = latencies.iter().map(|one| one.as_ns() as i64).collect();
    Summary::of(&ns).as_ref().map(Latency::from)
}

/// Merges the flows of all networks between the same two nodes.
fn flow(same: &[&Messages]) -> Flow {
    let sum = |count: fn(&Messages) -> usize| same.iter().map(|flow| count(flow) as u64).sum();
    let (sent, delivered): (u64, u64) = (sum(|flow| flow.messages.len()), sum(Messages::delivered));
    let refused: u64 = sum(Messages::refused);
    let latencies: Vec<Duration> = same.iter().flat_map(|flow| flow.latencies()).collect();
    Flow {
        from_node: same[0].from as u64 + 1,
        to_node: same[0].to as u64 + 1,
        hops: same[0].hops as u64,
        sent,
        delivered,
        refused,
        lost: sent - delivered - refused,
        duplicates: same.iter().map(|flow| flow.duplicates).sum(),
        latency_ns: latency(&latencies),
    }
}

fn flows(carried: &[&LoadResult]) -> Vec<Flow> {
    let mut same: BTreeMap<(usize, usize), Vec<&Messages>> = BTreeMap::new();
    for flow in carried.iter().flat_map(|one| &one.flows) {
        same.entry((flow.from, flow.to)).or_default().push(flow);
    }
    same.values().map(|same| flow(same)).collect()
}

fn range(of: impl Iterator<Item = Option<f64>>) -> Option<Range> {
    let mut values: Vec<f64> = of.flatten().collect();
    values.sort_by(f64::total_cmp);
    let (&min, &max) = (values.first()?, values.last()?);
    let middle = values.len() / 2;
    let median = if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    };
    Some(Range { min: Number(min), median: Number(median), max: Number(max) })
}

fn of_seed(ran: &Ran, size: usize) -> SeedRun {
    let latencies = ran.carried.as_ref().map(LoadResult::latencies).unwrap_or_default();
    let sent = ran.carried.as_ref().map_or(0, |carried| carried.messages().count() as u64);
    SeedRun {
        seed: ran.seed,
        formed_ns: ran.formed_ns,
        sent,
        delivered: latencies.len() as u64,
        goodput_kbps: ran.carried.as_ref().and_then(|carried| carried.goodput_kbps(size)),
        latency_ns: latency(&latencies),
    }
}

fn spread(by_seed: &[SeedRun]) -> Spread {
    let quantile = |of: fn(&Latency) -> Number| {
        range(by_seed.iter().map(move |one| one.latency_ns.as_ref().map(|ns| of(ns).0)))
    };
    let share = |one: &SeedRun| (one.sent > 0).then(|| one.delivered as f64 / one.sent as f64);
    Spread {
        formed_ns: range(by_seed.iter().map(|one| Some(one.formed_ns as f64))),
        delivered_share: range(by_seed.iter().map(share)),
        goodput_kbps: range(by_seed.iter().map(|one| one.goodput_kbps)),
        p50_ns: quantile(|ns| ns.quantiles.p50),
        p99_ns: quantile(|ns| ns.quantiles.p99),
    }
}

pub(super) fn network(question: &Question, ran: &[Ran]) -> Network {
    let carried: Vec<&LoadResult> = ran.iter().filter_map(|one| one.carried.as_ref()).collect();
    let by_seed: Vec<SeedRun> = ran.iter().map(|one| of_seed(one, question.size)).collect();
    let flows = flows(&carried);
    let goodputs: Vec<f64> = by_seed.iter().filter_map(|one| one.goodput_kbps).collect();
    let goodput =
        (!goodputs.is_empty()).then(|| goodputs.iter().sum::<f64>() / goodputs.len() as f64);
    let latencies: Vec<Duration> = carried.iter().flat_map(|one| one.latencies()).collect();
    let counts = carried
        .iter()
        .fold(Default::default(), |sum: airlag_openthread::Counts, one| sum.plus(&one.counts));
    let periodic = question.traffic == Traffic::Periodic;
    let first = &ran[0];
    let sum = |of: fn(&Flow) -> u64| flows.iter().map(of).sum();
    let found = Network {
        topology: question.topology,
        nodes: first.positions_m.len() as u64,
        hops: first.hops,
        positions_m: first.positions_m.clone(),
        reach_m: question.reach_m,
        sensed_m: question.sensed_m.unwrap_or(question.reach_m),
        boards: question.boards.clone(),
        settings: question.settings.clone(),
        seed: question.seed,
        direction: question.direction,
        traffic: question.traffic,
        size: question.size as u64,
        count: question.count as u64,
        period_ns: if periodic { question.period_ns } else { 0 },
        poll_period_ns: question.poll_period_ns,
        frame_loss: question.frame_loss,
        loss_burst: question.loss_burst,
        attach_ns: first.attach_ns.clone(),
        formed_ns: first.formed_ns,
        sent: sum(|flow| flow.sent),
        delivered: sum(|flow| flow.delivered),
        refused: sum(|flow| flow.refused),
        lost: sum(|flow| flow.lost),
        goodput_kbps: goodput,
        latency_ns: latency(&latencies),
        frames: counts.frames,
        retries: counts.retries,
        no_acks: counts.no_acks,
        busy: counts.busy,
        co_processor_full: carried.iter().map(|one| one.co_processor_full).sum(),
        flows,
        steps: first.outcomes.clone(),
        roles: first.roles.iter().map(|&role| role.to_owned()).collect(),
        spread: spread(&by_seed),
        by_seed,
        formation_text: words::formation(&first.attach_ns, first.formed_ns, ran.len()),
        radio_text: String::new(),
        spread_text: String::new(),
    };
    let (radio_text, spread_text) = (words::radio(&found), words::spread(&found));
    Network { radio_text, spread_text, ..found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_leaves_out_networks_without_the_figure() {
        let found = range([Some(3.0), None, Some(1.0), Some(2.0), Some(10.0)].into_iter());
        let found = found.expect("four of them");
        assert_eq!([found.min, found.median, found.max].map(|one| one.0), [1.0, 2.5, 10.0]);
        assert!(range([None, None].into_iter()).is_none());
    }
}
