//! One door: a question in JSON and what is arrays go in, an answer in JSON and what is arrays come
//! out. A command line, a notebook and a browser ask the same question and get the same bytes.

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

/// An answer, and the arrays it rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered<A> {
    /// The documented JSON object, or an array of them.
    pub answer: A,
    /// One for each run that the answer describes, in the same order.
    pub evidence: Vec<Evidence>,
}

impl<A> Answered<A> {
    /// An answer without arrays.
    pub const fn plain(answer: A) -> Self {
        Self { answer, evidence: Vec::new() }
    }
}

/// The arrays of one run, which are never part of the JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Every trigger and its outcome; none for a table of latencies.
    pub transfers: Option<Transfers>,
    /// Names of the trigger and completion channels.
    pub names: Option<[String; 2]>,
    /// When and at which sample rate it was captured.
    pub taken: Taken,
    /// Latencies of a table, ns.
    pub latencies_ns: Vec<i64>,
    /// Raw edges, where they were kept.
    pub trace: Option<Trace>,
    /// Where time went, where it was kept.
    pub slices: Option<Slices>,
    /// The verdict of each known region on what was sent; empty where no radio sent.
    pub law: Vec<Law>,
    /// Frames that a sniffer heard, where one was asked for.
    pub frames: Option<Frames>,
}

/// The frames that a sniffer heard during a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// A capture file. Its instant 0 is that of the trace.
    pub pcapng: Vec<u8>,
    /// Frames in the file.
    pub count: u64,
    /// Frames that are not in the file because their family of radio has no link type.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Frames beyond the first gibibyte, which are not in the file either.
    pub over_limit: u64,
}

/// Named slices of time of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    /// Names of the lanes slices lie on.
    pub tracks: Vec<String>,
    /// The slices, on the clock of the trace.
    pub spans: Vec<Span>,
}

/// What a question is about that is not JSON.
#[derive(Debug)]
pub enum Given<'a> {
    /// An opened capture, and the most memory that reading it may take.
    Capture(&'a mut Input, MemoryLimit),
    /// Raw edges.
    Trace(&'a Trace),
    /// Paired transfers.
    Transfers(Transfers),
    /// Latencies of a table, ns.
    Latencies(Vec<i64>),
    /// What a session of live probes recorded.
    Probes(Probes),
}

/// Called as long work advances, from any thread: steps done, and steps in all.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Reports progress to nobody.
pub const SILENT: Progress<'static> = &|_, _| ();

/// An answer as other languages take it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The answer: one JSON document, indented by two spaces.
    pub json: String,
    /// The arrays it rests on.
    pub evidence: Vec<Evidence>,
}

impl<A: Serialize> TryFrom<Answered<A>> for Reply {
    type Error = Error;

    fn try_from(answered: Answered<A>) -> Result<Self, Error> {
        Ok(Self { json: json::written(&answered.answer)?, evidence: answered.evidence })
    }
}

/// Every question there is; `question` names it.
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
    /// Two runs compared.
    Compare(questions::compare::Question),
    /// A run with where its time went, and advice.
    Explain(questions::explain::Question),
    /// Advice without the run.
    Advise(questions::explain::Question),
    /// The channels of a capture.
    Channels(questions::channels::Question),
    /// Labels of virtual runs.
    Labels(questions::labels::Question),
    /// Link profiles.
    Links(questions::links::Question),
    /// What can be set of a link.
    Parameters(questions::links::FloorQuestion),
    /// The least time of a message.
    Floor(questions::links::FloorQuestion),
    /// The documents that constants come from.
    Sources(questions::links::SourcesQuestion),
    /// Saturated goodput of a link.
    Goodput(questions::goodput::Question),
    /// A link at offered loads.
    Load(questions::load::Question),
    /// The runs that the file of a campaign lists.
    Campaign(campaign::Question),
    /// One run of a campaign that answers a question.
    Point(campaign::Work),
    /// The answer of a campaign's runs to its question.
    CampaignAnswer(campaign::answer::Question),
    /// The runs that the setup of a real bench asks for.
    Setup(setup::Question),
    /// The options of a record that the setup of a real bench has.
    Recording(setup::RecordingQuestion),
    /// Trains of messages back to back.
    Trains(questions::trains::Question),
    /// Trains of messages back to back, why some do not arrive, and remedies.
    ExplainTrains(questions::trains::Question),
    /// Sensitivity of a link to its assumed and calibrated constants.
    Sensitivity(questions::sensitivity::Question),
    /// A capture compared with one link profile.
    Match(questions::matching::Question),
    /// A capture compared with several link profiles.
    Rank(questions::matching::RankQuestion),
    /// Every link checked against requirements.
    Recommend(questions::recommend::Question),
    /// A session of live probes.
    Probe(questions::probe::Question),
    /// A Thread network of OpenThread nodes.
    Thread(questions::thread::Question),
    /// The steps of a Thread network that a file lists.
    ThreadScript(questions::thread::script::Question),
    /// IP tunnels at offered loads.
    UnderLoad(questions::under_load::Question),
    /// The benchmarks of calls.
    RpcBench(questions::rpc::Question),
    /// The platforms of the benchmarks.
    RpcPlatforms(questions::rpc::Platforms),
}

/// Answers a question in JSON.
///
/// # Errors
///
/// [`Error::Question`] where the text is no question; else those of the question.
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
        Question::Explain(question) => questions::explain::answer(&question)?.try_into(),
        Question::Advise(question) => questions::explain::changes(&question)?.try_into(),
        Question::Channels(question) => {
            questions::channels::answer(&question, only(given)?)?.try_into()
        }
        Question::Labels(question) => questions::labels::answer(&question).try_into(),
        Question::Links(question) => questions::links::answer(&question)?.try_into(),
        Question::Parameters(question) => questions::links::parameters(&question)?.try_into(),
        Question::Floor(question) => questions::links::floor(&question)?.try_into(),
        Question::Sources(_) => questions::links::sources()?.try_into(),
        Question::Goodput(question) => questions::goodput::answer(&question)?.try_into(),
        Question::Load(question) => questions::load::answer(&question, progress)?.try_into(),
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
            _ => Err(Error::Question { cause: "the question needs stamps of probes".into() }),
        },
        Question::Thread(question) => questions::thread::answer(&question, progress)?.try_into(),
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

/// The one thing that a question is about.
fn only(given: Vec<Given<'_>>) -> Result<Given<'_>, Error> {
    let one = <[Given<'_>; 1]>::try_from(given);
    let [one] =
        one.map_err(|_| Error::Question { cause: "the question is about one thing given".into() })?;
    Ok(one)
}

/// The transfers of every run that a question is about.
fn all(given: Vec<Given<'_>>) -> Result<Vec<Transfers>, Error> {
    let transfers = given.into_iter().map(|one| match one {
        Given::Transfers(transfers) => Ok(transfers),
        _ => Err(Error::Question { cause: "the question needs transfers".into() }),
    });
    transfers.collect()
}

/// The one set of transfers that a question is about.
fn transfers(given: Vec<Given<'_>>) -> Result<Transfers, Error> {
    match <[Given<'_>; 1]>::try_from(given) {
        Ok([Given::Transfers(transfers)]) => Ok(transfers),
        _ => {
            Err(Error::Question { cause: "the question needs the transfers of one capture".into() })
        }
    }
}
