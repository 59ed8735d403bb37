//! Entry point for all questions. A question and its answer are JSON. Arrays accompany both.
//! Command line, notebook and browser use the same questions and get identical bytes.

use std::collections::BTreeMap;

use airlag_rig::run::Span;
use airlag_stats::probes::Probes;
use airlag_stats::{Taken, Transfers};
use airlag_trace::{Input, MemoryLimit, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answers::law::Law;
use crate::batch::{campaign, setup};
use crate::error::Error;
use crate::json;
use crate::questions;

/// An answer, with the arrays on which it is based.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered<A> {
    /// The documented JSON object, or an array of objects.
    pub answer: A,
    /// Arrays of each run in the answer, in the same order.
    pub evidence: Vec<Evidence>,
}

impl<A> Answered<A> {
    /// An answer without arrays.
    pub const fn plain(answer: A) -> Self {
        Self { answer, evidence: Vec::new() }
    }
}

/// Arrays of one run. They are not part of the JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Triggers with their outcomes. `None` for a table of latencies.
    pub transfers: Option<Transfers>,
    /// Names of the trigger and completion channels.
    pub names: Option<[String; 2]>,
    /// Time and sample rate of the capture.
    pub taken: Taken,
    /// Latencies of a table, ns.
    pub latencies_ns: Vec<i64>,
    /// Raw edges, if they were kept.
    pub trace: Option<Trace>,
    /// Activity slices, if they were kept.
    pub slices: Option<Slices>,
    /// Verdict of each known region on the transmissions. Empty if no radio transmitted.
    pub law: Vec<Law>,
    /// Recorded frames, if a sniffer was requested.
    pub frames: Option<Frames>,
}

/// Frames that a sniffer recorded during a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// Capture file in pcapng format. Time 0 is the same as in the trace.
    pub pcapng: Vec<u8>,
    /// Frames in the file.
    pub count: u64,
    /// Frames omitted from the file because their radio family has no link type, by family.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Frames omitted from the file because it reached its limit of 1 GiB.
    pub over_limit: u64,
}

/// Activity slices of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    /// Names of the lanes.
    pub tracks: Vec<String>,
    /// Slices, on the clock of the trace.
    pub spans: Vec<Span>,
}

/// Non-JSON input of a question.
#[derive(Debug)]
pub enum Given<'a> {
    /// An opened capture, and the memory limit for reading it.
    Capture(&'a mut Input, MemoryLimit),
    /// Raw edges.
    Trace(&'a Trace),
    /// Paired transfers.
    Transfers(Transfers),
    /// Latencies of a table, ns.
    Latencies(Vec<i64>),
    /// Timestamps of a session of live probes.
    Probes(Probes),
}

/// Progress callback with completed steps and total steps. Called from any thread.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A progress callback that does nothing.
pub const SILENT: Progress<'static> = &|_, _| ();

/// An answer for other languages.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The answer as one JSON document, indented by two spaces.
    pub json: String,
    /// The arrays on which it is based.
    pub evidence: Vec<Evidence>,
}

impl<A: Serialize> TryFrom<Answered<A>> for Reply {
    type Error = Error;

    fn try_from(answered: Answered<A>) -> Result<Self, Error> {
        Ok(Self { json: json::written(&answered.answer)?, evidence: answered.evidence })
    }
}

/// All questions, tagged by `question`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "question", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Question {
    /// A run on the virtual bench.
    Run(questions::run::Question),
    /// A capture, a saved run, or a table of latencies.
    Analyze(questions::analyze::Question),
    /// Findings of several runs together.
    Across(questions::across::Question),
    /// Comparison of two runs.
    Compare(questions::compare::Question),
    /// Comparison of two runs on the virtual bench.
    CompareRuns(questions::compare_runs::Question),
    /// A run with its latency budget and advice.
    Explain(questions::explain::Question),
    /// Advice without the run.
    Advise(questions::explain::Question),
    /// The channels of a capture.
    Channels(questions::channels::Question),
    /// Conversion of captures to the time of a pulse-per-second signal.
    TimeBase(questions::time_base::Question),
    /// Labels of virtual runs.
    Labels(questions::labels::Question),
    /// Link profiles.
    Links(questions::links::Question),
    /// Names of all link profiles, without their constants.
    Names(questions::links::NamesQuestion),
    /// Parameters of a link.
    Parameters(questions::links::FloorQuestion),
    /// Lower bound of the latency.
    Floor(questions::links::FloorQuestion),
    /// Source documents of constants.
    Sources(questions::links::SourcesQuestion),
    /// Saturated goodput of a link.
    Goodput(questions::goodput::Question),
    /// Latency, queueing and loss of a link as functions of the offered load.
    Load(questions::load::Question),
    /// Capacity of a network of many devices.
    Capacity(questions::capacity::Question),
    /// Runs in a campaign file.
    Campaign(campaign::Question),
    /// One run of a campaign that has a question.
    Point(campaign::Work),
    /// Answer of a campaign from its runs.
    CampaignAnswer(campaign::answer::Question),
    /// Runs of a real bench, from its setup file.
    Setup(setup::Question),
    /// Recording options from the setup file of a real bench.
    Recording(setup::RecordingQuestion),
    /// Trains of back-to-back messages.
    Trains(questions::trains::Question),
    /// Trains of back-to-back messages, the cause of losses, and remedies.
    ExplainTrains(questions::trains::Question),
    /// Sensitivity of a link to its assumed and calibrated constants.
    Sensitivity(questions::sensitivity::Question),
    /// Comparison of a capture with one link profile.
    Match(questions::matching::Question),
    /// Comparison of a capture with several link profiles.
    Rank(questions::matching::RankQuestion),
    /// Recommendation of a link for requirements.
    Recommend(questions::recommend::Question),
    /// A session of live probes.
    Probe(questions::probe::Question),
    #[cfg(not(target_family = "wasm"))]
    /// A Thread network of OpenThread nodes.
    Thread(questions::thread::Question),
    #[cfg(not(target_family = "wasm"))]
    /// Steps of a Thread network in a script file.
    ThreadScript(questions::thread::script::Question),
    /// IP tunnels at offered loads.
    UnderLoad(questions::under_load::Question),
    /// Benchmarks of remote procedure calls.
    RpcBench(questions::rpc::Question),
    /// Platforms of the benchmarks.
    RpcPlatforms(questions::rpc::Platforms),
}

