//! `airlag analyze`: transfers and findings of a capture, a saved run or a table of latencies.

use std::path::Path;

use airlag_stats::findings::run::Context;
use airlag_stats::findings::sniffer_loss::of_stream;
use airlag_stats::pair::{PairOptions, pair};
use airlag_stats::sniff::Sniff;
use airlag_stats::source::Paired;
use airlag_stats::{Source, Taken, Transfers};
use airlag_trace::error::{Error as Wrong, Place};
use airlag_trace::latency_table::{TableOptions, TableUnit};
use airlag_trace::{Format, Input, MemoryLimit, Pair, Problem, Selection, Trace};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bench::{Bound, Settings};
use super::run::{names, yes};
use crate::answers;
use crate::answers::causes::Causes;
use crate::answers::finding;
use crate::answers::places::Stand;
use crate::answers::run::{Known, Run};
use crate::answers::traffic::{Stimulus, Traffic, Way};
use crate::error::Error;
use crate::explain::floor;
use crate::question::{Answered, Evidence, Given};

/// Options for reading one capture, saved run or table. The file is passed separately.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AnalyzeQuestion")]
pub struct Question {
    /// Name of the run, for the answer and for errors.
    pub source: String,
    /// Link profile. Absent if unknown.
    #[serde(default)]
    pub link: Option<String>,
    /// Payload, bytes. Absent if unknown.
    #[serde(default)]
    pub size: Option<u64>,
    /// Random seed. Absent if unknown.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Trigger channel, by name or by index from 0. Absent means the first channel that is not the completion channel.
    /// In a sniffer recording, this field selects a stream of frames by name or index, and absent means the stream with
    /// the most acknowledged frames.
    #[serde(default)]
    pub trigger: Option<String>,
    /// Completion channel, by name or by index from 0. Absent means the first channel that is not
    /// the trigger.
    #[serde(default)]
    pub completion: Option<String>,
    /// Channels that are active low.
    #[serde(default)]
    pub invert: Vec<String>,
    /// Shortest time for which the trigger channel must be low before a trigger, ns.
    #[serde(default = "microsecond")]
    pub min_low_ns: i64,
    /// Longest time from a trigger to its completion, ns. Further triggers may come in between.
    /// Absent means that the completion must come before the next trigger.
    #[serde(default)]
    pub overlap_ns: Option<i64>,
    /// Column of a table of latencies.
    #[serde(default)]
    pub column: Option<String>,
    /// Unit of a table of latencies whose header has none.
    #[serde(default)]
    pub unit: Option<String>,
    /// Whether to return the raw edges of every channel as evidence.
    #[serde(default)]
    pub keep_edges: bool,
    /// Deadline to check, ns.
    #[serde(default)]
    pub deadline_ns: Option<i64>,
    /// Constants of a saved run that differ from the profile.
    #[serde(default)]
    pub settings: Option<Settings>,
    /// Traffic of a saved run.
    #[serde(default)]
    pub traffic: Traffic,
    /// Direction of a saved run.
    #[serde(default)]
    pub way: Option<Way>,
    /// Trigger timing of a saved run.
    #[serde(default)]
    pub stimulus: Option<Stimulus>,
    /// Longest latency of a few messages sent one at a time, ns. Absent if unknown.
    #[serde(default)]
    pub service_ns: Option<u64>,
    /// Whether to look for findings.
    #[serde(default = "yes")]
    pub findings: bool,
    /// Distance and environment of the radios of a saved run.
    #[serde(default)]
    pub apart: Option<Stand>,
    /// Causes of losses recorded by the bench of a saved run.
    #[serde(default)]
    pub causes: Option<Causes>,
}

const fn microsecond() -> i64 {
    1000
}

/// Name of the completion channel of a stream.
const DELIVERED: &str = "delivered";

/// One run.
pub type Answer = Run;

/// Reads the input, pairs triggers with completions, summarises, and searches for findings.
///
/// # Errors
///
/// [`Error::Capture`] if the input cannot be used. [`Error::Question`] if the channels contradict each
/// other.
pub fn answer(question: &Question, given: Given<'_>) -> Result<Answered<Answer>, Error> {
    match given {
        Given::Capture(input, memory) if input.format() == Format::LatencyTable => {
            let unit = question.unit.as_deref().map(TableUnit::parse).transpose();
            let unit = unit.map_err(|cause| Error::Question { cause: cause.to_string() })?;
            let column = question.column.clone();
            let table = input.read_table(&TableOptions { column, unit, memory })?;
            Ok(table_of(question, table.latencies_ns))
        }
        Given::Capture(input, memory) if input.format().has_packets() => {
            sniffed(question, input, memory)
        }
        Given::Capture(input, memory) => captured(question, input, memory),
        Given::Trace(trace) => saved(question, trace),
        Given::Latencies(latencies_ns) => Ok(table_of(question, latencies_ns)),
        Given::Transfers(transfers) => Ok(run_of(question, transfers, None, Taken::default())),
        Given::Probes(_) => {
            Err(Error::Question { cause: "probe timestamps need the question `probe`".into() })
        }
    }
}

fn captured(
    question: &Question,
    input: &mut Input,
    memory: MemoryLimit,
) -> Result<Answered<Answer>, Error> {
    let source = Source { input, selection: selection(question), memory };
    let (Paired { transfers, names, taken }, trace) = if question.keep_edges {
        let (paired, trace) = source.pair_and_keep(options(question))?;
        (paired, Some(trace))
    } else {
        (source.pair(options(question))?, None)
    };
    let mut answered = run_of(question, transfers, Some(names), taken);
    answered.evidence[0].trace = trace;
    Ok(answered)
}

