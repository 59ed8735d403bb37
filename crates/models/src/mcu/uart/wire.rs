//! The wire between two ports: bytes, and the instants of their first and last edge.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_sim::{Instant, Sim};

use airlag_sim::channel::Notice;

/// A byte on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// Value of the byte.
    pub value: u8,
    /// Falling edge of its start bit.
    pub begin: Instant,
    /// End of its stop bit.
    pub end: Instant,
}

struct Shared {
    characters: RefCell<VecDeque<Character>>,
    put: Notice,
    count: Cell<u64>,
}

/// A handle to a wire. Clones refer to the same wire. One port writes and the other reads.
///
/// The reading side sees a byte as soon as the writing side has scheduled it. A scheduled byte is
/// final, so the reading side may compute ahead.
#[derive(Clone)]
pub struct Wire(Rc<Shared>);

impl Wire {
    /// Creates an idle wire.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        Self(Rc::new(Shared {
            characters: RefCell::default(),
            put: Notice::new(sim),
            count: Cell::new(0),
        }))
    }

    /// Puts a byte on the wire, in the order of transmission.
    pub fn put(&self, character: Character) {
        self.0.characters.borrow_mut().push_back(character);
        self.0.count.set(self.0.count.get() + 1);
    }

    /// Notifies the reading side of new bytes.
    pub fn announce(&self) {
        self.0.put.raise();
    }

    /// Waits for a notification of new bytes.
    pub(crate) async fn announced(&self) {
        self.0.put.wait().await;
    }

    /// Takes the next byte, whose start and end may be in the future.
    #[must_use]
    pub fn take(&self) -> Option<Character> {
        self.0.characters.borrow_mut().pop_front()
    }

    /// Bytes put on the wire so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.count.get()
    }
}
