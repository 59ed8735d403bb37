//! The event queue and the executor.
//!
//! Events at one instant fire in the order they were scheduled; after each event every task it
//! woke runs until it waits again. So the order never depends on a hash, an address or a thread.
//!
//! A task is woken by its number, without touching an atomic. Only a future that takes the
//! context's [`Waker`] for itself (a combinator, somebody else's channel) pays for one.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering as Atomic};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use crate::error::Error;
use crate::span::{Span, Track};
use crate::stream::Stream;
use crate::time::{Duration, Instant};

/// Polls of one task at one instant before it counts as a livelock. A task that handles a burst of
/// queued items polls once, so even busy models stay far below.
const MAX_POLLS: u32 = 10_000;

/// Events at one instant before they count as a storm.
const MAX_EVENTS: u32 = 10_000_000;

/// Something with timers: told which one fired by the token it gave.
///
/// Cheaper than a boxed closure an event, which is what a chip model with a dozen timers wants. A
/// model that changes its mind keeps a generation number in the token and ignores the old ones.
pub trait Timed {
    /// The timer set with `token` is due.
    fn due(self: Rc<Self>, token: u64);
}

/// Names a scheduled callback, to cancel it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId(u64);

/// Why a run returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing is scheduled any more; tasks may still wait for something that never comes.
    Idle,
    /// The given instant was reached.
    AtLimit,
    /// Somebody called [`Sim::stop`].
    Asked,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaskKey {
    index: u32,
    generation: u32,
}

/// Whom to wake: a task by number, or whatever a foreign waker stands for.
#[derive(Clone)]
pub(crate) enum Waiter {
    Task(TaskKey),
    Foreign(Waker),
}

impl Waiter {
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task(a), Self::Task(b)) => a == b,
            (Self::Foreign(a), Self::Foreign(b)) => a.will_wake(b),
            _ => false,
        }
    }
}

enum Event {
    Wake(TaskKey),
    Foreign(Waker),
    Timer(Rc<dyn Timed>, u64),
    Call(Box<dyn FnOnce()>),
}

struct Entry {
    at: u64,
    sequence: u64,
    event: Event,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.sequence == other.sequence
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    /// Reversed: the heap gives the greatest, we want the earliest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.sequence).cmp(&(self.at, self.sequence))
    }
}

/// Wakes from outside the executor's own futures.
#[derive(Default)]
struct Inbox {
    any: AtomicBool,
    keys: Mutex<Vec<(u32, u32)>>,
}

struct TaskWaker {
    index: u32,
    generation: u32,
    inbox: Arc<Inbox>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        let mut keys = self.inbox.keys.lock().unwrap_or_else(|broken| broken.into_inner());
        keys.push((self.index, self.generation));
        self.inbox.any.store(true, Atomic::Release);
    }
}

struct Body {
    future: Pin<Box<dyn Future<Output = ()>>>,
    waker: Waker,
}

struct Task {
    generation: u32,
    name: String,
    body: Option<Body>,
    queued: bool,
    polled_at: u64,
    polls: u32,
}

struct Kernel {
    now: Cell<u64>,
    sequence: Cell<u64>,
    fired: Cell<u64>,
    queue: RefCell<BinaryHeap<Entry>>,
    cancelled: RefCell<Vec<u64>>,
    ready: RefCell<VecDeque<u32>>,
    tasks: RefCell<Vec<Task>>,
    free: RefCell<Vec<u32>>,
    current: Cell<Option<TaskKey>>,
    current_waker: Cell<*const ()>,
    inbox: Arc<Inbox>,
    stop: Cell<bool>,
    seed: u64,
    recording: Cell<bool>,
    spans: RefCell<Vec<Span>>,
    tracks: RefCell<Vec<String>>,
}

/// A cheap handle on a simulation: what models and tasks hold.
#[derive(Clone)]
pub struct Sim(Rc<Kernel>);

/// Owns a simulation and runs it. Dropping it drops every task and every pending event.
pub struct Simulation(Sim);