/// Answers a question in JSON.
///
/// # Errors
///
/// [`Error::Question`] if the text is not a question. The errors of the question are returned too.
pub fn ask(question: &str, given: Vec<Given<'_>>, progress: Progress<'_>) -> Result<Reply, Error> {
    let asked = serde_json::from_str(question);
    match asked.map_err(|cause| Error::Question { cause: cause.to_string() })? {
        Question::Run(question) => questions::run::answer(&question)?.try_into(),
        Question::Analyze(question) => {
            questions::analyze::answer(&question, only(given)?)?.try_into()
        }
        Question::Across(_) => questions::across::answer(&all(given)?).try_into(),
        Question::Compare(question) => {
            let [first, second] = <[Transfers; 2]>::try_from(all(given)?).map_err(|_| {
                Error::Question { cause: "the question needs the transfers of two runs".into() }
            })?;
            questions::compare::answer(&question, &first, &second)?.try_into()
        }
        Question::CompareRuns(question) => {
            questions::compare_runs::answer(&question, progress)?.try_into()
        }
        Question::Explain(question) => questions::explain::answer(&question)?.try_into(),
        Question::Advise(question) => questions::explain::changes(&question)?.try_into(),
        Question::Channels(question) => {
            questions::channels::answer(&question, only(given)?)?.try_into()
        }
        Question::TimeBase(question) => questions::time_base::answer(&question, given)?.try_into(),
        Question::Labels(question) => questions::labels::answer(&question).try_into(),
        Question::Links(question) => questions::links::answer(&question)?.try_into(),
        Question::Names(_) => questions::links::names()?.try_into(),
        Question::Parameters(question) => questions::links::parameters(&question)?.try_into(),
        Question::Floor(question) => questions::links::floor(&question)?.try_into(),
        Question::Sources(_) => questions::links::sources()?.try_into(),
        Question::Goodput(question) => questions::goodput::answer(&question)?.try_into(),
        Question::Load(question) => questions::load::answer(&question, progress)?.try_into(),
        Question::Capacity(question) => {
            questions::capacity::answer(&question, progress)?.try_into()
        }
        Question::Campaign(question) => campaign::answer(&question)?.try_into(),
        Question::Point(work) => campaign::point(&work)?.try_into(),
        Question::CampaignAnswer(question) => campaign::answer::answer(&question)?.try_into(),
        Question::Setup(question) => setup::answer(&question)?.try_into(),
        Question::Recording(question) => setup::recording(&question)?.try_into(),
        Question::Trains(question) => questions::trains::answer(&question, progress)?.try_into(),
        Question::ExplainTrains(question) => {
            questions::trains::explain(&question, progress)?.try_into()
        }
        Question::Sensitivity(question) => questions::sensitivity::answer(&question)?.try_into(),
        Question::Match(question) => {
            questions::matching::answer(&question, &transfers(given)?, progress)?.try_into()
        }
        Question::Rank(question) => {
            questions::matching::rank(&question, &transfers(given)?, progress)?.try_into()
        }
        Question::Recommend(question) => {
            questions::recommend::answer(&question, progress)?.try_into()
        }
        Question::Probe(question) => match only(given)? {
            Given::Probes(probes) => questions::probe::answer(&question, &probes)?.try_into(),
            _ => Err(Error::Question { cause: "the question needs probe timestamps".into() }),
        },
        #[cfg(not(target_family = "wasm"))]
        Question::Thread(question) => questions::thread::answer(&question, progress)?.try_into(),
        #[cfg(not(target_family = "wasm"))]
        Question::ThreadScript(question) => {
            questions::thread::script::answer(&question)?.try_into()
        }
        Question::UnderLoad(question) => {
            questions::under_load::answer(&question, progress)?.try_into()
        }
        Question::RpcBench(question) => questions::rpc::answer(&question)?.try_into(),
        Question::RpcPlatforms(_) => questions::rpc::platforms().try_into(),
    }
}

/// Returns the single input of a question.
fn only(given: Vec<Given<'_>>) -> Result<Given<'_>, Error> {
    let one = <[Given<'_>; 1]>::try_from(given);
    let [one] =
        one.map_err(|_| Error::Question { cause: "the question needs exactly one input".into() })?;
    Ok(one)
}

/// Returns the transfers of all inputs of a question.
fn all(given: Vec<Given<'_>>) -> Result<Vec<Transfers>, Error> {
    let transfers = given.into_iter().map(|one| match one {
        Given::Transfers(transfers) => Ok(transfers),
        _ => Err(Error::Question { cause: "the question needs transfers".into() }),
    });
    transfers.collect()
}

/// Returns the single set of transfers of a question.
fn transfers(given: Vec<Given<'_>>) -> Result<Transfers, Error> {
    match <[Given<'_>; 1]>::try_from(given) {
        Ok([Given::Transfers(transfers)]) => Ok(transfers),
        _ => {
            Err(Error::Question { cause: "the question needs the transfers of one capture".into() })
        }
    }
}
