//! The virtual bench: link profiles, and runs of them.

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::kind::Medium;
use airlag_rig::origin::Origin;
use airlag_rig::parameter::{Known, Value};
use airlag_rig::places;
use airlag_rig::profile::Profile;
use airlag_rig::programs::calls::request::Call;
use airlag_rig::propagation::Propagation;
use airlag_rig::report::Incidents;
use airlag_rig::run::Traffic;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Run, Stimulus};
use airlag_sim::Duration;
use airlag_study::pace;
use airlag_trace::Channel;
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::capture::Trace;
use crate::charge::charge;
use crate::law::by_region;
use crate::signals::attended;
use crate::sources;
use crate::transfers::Transfers;

pyo3::create_exception!(
    _airlag,
    LinkError,
    PyValueError,
    "A link that cannot be run as asked: one line that says what, where and what would be right."
);

/// Every error of a bench, and of a question, is one line already.
pub(crate) fn link_error(error: impl std::fmt::Display) -> PyErr {
    LinkError::new_err(error.to_string())
}

/// Names of all link profiles.
#[pyfunction]
pub fn links() -> PyResult<Vec<&'static str>> {
    registry::names().map_err(link_error)
}

/// What is run on a link where messages of `sizes`, in bytes, are asked for: each of them, or once
/// `None` where there is no message.
#[pyfunction]
pub fn payloads(name: &str, sizes: Vec<usize>) -> PyResult<Vec<Option<usize>>> {
    Ok(registry::find(name).map_err(link_error)?.payloads(&sizes))
}

pub(crate) fn profile(name: &str, settings: &BTreeMap<String, String>) -> PyResult<Profile> {
    let mut profile = registry::find(name).map_err(link_error)?;
    for (key, value) in settings {
        profile.set(key, value).map_err(link_error)?;
    }
    Ok(profile)
}

/// The values that `text` names for the parameter `key` of a link, with commas between them; one
/// where a value of that parameter may have commas itself.
#[pyfunction]
pub fn values(name: &str, key: &str, text: &str) -> PyResult<Vec<String>> {
    let profile = registry::find(name).map_err(link_error)?;
    let known = profile.known(key).map_err(link_error)?;
    Ok(known.values(text).map(str::to_owned).collect())
}

/// What a parameter is set to.
pub(crate) fn value<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Flag(value) => value.into_bound_py_any(py),
        Value::Whole(value) => value.into_bound_py_any(py),
        Value::Real(value) => value.into_bound_py_any(py),
        Value::Choice(value) => value.into_bound_py_any(py),
    }
}

/// The two ends between which a constant may lie; none if it has no bound.
pub(crate) fn bound<'py>(
    py: Python<'py>,
    origin: &Origin,
) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    let ends =
        origin.bound().map(|one| PyResult::Ok([value(py, &one.low)?, value(py, &one.high)?]));
    ends.transpose()
}

/// A link profile: every constant with its unit and its source, and published figures.
#[pyfunction]
#[pyo3(signature = (name, settings=BTreeMap::new()))]
pub fn link<'py>(
    py: Python<'py>,
    name: &str,
    settings: BTreeMap<String, String>,
) -> PyResult<Bound<'py, PyDict>> {
    let profile = profile(name, &settings)?;
    let parameters = PyDict::new(py);
    for constant in profile.constants() {
        let inner = PyDict::new(py);
        inner.set_item("value", value(py, constant.value)?)?;
        inner.set_item("unit", constant.unit)?;
        let origin = constant.origin;
        inner.set_item("source", origin.source.to_string())?;
        inner.set_item("from", origin.to_string())?;
        let cited = origin.citation().map(|citation| sources::cite(py, citation));
        inner.set_item("cite", cited.transpose()?)?;
        inner.set_item("capture", origin.capture())?;
        inner.set_item("note", origin.note())?;
        inner.set_item("bound", bound(py, origin)?)?;
        inner.set_item("about", constant.about)?;
        admitted(&inner, profile.known(constant.name).map_err(link_error)?)?;
        parameters.set_item(constant.name, inner)?;
    }
    let mut published = Vec::new();
    for figure in &profile.published {
        let inner = PyDict::new(py);
        inner.set_item("size", figure.size)?;
        inner.set_item("median_ms", figure.median_ms)?;
        inner.set_item("from", figure.to_string())?;
        inner.set_item("cite", sources::cite(py, &figure.citation())?)?;
        published.push(inner);
    }
    let dict = PyDict::new(py);
    dict.set_item("name", &profile.name)?;
    dict.set_item("kind", profile.kind.name())?;
    let medium = match profile.kind.medium() {
        Medium::None => None,
        Medium::Wire => Some("wire"),
        Medium::Air => Some("air"),
    };
    dict.set_item("medium", medium)?;
    dict.set_item("about", &profile.about)?;
    dict.set_item("parameters", parameters)?;
    dict.set_item("published", published)?;
    Ok(dict)
}