impl Simulation {
    /// An empty simulation at instant 0 with the root seed `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Sim(Rc::new(Kernel {
            now: Cell::new(0),
            sequence: Cell::new(0),
            fired: Cell::new(0),
            queue: RefCell::default(),
            cancelled: RefCell::default(),
            ready: RefCell::default(),
            tasks: RefCell::default(),
            free: RefCell::default(),
            current: Cell::new(None),
            current_waker: Cell::new(core::ptr::null()),
            inbox: Arc::default(),
            stop: Cell::new(false),
            seed,
            recording: Cell::new(false),
            spans: RefCell::default(),
            tracks: RefCell::default(),
        })))
    }

    /// Runs until nothing is scheduled.
    pub fn run(&self) -> Result<Stopped, Error> {
        self.run_until(Instant::FOREVER)
    }

    /// Runs until nothing is scheduled or `limit` is reached; events at `limit` still fire.
    pub fn run_until(&self, limit: Instant) -> Result<Stopped, Error> {
        let kernel = &*self.0.0;
        kernel.stop.set(false);
        let (mut instant, mut events) = (kernel.now.get(), 0_u32);
        kernel.drain_ready()?;
        loop {
            if kernel.stop.get() {
                return Ok(Stopped::Asked);
            }
            let entry = {
                let mut queue = kernel.queue.borrow_mut();
                match queue.peek() {
                    None => return Ok(Stopped::Idle),
                    Some(next) if next.at > limit.as_ns() => {
                        kernel.now.set(limit.as_ns().max(kernel.now.get()));
                        return Ok(Stopped::AtLimit);
                    }
                    Some(_) => queue.pop().expect("peeked"),
                }
            };
            if entry.at == instant {
                events += 1;
                if events > MAX_EVENTS {
                    return Err(Error::Storm { at: Instant::from_ns(instant), events });
                }
            } else {
                (instant, events) = (entry.at, 0);
                kernel.now.set(entry.at);
            }
            kernel.fired.set(kernel.fired.get() + 1);
            match entry.event {
                Event::Wake(key) => kernel.wake_task(key),
                Event::Foreign(waker) => waker.wake(),
                Event::Timer(target, token) => target.due(token),
                Event::Call(call) => {
                    if !kernel.forget_cancelled(entry.sequence) {
                        call();
                    }
                }
            }
            kernel.drain_ready()?;
        }
    }

    /// Events fired so far: the measure of a run's cost.
    #[must_use]
    pub fn events_fired(&self) -> u64 {
        self.0.0.fired.get()
    }

    /// A handle for models and tasks.
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
    /// Tasks hold handles on the kernel and the kernel holds the tasks: somebody has to let go.
    fn drop(&mut self) {
        let tasks = core::mem::take(&mut *self.0.0.tasks.borrow_mut());
        let queue = core::mem::take(&mut *self.0.0.queue.borrow_mut());
        drop(tasks);
        drop(queue);
    }
}

impl Kernel {
    fn push(&self, at: Instant, event: Event) -> u64 {
        let sequence = self.sequence.get();
        self.sequence.set(sequence + 1);
        // The past is not reachable: what is asked for too late fires next.
        let at = at.as_ns().max(self.now.get());
        self.queue.borrow_mut().push(Entry { at, sequence, event });
        sequence
    }

    fn wake_task(&self, key: TaskKey) {
        let mut tasks = self.tasks.borrow_mut();
        if let Some(task) = tasks.get_mut(key.index as usize)
            && task.generation == key.generation
            && !task.queued
        {
            task.queued = true;
            self.ready.borrow_mut().push_back(key.index);
        }
    }

    fn forget_cancelled(&self, sequence: u64) -> bool {
        let mut cancelled = self.cancelled.borrow_mut();
        match cancelled.iter().position(|&s| s == sequence) {
            Some(at) => {
                cancelled.swap_remove(at);
                true
            }
            None => false,
        }
    }

    fn drain_ready(&self) -> Result<(), Error> {
        loop {
            if self.inbox.any.swap(false, Atomic::Acquire) {
                let keys = core::mem::take(
                    &mut *self.inbox.keys.lock().unwrap_or_else(|broken| broken.into_inner()),
                );
                for (index, generation) in keys {
                    self.wake_task(TaskKey { index, generation });
                }
            }
            let Some(index) = self.ready.borrow_mut().pop_front() else { return Ok(()) };
            self.poll(index)?;
        }
    }

    fn poll(&self, index: u32) -> Result<(), Error> {
        let now = self.now.get();
        let (mut body, key) = {
            let mut tasks = self.tasks.borrow_mut();
            let task = &mut tasks[index as usize];
            task.queued = false;
            if task.polled_at != now {
                (task.polled_at, task.polls) = (now, 0);
            }
            task.polls += 1;
            if task.polls > MAX_POLLS {
                let (task, polls) = (task.name.clone(), task.polls);
                return Err(Error::Livelock { task, at: Instant::from_ns(now), polls });
            }
            let Some(body) = task.body.take() else { return Ok(()) };
            (body, TaskKey { index, generation: task.generation })
        };
        self.current.set(Some(key));
        self.current_waker.set(body.waker.data());
        let done = body.future.as_mut().poll(&mut Context::from_waker(&body.waker)).is_ready();
        self.current.set(None);
        self.current_waker.set(core::ptr::null());
        if done {
            // Its own drop may touch the kernel: no borrow is held here.
            drop(body);
            let mut tasks = self.tasks.borrow_mut();
            tasks[index as usize].generation += 1;
            tasks[index as usize].queued = false;
            self.free.borrow_mut().push(index);
        } else {
            self.tasks.borrow_mut()[index as usize].body = Some(body);
        }
        Ok(())
    }
}

