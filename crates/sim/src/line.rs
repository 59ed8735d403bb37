//! Digital wire: a level, and edges that can be awaited, observed and recorded.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use crate::kernel::Waiter;
use crate::sim::Sim;
use crate::time::Instant;
use crate::timers::{Timed, Timers};

/// Direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Low to high.
    Rising,
    /// High to low.
    Falling,
    /// Both directions.
    Any,
}

type Observer = Box<dyn Fn(bool)>;

struct Wire {
    sim: Sim,
    timers: Timers,
    level: Cell<bool>,
    changed: Cell<Instant>,
    rises: Cell<u64>,
    falls: Cell<u64>,
    noticed: Cell<Option<Instant>>,
    waiters: RefCell<Vec<Waiter>>,
    observers: RefCell<Vec<Observer>>,
    log: RefCell<Option<Vec<Instant>>>,
    initial: bool,
}

/// Handle to a wire. Clones refer to the same wire.
#[derive(Clone)]
pub struct Line(Rc<Wire>);

impl Line {
    /// Creates a wire at `level`.
    #[must_use]
    pub fn new(sim: &Sim, level: bool) -> Self {
        Self(Rc::new_cyclic(|wire| Wire {
            sim: sim.clone(),
            timers: sim.timers(wire),
            level: Cell::new(level),
            changed: Cell::new(Instant::START),
            rises: Cell::new(0),
            falls: Cell::new(0),
            noticed: Cell::new(None),
            waiters: RefCell::default(),
            observers: RefCell::default(),
            log: RefCell::new(None),
            initial: level,
        }))
    }

    /// Simulation of the wire.
    #[must_use]
    pub fn sim(&self) -> &Sim {
        &self.0.sim
    }

    /// Returns true if the level is high.
    #[must_use]
    pub fn level(&self) -> bool {
        self.0.level.get()
    }

    /// Initial level.
    #[must_use]
    pub fn initial(&self) -> bool {
        self.0.initial
    }

    /// Instant of the last edge.
    #[must_use]
    pub fn changed_at(&self) -> Instant {
        self.0.changed.get()
    }

    /// Records that the program at this input now responds to the edge at `at`. If a busy program
    /// never responds to an edge, that edge is not recorded.
    pub fn notice(&self, at: Instant) {
        self.0.noticed.set(Some(at));
    }

    /// Last edge to which the program at this input responded.
    #[must_use]
    pub fn noticed(&self) -> Option<Instant> {
        self.0.noticed.get()
    }

    /// Sets the level. A level equal to the current one causes no edge.
    #[inline]
    pub fn set(&self, level: bool) {
        if self.0.level.replace(level) != level {
            self.0.changed_to(level);
        }
    }

    /// Sets the level at the instant `at`.
    pub fn set_at(&self, at: Instant, level: bool) {
        self.0.timers.set(at, level.into());
    }

    /// Calls `observer` with the new level at every edge of this wire, within the event that causes
    /// the edge. An observer must not add observers to the same wire. An observer should hold only
    /// a weak reference to the object that added the observer.
    pub fn observe(&self, observer: impl Fn(bool) + 'static) {
        self.0.observers.borrow_mut().push(Box::new(observer));
    }

    /// Starts to record the instants of all edges.
    pub fn record(&self) {
        self.0.log.borrow_mut().get_or_insert_with(Vec::new);
    }

    /// Takes the recorded edges. Recording continues.
    #[must_use]
    pub fn take_edges(&self) -> Vec<Instant> {
        self.0.log.borrow_mut().as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// Number of edges since the wire was created.
    #[must_use]
    pub fn count(&self, edge: Edge) -> u64 {
        match edge {
            Edge::Rising => self.0.rises.get(),
            Edge::Falling => self.0.falls.get(),
            Edge::Any => self.0.rises.get() + self.0.falls.get(),
        }
    }

    /// Waits until more than `seen` edges of that kind have occurred. This models an interrupt
    /// flag, which is set by an edge before the program starts to wait.
    #[must_use = "a future does nothing until it is awaited"]
    pub const fn edge_after(&self, edge: Edge, seen: u64) -> EdgeWait<'_> {
        EdgeWait { line: self, edge, seen, armed: None }
    }

    /// Waits for the next edge.
    #[must_use = "a future does nothing until it is awaited"]
    pub fn edge(&self, edge: Edge) -> EdgeWait<'_> {
        self.edge_after(edge, self.count(edge))
    }

    /// Waits until the wire is at `level`, or has been at this level since the call. Returns at
    /// once if the wire is at `level` now.
    pub async fn at_level(&self, level: bool) {
        if self.level() != level {
            self.edge(if level { Edge::Rising } else { Edge::Falling }).await;
        }
    }
}

impl Wire {
    /// Counts an edge, calls the observers and wakes the waiting tasks.
    fn changed_to(&self, level: bool) {
        let now = self.sim.now();
        self.changed.set(now);
        let count = if level { &self.rises } else { &self.falls };
        count.set(count.get() + 1);
        if let Some(log) = self.log.borrow_mut().as_mut() {
            log.push(now);
        }
        for observer in self.observers.borrow().iter() {
            observer(level);
        }
        if !self.waiters.borrow().is_empty() {
            self.wake_all();
        }
    }

    /// Removes waiters one by one, because the list must not be borrowed during a wake.
    fn wake_all(&self) {
        loop {
            let waiter = self.waiters.borrow_mut().pop();
            match waiter {
                Some(waiter) => self.sim.wake(waiter),
                None => break,
            }
        }
    }
}

/// Tokens are levels.
impl Timed for Wire {
    fn due(self: Rc<Self>, token: u64) {
        Line(self).set(token != 0);
    }
}

/// Waits for an edge.
pub struct EdgeWait<'a> {
    line: &'a Line,
    edge: Edge,
    seen: u64,
    armed: Option<Waiter>,
}

impl Future for EdgeWait<'_> {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.line.count(self.edge) > self.seen {
            // The edge emptied the list.
            self.armed = None;
            return Poll::Ready(());
        }
        let waiter = self.line.0.sim.waiter(context);
        let mut waiters = self.line.0.waiters.borrow_mut();
        // An edge of the other kind empties the list, so the list itself is checked and not only
        // `armed`.
        if !waiters.iter().any(|known| known.same(&waiter)) {
            waiters.push(waiter.clone());
        }
        drop(waiters);
        self.armed = Some(waiter);
        Poll::Pending
    }
}

impl Drop for EdgeWait<'_> {
    /// Removes the waiter of a dropped wait, so that it no longer wakes its task.
    fn drop(&mut self) {
        if let Some(armed) = &self.armed {
            self.line.0.waiters.borrow_mut().retain(|known| !known.same(armed));
        }
    }
}

#[cfg(test)]
mod tests;