/// What a parameter may be: words, and between which two ends where it is a number.
fn admitted(dict: &Bound<'_, PyDict>, known: &Known) -> PyResult<()> {
    dict.set_item("choices", known.words())?;
    dict.set_item("between", known.ends().map(|(low, high)| [low, high]))
}

/// What can be set of a link, by name: also what its profile leaves as it is for every link.
#[pyfunction]
pub fn link_parameters<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for known in profile(name, &BTreeMap::new())?.kind.parameters() {
        let inner = PyDict::new(py);
        inner.set_item("unit", known.unit)?;
        inner.set_item("about", known.about)?;
        admitted(&inner, known)?;
        dict.set_item(known.name, inner)?;
    }
    Ok(dict)
}

/// Named slices of time as arrays: row `i` of each is the same slice.
fn slices<'py>(py: Python<'py>, run: &Run) -> PyResult<Bound<'py, PyDict>> {
    let mut names: Vec<&str> = run.spans.iter().map(|span| span.slice.name()).collect();
    names.sort_unstable();
    names.dedup();
    // The list holds every name that is looked for, so the place is always a match.
    let place = |name| names.partition_point(|known| *known < name) as u16;
    let spans = || run.spans.iter();
    let dict = PyDict::new(py);
    dict.set_item("tracks", &run.tracks)?;
    dict.set_item("track", PyArray1::from_iter(py, spans().map(|s| s.track as u16)))?;
    dict.set_item("name", PyArray1::from_iter(py, spans().map(|s| place(s.slice.name()))))?;
    dict.set_item("begin_ns", PyArray1::from_iter(py, spans().map(|s| s.begin_ns)))?;
    dict.set_item("end_ns", PyArray1::from_iter(py, spans().map(|s| s.end_ns)))?;
    dict.set_item("names", names)?;
    Ok(dict)
}

pub(crate) fn stimulus(count: usize, period_ns: u64, phase: &str) -> PyResult<Stimulus> {
    let period = Duration::from_ns(period_ns);
    match phase {
        "frozen" => Ok(Stimulus::Periodic(Periodic::new(period, count))),
        "uniform" => Ok(pace::uniform(period, count)),
        other => {
            let message = format!("phase {other:?} is neither uniform nor frozen");
            Err(LinkError::new_err(message))
        }
    }
}

pub(crate) fn traffic(name: &str) -> PyResult<Traffic> {
    match name {
        "trigger" => Ok(Traffic::Trigger),
        "echo" => Ok(Traffic::Echo),
        "both" => Ok(Traffic::Both),
        other => call(other)?.map(Traffic::Call).ok_or_else(|| not_traffic(other)),
    }
}

/// The call of this name; none for messages at triggers.
pub(crate) fn call(name: &str) -> PyResult<Option<Call>> {
    if name == "trigger" {
        return Ok(None);
    }
    let found = Call::ALL.into_iter().find(|call| call.name() == name);
    found.map(Some).ok_or_else(|| not_traffic(name))
}

fn not_traffic(name: &str) -> PyErr {
    let calls = Call::ALL.map(Call::name).join(", ");
    LinkError::new_err(format!("traffic {name:?} is none of trigger, echo, both, {calls}"))
}

/// A trace of its own for each pair of a trigger and a completion.
fn ways(trace: airlag_trace::Trace) -> Vec<Trace> {
    let airlag_trace::Trace { epoch_unix_ns, sample_rate_hz, channels } = trace;
    let alone = |pair: &[Channel]| {
        Trace(airlag_trace::Trace { epoch_unix_ns, sample_rate_hz, channels: pair.to_vec() })
    };
    channels.chunks(2).map(alone).collect()
}

/// A run at so many places, and what was sent: at the first of them, with its share of the messages.
fn emitted_at(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    places: usize,
) -> Result<(Run, Vec<Sender>), airlag_rig::Error> {
    let Some((first, here)) = places::first(stimulus, options, places) else {
        return emitted(profile, size, stimulus, options);
    };
    let run = places::run_at(profile, size, stimulus, options, places)?;
    Ok((run, emitted(profile, size, &first, here)?.1))
}

