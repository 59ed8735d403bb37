//! One end of a tunnel on this computer, in real time.

use std::path::PathBuf;

use airlag_linux::doctor;
use airlag_linux::host::Went;
use airlag_linux::key;
use airlag_linux::radio::{Choice, Words};
use airlag_linux::tunnel::{Plan, Progress, network, up};
use airlag_rig::interrupt;
use airlag_tunnel::Protection;
use airlag_tunnel::endpoint::Drops;
use pyo3::exceptions::{PyBaseException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::signals::{Ended, attended};

pyo3::create_exception!(
    _airlag,
    TunnelError,
    PyValueError,
    "A tunnel that cannot start, or failed. One line with the problem and a valid alternative."
);

fn tunnel_error(error: impl std::fmt::Display) -> PyErr {
    TunnelError::new_err(error.to_string())
}

/// Options of a radio: `airlag.questions.tunnel.Radio`.
#[derive(FromPyObject)]
pub struct Radio {
    radio: String,
    ce: Option<String>,
    irq: Option<String>,
    rate: Option<String>,
    channel: Option<u8>,
    power: Option<String>,
    listen: Option<String>,
}

impl Radio {
    fn words(&self) -> Words<'_> {
        Words {
            radio: &self.radio,
            ce: self.ce.as_deref(),
            irq: self.irq.as_deref(),
            rate: self.rate.as_deref(),
            channel: self.channel,
            power: self.power.as_deref(),
            listen: self.listen.as_deref(),
        }
    }

    fn choice(&self) -> PyResult<Choice> {
        self.words().choice().map_err(tunnel_error)
    }

    /// The radio, and an optional second one that only receives.
    fn choices(&self, receiver: Option<&str>) -> PyResult<(Choice, Option<Choice>)> {
        match receiver {
            None => Ok((self.choice()?, None)),
            Some(text) => {
                let (first, second) = self.words().pair(text).map_err(tunnel_error)?;
                Ok((first, Some(second)))
            }
        }
    }
}

/// Options of an interface: `airlag.questions.tunnel.Interface`.
#[derive(FromPyObject)]
pub struct Interface {
    name: String,
    address: Option<String>,
    mtu: u16,
}

fn way<'py>(py: Python<'py>, went: Went, rate: f64) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("packets", went.packets)?;
    dict.set_item("bytes", went.bytes)?;
    dict.set_item("kbps", rate / 1e3)?;
    Ok(dict)
}

fn progress<'py>(py: Python<'py>, now: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("interface", &now.name)?;
    dict.set_item("elapsed_ns", u64::try_from(now.elapsed.as_nanos()).unwrap_or(u64::MAX))?;
    dict.set_item("up", now.is_up)?;
    dict.set_item("sent", way(py, now.sent, now.rates[0])?)?;
    dict.set_item("received", way(py, now.received, now.rates[1])?)?;
    dict.set_item("waiting_bytes", now.waiting)?;
    dict.set_item("mtu", now.mtu)?;
    dict.set_item("peer_mtu", now.peer_mtu)?;
    dict.set_item("burst_loss", now.burst_loss)?;
    let counts = now.counts;
    for (name, value) in [
        ("sessions", counts.sessions),
        ("offered", counts.offered),
        ("frames", counts.frames),
        ("repeated", counts.repeated),
        ("bursts", counts.bursts),
        ("unanswered", counts.unanswered),
        ("broken", counts.broken),
        ("garbage", counts.garbage),
    ] {
        dict.set_item(name, value)?;
    }
    let dropped = PyDict::new(py);
    let Drops { late, full, restart } = counts.dropped;
    for (name, value) in [("late", late), ("full", full), ("restart", restart)] {
        dropped.set_item(name, value)?;
    }
    dict.set_item("dropped", dropped)?;
    Ok(dict)
}

/// Final statistics, and the exception of a signal handler that ended the tunnel.
type Outcome<'py> = (Bound<'py, PyDict>, Option<Py<PyBaseException>>);

/// Runs one end of a tunnel until the process receives a signal. `key` is the path of a key file, or
/// `None` for a tunnel without encryption. About thirty times per second, `said` is called with the
/// statistics. `receiver` contains comma-separated options for a second radio, which receives the
/// packets of the other end.
#[pyfunction]
#[pyo3(signature = (
    radio: "Radio",
    interface: "Interface",
    key = None,
    said: "Callable[[TunnelEnd], None] | None" = None,
    receiver = None,
) -> "tuple[TunnelEnd, BaseException | None]")]
pub fn tunnel_up<'py>(
    py: Python<'py>,
    radio: Radio,
    interface: Interface,
    key: Option<PathBuf>,
    said: Option<Py<PyAny>>,
    receiver: Option<String>,
) -> PyResult<Outcome<'py>> {
    let protection = match key {
        Some(path) => Protection::Sealed(*key::read(&path).map_err(tunnel_error)?),
        None => Protection::Plain,
    };
    let (radio, receiver) = radio.choices(receiver.as_deref())?;
    let plan = Plan {
        radio,
        receiver,
        name: interface.name,
        address: interface.address.map(|text| network(&text)).transpose().map_err(tunnel_error)?,
        mtu: interface.mtu,
        protection,
    };
    let report = |now: &Progress| {
        let Some(said) = &said else { return };
        // An error of the progress callback does not stop the work.
        Python::attach(|py| drop(progress(py, now).and_then(|now| said.call1(py, (now,)))));
    };
    match attended(py, || up(&plan, interrupt::is_requested, report)) {
        Ended::Done(done) => Ok((progress(py, &done.map_err(tunnel_error)?)?, None)),
        Ended::Stopped(raised, Some(Ok(done))) => {
            Ok((progress(py, &done)?, Some(raised.into_value(py))))
        }
        Ended::Stopped(raised, _) => Err(raised),
    }
}

/// Creates a key in hexadecimal digits.
#[pyfunction]
pub fn tunnel_key() -> PyResult<String> {
    key::make().map_err(tunnel_error)
}

/// Checks of the requirements of a tunnel on this computer, one dictionary each.
#[pyfunction]
#[pyo3(signature = (radio: "Radio | None" = None) -> "list[Requirement]")]
pub fn tunnel_doctor(py: Python<'_>, radio: Option<Radio>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let choice = radio.map(|radio| radio.choice()).transpose()?;
    let checks = py.detach(|| doctor::examine(choice.as_ref()));
    let object = |check: doctor::Check| {
        let dict = PyDict::new(py);
        dict.set_item("name", check.name)?;
        dict.set_item("needed", check.needed)?;
        dict.set_item("ok", check.ok)?;
        dict.set_item("found", check.found)?;
        dict.set_item("mend", check.mend)?;
        Ok(dict)
    };
    checks.into_iter().map(object).collect()
}
