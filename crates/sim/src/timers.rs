//! Timers of models, and calls that are scheduled once.

use std::rc::{Rc, Weak};

use crate::kernel::Kernel;
use crate::queue::Target;
use crate::sim::Sim;
use crate::time::Instant;

/// A model with timers, which are identified by tokens.
///
/// An event of a model is cheaper than a boxed closure. A model that cancels a timer keeps a
/// generation number in the token and ignores outdated ones.
pub trait Timed {
    /// Handles the timer that was set with `token`.
    fn due(self: Rc<Self>, token: u64);
}

/// The timers of one model. They have no effect once the model is dropped.
pub struct Timers {
    kernel: Rc<Kernel>,
    model: u32,
}

impl Timers {
    /// Sets a timer: calls [`Timed::due`] with `token` at `at`.
    #[inline]
    pub fn set(&self, at: Instant, token: u64) {
        self.kernel.push(at, Target::Model(self.model), token);
    }
}

impl Drop for Timers {
    fn drop(&mut self) {
        // The memory of a model is released with its last reference, which is in this list.
        if let Some(model) = self.kernel.models.borrow_mut().get_mut(self.model as usize) {
            *model = None;
        }
    }
}

impl Sim {
    /// Creates the timers of a model.
    #[must_use]
    pub fn timers<T: Timed + 'static>(&self, model: &Weak<T>) -> Timers {
        let mut models = self.kernel.models.borrow_mut();
        let number = u32::try_from(models.len()).expect("fewer than 2^32 models");
        let model: Weak<T> = Weak::clone(model);
        models.push(Some(model));
        Timers { kernel: Rc::clone(&self.kernel), model: number }
    }
}

/// Closures by number, until they are called.
#[derive(Default)]
pub(crate) struct Calls {
    waiting: Vec<Option<Box<dyn FnOnce()>>>,
    free: Vec<usize>,
}

impl Calls {
    /// Keeps a closure and returns its number.
    pub(crate) fn keep(&mut self, call: Box<dyn FnOnce()>) -> u64 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.waiting.push(None);
            self.waiting.len() - 1
        });
        self.waiting[place] = Some(call);
        place as u64
    }

    /// Takes a closure out; its number can be used again.
    pub(crate) fn take(&mut self, number: u64) -> Option<Box<dyn FnOnce()>> {
        let place = number as usize;
        self.free.push(place);
        self.waiting[place].take()
    }
}