impl Sim {
    /// The present instant.
    #[must_use]
    pub fn now(&self) -> Instant {
        Instant::from_ns(self.0.now.get())
    }

    /// The root seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The random stream called `name`.
    #[must_use]
    pub fn stream(&self, name: &str) -> Stream {
        Stream::new(self.0.seed, name)
    }

    /// Starts a task; `name` is what an [`Error`] will call it.
    pub fn spawn(&self, name: impl Into<String>, future: impl Future<Output = ()> + 'static) {
        let mut tasks = self.0.tasks.borrow_mut();
        let index = self.0.free.borrow_mut().pop().unwrap_or_else(|| {
            let task = Task {
                generation: 0,
                name: String::new(),
                body: None,
                queued: false,
                polled_at: u64::MAX,
                polls: 0,
            };
            tasks.push(task);
            u32::try_from(tasks.len() - 1).expect("fewer than 2^32 tasks")
        });
        let task = &mut tasks[index as usize];
        let inbox = Arc::clone(&self.0.inbox);
        let waker = Waker::from(Arc::new(TaskWaker { index, generation: task.generation, inbox }));
        task.name = name.into();
        task.body = Some(Body { future: Box::pin(future), waker });
        task.queued = true;
        task.polled_at = u64::MAX;
        self.0.ready.borrow_mut().push_back(index);
    }

    /// Calls `call` at `at`.
    pub fn at(&self, at: Instant, call: impl FnOnce() + 'static) -> EventId {
        EventId(self.0.push(at, Event::Call(Box::new(call))))
    }

    /// Forgets a callback that has not fired yet. Cancelling one that has fired leaks a word, so
    /// keep the id only as long as the callback is pending.
    pub fn cancel(&self, id: EventId) {
        self.0.cancelled.borrow_mut().push(id.0);
    }

    /// Tells `target` at `at`, with the token it gave.
    pub fn timer(&self, at: Instant, target: Rc<dyn Timed>, token: u64) {
        self.0.push(at, Event::Timer(target, token));
    }

    /// Waits until `at`; ready at once if that is past.
    #[must_use = "a future does nothing until it is awaited"]
    pub fn sleep_until(&self, at: Instant) -> Sleep {
        Sleep { sim: self.clone(), at, armed: None }
    }

    /// Waits for `wait`.
    #[must_use = "a future does nothing until it is awaited"]
    pub fn sleep(&self, wait: Duration) -> Sleep {
        self.sleep_until(self.now() + wait)
    }

    /// Makes the run return after the present event.
    pub fn stop(&self) {
        self.0.stop.set(true);
    }

    /// Names a lane for spans; the same name gives the same lane.
    #[must_use]
    pub fn track(&self, name: &str) -> Track {
        let mut tracks = self.0.tracks.borrow_mut();
        let found = tracks.iter().position(|known| known == name);
        let index = found.unwrap_or_else(|| {
            tracks.push(name.to_owned());
            tracks.len() - 1
        });
        Track(u16::try_from(index).expect("fewer than 65536 tracks"))
    }

    /// Names of the lanes, in the order of [`Track::index`].
    #[must_use]
    pub fn track_names(&self) -> Vec<String> {
        self.0.tracks.borrow().clone()
    }

    /// Switches the recording of spans on or off.
    pub fn record_spans(&self, on: bool) {
        self.0.recording.set(on);
    }

    /// Records a slice, if recording is on and the slice is not empty.
    #[inline]
    pub fn span(&self, track: Track, name: &'static str, begin: Instant, end: Instant) {
        if self.0.recording.get() && end > begin {
            self.0.spans.borrow_mut().push(Span { track, name, begin, end });
        }
    }

    /// Takes what was recorded so far.
    #[must_use]
    pub fn take_spans(&self) -> Vec<Span> {
        core::mem::take(&mut *self.0.spans.borrow_mut())
    }

    /// Whom to wake for this context: by number if it is the running task's own waker.
    pub(crate) fn waiter(&self, context: &Context<'_>) -> Waiter {
        match self.0.current.get() {
            Some(key) if context.waker().data() == self.0.current_waker.get() => Waiter::Task(key),
            _ => Waiter::Foreign(context.waker().clone()),
        }
    }

    pub(crate) fn wake(&self, waiter: Waiter) {
        match waiter {
            Waiter::Task(key) => self.0.wake_task(key),
            Waiter::Foreign(waker) => waker.wake(),
        }
    }
}

/// Waits for an instant. A sleep that is dropped early leaves one spurious wake behind.
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
            let event = match &waiter {
                Waiter::Task(key) => Event::Wake(*key),
                Waiter::Foreign(waker) => Event::Foreign(waker.clone()),
            };
            self.sim.0.push(self.at, event);
            self.armed = Some(waiter);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests;
