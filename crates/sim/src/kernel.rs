//! Internals of the executor: tasks, wakes and event delivery.
//!
//! The executor wakes a task by its number, without atomic operations. Atomic operations are needed
//! only for a future that stores the context's [`Waker`], such as a combinator or a channel of
//! another crate.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, Ordering as Atomic};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

use crate::error::Error;
use crate::meter::{Ledger, Stretch};
use crate::queue::{Queue, Target};
use crate::span::Span;
use crate::time::Instant;
use crate::timers::{Calls, Timed};

/// Number of polls of one task at one instant that counts as a livelock. A task that handles a
/// burst of queued items is polled once, so even busy models stay far below this number.
const MAX_POLLS: u32 = 10_000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaskKey {
    index: u32,
    generation: u32,
}

impl TaskKey {
    pub(crate) const fn to_token(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    pub(crate) const fn from_token(token: u64) -> Self {
        Self { index: token as u32, generation: (token >> 32) as u32 }
    }
}

/// Recipient of a wake: a task by number, or a foreign waker.
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

/// Wakes through a [`Waker`], which may come from any thread.
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
    future: RefCell<Pin<Box<dyn Future<Output = ()>>>>,
    waker: Waker,
}

struct Task {
    generation: u32,
    name: String,
    body: Option<Rc<Body>>,
    queued: bool,
    polled_at: u64,
    polls: u32,
}

pub(crate) struct Kernel {
    pub(crate) now: Cell<u64>,
    pub(crate) fired: Cell<u64>,
    pub(crate) queue: RefCell<Queue>,
    /// Models with timers, by number. `None` once a model is dropped.
    pub(crate) models: RefCell<Vec<Option<Weak<dyn Timed>>>>,
    calls: RefCell<Calls>,
    ready: RefCell<VecDeque<u32>>,
    tasks: RefCell<Vec<Task>>,
    free: RefCell<Vec<u32>>,
    current: Cell<Option<TaskKey>>,
    current_waker: Cell<*const ()>,
    inbox: Arc<Inbox>,
    stop: Cell<bool>,
    /// Until this instant, only the task being polled can act: no other task is ready, no event is
    /// scheduled, and the run does not end. The value is 0 while no task is polled.
    quiet_before: Cell<u64>,
    /// End of the current run.
    pub(crate) limit: Cell<u64>,
    pub(crate) seed: u64,
    pub(crate) recording: Cell<bool>,
    /// Models that are notified of new observers.
    pub(crate) observed: RefCell<Vec<Box<dyn Fn()>>>,
    pub(crate) spans: RefCell<Vec<Span>>,
    pub(crate) meters: RefCell<Vec<Rc<RefCell<Ledger>>>>,
    pub(crate) stretches: RefCell<Vec<Stretch>>,
    pub(crate) tracks: RefCell<Vec<String>>,
}

