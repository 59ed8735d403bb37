//! Tuning: metrics, limits, the parameters of a link, and a bench that measures settings.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use airlag_kinds::registry;
use airlag_sim::Duration;
use airlag_stats::pareto;
use airlag_study::tune::limit::Limit;
use airlag_study::tune::metric::{METRICS, Metric, find};
use airlag_study::tune::space::{self, Kind, Value};
use airlag_study::tune::{self, Settings, Task};
use pyo3::prelude::*;

use crate::bench::{link_error, profile};
use crate::law::region;
use crate::signals::attended;

/// A metric: name, description, units with their sizes, and whether larger is better.
type Described = (&'static str, &'static str, Vec<(&'static str, f64)>, bool);
/// A value and the ends of its interval.
type Interval = (Option<f64>, Option<f64>, Option<f64>);

/// Returns all metrics.
#[pyfunction]
pub fn tune_metrics() -> Vec<Described> {
    let fields = |one: &Metric| (one.name, one.about, one.units.0.to_vec(), one.rises);
    METRICS.iter().map(fields).collect()
}

/// Parses limits: metric, whether it is an upper limit, and value in the unit of the metric.
#[pyfunction]
pub fn tune_limits(text: &str) -> PyResult<Vec<(&'static str, bool, f64)>> {
    let found = Limit::read(text).map_err(link_error)?;
    Ok(found.iter().map(|one| (one.metric.name, one.most, one.value)).collect())
}

/// Parses comma-separated parameters with their values.
#[pyfunction]
pub fn tune_clauses(text: &str) -> PyResult<Vec<(String, String)>> {
    space::clauses(text).map_err(link_error)
}

/// Indices of the cost vectors that no other dominates, ascending. Of equal vectors, the first.
#[pyfunction]
pub fn pareto_front(costs: Vec<Vec<f64>>) -> Vec<usize> {
    pareto::front(&costs)
}

/// A value from or for Python.
#[derive(FromPyObject, IntoPyObject)]
pub enum Point {
    /// Value of a range.
    Number(f64),
    /// Value of a choice.
    Word(String),
}

impl From<Value> for Point {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Word(word) => Self::Word(word),
        }
    }
}

impl From<Point> for Value {
    fn from(value: Point) -> Self {
        match value {
            Point::Number(number) => Self::Number(number),
            Point::Word(word) => Self::Word(word),
        }
    }
}

/// A parameter to tune, with its possible values.
#[pyclass(frozen, eq)]
#[derive(PartialEq)]
pub struct TuneParameter(space::Parameter);

fn points(values: Vec<Value>) -> Vec<Point> {
    values.into_iter().map(Point::from).collect()
}

fn values(point: Vec<Point>) -> Vec<Value> {
    point.into_iter().map(Value::from).collect()
}

#[pymethods]
impl TuneParameter {
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn key(&self) -> String {
        self.0.key()
    }

    #[getter]
    fn many(&self) -> f64 {
        self.0.many()
    }

    #[getter]
    fn home(&self) -> Point {
        self.0.home().into()
    }

    /// Lower end, highest value and step of a range. `None` for a choice.
    #[getter]
    fn span(&self) -> Option<(f64, f64, Option<f64>)> {
        match &self.0.kind {
            Kind::Span(span) => Some((span.low, span.near(span.high), span.step)),
            Kind::Choice(_) => None,
        }
    }

    fn __str__(&self) -> String {
        format!("{:?}", self.0)
    }

    fn text(&self, value: Point) -> String {
        self.0.text(&value.into())
    }

    fn at(&self, share: f64) -> Point {
        self.0.at(share).into()
    }

    fn near(&self, value: Point) -> Point {
        match (&self.0.kind, value) {
            (Kind::Span(span), Point::Number(number)) => Point::Number(span.near(number)),
            (_, value) => value,
        }
    }

    fn around(&self, value: Point) -> Vec<Point> {
        points(self.0.around(&value.into()))
    }

    fn spread(&self) -> Vec<Point> {
        points(self.0.spread())
    }

    fn all(&self) -> Vec<Point> {
        points(self.0.all())
    }
}

/// Parameters of a link to tune.
#[pyclass(frozen)]
pub struct TuneSpace {
    space: space::Space,
    #[pyo3(get)]
    parameters: Vec<Py<TuneParameter>>,
}

#[pymethods]
impl TuneSpace {
    #[new]
    #[pyo3(signature = (link, size, settings, over, knobs=true, free=false, sparing=false))]
    #[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
    fn new(
        py: Python<'_>,
        link: &str,
        size: Option<usize>,
        settings: Settings,
        over: Vec<(String, String)>,
        knobs: bool,
        free: bool,
        sparing: bool,
    ) -> PyResult<Self> {
        let knobs = match (knobs, sparing) {
            (false, _) => space::Knobs::Named,
            (true, false) => space::Knobs::Quicker,
            (true, true) => space::Knobs::Sparing,
        };
        let base = registry::find(link).map_err(link_error)?;
        let made = attended(py, || space::Space::of(&base, size, &settings, &over, knobs, free));
        let space = made.whole()?.map_err(link_error)?;
        let made = space.parameters.iter().map(|one| Py::new(py, TuneParameter(one.clone())));
        let parameters = made.collect::<PyResult<_>>()?;
        Ok(Self { space, parameters })
    }

    #[getter]
    fn many(&self) -> f64 {
        self.space.many()
    }

    /// The point nearest to the unchanged link.
    fn home(&self) -> Vec<Point> {
        points(self.space.home())
    }

    /// All points, starting with the unchanged link.
    fn everything(&self) -> Vec<Vec<Point>> {
        self.space.everything().into_iter().map(points).collect()
    }

