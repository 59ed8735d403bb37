//! Which link to choose for a deadline, as plain dictionaries.

use airlag_kinds::registry;
use airlag_rig::batteries::Battery;
use airlag_sim::Duration;
use airlag_stats::deadline::{Requirement, Verdict};
use airlag_stats::dist::Among;
use airlag_study::recommend::{self, Candidate, Lasting, Limits, Seen, Task};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers;
use crate::bench::link_error;
use crate::charge::charge;
use crate::law::law;
use crate::signals::{Ended, attended};

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn quantile<'py>(py: Python<'py>, found: Among) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("ns", found.value_ns)?;
    dict.set_item("interval95", [found.low_ns, found.high_ns])?;
    Ok(dict)
}

const fn verdict(told: Verdict) -> &'static str {
    match told {
        Verdict::Passes => "passes",
        Verdict::Close => "close",
        Verdict::Fails => "fails",
    }
}

fn told_places<'py>(py: Python<'py>, seen: &Seen) -> PyResult<Option<Bound<'py, PyDict>>> {
    seen.places.as_ref().map(|at| answers::places(py, &at.places)).transpose()
}

fn seen<'py>(py: Python<'py>, seen: &Seen) -> Dict<'py> {
    let told = &seen.judgement;
    let dict = PyDict::new(py);
    dict.set_item("triggers", seen.triggers)?;
    dict.set_item("n", told.n)?;
    dict.set_item("in_time", told.in_time)?;
    dict.set_item("in_time_interval95", told.in_time_interval)?;
    dict.set_item("lost", told.lost)?;
    dict.set_item("loss_interval95", told.loss_interval)?;
    dict.set_item("p50", quantile(py, told.p50)?)?;
    dict.set_item("quantile", quantile(py, told.quantile)?)?;
    dict.set_item("charge", charge(py, &seen.charge)?)?;
    dict.set_item("latency", verdict(told.latency))?;
    dict.set_item("loss", verdict(told.loss))?;
    dict.set_item("service_ns", seen.service.map(Duration::as_ns))?;
    let largest = seen.largest.map(|largest| {
        let dict = PyDict::new(py);
        dict.set_item("name", largest.label.name)?;
        dict.set_item("class", largest.label.class.as_str())?;
        dict.set_item("ns", largest.ns)?;
        Ok::<_, PyErr>(dict)
    });
    dict.set_item("largest", largest.transpose()?)?;
    let places = told_places(py, seen)?;
    dict.set_item("places", places)?;
    dict.set_item("fade_margin_db", seen.fade_margin_db)?;
    Ok(dict)
}

fn candidate<'py>(py: Python<'py>, found: &Candidate) -> Dict<'py> {
    let settings = PyDict::new(py);
    for (name, value) in &found.settings {
        settings.set_item(name, value)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("link", &found.link)?;
    dict.set_item("size", found.size)?;
    dict.set_item("settings", settings)?;
    dict.set_item("tuned", found.tuned)?;
    dict.set_item("gives_up", &found.gives_up)?;
    dict.set_item("floor_ns", (found.floor_ns > 0).then_some(found.floor_ns))?;
    dict.set_item("seen", found.seen.as_ref().map(|one| seen(py, one)).transpose()?)?;
    dict.set_item("verdict", found.verdict.as_str())?;
    dict.set_item("reason", &found.reason)?;
    dict.set_item("law", found.law.as_ref().map(|told| law(py, told)).transpose()?)?;
    Ok(dict)
}

/// Candidates, how many contenders there are, and what a signal handler raised before all were judged.
type Recommended<'py> = (Vec<Bound<'py, PyDict>>, usize, Option<Py<PyBaseException>>);

/// Every link held against a deadline, the best first; of those judged before a signal, if one came. `done` is called with how many contenders
/// there are, each time one is judged.
#[pyfunction]
#[pyo3(signature = (size, deadline_ns, share, max_loss, *, distance=None, environment=None, places_share=0.9, neighbours=None, processor=None, period_ns=None, seed=1, links=Vec::new(), wired=false, trade=false, region=None, max_charge_nc=None, lasting=None, done=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn recommend_links<'py>(
    py: Python<'py>,
    size: Option<usize>,
    deadline_ns: i64,
    share: f64,
    max_loss: f64,
    distance: Option<String>,
    environment: Option<String>,
    places_share: f64,
    neighbours: Option<String>,
    processor: Option<String>,
    period_ns: Option<u64>,
    seed: u64,
    links: Vec<String>,
    wired: bool,
    trade: bool,
    region: Option<&str>,
    max_charge_nc: Option<f64>,
    lasting: Option<(String, f64, f64)>,
    done: Option<Py<PyAny>>,
) -> PyResult<Recommended<'py>> {
    let asked = Requirement { deadline_ns, share, max_loss };
    let period = period_ns.map(Duration::from_ns);
    let region = region.map(crate::law::region).transpose()?;
    let life = lasting.map(|(battery, years, per_second)| {
        let battery = Battery::find(&battery).map_err(link_error)?;
        Ok::<_, PyErr>(Lasting { battery, years, per_second })
    });
    let limits = Limits { charge_nc: max_charge_nc, life: life.transpose()? };
    let task = Task {
        size,
        asked,
        range: distance,
        environment,
        places_share,
        neighbours,
        processor,
        period,
        seed,
        links,
        wired,
        trade,
        region,
        limits,
    };
    let all = registry::all().map_err(link_error)?;
    let contenders = recommend::contenders(all, &task).map_err(link_error)?;
    let total = contenders.len();
    let told = || {
        let Some(done) = &done else { return };
        // What goes wrong with a bar is no reason to stop.
        Python::attach(|py| drop(done.call1(py, (total,))));
    };
    let (found, stopped) = match attended(py, || airlag_study::recommend(&contenders, &task, told))
    {
        Ended::Done(found) => (found, None),
        Ended::Stopped(raised, Some(found)) => (found, Some(raised)),
        Ended::Stopped(raised, None) => return Err(raised),
    };
    let found = found.iter().map(|one| candidate(py, one)).collect::<PyResult<_>>()?;
    Ok((found, total, stopped.map(|raised| raised.into_value(py))))
}