impl Kernel {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            now: Cell::new(0),
            fired: Cell::new(0),
            queue: RefCell::default(),
            models: RefCell::default(),
            calls: RefCell::default(),
            ready: RefCell::default(),
            tasks: RefCell::default(),
            free: RefCell::default(),
            current: Cell::new(None),
            current_waker: Cell::new(core::ptr::null()),
            inbox: Arc::default(),
            stop: Cell::new(false),
            quiet_before: Cell::new(0),
            limit: Cell::new(0),
            seed,
            recording: Cell::new(false),
            observed: RefCell::default(),
            spans: RefCell::default(),
            meters: RefCell::default(),
            stretches: RefCell::default(),
            tracks: RefCell::default(),
        }
    }

    /// Drops all tasks and calls. They hold references to the kernel, which would otherwise form a
    /// cycle.
    pub(crate) fn clear(&self) {
        let tasks = core::mem::take(&mut *self.tasks.borrow_mut());
        let calls = core::mem::take(&mut *self.calls.borrow_mut());
        drop(tasks);
        drop(calls);
    }

    pub(crate) fn spawn(&self, name: String, future: Pin<Box<dyn Future<Output = ()>>>) {
        let mut tasks = self.tasks.borrow_mut();
        let index = self.free.borrow_mut().pop().unwrap_or_else(|| {
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
        let inbox = Arc::clone(&self.inbox);
        let waker = Waker::from(Arc::new(TaskWaker { index, generation: task.generation, inbox }));
        task.name = name;
        task.body = Some(Rc::new(Body { future: RefCell::new(future), waker }));
        task.queued = true;
        task.polled_at = u64::MAX;
        self.ready.borrow_mut().push_back(index);
        self.quiet_before.set(0);
    }

    #[inline]
    pub(crate) fn push(&self, at: Instant, target: Target, token: u64) {
        // Events cannot be scheduled in the past: an instant before now is replaced by now.
        let at = at.as_ns().max(self.now.get());
        self.quiet_before.set(self.quiet_before.get().min(at));
        self.queue.borrow_mut().push(at, target, token);
    }

    /// Schedules a call.
    pub(crate) fn call_at(&self, at: Instant, call: Box<dyn FnOnce()>) {
        let number = self.calls.borrow_mut().keep(call);
        self.push(at, Target::Call, number);
    }

    /// Delivers an event to its recipient, if it still exists.
    #[inline]
    pub(crate) fn deliver(&self, target: Target, token: u64) -> Result<(), Error> {
        match target {
            Target::Model(number) => {
                let model = self.models.borrow()[number as usize].as_ref().and_then(Weak::upgrade);
                if let Some(model) = model {
                    model.due(token);
                }
            }
            Target::Call => {
                let call = self.calls.borrow_mut().take(token);
                if let Some(call) = call {
                    call();
                }
            }
            // Between two events no task is ready, so the task can run without queueing.
            Target::Task => self.resume(TaskKey::from_token(token))?,
        }
        Ok(())
    }

    /// Advances time to `at` and returns true if the current task, which waits until `at`, would be
    /// the next to run. The current task is the next to run if no other task is ready and no event
    /// is scheduled before `at` or at `at`. The order of events is the same as if the wait had been
    /// queued as an event.
    #[inline]
    pub(crate) fn skip_to(&self, at: u64) -> bool {
        let free = at < self.quiet_before.get() && !self.inbox.any.load(Atomic::Relaxed);
        if free {
            self.now.set(at);
            self.fired.set(self.fired.get() + 1);
        }
        free
    }

    /// Instant before which only the task about to be polled can act.
    fn quiet(&self) -> u64 {
        if self.stop.get() || !self.ready.borrow().is_empty() {
            return 0;
        }
        let after_limit = self.limit.get().saturating_add(1);
        self.queue.borrow().next_at().map_or(after_limit, |next| next.min(after_limit))
    }

    pub(crate) fn stops(&self) -> bool {
        self.stop.get()
    }

    pub(crate) fn set_stop(&self, stop: bool) {
        self.stop.set(stop);
        self.quiet_before.set(0);
    }

    pub(crate) fn wake_task(&self, key: TaskKey) {
        let mut tasks = self.tasks.borrow_mut();
        if let Some(task) = tasks.get_mut(key.index as usize)
            && task.generation == key.generation
            && !task.queued
        {
            task.queued = true;
            self.ready.borrow_mut().push_back(key.index);
            self.quiet_before.set(0);
        }
    }

    /// Recipient of a wake through this context: the running task's number if the waker is its own.
    pub(crate) fn waiter(&self, context: &Context<'_>) -> Waiter {
        match self.current.get() {
            Some(key) if context.waker().data() == self.current_waker.get() => Waiter::Task(key),
            _ => Waiter::Foreign(context.waker().clone()),
        }
    }

    /// Runs all ready tasks until none is left. After most events no task is ready.
    #[inline]
    pub(crate) fn drain_ready(&self) -> Result<(), Error> {
        if self.ready.borrow().is_empty() && !self.inbox.any.load(Atomic::Relaxed) {
            return Ok(());
        }
        self.drain()
    }

    fn drain(&self) -> Result<(), Error> {
        loop {
            if self.inbox.any.load(Atomic::Relaxed) && self.inbox.any.swap(false, Atomic::Acquire) {
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

    /// Resumes a task that waited for the current event, unless the task has ended.
    fn resume(&self, key: TaskKey) -> Result<(), Error> {
        let task = self.tasks.borrow().get(key.index as usize).map(|task| task.generation);
        if task == Some(key.generation) { self.poll(key.index) } else { Ok(()) }
    }

    fn poll(&self, index: u32) -> Result<(), Error> {
        let now = self.now.get();
        let (body, key) = {
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
            let Some(body) = &task.body else { return Ok(()) };
            (Rc::clone(body), TaskKey { index, generation: task.generation })
        };
        self.current.set(Some(key));
        self.current_waker.set(body.waker.data());
        self.quiet_before.set(self.quiet());
        let mut context = Context::from_waker(&body.waker);
        let done = body.future.borrow_mut().as_mut().poll(&mut context).is_ready();
        self.current.set(None);
        self.current_waker.set(core::ptr::null());
        self.quiet_before.set(0);
        if done {
            // Dropping the future may access the kernel, so nothing may be borrowed here.
            self.tasks.borrow_mut()[index as usize].body = None;
            drop(body);
            let mut tasks = self.tasks.borrow_mut();
            tasks[index as usize].generation += 1;
            tasks[index as usize].queued = false;
            self.free.borrow_mut().push(index);
        }
        Ok(())
    }
}
