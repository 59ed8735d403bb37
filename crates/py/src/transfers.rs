//! Paired transfers. Arrays are moved to numpy without a copy, so a long capture uses memory only once.

use airlag_stats::dist::{Delivery, Summary};
use airlag_stats::places::{ANY, LocationRequirement, Places};
use airlag_stats::source::Paired;
use airlag_stats::{Metered, NONE, Outcome, PairOptions, Source, Taken};
use airlag_trace::{Pair, Selection};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers;
use crate::capture::{Input, Trace, capture_error};
use crate::signals::attended;

/// All triggers of a run with their outcomes.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Transfers {
    #[pyo3(get)]
    trigger_ns: Py<PyArray1<i64>>,
    #[pyo3(get)]
    completion_ns: Py<PyArray1<i64>>,
    #[pyo3(get)]
    outcome: Py<PyArray1<u8>>,
    #[pyo3(get)]
    spurious_ns: Py<PyArray1<i64>>,
    #[pyo3(get)]
    glitch_ns: Py<PyArray1<i64>>,
    #[pyo3(get)]
    glitch_low_ns: Py<PyArray1<i64>>,
    #[pyo3(get)]
    start_ns: i64,
    #[pyo3(get)]
    end_ns: i64,
    /// Names of the trigger and completion channels in the capture.
    #[pyo3(get)]
    names: Option<(String, String)>,
    taken: Taken,
    places_ns: Vec<i64>,
    charge: Option<Metered>,
    summary: Option<Summary>,
    delivery: Option<Delivery>,
}

/// Transfers with statistics that are computed before their arrays are moved.
struct Summed {
    transfers: airlag_stats::Transfers,
    summary: Option<Summary>,
    delivery: Option<Delivery>,
}

impl Summed {
    fn of(transfers: airlag_stats::Transfers) -> Self {
        let summary = Summary::of(&transfers.latencies_ns());
        Self { summary, delivery: Delivery::of(&transfers), transfers }
    }
}

impl Transfers {
    /// Converts paired transfers.
    pub(crate) fn of(py: Python<'_>, transfers: airlag_stats::Transfers) -> Self {
        Self::hand_over(py, py.detach(|| Summed::of(transfers)))
    }

    /// Converts the transfers of a capture, with channel names, time and sample rate.
    pub(crate) fn captured(
        py: Python<'_>,
        transfers: airlag_stats::Transfers,
        names: Option<[String; 2]>,
        taken: Taken,
    ) -> Self {
        let made = Self::of(py, transfers).taken(taken);
        match names {
            Some(names) => made.named(names),
            None => made,
        }
    }

    fn hand_over(py: Python<'_>, summed: Summed) -> Self {
        let Summed { transfers, summary, delivery } = summed;
        let outcome = transfers.outcome.into_iter().map(|o| o as u8).collect();
        Self {
            trigger_ns: PyArray1::from_vec(py, transfers.trigger_ns).unbind(),
            completion_ns: PyArray1::from_vec(py, transfers.completion_ns).unbind(),
            outcome: PyArray1::from_vec(py, outcome).unbind(),
            spurious_ns: PyArray1::from_vec(py, transfers.spurious_ns).unbind(),
            glitch_ns: PyArray1::from_vec(py, transfers.glitch_ns).unbind(),
            glitch_low_ns: PyArray1::from_vec(py, transfers.glitch_low_ns).unbind(),
            start_ns: transfers.start_ns,
            end_ns: transfers.end_ns,
            names: None,
            taken: Taken::default(),
            places_ns: transfers.places_ns,
            charge: transfers.charge,
            summary,
            delivery,
        }
    }

    fn named(self, [trigger, completion]: [String; 2]) -> Self {
        Self { names: Some((trigger, completion)), ..self }
    }

    fn taken(self, taken: Taken) -> Self {
        Self { taken, ..self }
    }

    /// Copies the transfers for statistics.
    pub(crate) fn to_stats(&self, py: Python<'_>) -> PyResult<airlag_stats::Transfers> {
        let vec = |array: &Py<PyArray1<i64>>| array.bind(py).to_vec();
        let outcome = self.outcome.bind(py).to_vec()?;
        Ok(airlag_stats::Transfers {
            trigger_ns: vec(&self.trigger_ns)?,
            completion_ns: vec(&self.completion_ns)?,
            outcome: outcome.into_iter().map(Outcome::from_code).collect(),
            spurious_ns: vec(&self.spurious_ns)?,
            glitch_ns: vec(&self.glitch_ns)?,
            glitch_low_ns: vec(&self.glitch_low_ns)?,
            start_ns: self.start_ns,
            end_ns: self.end_ns,
            places_ns: self.places_ns.clone(),
            charge: self.charge.clone(),
        })
    }
}

