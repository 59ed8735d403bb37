//! A receiver that is off while its node is idle, and the times at which it is on.
//!
//! A receiver can be switched on until a program switches it off, for one frame, or for a window. A
//! frame that has begun when a window ends is received to its end and acknowledged, as by radios
//! that detect the start of a frame themselves.

use airlag_link::airtime::ieee802154::MAX_PSDU;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant};

use super::node::{Node, Phase, State, Window};

impl Node {
    /// Sets whether the receiver is off while idle. Frames that arrive then are missed.
    pub fn rest(&self, rests: bool) {
        self.rests.set(rests);
        let mut state = self.state.borrow_mut();
        state.window = Window { nth: state.window.nth + 1, ..Window::default() };
        if state.phase != Phase::Idle {
            return;
        }
        if rests {
            self.doze(&mut state);
        } else if state.listening_from == Instant::FOREVER {
            state.listening_from = self.sim.now();
            self.medium.enter(self.id, Draws::Receive);
        }
    }

    /// Switches the receiver on until it has received and acknowledged a frame for this node.
    pub fn listen_once(&self) {
        self.rest(false);
        self.state.borrow_mut().window.once = true;
    }

    /// Returns true if the node neither sends nor listens.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        let state = self.state.borrow();
        self.rests.get() && state.phase == Phase::Idle && state.listening_from == Instant::FOREVER
    }

    /// Ends a window: switches the receiver off, after the frame on the air if there is one.
    pub fn close_window(&self) {
        self.rests.set(true);
        let mut state = self.state.borrow_mut();
        if state.phase != Phase::Idle || state.listening_from == Instant::FOREVER {
            return;
        }
        if self.medium.busy(self.id, self.band) || state.reply_until > self.sim.now() {
            state.window.closing = true;
            let longest = Duration::from_ns(self.config.phy().duration_ns(MAX_PSDU));
            self.set_doze(state.window.nth, self.clock.after(self.sim.now(), longest));
        } else {
            self.doze(&mut state);
        }
    }

    /// Handles the end of a frame in a receiver that is to be switched off.
    pub(super) fn close_after_frame(&self, state: &mut State) {
        state.window.closing = false;
        if state.reply_until > self.sim.now() {
            self.set_doze(state.window.nth, state.reply_until);
        } else if state.phase == Phase::Idle {
            self.doze(state);
        }
    }

    pub(super) fn window_over(&self, state: &mut State, nth: u64) {
        if nth == state.window.nth && state.phase == Phase::Idle && self.rests.get() {
            if state.reply_until > self.sim.now() {
                self.set_doze(nth, state.reply_until);
            } else {
                self.doze(state);
            }
        }
    }

    /// Switches the receiver off.
    pub(super) fn doze(&self, state: &mut State) {
        state.listening_from = Instant::FOREVER;
        self.medium.enter(self.id, Draws::PowerDown);
    }
}
