//! Signals: long work ends when a Python handler raises, and the process ends if no handler responds.

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

/// Interval between checks for signals during long work.
const TURN: Duration = Duration::from_millis(20);
/// Timeout for a handler to respond to a signal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Set if a signal ends this process, as that of a command. A program or a notebook continues after one.
static ENDS: AtomicBool = AtomicBool::new(false);
/// Set when a handler has responded and the process is ending. Results may then be written without a time
/// limit.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Outcome of long work.
pub(crate) enum Ended<R> {
    /// Complete.
    Done(R),
    /// Interrupted by this exception of a signal handler, with an optional partial result.
    Stopped(PyErr, Option<R>),
}

/// Ends the work of threads in which Python handles no signals.
///
/// The creator shares one among its threads, and requests the end when their results are no longer needed.
#[pyclass(frozen, module = "airlag._airlag")]
#[derive(Default)]
pub struct Interrupt(interrupt::Interrupt);

#[pymethods]
impl Interrupt {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Makes all work that the calling thread starts from now on end on request.
    fn adopt(&self) {
        self.0.adopt();
    }

    /// Ends the work of every thread that adopted this interrupt, at its next check.
    fn request(&self) {
        self.0.request();
    }
}

/// Runs long work in a separate thread without the interpreter lock, while this thread handles signals. An
/// exception of a handler ends the work, and so does the [`Interrupt`] of this thread.
pub(crate) fn attended<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> Ended<R> {
    let interrupt = interrupt::current();
    thread::scope(|scope| {
        let (ends, mut ended) = channel::<()>();
        let worker = scope.spawn(|| {
            // This is dropped at the end of the work, or on a panic.
            let _ended = ends;
            interrupt.watch(work)
        });
        let mut stopped = None;
        loop {
            let ended = &mut ended;
            if py.detach(move || ended.recv_timeout(TURN)) != Err(RecvTimeoutError::Timeout) {
                break;
            }
            // Only the main thread receives signals. Other threads must not wake up for them.
            if ANSWERED.load(Ordering::Relaxed) {
                interrupt.request();
            }
            if stopped.is_none()
                && let Err(raised) = py.check_signals()
            {
                interrupt.request();
                stopped = Some(raised);
            }
            // Work that hangs does not respond, and ends with the process.
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
    /// The complete result.
    pub(crate) fn whole(self) -> PyResult<R> {
        match self {
            Self::Done(done) => Ok(done),
            Self::Stopped(raised, _) => Err(raised),
        }
    }
}

/// Ends the process on a signal to which no handler responds within a second, and immediately on the second
/// one, with exit code 128 plus the signal. Removes incomplete files.
///
/// Returns the descriptor to which Python must write each signal as a byte (`signal.set_wakeup_fd`). It does
/// so immediately, while its handlers wait for the interpreter.
#[pyfunction]
pub fn end_on_signals() -> PyResult<i32> {
    let (mut signals, wakeup) = std::io::pipe()?;
    ENDS.store(true, Ordering::Relaxed);
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

/// Confirms that a signal was handled, and that results are being written. No effect unless signals end this
/// process (`end_on_signals`): all later work would end as well.
#[pyfunction]
pub fn signal_answered() {
    ANSWERED.store(ENDS.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Ends the process immediately. Removes incomplete files.
#[pyfunction]
#[pyo3(signature = (code) -> "NoReturn")]
pub fn end(code: i32) {
    airlag_files::draft::abandon();
    low_level::exit(code);
}
