//! The event queue and the executor.
//!
//! Events at one instant fire in the order of scheduling. After each event, every task that it woke
//! runs until it waits again. The order therefore never depends on a hash, an address or a thread.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use crate::error::Error;
use crate::kernel::{Kernel, Waiter};
use crate::queue::{Next, Target};
use crate::slice::Slice;
use crate::span::{Span, Track};
use crate::stream::Stream;
use crate::time::{Duration, Instant};

/// Number of events at one instant that counts as an endless loop.
const MAX_EVENTS: u32 = 10_000_000;
/// Number of events between two checks of the stop condition: a few milliseconds.
pub const PATIENCE: u64 = 4096;

/// Reason for which a run returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// No event is scheduled. Tasks may still wait for events that never occur.
    Idle,
    /// The limit was reached.
    AtLimit,
    /// [`Sim::stop`] was called, or the stop condition returned true.
    Asked,
}

/// Cheap handle to a simulation, for models and tasks.
#[derive(Clone)]
pub struct Sim {
    pub(crate) kernel: Rc<Kernel>,
    /// Prefix of the names of its streams.
    scope: Option<Rc<str>>,
}

/// Owns a simulation and runs it. Dropping it drops every task and every pending event.
pub struct Simulation(Sim);

impl Simulation {
    /// Creates an empty simulation at instant 0 with the random seed `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Sim { kernel: Rc::new(Kernel::new(seed)), scope: None })
    }

    /// Runs until nothing is scheduled.
    pub fn run(&self) -> Result<Stopped, Error> {
        self.run_until(Instant::FOREVER)
    }

    /// Runs until nothing is scheduled or `limit` is reached; events at `limit` still fire.
    pub fn run_until(&self, limit: Instant) -> Result<Stopped, Error> {
        self.run_until_or(limit, || false)
    }

    /// Runs as [`run_until`](Self::run_until) does, or until `stop` returns true. Calls `stop` once
    /// per [`PATIENCE`] events.
    pub fn run_until_or(&self, limit: Instant, stop: impl Fn() -> bool) -> Result<Stopped, Error> {
        let kernel = &*self.0.kernel;
        kernel.set_stop(false);
        kernel.limit.set(limit.as_ns());
        let (mut instant, mut events) = (kernel.now.get(), 0_u32);
        kernel.drain_ready()?;
        loop {
            if kernel.stops() || (kernel.fired.get().is_multiple_of(PATIENCE) && stop()) {
                return Ok(Stopped::Asked);
            }
            let next = kernel.queue.borrow_mut().pop_until(limit.as_ns());
            let (at, target, token) = match next {
                Next::Nothing => return Ok(Stopped::Idle),
                Next::Later => {
                    kernel.now.set(limit.as_ns().max(kernel.now.get()));
                    return Ok(Stopped::AtLimit);
                }
                Next::Due(at, target, token) => (at, target, token),
            };
            if at == instant {
                events += 1;
                if events > MAX_EVENTS {
                    return Err(Error::Storm { at: Instant::from_ns(instant), events });
                }
            } else {
                (instant, events) = (at, 0);
                kernel.now.set(at);
            }
            kernel.fired.set(kernel.fired.get() + 1);
            kernel.deliver(target, token)?;
            kernel.drain_ready()?;
        }
    }

    /// Number of events so far, the measure of a run's cost.
    #[must_use]
    pub fn events_fired(&self) -> u64 {
        self.0.kernel.fired.get()
    }

    /// Returns a handle for models and tasks.
    #[must_use]
    pub fn sim(&self) -> Sim {
        self.0.clone()
    }
}

impl Deref for Simulation {
    type Target = Sim;
    fn deref(&self) -> &Sim {
        &self.0
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        self.0.kernel.clear();
    }
}

impl Sim {
    /// Current instant.
    #[must_use]
    pub fn now(&self) -> Instant {
        Instant::from_ns(self.kernel.now.get())
    }

    /// Instant of the next scheduled event; `None` if there is none.
    #[must_use]
    pub fn next_at(&self) -> Option<Instant> {
        self.kernel.queue.borrow().next_at().map(Instant::from_ns)
    }