#[pymethods]
impl Transfers {
    /// Latencies of the completed transfers, ns, in trigger order.
    #[getter]
    fn latency_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(PyArray1::from_vec(py, self.to_stats(py)?.latencies_ns()))
    }

    /// Start of each simulated location, ns. Empty for a single location.
    #[getter]
    fn places_ns(&self) -> Vec<i64> {
        self.places_ns.clone()
    }

    /// Wall-clock time of time 0, ns since 1970. `None` if not recorded.
    #[getter]
    fn epoch_unix_ns(&self) -> Option<i64> {
        self.taken.epoch_unix_ns
    }

    /// Sample rate of the capture, Hz. `None` if not recorded.
    #[getter]
    fn sample_rate_hz(&self) -> Option<f64> {
        self.taken.sample_rate_hz
    }

    /// Returns a dictionary with the objects `latency_ns` and `delivery` of a run's JSON.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("latency_ns", answers::latency(py, self.summary.as_ref())?)?;
        dict.set_item("delivery", answers::delivery(py, self.delivery.as_ref())?)?;
        Ok(dict)
    }

    /// Returns the variation between the simulated locations, or `None` for a single location. A location
    /// meets the requirement if at least `share` of its transfers arrive, and arrive within `deadline_ns` if
    /// it is given.
    #[pyo3(signature = (share, deadline_ns = None) -> "Places | None")]
    fn places<'py>(
        &self,
        py: Python<'py>,
        share: f64,
        deadline_ns: Option<i64>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let found =
            Places::of(&self.to_stats(py)?, LocationRequirement { deadline_ns, share, ..ANY });
        found.map(|found| answers::places(py, &found)).transpose()
    }

    /// Returns completions, outcomes and spurious completions, or `None` if pairing the edges of `trace`
    /// gives the same ones.
    fn beside_edges(&self, py: Python<'_>, trace: &Trace) -> PyResult<Option<Matched>> {
        let held = self.to_stats(py)?;
        let paired = airlag_stats::pair::pair(&trace.0, PairOptions::default());
        let same = (&paired.completion_ns, &paired.outcome, &paired.spurious_ns)
            == (&held.completion_ns, &held.outcome, &held.spurious_ns);
        let completion = |&at| (at != NONE).then_some(at);
        Ok((!same).then(|| {
            let completions = held.completion_ns.iter().map(completion).collect();
            let outcomes = held.outcome.iter().map(|&one| one as u8).collect();
            (completions, outcomes, held.spurious_ns)
        }))
    }

    /// Returns transfers with the same triggers, but with these completions, outcomes and spurious
    /// completions.
    ///
    /// Raises `ValueError` if the numbers of completions, outcomes and triggers differ.
    fn matched(
        &self,
        py: Python<'_>,
        completion_ns: Vec<Option<i64>>,
        outcome: Vec<u8>,
        spurious_ns: Vec<i64>,
    ) -> PyResult<Self> {
        let held = self.to_stats(py)?;
        let triggers = held.trigger_ns.len();
        if completion_ns.len() != triggers || outcome.len() != triggers {
            return Err(PyValueError::new_err(format!(
                "{} completions and {} outcomes of {triggers} triggers",
                completion_ns.len(),
                outcome.len()
            )));
        }
        let transfers = airlag_stats::Transfers {
            completion_ns: completion_ns.into_iter().map(|at| at.unwrap_or(NONE)).collect(),
            outcome: outcome.into_iter().map(Outcome::from_code).collect(),
            spurious_ns,
            ..held
        };
        Ok(Self { names: self.names.clone(), ..Self::of(py, transfers).taken(self.taken) })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.trigger_ns.bind(py).len()
    }

    /// Support for pickle and copy. Statistics are computed again.
    #[pyo3(signature = () -> "tuple[Any, tuple[Any, ...]]")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let made = py.import("airlag._airlag")?.getattr("restored_transfers")?;
        let instants = [
            &self.trigger_ns,
            &self.completion_ns,
            &self.spurious_ns,
            &self.glitch_ns,
            &self.glitch_low_ns,
        ];
        let instants = instants.map(|each| each.clone_ref(py)).into();
        let Taken { epoch_unix_ns, sample_rate_hz } = self.taken;
        let taken = (epoch_unix_ns, sample_rate_hz);
        let (names, places_ns) = (self.names.clone(), self.places_ns.clone());
        let charge = self.charge.as_ref().map(|of| {
            let message = (of.messages, of.marginal_nc, of.marginal_interval_nc);
            let currents = (of.idle_na, of.average_na, of.peak_na);
            (of.supply.clone(), message, currents, of.total_nc, of.elapsed_ns)
        });
        let about = (self.start_ns, self.end_ns, names, taken, places_ns, charge);
        Ok((made, (instants, self.outcome.clone_ref(py), about)))
    }
}

