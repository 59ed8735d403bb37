//! A sleepy end device: its radio is off, and it polls its parent periodically for pending
//! messages.
//!
//! ```text
//!  device   asleep │ data request │        awake: held frames │ asleep … │ own frame, acknowledgement │ asleep
//!  parent          │ acknowledges: frames are held │ frame …
//! ```
//!
//! A sleepy end device sends without a poll: its radio is on from the channel assessment to the
//! acknowledgement (IEEE Std 802.15.4-2006, 7.5.6.3; a device in this mode is called
//! `rx-off-when-idle` in Thread). Messages for the device wait at its parent for the next data
//! request of the device. CSL, with which a parent sends at agreed times, is not modelled.

use std::cell::Cell;
use std::rc::Rc;

use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Instant, Sim};

use super::slices;
use super::station::Station;

/// Payload of a data request: the command identifier (7.3.4).
pub(super) const DATA_REQUEST: [u8; 1] = [0x04];
/// Time for which a device listens for announced frames, `OPENTHREAD_CONFIG_MAC_DATA_POLL_TIMEOUT`.
const LISTENS: Duration = Duration::from_ms(100);
/// Interval at which it checks whether all frames have arrived.
const LOOKS: Duration = Duration::from_ms(1);

/// Number of messages that a parent holds for its child, shared by parent and child. A real child
/// gets this number from the acknowledgements of its polls.
pub struct Polls {
    /// Number of messages held.
    held: Cell<u32>,
    polled: Notice,
}

impl Polls {
    /// Creates the state of a parent without messages.
    #[must_use]
    pub fn new(sim: &Sim) -> Rc<Self> {
        Rc::new(Self { held: Cell::new(0), polled: Notice::new(sim) })
    }
}

/// Role of a station in polling.
#[derive(Clone)]
pub(super) enum Sleepy {
    /// Parent of a sleeping child.
    Parent(Rc<Polls>),
    /// A sleeping child.
    Child(Rc<Polls>),
}

impl Station {
    /// Makes the station hold messages for its child until polled.
    pub fn hold_for_child(&self, polls: &Rc<Polls>) {
        *self.sleepy.borrow_mut() = Some(Sleepy::Parent(Rc::clone(polls)));
    }

    /// Switches the station's radio off between transmissions; it polls its parent every `period`,
    /// first after `phase`.
    pub fn sleep_between_polls(
        self: &Rc<Self>,
        period: Duration,
        phase: Duration,
        polls: &Rc<Polls>,
    ) {
        self.node.rest(true);
        *self.sleepy.borrow_mut() = Some(Sleepy::Child(Rc::clone(polls)));
        let (station, sim) = (Rc::clone(self), self.board.sim().clone());
        self.board.sim().spawn(format!("{}/polls", self.board.name()), async move {
            let mut next = phase;
            loop {
                sim.sleep_until(station.board.clock().after(Instant::START, next)).await;
                next += period;
                station.poll_due.set(true);
                station.news.raise();
            }
        });
    }

    /// Polls the parent, and listens for pending messages.
    pub(super) async fn poll(&self) {
        let Some(Sleepy::Child(polls)) = self.sleepy.borrow().clone() else { return };
        if !self.request_data().await || polls.held.get() == 0 {
            return;
        }
        let sim = self.board.sim();
        let until = sim.now() + LISTENS;
        self.node.rest(false);
        polls.polled.raise();
        while polls.held.get() > 0 && sim.now() < until {
            sim.sleep_until(sim.now() + LOOKS).await;
        }
        self.node.rest(true);
    }

    /// Holds a message until the child polls.
    pub(super) async fn hold(&self) {
        let Some(Sleepy::Parent(polls)) = self.sleepy.borrow().clone() else { return };
        let since = self.board.sim().now();
        polls.held.set(polls.held.get() + 1);
        polls.polled.wait().await;
        self.board.span(&slices::HELD_FOR_POLL, since, self.board.sim().now());
    }

    /// Records that the message has been sent or given up.
    pub(super) fn handed_out(&self) {
        if let Some(Sleepy::Parent(polls)) = &*self.sleepy.borrow() {
            polls.held.set(polls.held.get().saturating_sub(1));
        }
    }
}
