//! An observer of what happens at a node.

use std::cell::RefCell;

type Called<T> = Box<dyn Fn(T)>;

/// Observer of incidents of type `T`. At first there is none, and incidents are dropped.
pub(crate) struct Observer<T>(RefCell<Option<Called<T>>>);

impl<T> Observer<T> {
    pub(crate) const fn none() -> Self {
        Self(RefCell::new(None))
    }

    /// Sets the observer, replacing the previous one.
    pub(crate) fn set(&self, observer: impl Fn(T) + 'static) {
        *self.0.borrow_mut() = Some(Box::new(observer));
    }

    /// Passes an incident to the observer.
    pub(crate) fn record(&self, incident: T) {
        if let Some(observer) = &*self.0.borrow() {
            observer(incident);
        }
    }
}
