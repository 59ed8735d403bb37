//! Silence: slots without new data, once the data before them have arrived. They are left out of
//! the simulation.
//!
//! ```text
//!  slot     0     1     2   │ 3     4     5     6     7   │ 8     9
//!  frame    new  again again│ silence                     │ again  new
//!  event    x     x     x   │ x                           │ x      x
//!                       └ arrived                         └ the program changes its data
//! ```
//!
//! A module sends up to 1000 frames a second. All but the first few frames after each change of the
//! data are repetitions, which the receiver drops. A series of slots with such repetitions is
//! called a silence, and its slots are not simulated one by one. When a silence begins, the
//! transmissions in its slots are planned, so that the charge includes every slot. When a silence
//! ends, the random numbers for its frames are drawn, so that later frames have the same outcomes
//! as in a simulation of every slot. If single frames are observed, for example by a sniffer or a
//! third radio, no silence begins, and the current silence ends.

use std::rc::{Rc, Weak};

use airlag_sim::meter::State as Draws;

use super::config::{Config, Content};
use super::module::{Module, State};
use super::receiver::Receiver;
use super::schedule::Use;

/// Longest silence, slots. It bounds the planned transmissions.
const LONGEST: u64 = 64;
/// Smallest gap between frames, on the air and on the line, as a share 1/n of an interval. It is
/// larger than any difference between two crystals.
const ROOM: u64 = 1_000;

/// Silences of a module.
#[derive(Default)]
pub(super) struct Silence {
    receiver: Weak<Receiver>,
    /// First slot of the current silence.
    since: Option<u64>,
    /// Slots before this one have their power states planned.
    planned: u64,
}

impl Silence {
    /// Whether the power states of a slot are planned.
    pub(super) const fn covers(&self, slot: u64) -> bool {
        slot < self.planned
    }
}

/// Whether a frame and its successor never overlap, in the air or on the line of the receiver.
fn has_room(config: &Config) -> bool {
    let interval = config.rate.interval().as_ns();
    let longest = (config.setup + config.rate.airtime()).max(config.receiver_frame);
    longest.as_ns() + interval / ROOM <= interval
}

impl Module {
    /// Leaves frames without effect at `receiver`, the other end, out of the simulation. Latencies
    /// and charge remain the same.
    pub fn leave_out_repetitions(self: &Rc<Self>, receiver: &Rc<Receiver>) {
        if !has_room(self.config()) {
            return;
        }
        self.state.borrow_mut().silence.receiver = Rc::downgrade(receiver);
        let module = Rc::downgrade(self);
        self.sim.on_observer(move || {
            if let Some(module) = module.upgrade() {
                module.end_silence(&mut module.state.borrow_mut());
            }
        });
    }

    /// Whether frames have no effect until the data change.
    fn is_silent(&self, state: &State) -> bool {
        let Some(receiver) = state.silence.receiver.upgrade() else { return false };
        let is_settled = match (&state.current, self.config().content) {
            (Some((counter, data)), Content::Channels) => receiver.has(*counter, data),
            (Some(_), Content::Airport) => false,
            (None, _) => true,
        };
        is_settled && state.waiting.is_empty() && self.medium.is_unobserved()
    }

    /// Starts a silence in a slot that is due now, if there is nothing to send. Returns true if it
    /// did.
    pub(super) fn falls_silent(&self, state: &mut State, slot: u64) -> bool {
        self.skip_until(state, slot);
        // The first frame is simulated, because it determines the fade margin.
        if slot == 0 || !self.is_silent(state) {
            return false;
        }
        let end = slot + LONGEST;
        for slot in slot.max(state.silence.planned)..end {
            self.plan(slot);
        }
        state.silence.since = Some(slot);
        state.silence.planned = state.silence.planned.max(end);
        self.await_slot(state, end);
        true
    }

    /// Ends a silence now: the next slot is simulated.
    pub(super) fn end_silence(&self, state: &mut State) {
        let (Some(since), now) = (state.silence.since, self.sim.now()) else { return };
        let mut slot = self.schedule.nearest(now).saturating_sub(1).max(since);
        while self.begins(slot) < now {
            slot += 1;
        }
        self.skip_until(state, slot);
        self.await_slot(state, slot);
    }

    /// Makes the draws of the frames of a silence up to `slot`.
    fn skip_until(&self, state: &mut State, slot: u64) {
        let Some(since) = state.silence.since.take() else { return };
        for slot in since..slot {
            if self.schedule.usage(slot) != Use::Telemetry {
                self.medium.skip(self.id());
            }
        }
    }

    /// Plans the power states of a slot.
    fn plan(&self, slot: u64) {
        let (node, begin) = (self.id(), self.begins(slot));
        if self.schedule.usage(slot) == Use::Telemetry {
            self.medium.enter_at(node, Draws::Receive, begin);
            self.medium.enter_at(node, Draws::Standby, self.schedule.tick(slot + 1));
        } else {
            let end = self.clock.after(begin, self.config().rate.airtime());
            self.medium.plan_transmission(node, begin, end);
        }
    }
}