    /// Random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.kernel.seed
    }

    /// Returns the random stream called `name`.
    #[must_use]
    pub fn stream(&self, name: &str) -> Stream {
        match &self.scope {
            Some(scope) => Stream::new(self.kernel.seed, &format!("{scope}/{name}")),
            None => Stream::new(self.kernel.seed, name),
        }
    }

    /// Returns a handle for models outside the measured link, such as other transmitters on the
    /// air. A random stream of such a model is called `scope/name`, because the model may use the
    /// same names as the link. Time slices and power states of such a model are not recorded.
    #[must_use]
    pub fn beside(&self, scope: &str) -> Self {
        let scope = match &self.scope {
            Some(outer) => format!("{outer}/{scope}"),
            None => scope.to_owned(),
        };
        Self { kernel: Rc::clone(&self.kernel), scope: Some(scope.into()) }
    }

    /// Scope of a handle made with [`beside`](Self::beside); otherwise `None`.
    #[must_use]
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// Starts a task. `name` identifies it in an [`Error`].
    pub fn spawn(&self, name: impl Into<String>, future: impl Future<Output = ()> + 'static) {
        self.kernel.spawn(name.into(), Box::pin(future));
    }

    /// Schedules `call` for `at`.
    pub fn at(&self, at: Instant, call: impl FnOnce() + 'static) {
        self.kernel.call_at(at, Box::new(call));
    }

    /// Waits until `at`. Ready at once if `at` is in the past.
    #[must_use = "a future does nothing until it is awaited"]
    pub fn sleep_until(&self, at: Instant) -> Sleep {
        Sleep { sim: self.clone(), at, armed: None }
    }

    /// Waits until `at` like a busy processor: the task does nothing else until then. If no event
    /// is scheduled before `at`, virtual time advances at once, which saves most of the computing
    /// time of a [`sleep_until`](Self::sleep_until). This function must not be used in a branch of
    /// a `join` or a `select`, because time would also advance for the other branches.
    #[inline]
    #[must_use = "a future does nothing until it is awaited"]
    pub const fn busy_until(&self, at: Instant) -> Busy<'_> {
        Busy { sim: self, at, armed: false }
    }

    /// Waits for `wait`.
    #[must_use = "a future does nothing until it is awaited"]
    pub fn sleep(&self, wait: Duration) -> Sleep {
        self.sleep_until(self.now() + wait)
    }

    /// Ends the run after the current event.
    pub fn stop(&self) {
        self.kernel.set_stop(true);
    }

    /// Returns the track called `name`; the same name returns the same track.
    #[must_use]
    pub fn track(&self, name: &str) -> Track {
        if self.scope.is_some() {
            // Nothing is recorded on it.
            return Track(0);
        }
        let mut tracks = self.kernel.tracks.borrow_mut();
        let found = tracks.iter().position(|known| known == name);
        let index = found.unwrap_or_else(|| {
            tracks.push(name.to_owned());
            tracks.len() - 1
        });
        Track(u16::try_from(index).expect("fewer than 65536 tracks"))
    }

    /// Names of the tracks, in the order of [`Track::index`].
    #[must_use]
    pub fn track_names(&self) -> Vec<String> {
        self.kernel.tracks.borrow().clone()
    }

    /// Starts or stops the recording of spans and of power states.
    pub fn record_spans(&self, on: bool) {
        self.settle_meters(self.now());
        self.kernel.recording.set(on);
        if on {
            self.observer_attached();
        }
    }

    /// Calls `notify` whenever an observer of single frames or spans is attached. A model that leaves
    /// frames or spans out of the simulation can then simulate them again.
    pub fn on_observer(&self, notify: impl Fn() + 'static) {
        self.kernel.observed.borrow_mut().push(Box::new(notify));
    }

    /// Notifies models of a new observer.
    pub fn observer_attached(&self) {
        self.kernel.observed.borrow().iter().for_each(|notify| notify());
    }

    /// Whether spans and power states are recorded.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.kernel.recording.get()
    }

    /// Records a span if recording is on and the span is not empty.
    #[inline]
    pub fn span(&self, track: Track, slice: &'static Slice, begin: Instant, end: Instant) {
        if self.kernel.recording.get() {
            self.record_span(Span { track, slice, begin, end });
        }
    }

    /// Not inlined, so that a model costs only one branch while recording is off.
    #[inline(never)]
    fn record_span(&self, span: Span) {
        if span.end > span.begin && self.scope.is_none() {
            self.kernel.spans.borrow_mut().push(span);
        }
    }

    /// Takes the spans recorded so far.
    #[must_use]
    pub fn take_spans(&self) -> Vec<Span> {
        core::mem::take(&mut *self.kernel.spans.borrow_mut())
    }

    pub(crate) fn waiter(&self, context: &Context<'_>) -> Waiter {
        self.kernel.waiter(context)
    }

    #[inline]
    fn wake_at(&self, at: Instant, waiter: &Waiter) {
        match waiter {
            Waiter::Task(key) => self.kernel.push(at, Target::Task, key.to_token()),
            Waiter::Foreign(waker) => {
                let waker = waker.clone();
                self.kernel.call_at(at, Box::new(move || waker.wake()));
            }
        }
    }

    pub(crate) fn wake(&self, waiter: Waiter) {
        match waiter {
            Waiter::Task(key) => self.kernel.wake_task(key),
            Waiter::Foreign(waker) => waker.wake(),
        }
    }
}

/// Future of [`Sim::busy_until`].
pub struct Busy<'a> {
    sim: &'a Sim,
    at: Instant,
    armed: bool,
}

impl Future for Busy<'_> {
    type Output = ();
    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.sim.now() >= self.at || !self.armed && self.sim.kernel.skip_to(self.at.as_ns()) {
            return Poll::Ready(());
        }
        self.arm(context);
        Poll::Pending
    }
}

impl Busy<'_> {
    /// Not inlined, because [`poll`](Future::poll) rarely needs it.
    #[inline(never)]
    fn arm(&mut self, context: &Context<'_>) {
        if !self.armed {
            self.armed = true;
            self.sim.wake_at(self.at, &self.sim.waiter(context));
        }
    }
}

/// Future of [`Sim::sleep_until`]. If the future is dropped early, its task is woken once without
/// need.
pub struct Sleep {
    sim: Sim,
    at: Instant,
    armed: Option<Waiter>,
}

impl Future for Sleep {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.sim.now() >= self.at {
            return Poll::Ready(());
        }
        let waiter = self.sim.waiter(context);
        if !self.armed.as_ref().is_some_and(|armed| armed.same(&waiter)) {
            self.sim.wake_at(self.at, &waiter);
            self.armed = Some(waiter);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests;