/// The run of one stream of a sniffer recording. Frames are matched by sequence number, not by
/// edges.
fn sniffed(
    question: &Question,
    input: &mut Input,
    memory: MemoryLimit,
) -> Result<Answered<Answer>, Error> {
    if question.completion.is_some() || !question.invert.is_empty() {
        let cause = "a recording of a sniffer has no channels; choose a stream with trigger";
        return Err(Error::Question { cause: cause.to_owned() });
    }
    let found = Sniff::read(input, memory)?;
    let selected = selected(&found, question.trigger.as_deref())
        .map_err(|problem| problem.at(Place::File).of(input.path()))?;
    let stream = &found.streams[selected];
    let names = [stream.name.clone(), DELIVERED.to_owned()];
    let taken = Taken { epoch_unix_ns: Some(found.epoch_ns), sample_rate_hz: None };
    let unsearched = Question { findings: false, ..question.clone() };
    let mut answered = run_of(&unsearched, stream.transfers.clone(), Some(names), taken);
    if question.findings {
        let percentile = Context::default().percentile;
        answered.answer.transfers.findings = finding::list(of_stream(stream, percentile));
    }
    answered.answer.sniff = Some(answers::sniff::Sniff::of(&found, selected));
    if question.keep_edges {
        answered.evidence[0].trace = Some(stream.edges(found.epoch_ns, DELIVERED));
    }
    Ok(answered)
}

/// Index of a stream by its name or by its position. By default, the one with the most acknowledged frames.
fn selected(found: &Sniff, stream: Option<&str>) -> Result<usize, Problem> {
    let names = || found.streams.iter().map(|stream| stream.name.as_str());
    let Some(wanted) = stream else {
        return found.busiest().ok_or(Problem::NoPackets { what: "data frames" });
    };
    let by_name = names().position(|name| name == wanted);
    let by_position = || wanted.parse().ok().filter(|nth| *nth < found.streams.len());
    by_name.or_else(by_position).ok_or_else(|| Problem::NoSuchChannel {
        channel: wanted.to_owned(),
        present: names().collect::<Vec<_>>().join(", "),
    })
}

/// Pairs the kept edges of a run again, with the options of the question.
fn saved(question: &Question, trace: &Trace) -> Result<Answered<Answer>, Error> {
    let chosen = chosen(trace, &selection(question), Path::new(&question.source))?;
    let transfers = pair(&chosen, options(question));
    let Trace { epoch_unix_ns, sample_rate_hz, .. } = chosen;
    let taken = Taken { epoch_unix_ns, sample_rate_hz };
    Ok(run_of(question, transfers, names(&chosen), taken))
}

/// Selects channels of a trace in the given order, inverted where requested. `path` is named in errors.
///
/// # Errors
///
/// [`Wrong`] if the trace does not have a channel.
pub fn chosen(trace: &Trace, selection: &Selection, path: &Path) -> Result<Trace, Wrong> {
    let present: Vec<&str> = trace.channels.iter().map(|one| one.name.as_str()).collect();
    let resolved = selection.resolve(&present);
    let resolved = resolved.map_err(|problem| problem.at(Place::File).of(path))?;
    let chosen = resolved.positions.iter().enumerate().map(|(bit, &position)| {
        let mut channel = trace.channels[position].clone();
        for segment in &mut channel.segments {
            segment.initial ^= resolved.invert & (1 << bit) != 0;
        }
        channel
    });
    Ok(Trace { channels: chosen.collect(), current: trace.current.clone(), ..*trace })
}

fn run_of(
    question: &Question,
    transfers: Transfers,
    channels: Option<[String; 2]>,
    taken: Taken,
) -> Answered<Answer> {
    let transfers = match &question.apart {
        Some(stand) => Transfers { places_ns: stand.places_ns.clone(), ..transfers },
        None => transfers,
    };
    let answer = known(question, channels.clone()).run(&transfers);
    let evidence =
        Evidence { transfers: Some(transfers), names: channels, taken, ..Evidence::default() };
    Answered { answer, evidence: vec![evidence] }
}

fn table_of(question: &Question, latencies_ns: Vec<i64>) -> Answered<Answer> {
    let answer = known(question, None).table(&latencies_ns);
    Answered { answer, evidence: vec![Evidence { latencies_ns, ..Evidence::default() }] }
}

fn known(question: &Question, channels: Option<[String; 2]>) -> Known {
    Known {
        source: question.source.clone(),
        link: question.link.clone(),
        size: question.size,
        seed: question.seed,
        channels,
        settings: question.settings.clone(),
        traffic: question.traffic,
        way: question.way,
        stimulus: question.stimulus,
        stand: question.apart.clone(),
        deadline_ns: question.deadline_ns,
        service_ns: question.service_ns.or_else(|| floor_ns(question)),
        no_findings: !question.findings,
        causes: question.causes.clone(),
    }
}

/// Lower bound of the latency of a capture whose link and payload are given, ns. Returns `None` for virtual
/// runs, and if the link has no such message.
fn floor_ns(question: &Question) -> Option<u64> {
    let (link, size) = (question.link.as_deref()?, usize::try_from(question.size?).ok()?);
    if question.causes.is_some() {
        return None;
    }
    let settings = question.settings.clone().unwrap_or_default();
    let profile = Bound::of(link, &settings).ok()?.profile;
    let floor = profile.has_message().then(|| floor(&profile, size).ok()).flatten()?;
    Some(floor.ns())
}

const fn options(question: &Question) -> PairOptions {
    PairOptions { min_low_ns: question.min_low_ns, overlap_ns: question.overlap_ns }
}

/// Trigger and completion channels, inverted where they are active low.
fn selection(question: &Question) -> Selection {
    let Question { trigger, completion, invert, .. } = question.clone();
    Selection::Pair(Pair { trigger, completion, invert })
}
