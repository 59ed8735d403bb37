//! Live probes, and a reflector.

use std::fs::File;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::os::fd::IntoRawFd;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use airlag_live::probe::near::Clock;
use airlag_live::probe::reflect::{Counts, Reflector as Reflects};
use airlag_live::probe::{
    self, Error, Kept, Pattern, Plan, Progress, Target, journal, synchronized,
};
use airlag_sim::Duration;
use airlag_stats::probes::Probes;
use airlag_study::question::Given;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::ask::{Reply, raised};
use crate::bench::LinkError;
use crate::capture::CaptureError;
use crate::live::edges;
use crate::signals::{Ended, attended};

fn refused(error: impl std::fmt::Display) -> PyErr {
    LinkError::new_err(error.to_string())
}

fn target(text: &str) -> PyResult<Target> {
    text.parse().map_err(refused)
}

fn pattern(
    period_ns: u64,
    kind: &str,
    burst: u32,
    sweep_ns: u64,
    schedule_ns: Vec<u64>,
) -> PyResult<Pattern> {
    let period = Duration::from_ns(period_ns.max(1));
    Ok(match kind {
        "periodic" => Pattern::Periodic(period),
        "poisson" => Pattern::Poisson(period),
        "bursts" => {
            let length = NonZeroU32::new(burst).ok_or_else(|| refused("a burst of 0 requests"))?;
            Pattern::Bursts { period, length }
        }
        "swept" => Pattern::Swept { period, link: Duration::from_ns(sweep_ns) },
        "schedule" => Pattern::Schedule(schedule_ns.into_iter().map(Duration::from_ns).collect()),
        "closed-loop" => Pattern::ClosedLoop,
        other => return Err(refused(format!("{other:?} is not a pattern of send times"))),
    })
}

fn address(text: &str) -> PyResult<SocketAddr> {
    text.parse()
        .map_err(|_| refused(format!("{text} is not an address; write one such as 127.0.0.1:9100")))
}

fn progress(py: Python<'_>, now: Progress) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("elapsed_ns", now.elapsed_ns)?;
    dict.set_item("remaining_ns", now.remaining_ns)?;
    dict.set_item("sent", now.sent)?;
    dict.set_item("answered", now.answered)?;
    dict.set_item("too_late", now.too_late)?;
    dict.set_item("duplicates", now.duplicates)?;
    dict.set_item("last_ns", now.last_ns)?;
    dict.set_item("p50_ns", now.p50_ns)?;
    dict.set_item("p99_ns", now.p99_ns)?;
    dict.set_item("max_ns", now.max_ns)?;
    dict.set_item("bins_ns", now.bins_ns)?;
    Ok(dict)
}

/// Probes the target `name`, and answers `question` about the recorded probes. About thirty times per second,
/// `on_progress` receives a dictionary with the progress. For a `ble:` target, the caller transfers the packets
/// between `carrier` and the Bluetooth link. During the session, metrics in the OpenMetrics format are served at the
/// address `metrics`. Events are recorded in a journal, the file at the path `journal`. After the process has been
/// killed, [`answered_journal`] can evaluate the journal. With `force`, an existing journal is replaced. A signal
/// ends the session, and `Reply.stopped` then contains the exception of the signal handler.
#[pyfunction]
#[pyo3(signature = (question, name, *, size, period_ns, kind="periodic", burst=1, sweep_ns=0, schedule_ns=Vec::new(), count=None, lasting_ns=None, timeout_ns, seed=1, error_ns=None, metrics=None, carrier=None, journal=None, force=false, on_progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn probe_target(
    py: Python<'_>,
    question: &str,
    name: &str,
    size: usize,
    period_ns: u64,
    kind: &str,
    burst: u32,
    sweep_ns: u64,
    schedule_ns: Vec<u64>,
    count: Option<u64>,
    lasting_ns: Option<u64>,
    timeout_ns: u64,
    seed: u64,
    error_ns: Option<u64>,
    metrics: Option<&str>,
    carrier: Option<Bound<'_, Carrier>>,
    journal: Option<PathBuf>,
    force: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Reply> {
    let plan = Plan {
        target: target(name)?,
        carrier: carrier.and_then(|one| one.get().near().clone()),
        size,
        pattern: pattern(period_ns, kind, burst, sweep_ns, schedule_ns)?,
        count,
        lasting: lasting_ns.map(Duration::from_ns),
        timeout: Duration::from_ns(timeout_ns),
        seed,
        error_ns,
        metrics: metrics.map(address).transpose()?,
        kept: journal.map(|path| Kept { path, question: question.to_owned(), force }),
    };
    let report = |now: Progress| {
        let Some(on_progress) = &on_progress else { return };
        // An error of the progress callback does not stop the work.
        Python::attach(|py| drop(progress(py, now).and_then(|now| on_progress.call1(py, (now,)))));
    };
    let (recorded, stopped) = match attended(py, || probe::probe(&plan, report)) {
        Ended::Done(done) => (done, None),
        Ended::Stopped(raised, Some(Ok(done))) => (Ok(done), Some(raised.into_value(py))),
        Ended::Stopped(raised, _) => return Err(raised),
    };
    let mut reply = answered(py, question, recorded.map_err(refused)?)?;
    reply.stopped = stopped;
    Ok(reply)
}

