//! What links carry, and what load does to them, as plain dictionaries.

use std::collections::BTreeMap;

use airlag_rig::carry::{self, Extent};
use airlag_sim::Duration;
use airlag_stats::dist::Summary;
use airlag_study::goodput::Goodput;
use airlag_study::load::{Arrivals, LADDER, Point, Rate, Task};
use airlag_study::train::{Explained, explain_train};
use airlag_study::trials::Trials;
use airlag_study::{goodput, load, trials};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::latency;
use crate::bench::{LinkError, call, link_error, profile};
use crate::signals::attended;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn carried<'py>(py: Python<'py>, found: &Goodput) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("goodput_kbps", found.kbps())?;
    dict.set_item("ceiling_kbps", found.ceiling_kbps())?;
    dict.set_item("delivered", found.delivered)?;
    dict.set_item("lost", found.lost)?;
    dict.set_item("elapsed_ns", found.elapsed_ns)?;
    dict.set_item("gap_ns", latency(py, Summary::of(&found.gaps_ns).as_ref())?)?;
    dict.set_item("incidents", &found.incidents)?;
    let takes = &found.ceiling.takes;
    let terms = takes.terms().iter().map(|term| {
        let dict = PyDict::new(py);
        dict.set_item("name", &term.name)?;
        dict.set_item("count", term.count)?;
        dict.set_item("each_ns", term.each_ns)?;
        dict.set_item("source", term.source)?;
        Ok(dict)
    });
    let cycle = PyDict::new(py);
    cycle.set_item("messages", found.ceiling.messages)?;
    cycle.set_item("ns", takes.ns())?;
    cycle.set_item("terms", terms.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("ceiling", cycle)?;
    let spent = found.spent.iter().map(|&(label, ns)| {
        let dict = PyDict::new(py);
        dict.set_item("name", label.name)?;
        dict.set_item("class", label.class.as_str())?;
        dict.set_item("ns", ns)?;
        Ok(dict)
    });
    dict.set_item("spent", spent.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

/// What a link carries when it never waits, in the steady state, and what its time goes to.
#[pyfunction]
#[pyo3(signature = (name, size, count=1000, seed=1, settings=BTreeMap::new(), traffic="trigger"))]
pub fn goodput_link<'py>(
    py: Python<'py>,
    name: &str,
    size: usize,
    count: u64,
    seed: u64,
    settings: BTreeMap<String, String>,
    traffic: &str,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let extent = Extent { spans: true, call: call(traffic)?, ..Extent::of(count) };
    let found = attended(py, || goodput(&profile, size, seed, extent));
    let found = found.whole()?.map_err(link_error)?;
    carried(py, &found)
}

fn point<'py>(py: Python<'py>, found: &Point) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("offered_kbps", found.offered_kbps)?;
    dict.set_item("goodput_kbps", found.goodput_kbps)?;
    dict.set_item("utilisation", found.utilisation)?;
    dict.set_item("queue_mean", found.queue_mean)?;
    dict.set_item("offered", found.offered)?;
    dict.set_item("lost", found.refused + found.lost_on_link)?;
    dict.set_item("refused", found.refused)?;
    dict.set_item("latency_ns", latency(py, Summary::of(&found.latencies_ns).as_ref())?)?;
    let drawn: BTreeMap<&str, f64> = found.delivered_nc.iter().copied().collect();
    dict.set_item("delivered_nc", drawn)?;
    Ok(dict)
}

/// `airlag.offered.Offer`, but for its settings.
#[derive(FromPyObject)]
pub struct Offer {
    size: usize,
    rates_kbps: Vec<f64>,
    utilisations: Vec<f64>,
    queue: usize,
    arrivals: String,
    count: usize,
    seed: u64,
    traffic: String,
}

impl Offer {
    fn task(self) -> PyResult<Task> {
        let arrivals = match self.arrivals.as_str() {
            "periodic" => Arrivals::Periodic,
            "poisson" => Arrivals::Poisson,
            "burst" => Arrivals::Burst,
            other => {
                let message = format!("arrivals {other:?} are none of periodic, poisson and burst");
                return Err(LinkError::new_err(message));
            }
        };
        let parts = self.utilisations.into_iter().map(Rate::Utilisation);
        let mut rates: Vec<Rate> =
            self.rates_kbps.into_iter().map(Rate::Kbps).chain(parts).collect();
        if rates.is_empty() {
            rates = LADDER.map(Rate::Utilisation).to_vec();
        }
        let Self { size, queue, count, seed, .. } = self;
        let call = call(&self.traffic)?;
        Ok(Task { call, size, rates, room: queue, arrivals, count, seed })
    }
}