    /// The unchanged link, then points with one changed parameter, at most `most`.
    fn one_at_a_time(&self, most: usize) -> Vec<Vec<Point>> {
        self.space.one_at_a_time(most).into_iter().map(points).collect()
    }

    /// Points with one changed parameter reset.
    fn set_back(&self, point: Vec<Point>) -> Vec<Vec<Point>> {
        self.space.set_back(&values(point)).into_iter().map(points).collect()
    }

    /// Changes of one parameter, by index and value. Excludes changes back to the unchanged link.
    fn beside(&self, point: Vec<Point>) -> Vec<(usize, Point)> {
        let found = self.space.beside(&values(point)).into_iter();
        found.map(|(place, value)| (place, value.into())).collect()
    }

    /// Cost of a value that no metric shows.
    fn price(&self, name: &str, value: Point) -> String {
        self.space.price(name, &value.into())
    }

    /// Settings that differ from the profile: name, value in the profile, new value, and cost.
    fn turned(&self, settings: Settings) -> Vec<(String, Option<String>, String, String)> {
        let fields = |one: space::Turned| (one.name, one.profile, one.value, one.gives_up);
        self.space.turned(&settings).into_iter().map(fields).collect()
    }
}

/// A setting with its runs.
#[pyclass(frozen)]
pub struct TuneMeasured {
    measured: tune::Measured,
    metrics: Arc<[&'static Metric]>,
    limits: Arc<[Limit]>,
}

#[pymethods]
impl TuneMeasured {
    /// Reason why it cannot be run. `None` if it can.
    #[getter]
    fn refused(&self) -> Option<String> {
        self.measured.runs.as_ref().err().map(ToString::to_string)
    }

    /// Sum of the relative violations of all limits.
    #[getter]
    fn violation(&self) -> f64 {
        self.measured.violation(&self.limits)
    }

    /// Number of messages with a known outcome.
    #[getter]
    fn messages(&self) -> usize {
        self.measured.messages()
    }

    /// Each metric. Infinite in the worse direction if unknown.
    fn values(&self) -> BTreeMap<&'static str, f64> {
        let Ok(runs) = &self.measured.runs else { return BTreeMap::new() };
        self.metrics.iter().map(|one| (one.name, one.value(runs))).collect()
    }

    /// Each metric with its 95 % confidence interval.
    fn estimates(&self) -> BTreeMap<&'static str, Interval> {
        let Ok(runs) = &self.measured.runs else { return BTreeMap::new() };
        let estimates = self.metrics.iter().map(|one| (one.name, one.estimate(runs)));
        estimates.map(|(name, one)| (name, (one.value, one.low, one.high))).collect()
    }

    /// Index of the first limit that is not met at a confidence of `1 - miss`, and whether the runs
    /// themselves meet it.
    fn uncertain(&self, miss: f64) -> Option<(usize, bool)> {
        self.measured.uncertain(&self.limits, miss).map(|one| (one.limit, one.kept))
    }
}

/// Measures settings of one link in parallel. No setting runs twice with one seed.
#[pyclass(frozen)]
pub struct TuneBench {
    bench: Mutex<tune::Bench>,
    metrics: Arc<[&'static Metric]>,
    limits: Arc<[Limit]>,
}

#[pymethods]
impl TuneBench {
    /// If `shown` is set, it also measures the metrics that are reported for every setting of the
    /// link.
    #[new]
    #[pyo3(signature = (link, size, settings, count, period_ns, region, metrics, subject_to="", shown=false))]
    #[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
    fn new(
        py: Python<'_>,
        link: &str,
        size: Option<usize>,
        settings: Settings,
        count: usize,
        period_ns: Option<u64>,
        region: Option<&str>,
        metrics: Vec<String>,
        subject_to: &str,
        shown: bool,
    ) -> PyResult<Self> {
        let limits = Limit::read(subject_to).map_err(link_error)?;
        let mut named = Vec::new();
        for name in &metrics {
            named.push(find(name).map_err(link_error)?);
        }
        named.extend(limits.iter().map(|limit| limit.metric));
        let region = region.map(self::region).transpose()?;
        let period = period_ns.map(Duration::from_ns);
        let profile = profile(link, &settings)?;
        let mut task = Task { profile, size, count, period, region, metrics: Vec::new() };
        if shown {
            named.extend(attended(py, || task.shown()).whole()?.map_err(link_error)?);
        }
        for one in named {
            if !task.metrics.contains(&one) {
                task.metrics.push(one);
            }
        }
        task.check().map_err(link_error)?;
        let metrics = task.metrics.clone().into();
        let bench = Mutex::new(tune::Bench::new(task, limits.clone()));
        Ok(Self { bench, metrics, limits: limits.into() })
    }

    /// Names of the measured metrics.
    #[getter]
    fn metrics(&self) -> Vec<&'static str> {
        self.metrics.iter().map(|one| one.name).collect()
    }

    /// Number of runs so far.
    #[getter]
    fn runs(&self) -> usize {
        self.bench.lock().unwrap_or_else(PoisonError::into_inner).runs()
    }

    /// Measures settings with the seeds of each. Results keep the order.
    fn measure(
        &self,
        py: Python<'_>,
        asked: Vec<(Settings, Vec<u64>)>,
    ) -> PyResult<Vec<TuneMeasured>> {
        let work = || self.bench.lock().unwrap_or_else(PoisonError::into_inner).measure(&asked);
        let found = attended(py, work).whole()?;
        let fields = |measured| {
            let (metrics, limits) = (self.metrics.clone(), self.limits.clone());
            TuneMeasured { measured, metrics, limits }
        };
        Ok(found.into_iter().map(fields).collect())
    }
}
