//! Where the time of a virtual run went, its floor, and what to change, as plain dictionaries.

use std::collections::BTreeMap;

use airlag_rig::floor::Floor;
use airlag_rig::report::Incidents;
use airlag_rig::run::{Options, Traffic};
use airlag_sim::Duration;
use airlag_stats::budget::{Budget, Chosen, Item, Part};
use airlag_study::advice::{Advice, Change, candidates};
use airlag_study::explain::is_fixture;
use airlag_study::timeline::{Class, Label};
use airlag_study::{Aim, pace};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::difference;
use crate::bench::{LinkError, link_error, profile, stimulus, traffic};
use crate::capture::Trace;
use crate::charge;
use crate::law::condition;
use crate::signals::attended;
use crate::transfers::{Transfers, pair};

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn labelled<'py>(py: Python<'py>, label: Label) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("name", label.name)?;
    dict.set_item("class", label.class.as_str())?;
    Ok(dict)
}

fn item<'py>(py: Python<'py>, item: &Item<Label>) -> Dict<'py> {
    let dict = labelled(py, item.name)?;
    dict.set_item("total_ns", item.total_ns)?;
    dict.set_item("mean_ns", item.mean_ns)?;
    dict.set_item("p50_ns", item.p50_ns)?;
    dict.set_item("p99_ns", item.p99_ns)?;
    Ok(dict)
}

fn part<'py>(py: Python<'py>, part: &Part<Label>) -> Dict<'py> {
    let dict = labelled(py, part.name)?;
    dict.set_item("ns", part.ns)?;
    Ok(dict)
}

fn chosen<'py>(py: Python<'py>, chosen: &Chosen<Label>) -> Dict<'py> {
    let dict = PyDict::new(py);
    let timeline = &chosen.timeline;
    dict.set_item("index", chosen.index)?;
    dict.set_item("latency_ns", timeline.latency_ns())?;
    dict.set_item("fixture_ns", timeline.spent(is_fixture))?;
    let parts: PyResult<Vec<_>> = timeline.parts().iter().map(|one| part(py, one)).collect();
    dict.set_item("parts", parts?)?;
    Ok(dict)
}

fn floor<'py>(py: Python<'py>, floor: &Floor) -> Dict<'py> {
    let mut terms = Vec::new();
    for term in floor.terms() {
        let dict = PyDict::new(py);
        dict.set_item("name", &term.name)?;
        dict.set_item("count", term.count)?;
        dict.set_item("each_ns", term.each_ns)?;
        dict.set_item("source", term.source)?;
        terms.push(dict);
    }
    let dict = PyDict::new(py);
    dict.set_item("ns", floor.ns())?;
    dict.set_item("terms", terms)?;
    Ok(dict)
}

fn budget<'py>(py: Python<'py>, budget: &Budget<Label>) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("n", budget.n)?;
    dict.set_item("total_ns", budget.total_ns)?;
    dict.set_item("mean_ns", budget.mean_ns)?;
    dict.set_item("fixture_ns", budget.mean_of(is_fixture))?;
    let items: PyResult<Vec<_>> = budget.items.iter().map(|one| item(py, one)).collect();
    dict.set_item("items", items?)?;
    dict.set_item("median", chosen(py, &budget.median)?)?;
    dict.set_item("p99", chosen(py, &budget.p99)?)?;
    Ok(dict)
}

/// What kinds of things time is spent on, in the order of their enumeration.
#[pyfunction]
pub fn slice_classes() -> Vec<&'static str> {
    Class::ALL.iter().map(|class| class.as_str()).collect()
}

/// What a message takes at least on a link, with its terms.
#[pyfunction]
#[pyo3(signature = (name, size, settings=BTreeMap::new()))]
pub fn link_floor<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    settings: BTreeMap<String, String>,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    floor(py, &airlag_study::explain::floor(&profile, size).map_err(link_error)?)
}

/// What a link carries at most of messages of `size` bytes, kbit/s; `None` where its formulas have no
/// limit.
#[pyfunction]
#[pyo3(signature = (name, size, settings=BTreeMap::new()))]
pub fn link_ceiling(
    name: &str,
    size: usize,
    settings: BTreeMap<String, String>,
) -> PyResult<Option<f64>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(Some(size)).map_err(link_error)?;
    Ok(profile.kind.cycle(&profile, size).map_err(link_error)?.kbps(size))
}

/// The longest latency of a few messages sent one at a time, ns; `None` when none arrived. That of a
/// round trip if `traffic` is an echo or a call.
#[pyfunction]
#[pyo3(signature = (name, size, seed=1, settings=BTreeMap::new(), traffic="trigger"))]
pub fn service_ns(
    py: Python<'_>,
    name: &str,
    size: Option<usize>,
    seed: u64,
    settings: BTreeMap<String, String>,
    traffic: &str,
) -> PyResult<Option<u64>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let traffic = match self::traffic(traffic)? {
        // Either way takes as long by itself.
        Traffic::Both => Traffic::Trigger,
        other => other,
    };
    let taken = attended(py, || pace::taken(&profile, size, seed, traffic));
    let service = taken.whole()?.map_err(link_error)?;
    Ok(service.map(Duration::as_ns))
}

/// The shortest usual period that leaves a message of `service_ns` twice its time, ns.
#[pyfunction]
#[pyo3(signature = (service_ns))]
pub fn unhurried_period_ns(service_ns: Option<u64>) -> u64 {
    pace::unhurried(service_ns.map(Duration::from_ns)).as_ns()
}

