//! The wire between two ports: bytes, and the instants of their first and last edge.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_sim::{Instant, Sim};

use airlag_sim::channel::Notice;

/// A byte on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// Its value.
    pub value: u8,
    /// The falling edge of its start bit.
    pub begin: Instant,
    /// The end of its stop bit.
    pub end: Instant,
}

struct Shared {
    characters: RefCell<VecDeque<Character>>,
    put: Notice,
    count: Cell<u64>,
}

/// A handle on one wire; clones share it. One port writes, one reads.
///
/// A byte is known to the reading side as soon as the writing side has decided when it leaves:
/// nothing can call it back, so the reading side may compute ahead.
#[derive(Clone)]
pub struct Wire(Rc<Shared>);

impl Wire {
    /// An idle wire.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(Rc::new(Shared {
            characters: RefCell::default(),
            put: Notice::new(sim),
            count: Cell::new(0),
        }))
    }

    /// Puts a byte on the wire. Bytes come in the order in which they leave.
    pub fn put(&self, character: Character) {
        self.0.characters.borrow_mut().push_back(character);
        self.0.count.set(self.0.count.get() + 1);
    }

    /// Tells the reading side that bytes were put.
    pub fn announce(&self) {
        self.0.put.raise();
    }

    /// Waits until bytes were announced.
    pub(crate) async fn announced(&self) {
        self.0.put.wait().await;
    }

    /// Takes the next byte that was put and not taken yet. Its instants may lie ahead.
    #[must_use]
    pub fn take(&self) -> Option<Character> {
        self.0.characters.borrow_mut().pop_front()
    }

    /// Bytes put since the wire was made.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.count.get()
    }
}