/// Latency, queue and loss of a link against how much is offered. `done` is called after each rate
/// with how many there are.
#[pyfunction]
#[pyo3(signature = (name, offer, settings, done=None))]
pub fn load_link<'py>(
    py: Python<'py>,
    name: &str,
    offer: Offer,
    settings: BTreeMap<String, String>,
    done: Option<Py<PyAny>>,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let task = offer.task()?;
    let total = task.rates.len();
    let told = || {
        let Some(done) = &done else { return };
        // What goes wrong with a bar is no reason to stop.
        Python::attach(|py| drop(done.call1(py, (total,))));
    };
    let found = attended(py, || load(&profile, &task, told)).whole()?.map_err(link_error)?;
    let dict = carried(py, &found.saturated)?;
    let points = found.points.iter().map(|one| point(py, one));
    dict.set_item("points", points.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("knee_kbps", found.knee_kbps)?;
    Ok(dict)
}

fn tried<'py>(py: Python<'py>, found: &Trials) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("delivery", found.delivery())?;
    dict.set_item("delivery_interval", found.delivery_interval())?;
    dict.set_item("goodput_kbps", found.kbps())?;
    dict.set_item("fragments", found.fragments)?;
    dict.set_item("lost_at", &found.positions.lost)?;
    let shift = found.positions.shift.map(|shift| {
        let dict = PyDict::new(py);
        dict.set_item("mean", shift.mean)?;
        dict.set_item("independent", shift.independent)?;
        dict.set_item("p", shift.p)?;
        dict.set_item("which", shift.which().as_str())?;
        PyResult::Ok(dict)
    });
    dict.set_item("position", shift.transpose()?)?;
    dict.set_item("incidents", &found.incidents)?;
    let each = found.each.iter().map(|one| {
        let dict = PyDict::new(py);
        dict.set_item("seed", one.seed)?;
        dict.set_item("delivered", one.delivered)?;
        dict.set_item("refused", one.refused)?;
        dict.set_item("handed", one.handed)?;
        dict.set_item("elapsed_ns", one.elapsed_ns)?;
        Ok(dict)
    });
    dict.set_item("trials", each.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

/// `airlag.burst.Train`, but for its settings.
#[derive(FromPyObject)]
pub struct Train {
    size: usize,
    count: u32,
    trials: u32,
    pace_ns: Option<u64>,
    repeat: bool,
    seed: u64,
}

impl Train {
    fn one(&self) -> carry::Train {
        let pace = self.pace_ns.map(Duration::from_ns);
        carry::Train { size: self.size, count: self.count, pace, repeat: self.repeat }
    }
}

/// What is called after each train.
fn each_train(done: Option<&Py<PyAny>>) -> impl FnMut() + Send {
    move || {
        let Some(done) = done else { return };
        // What goes wrong with a bar is no reason to stop.
        Python::attach(|py| drop(done.call0(py)));
    }
}

/// Trains of messages back to back, and which of them arrive. `done` is called after each trial.
#[pyfunction]
#[pyo3(signature = (name, train, settings, done=None))]
pub fn burst_link<'py>(
    py: Python<'py>,
    name: &str,
    train: Train,
    settings: BTreeMap<String, String>,
    done: Option<Py<PyAny>>,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let told = each_train(done.as_ref());
    let Train { trials: many, seed, .. } = train;
    let found = attended(py, || trials(&profile, train.one(), many, seed, told));
    tried(py, &found.whole()?.map_err(link_error)?)
}

fn explained<'py>(py: Python<'py>, found: &Explained) -> Dict<'py> {
    let dict = tried(py, &found.trials)?;
    dict.set_item("cause", found.cause.as_str())?;
    dict.set_item("refused", found.refused)?;
    dict.set_item("on_the_way", found.on_the_way)?;
    dict.set_item("handed_every_ns", found.handed_every_ns)?;
    dict.set_item("arrived_every_ns", found.arrived_every_ns)?;
    dict.set_item("under_way", &found.under_way)?;
    let remedies = found.remedies.iter().map(|remedy| {
        let dict = tried(py, &remedy.trials)?;
        let train = remedy.trials.train;
        dict.set_item("pace_ns", train.pace.map(Duration::as_ns))?;
        dict.set_item("repeat", train.repeat)?;
        dict.set_item("goodput_share", remedy.goodput_share)?;
        PyResult::Ok(dict)
    });
    dict.set_item("remedies", remedies.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

/// Why messages of trains do not arrive, and what makes them. `done` is called after each train.
#[pyfunction]
#[pyo3(signature = (name, train, settings, done=None))]
pub fn explain_burst<'py>(
    py: Python<'py>,
    name: &str,
    train: Train,
    settings: BTreeMap<String, String>,
    done: Option<Py<PyAny>>,
) -> Dict<'py> {
    let profile = profile(name, &settings)?;
    let told = each_train(done.as_ref());
    let Train { trials: many, seed, .. } = train;
    let found = attended(py, || explain_train(&profile, train.one(), many, seed, told));
    explained(py, &found.whole()?.map_err(link_error)?)
}
