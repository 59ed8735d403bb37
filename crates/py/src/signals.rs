//! Signals: long work ends when Python's handlers say so, and the process when nobody answers.

use std::io::Read as _;
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use airlag_rig::interrupt;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use signal_hook::low_level;

/// How often work that nobody waits for is looked after.
const TURN: Duration = Duration::from_millis(20);
/// How long a signal may wait for an answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Somebody has heard of the signal, and is ending the process: what was done until then is put
/// together and written, however long that takes.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// What became of long work.
pub(crate) enum Ended<R> {
    /// It is done.
    Done(R),
    /// A signal handler raised this; what was done until then, where that is of use.
    Stopped(PyErr, Option<R>),
}

/// Ends the work of threads in which Python handles no signals.
///
/// Whoever starts them has one for all, and requests the end when nobody waits for them any more.
#[pyclass(frozen, module = "airlag._airlag")]
#[derive(Default)]
pub struct Interrupt(interrupt::Interrupt);

#[pymethods]
impl Interrupt {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// All work that the calling thread begins from now on ends on request.
    fn adopt(&self) {
        self.0.adopt();
    }

    /// Ends the work of every thread that adopted this, at its next turn.
    fn request(&self) {
        self.0.request();
    }
}

/// Does long work in a thread of its own, without the interpreter lock, while this one looks after
/// signals: a handler that raises ends the work, and so does the [`Interrupt`] of this thread.
pub(crate) fn attended<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> Ended<R> {
    let interrupt = interrupt::current();
    thread::scope(|scope| {
        let (tell, mut told) = channel::<()>();
        let worker = scope.spawn(|| {
            // Dropped when the work is done, or panics.
            let _tell = tell;
            interrupt.watch(work)
        });
        let mut stopped = None;
        loop {
            let told = &mut told;
            if py.detach(move || told.recv_timeout(TURN)) != Err(RecvTimeoutError::Timeout) {
                break;
            }
            // Only the main thread hears of signals; the others would keep it from its cores.
            if ANSWERED.load(Ordering::Relaxed) {
                interrupt.request();
            }
            if stopped.is_none()
                && let Err(raised) = py.check_signals()
            {
                interrupt.request();
                stopped = Some(raised);
            }
            // Work that hangs never notices, and ends with the process.
            if stopped.is_some() && interrupt.was_noticed() {
                signal_answered();
            }
        }
        let done = py.detach(|| worker.join());
        let done = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if stopped.is_some() {
            signal_answered();
        }
        match stopped {
            Some(raised) => Ended::Stopped(raised, Some(done)),
            None if interrupt.was_noticed() => {
                Ended::Stopped(PyKeyboardInterrupt::new_err("interrupted"), None)
            }
            None => Ended::Done(done),
        }
    })
}

impl<R> Ended<R> {
    /// What the work gave.
    pub(crate) fn whole(self) -> PyResult<R> {
        match self {
            Self::Done(done) => Ok(done),
            Self::Stopped(raised, _) => Err(raised),
        }
    }
}

/// Ends the process on a signal that nobody answers in a second, and on the second one at
/// once, with 128 and the signal as the exit code. Files that are not complete are removed.
///
/// Returns the descriptor to which Python is to write each signal as a byte (`signal.set_wakeup_fd`):
/// it does so at once, while its handlers wait for whatever keeps the interpreter busy.
#[pyfunction]
pub fn end_on_signals() -> PyResult<i32> {
    let (mut signals, wakeup) = std::io::pipe()?;
    let wait = move || {
        let (mut signal, mut first) = ([0], true);
        while signals.read_exact(&mut signal).is_ok() {
            if first {
                thread::sleep(PATIENCE);
            }
            if !first || !ANSWERED.load(Ordering::Relaxed) {
                end(128 + i32::from(signal[0]));
            }
            first = false;
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(wakeup.into_raw_fd())
}

/// Says that a signal was heard, and that what was done until then is being told.
#[pyfunction]
pub fn signal_answered() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// Ends the process at once, whatever its threads do. Files that are not complete are removed.
#[pyfunction]
#[pyo3(signature = (code) -> "NoReturn")]
pub fn end(code: i32) {
    airlag_files::draft::abandon();
    low_level::exit(code);
}
