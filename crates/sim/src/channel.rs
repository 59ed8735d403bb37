//! A queue between tasks, and a flag that remains raised until it is read.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use crate::kernel::Waiter;
use crate::sim::Sim;

struct Shared<T> {
    sim: Sim,
    items: RefCell<VecDeque<T>>,
    waiter: RefCell<Option<Waiter>>,
    senders: Cell<usize>,
}

/// Sending end of a queue.
pub struct Sender<T>(Rc<Shared<T>>);

/// Receiving end of a queue. There is exactly one.
pub struct Receiver<T>(Rc<Shared<T>>);

/// Creates an unbounded first-in first-out queue.
#[must_use]
pub fn channel<T>(sim: &Sim) -> (Sender<T>, Receiver<T>) {
    let shared = Rc::new(Shared {
        sim: sim.clone(),
        items: RefCell::default(),
        waiter: RefCell::new(None),
        senders: Cell::new(1),
    });
    (Sender(Rc::clone(&shared)), Receiver(shared))
}

impl<T> Shared<T> {
    fn wake(&self) {
        let waiter = self.waiter.borrow_mut().take();
        if let Some(waiter) = waiter {
            self.sim.wake(waiter);
        }
    }
}

impl<T> Sender<T> {
    /// Appends `item` to the queue.
    pub fn send(&self, item: T) {
        self.0.items.borrow_mut().push_back(item);
        self.0.wake();
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.0.senders.set(self.0.senders.get() + 1);
        Self(Rc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.senders.set(self.0.senders.get() - 1);
        self.0.wake();
    }
}

impl<T> Receiver<T> {
    /// Removes and returns the first item, if any.
    pub fn try_receive(&mut self) -> Option<T> {
        self.0.items.borrow_mut().pop_front()
    }

    /// Waits for the first item. Returns `None` once all senders are dropped and the queue is
    /// empty.
    pub async fn receive(&mut self) -> Option<T> {
        poll_fn(|context| {
            if let Some(item) = self.0.items.borrow_mut().pop_front() {
                return Poll::Ready(Some(item));
            }
            if self.0.senders.get() == 0 {
                return Poll::Ready(None);
            }
            *self.0.waiter.borrow_mut() = Some(self.0.sim.waiter(context));
            Poll::Pending
        })
        .await
    }

    /// Number of waiting items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.items.borrow().len()
    }

    /// Returns true if no item is waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.items.borrow().is_empty()
    }
}

/// A flag that one side raises and the other waits for. Raising it twice has the effect of raising
/// it once.
#[derive(Clone)]
pub struct Notice(Rc<Flag>);

struct Flag {
    sim: Sim,
    raised: Cell<bool>,
    waiter: RefCell<Option<Waiter>>,
}

impl Notice {
    /// Creates a notice that is not raised.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(Rc::new(Flag {
            sim: sim.clone(),
            raised: Cell::new(false),
            waiter: RefCell::new(None),
        }))
    }

    /// Raises the notice.
    pub fn raise(&self) {
        self.0.raised.set(true);
        let waiter = self.0.waiter.borrow_mut().take();
        if let Some(waiter) = waiter {
            self.0.sim.wake(waiter);
        }
    }

    /// Lowers the notice and returns whether it was raised.
    pub fn take(&self) -> bool {
        self.0.raised.replace(false)
    }

    /// Waits until the notice is raised, then lowers it. Only one task may wait at a time.
    pub async fn wait(&self) {
        poll_fn(|context| {
            if self.take() {
                return Poll::Ready(());
            }
            *self.0.waiter.borrow_mut() = Some(self.0.sim.waiter(context));
            Poll::Pending
        })
        .await;
    }
}