/// Three parts of a run. The first part has five arrays: the instants of triggers, of completions, of
/// spurious completions and of glitches, and the time for which the channel was low before each glitch. The
/// second part has the outcome of each transfer. The third part has the start and end of the run, the channel
/// names, the wall-clock time and sample rate of the recording, the starts of the simulated locations, and
/// the measured charge.
type Parts = (Vec<Py<PyArray1<i64>>>, Py<PyArray1<u8>>, About);
/// Completions (`None` if missing), outcomes, spurious completions.
type Matched = (Vec<Option<i64>>, Vec<u8>, Vec<i64>);
type About =
    (i64, i64, Option<(String, String)>, (Option<i64>, Option<f64>), Vec<i64>, Option<Drawn>);
/// The supply; number of messages, charge per message with its interval; idle, mean and peak current; total
/// charge and duration.
type Drawn = (String, (usize, Option<f64>, Option<(f64, f64)>), (f64, f64, u64), f64, u64);

/// Creates transfers from the result of their `__reduce__`, without copying arrays.
#[pyfunction]
#[pyo3(signature = (
    instants: "Sequence[NDArray[np.int64]]",
    outcome: "NDArray[np.uint8]",
    about: "tuple[int, int, tuple[str, str] | None, tuple[int | None, float | None], list[int], tuple[Any, ...] | None]",
))]
pub fn restored_transfers(
    py: Python<'_>,
    instants: [Py<PyArray1<i64>>; 5],
    outcome: Py<PyArray1<u8>>,
    about: About,
) -> PyResult<Transfers> {
    let [trigger_ns, completion_ns, spurious_ns, glitch_ns, glitch_low_ns] = instants;
    let (start_ns, end_ns, names, (epoch_unix_ns, sample_rate_hz), places_ns, drawn) = about;
    let charge = drawn.map(|(supply, message, currents, total_nc, elapsed_ns)| {
        let (messages, marginal_nc, marginal_interval_nc) = message;
        let (idle_na, average_na, peak_na) = currents;
        Metered {
            supply,
            messages,
            marginal_nc,
            marginal_interval_nc,
            idle_na,
            average_na,
            peak_na,
            total_nc,
            elapsed_ns,
        }
    });
    let count = trigger_ns.bind(py).len()?;
    if completion_ns.bind(py).len()? != count || outcome.bind(py).len()? != count {
        return Err(PyValueError::new_err(format!(
            "{count} triggers need as many completions and outcomes"
        )));
    }
    let bare = Transfers {
        trigger_ns,
        completion_ns,
        outcome,
        spurious_ns,
        glitch_ns,
        glitch_low_ns,
        start_ns,
        end_ns,
        names,
        taken: Taken { epoch_unix_ns, sample_rate_hz },
        places_ns,
        charge,
        summary: None,
        delivery: None,
    };
    let held = bare.to_stats(py)?;
    let Summed { summary, delivery, .. } = py.detach(|| Summed::of(held));
    Ok(Transfers { summary, delivery, ..bare })
}

/// Streams a capture and pairs it, without storing raw edges.
#[pyfunction]
#[pyo3(signature = (capture, trigger=None, completion=None, inverted=Vec::new(), min_low_ns=1000, overlap_ns=None))]
pub fn transfers(
    py: Python<'_>,
    capture: &mut Input,
    trigger: Option<String>,
    completion: Option<String>,
    inverted: Vec<String>,
    min_low_ns: i64,
    overlap_ns: Option<i64>,
) -> PyResult<Transfers> {
    let selection = Selection::Pair(Pair { trigger, completion, invert: inverted });
    let source = Source { input: &mut capture.inner, selection, memory: capture.memory };
    let options = PairOptions { min_low_ns, overlap_ns };
    let paired = attended(py, || {
        let Paired { transfers, names, taken } = source.pair(options)?;
        Ok((Summed::of(transfers), names, taken))
    });
    let (paired, names, taken) = paired.whole()?.map_err(capture_error)?;
    Ok(Transfers::hand_over(py, paired).named(names).taken(taken))
}

/// Pairs the first two channels of a trace: trigger and completion. `places` are the starts of simulated
/// locations, ns.
#[pyfunction]
#[pyo3(signature = (trace, min_low_ns=1000, overlap_ns=None, places_ns=Vec::new()))]
pub fn pair(
    py: Python<'_>,
    trace: &Trace,
    min_low_ns: i64,
    overlap_ns: Option<i64>,
    places_ns: Vec<i64>,
) -> Transfers {
    let options = PairOptions { min_low_ns, overlap_ns };
    let paired = py.detach(|| {
        let paired = airlag_stats::pair::pair(&trace.0, options);
        Summed::of(airlag_stats::Transfers { places_ns, ..paired })
    });
    let airlag_trace::Trace { epoch_unix_ns, sample_rate_hz, .. } = trace.0;
    let paired = Transfers::hand_over(py, paired).taken(Taken { epoch_unix_ns, sample_rate_hz });
    match &trace.0.channels[..] {
        [trigger, completion, ..] => paired.named([trigger, completion].map(|c| c.name.clone())),
        _ => paired,
    }
}
