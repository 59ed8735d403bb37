//! A Thread network of OpenThread nodes under control of a Python program.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use airlag_rig::Interrupt;
use airlag_study::Error;
use airlag_study::questions::thread::Session;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::bench::link_error;

/// Interval between checks for signals.
const TURN: Duration = Duration::from_millis(20);

type Answer = Result<String, Error>;

/// The thread that owns a network, because the simulation and the processes of its nodes are bound to it.
struct Worker {
    requests: Sender<String>,
    answers: Mutex<Receiver<Answer>>,
    thread: JoinHandle<()>,
    interrupt: Interrupt,
}

impl Worker {
    fn start(question: String) -> PyResult<Self> {
        let (requests, asked) = channel::<String>();
        let (replies, answers) = channel::<Answer>();
        let interrupt = Interrupt::default();
        let watched = interrupt.clone();
        let work = move || {
            watched.watch(|| {
                let mut session = match Session::begin(&question) {
                    Ok((session, formed)) => {
                        let _ = replies.send(Ok(formed));
                        session
                    }
                    Err(error) => {
                        let _ = replies.send(Err(error));
                        return;
                    }
                };
                for request in asked {
                    if replies.send(session.ask(&request)).is_err() {
                        return;
                    }
                }
            });
        };
        let thread = thread::Builder::new().name("thread network".to_owned()).spawn(work)?;
        Ok(Self { requests, answers: Mutex::new(answers), thread, interrupt })
    }

    /// Waits for the answer. An exception of a signal handler interrupts and ends the network.
    fn answer(&self, py: Python<'_>) -> PyResult<String> {
        let mut raised = None;
        loop {
            let answers = &self.answers;
            let answer = py.detach(|| {
                answers.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TURN)
            });
            match answer {
                Ok(answer) => return raised.map_or_else(|| answer.map_err(link_error), Err),
                Err(RecvTimeoutError::Disconnected) => return Err(raised.unwrap_or_else(closed)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if raised.is_none()
                && let Err(signal) = py.check_signals()
            {
                self.interrupt.request();
                raised = Some(signal);
            }
        }
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the network is closed")
}

/// A formed network of OpenThread nodes. Requests and answers are JSON; see the schemas.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct ThreadNetwork {
    worker: Mutex<Option<Worker>>,
    /// Properties of the formed network, as JSON.
    #[pyo3(get)]
    formed: String,
}

#[pymethods]
impl ThreadNetwork {
    #[new]
    fn new(py: Python<'_>, question: String) -> PyResult<Self> {
        let worker = Worker::start(question)?;
        let formed = worker.answer(py)?;
        Ok(Self { worker: Mutex::new(Some(worker)), formed })
    }

    /// Answers a request. Raises ``LinkError`` for an invalid one, and ``ValueError`` after ``close``.
    fn ask(&self, py: Python<'_>, request: String) -> PyResult<String> {
        let held = self.worker.try_lock();
        let held = held.map_err(|_| PyValueError::new_err("another thread uses the network"))?;
        let worker = held.as_ref().ok_or_else(closed)?;
        worker.requests.send(request).map_err(|_| closed())?;
        worker.answer(py)
    }

    /// Ends the processes of all nodes.
    fn close(&self, py: Python<'_>) {
        let worker = self.worker.try_lock().ok().and_then(|mut held| held.take());
        if let Some(Worker { requests, answers, thread, .. }) = worker {
            drop((requests, answers));
            let _ = py.detach(|| thread.join());
        }
    }
}