/// What `run_link` gives: transfers and edges of each way, slices, what happened, how the radios stand,
/// what each region says of it, and what it cost.
type Ran<'py> = (
    Vec<(Transfers, Trace)>,
    Bound<'py, PyDict>,
    Incidents,
    Option<Bound<'py, PyDict>>,
    BTreeMap<&'static str, Bound<'py, PyDict>>,
    Option<Bound<'py, PyDict>>,
);

/// How the radios of a run stand, and where each of its places begins; none beside each other.
fn apart<'py>(
    py: Python<'py>,
    profile: &Profile,
    run: &Run,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(found) = places::apart(profile) else { return Ok(None) };
    let dict = PyDict::new(py);
    dict.set_item("range_m", found.range)?;
    let environment = profile.parameters.get(Propagation::environment.as_str());
    dict.set_item("environment", environment.map(|one| value(py, &one.value)).transpose()?)?;
    dict.set_item("shadowing_db", found.deviation().0)?;
    dict.set_item("fade_margin_db", run.fade_margin.map(|margin| margin.0))?;
    dict.set_item("places_ns", &run.places_ns)?;
    Ok(Some(dict))
}

/// Sends messages over a link of the virtual bench and pairs what its wires show: one way, or with
/// `traffic` both, first there, then back. Radios that stand apart are run at `places`.
#[pyfunction]
#[pyo3(signature = (name, size, count, period_ns, phase="uniform", seed=1, settings=BTreeMap::new(), spans=false, traffic="trigger", places=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn run_link<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    count: usize,
    period_ns: u64,
    phase: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
    spans: bool,
    traffic: &str,
    places: Option<usize>,
) -> PyResult<Ran<'py>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let stimulus = stimulus(count, period_ns, phase)?;
    let options = Options { seed, spans, traffic: self::traffic(traffic)? };
    let places = places.unwrap_or_else(|| self::places::usual(&profile, count));
    let work = || {
        let (run, senders) = emitted_at(&profile, size, &stimulus, options, places)?;
        let cost = airlag_study::charge(&profile, size, count as u64, &run.draws, options)?;
        Ok::<_, airlag_study::Error>((run, senders, cost))
    };
    let (run, senders, cost) = attended(py, work).whole()?.map_err(link_error)?;
    let law = by_region(py, &profile, &senders)?;
    let slices = slices(py, &run)?;
    let apart = apart(py, &profile, &run)?;
    let paired =
        |trace| (crate::transfers::pair(py, &trace, 1000, None, run.places_ns.clone()), trace);
    let ways = ways(run.trace).into_iter().map(paired).collect();
    Ok((ways, slices, run.incidents, apart, law, charge(py, &cost)?))
}

/// The same with a sniffer: transfers, edges, the `.pcapng` file, and what is not in it.
#[pyfunction]
#[pyo3(signature = (name, size, count, period_ns, phase="uniform", seed=1, settings=BTreeMap::new()))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn sniff_link<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    count: usize,
    period_ns: u64,
    phase: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
) -> PyResult<(Transfers, Trace, Bound<'py, PyBytes>, Bound<'py, PyDict>)> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let stimulus = stimulus(count, period_ns, phase)?;
    let options = Options { seed, ..Options::default() };
    let work = || {
        let (run, capture) = airlag_rig::sniff(&profile, size, &stimulus, options)?;
        let cost = airlag_study::charge(&profile, size, count as u64, &run.draws, options)?;
        Ok::<_, airlag_study::Error>((run, capture, cost))
    };
    let (run, capture, cost) = attended(py, work).whole()?.map_err(link_error)?;
    let counts = PyDict::new(py);
    counts.set_item("frames", capture.frames)?;
    counts.set_item("left_out", capture.left_out)?;
    counts.set_item("over_limit", capture.over_limit)?;
    counts.set_item("apart", apart(py, &profile, &run)?)?;
    counts.set_item("charge", charge(py, &cost)?)?;
    counts.set_item("incidents", run.incidents)?;
    let trace = Trace(run.trace);
    let file = PyBytes::new(py, &capture.pcapng);
    Ok((crate::transfers::pair(py, &trace, 1000, None, Vec::new()), trace, file, counts))
}