/// What `explain_link` gives.
type Explained<'py> = (
    Transfers,
    Trace,
    Option<Bound<'py, PyDict>>,
    Bound<'py, PyDict>,
    Incidents,
    Option<Bound<'py, PyDict>>,
    Option<Bound<'py, PyDict>>,
);

/// As `run_link`, with the budget of the run, `None` when nothing arrived, the link's floor, what
/// happened on the way, what it cost, and what each slice of it did.
#[pyfunction]
#[pyo3(signature = (name, size, count, period_ns, phase="uniform", seed=1, settings=BTreeMap::new(), traffic="trigger"))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn explain_link<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    count: usize,
    period_ns: u64,
    phase: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
    traffic: &str,
) -> PyResult<Explained<'py>> {
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let stimulus = stimulus(count, period_ns, phase)?;
    let traffic = self::traffic(traffic)?;
    let work = || {
        let told = airlag_study::explain(&profile, size, &stimulus, seed, traffic)?;
        let options = Options { seed, spans: false, traffic };
        let cost = airlag_study::charge(&profile, size, count as u64, &told.run.draws, options)?;
        let slices = airlag_study::charge::slices(&profile, &told.run, &told.transfers)?;
        Ok::<_, airlag_study::Error>((told, cost, slices))
    };
    let (told, cost, slices) = attended(py, work).whole()?.map_err(link_error)?;
    let (cost, by_slice) = (charge::charge(py, &cost)?, charge::slices(py, &slices)?);
    let spent = told.budget.as_ref().map(|found| budget(py, found)).transpose()?;
    let least = floor(py, &told.floor)?;
    let trace = Trace(told.run.trace);
    let transfers = pair(py, &trace, 1000, None, Vec::new());
    Ok((transfers, trace, spent, least, told.run.incidents, cost, by_slice))
}

fn change<'py>(py: Python<'py>, change: &Change) -> Dict<'py> {
    let settings = PyDict::new(py);
    for setting in &change.settings {
        settings.set_item(setting.name, setting.value)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("settings", settings)?;
    dict.set_item("p50", difference(py, &change.p50)?)?;
    dict.set_item("p99", difference(py, &change.p99)?)?;
    let delivery = change.delivery.as_ref().map(|found| difference(py, found)).transpose()?;
    dict.set_item("delivery", delivery)?;
    dict.set_item("floor_ns", change.floor_ns)?;
    let costs: Vec<String> = change.costs.iter().map(ToString::to_string).collect();
    dict.set_item("costs", costs)?;
    let charges = PyDict::new(py);
    for one in &change.charges {
        let dict = PyDict::new(py);
        dict.set_item("marginal_nc", one.marginal_nc)?;
        dict.set_item("idle_na", one.idle_na)?;
        charges.set_item(one.end, dict)?;
    }
    dict.set_item("charges", charges)?;
    Ok(dict)
}

/// What to change on a link, each change measured on the bench; with a region, nothing that breaks a
/// rule of it which the link keeps as it is.
#[pyfunction]
#[pyo3(signature = (name, size, count=1000, seed=1, aim="median", settings=BTreeMap::new(), traffic="trigger", region=None, period_ns=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn advise_link<'py>(
    py: Python<'py>,
    name: &str,
    size: Option<usize>,
    count: usize,
    seed: u64,
    aim: &str,
    settings: BTreeMap<String, String>,
    traffic: &str,
    region: Option<&str>,
    period_ns: Option<u64>,
) -> Dict<'py> {
    let aim = match aim {
        "median" => Aim::Median,
        "tail" => Aim::Tail,
        other => {
            let message = format!("aim {other:?} is neither median nor tail");
            return Err(LinkError::new_err(message));
        }
    };
    let profile = profile(name, &settings)?;
    let size = profile.bytes(size).map_err(link_error)?;
    let traffic = self::traffic(traffic)?;
    let law = condition(region, period_ns, seed)?;
    let work = || match law {
        Some(law) => airlag_study::advise_within(&profile, size, count, aim, traffic, law),
        None => airlag_study::advise(&profile, size, count, seed, aim, traffic),
    };
    let advice = attended(py, work).whole()?;
    let Advice { single, trades, combined, tried, measured, choice_seed } =
        advice.map_err(link_error)?;
    let list = |changes: &[Change]| -> PyResult<Vec<Bound<'py, PyDict>>> {
        changes.iter().map(|one| change(py, one)).collect()
    };
    let dict = PyDict::new(py);
    dict.set_item("single", list(&single)?)?;
    dict.set_item("trades", list(&trades)?)?;
    dict.set_item("combined", list(&combined)?)?;
    dict.set_item("tried", tried)?;
    dict.set_item("measured", measured)?;
    dict.set_item("choice_seed", choice_seed)?;
    Ok(dict)
}

/// What can be turned on a link, value by value, as `advise_link` turns it; values it has are left out.
#[pyfunction]
#[pyo3(signature = (name, settings=BTreeMap::new()))]
pub fn link_knobs<'py>(
    py: Python<'py>,
    name: &str,
    settings: BTreeMap<String, String>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let profile = profile(name, &settings)?;
    let found = candidates(&profile).map_err(link_error)?;
    let told = found.iter().map(|one| {
        let dict = PyDict::new(py);
        dict.set_item("name", one.knob.as_str())?;
        dict.set_item("value", one.value)?;
        dict.set_item("gives_up", one.gives_up)?;
        Ok(dict)
    });
    told.collect()
}