fn answered(py: Python<'_>, question: &str, recorded: Probes) -> PyResult<Reply> {
    let given = vec![Given::Probes(recorded)];
    let asked = py.detach(|| airlag_study::ask(question, given, &|_, _| ()));
    let mut answered = asked.map_err(raised)?;
    for evidence in &mut answered.evidence {
        evidence.trace = evidence.transfers.as_ref().map(edges);
    }
    Reply::of(py, answered)
}

/// Answers the question about an interrupted session from the complete part of its journal.
#[pyfunction]
pub fn answered_journal(py: Python<'_>, path: PathBuf) -> PyResult<Reply> {
    let read = py.detach(|| File::open(&path).and_then(journal::read));
    let (question, recorded) =
        read.map_err(|error| CaptureError::new_err(format!("{}: {error}", path.display())))?;
    answered(py, &question, recorded)
}

/// Returns the maximum error of this computer's clock reported by its synchronization service, ns, or `None` for
/// other clocks.
#[pyfunction]
pub fn clock_error_ns(py: Python<'_>, clock: &str) -> PyResult<Option<u64>> {
    let error_ns = py.detach(|| match clock {
        "chrony" => synchronized::chrony_ns().map(Some),
        "ptp" => synchronized::ptp_ns().map(Some),
        _ => Ok(None),
    });
    error_ns.map_err(refused)
}

/// Pair of sockets: the session uses the near end, and the caller moves packets between the far end and a link.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Carrier {
    near: Mutex<Option<probe::Carrier>>,
    /// Descriptor of the far end. The caller owns it.
    #[pyo3(get)]
    fileno: i32,
}

impl Carrier {
    fn near(&self) -> MutexGuard<'_, Option<probe::Carrier>> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Carrier {
    /// Creates a carrier of packets of up to `longest` bytes.
    #[new]
    fn new(longest: usize) -> PyResult<Self> {
        let (near, far) = probe::Carrier::pair(longest)?;
        Ok(Self { near: Mutex::new(Some(near)), fileno: far.into_raw_fd() })
    }

    /// Closes the near end.
    fn close(&self) {
        *self.near() = None;
    }
}

/// Reflector of a board, which responds to one message at a time.
#[pyclass(module = "airlag._airlag")]
pub struct MessageReflector {
    answers: probe::MessageReflector,
    clock: Clock,
}

#[pymethods]
impl MessageReflector {
    #[new]
    fn new() -> Self {
        Self { answers: probe::MessageReflector::new(), clock: Clock::start() }
    }

    /// Returns the response to a probe, or `None` if the message is not a probe.
    fn answer<'py>(&mut self, py: Python<'py>, message: &[u8]) -> Option<Bound<'py, PyBytes>> {
        let (mut message, clock) = (message.to_vec(), self.clock);
        let now = || clock.now_ns() as u64;
        let received = now();
        self.answers.answer(&mut message, received, now).then(|| PyBytes::new(py, &message))
    }
}

/// A reflector for probes, listening from its creation on.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Reflector {
    /// Address on which it listens.
    #[pyo3(get)]
    name: String,
    counts: Arc<Counts>,
    reflects: Mutex<Option<Reflects>>,
}

#[pymethods]
impl Reflector {
    #[new]
    #[pyo3(signature = (name, *, rate, error_ns=None))]
    fn new(name: &str, rate: u32, error_ns: Option<u64>) -> PyResult<Self> {
        let reflects = Reflects::open(&target(name)?, rate, error_ns).map_err(refused)?;
        Ok(Self {
            name: reflects.name().to_owned(),
            counts: reflects.counts(),
            reflects: Mutex::new(Some(reflects)),
        })
    }

    /// Responds to requests until a signal arrives, then raises the exception of its handler.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        let reflects = self.reflects.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reflects = reflects.ok_or_else(|| refused("this reflector is already running"))?;
        attended(py, || reflects.run()).whole()?.map_err(|error: Error| refused(error))
    }

    /// Numbers of answered requests, of packets that are not requests, and of requests beyond a limit.
    #[getter]
    fn counts(&self) -> (u64, u64, u64) {
        let Counts { answered, ignored, limited } = &*self.counts;
        let of = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
        (of(answered), of(ignored), of(limited))
    }
}
