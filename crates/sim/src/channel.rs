//! A queue between tasks, and a notice that stays raised until somebody looks.

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

/// The end that puts in.
pub struct Sender<T>(Rc<Shared<T>>);

/// The end that takes out. There is one.
pub struct Receiver<T>(Rc<Shared<T>>);

/// An unbounded queue: first in, first out.
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
    /// Puts `item` at the end.
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
    /// Takes the first item if there is one.
    pub fn try_receive(&mut self) -> Option<T> {
        self.0.items.borrow_mut().pop_front()
    }

    /// Waits for the first item; `None` once every sender is gone and the queue is empty.
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

    /// Items waiting.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.items.borrow().len()
    }

    /// True if nothing is waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.items.borrow().is_empty()
    }
}

/// A flag one side raises and the other waits for. Raising it twice is raising it once.
#[derive(Clone)]
pub struct Notice(Rc<Flag>);

struct Flag {
    sim: Sim,
    raised: Cell<bool>,
    waiter: RefCell<Option<Waiter>>,
}

impl Notice {
    /// A notice that is not raised.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(Rc::new(Flag {
            sim: sim.clone(),
            raised: Cell::new(false),
            waiter: RefCell::new(None),
        }))
    }

    /// Raises it.
    pub fn raise(&self) {
        self.0.raised.set(true);
        let waiter = self.0.waiter.borrow_mut().take();
        if let Some(waiter) = waiter {
            self.0.sim.wake(waiter);
        }
    }

    /// Lowers it and says whether it was raised.
    pub fn take(&self) -> bool {
        self.0.raised.replace(false)
    }

    /// Waits until it is raised, and lowers it. One task at a time.
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
