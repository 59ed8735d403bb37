//! Start, renewal and end of a session.

use core::time::Duration;

use super::outcome::{Dropped, PacketOutcome, Reason, keep};
use super::{Endpoint, Ready, Up};
use crate::handshake::{Event, Pair, SessionState};
use crate::receive::Receiver;
use crate::send::Sender;
use crate::time::Instant;
use crate::wire::{Frame, Greeting};

/// Time without an authentic frame, while packets wait, after which the peer is greeted: KEEPALIVE-TIMEOUT
/// plus REKEY-TIMEOUT of WireGuard (Donenfeld, NDSS 2017, section 6.1).
const SILENCE: Duration = Duration::from_secs(15);
/// The same time for slow radios, as a number of bursts with their responses.
const SILENT_BURSTS: u32 = 16;

impl Endpoint {
    /// The session in which packets can be sent now.
    pub(super) fn session(&self) -> Option<&Up> {
        self.up.as_ref().filter(|up| !up.is_over && !up.is_closed && !self.handshake.is_switching())
    }

    /// Requests another session if it is due. Called when there is something to send.
    pub(super) fn renew(&mut self, now: Instant) {
        let Some(up) = &mut self.up else {
            if !self.queue.is_empty() || !self.carried.is_empty() {
                self.handshake.want(now);
            }
            return;
        };
        let (life, age) = (self.config.lifetime, now.since(up.began));
        let renew = if up.is_initiator { life.renew } else { life.renew + life.renew / 4 };
        up.is_over = age >= life.end;
        let pace = self.config.pace;
        let slow = (pace.frame * pace.burst as u32 + pace.answer + pace.turn) * SILENT_BURSTS;
        let silent = self.trying.is_some_and(|since| now.since(since) >= SILENCE.max(slow));
        if age >= renew || silent || up.sender.sealed() >= life.packets {
            self.handshake.want(now);
        }
        // The peer has been silent for so long that it must have dropped the session.
        if silent && up.is_over {
            self.end_session();
        }
    }

    fn end_session(&mut self) {
        let counts = self.counts();
        let Some(old) = self.up.take() else { return };
        self.counts = counts;
        self.handshake.forget();
        self.drop_all(old.sender.abandon());
        self.asking = None;
    }

    fn drop_all(&mut self, ids: impl Iterator<Item = u64>) {
        for id in ids {
            self.counts.dropped.note(Reason::Restart);
            keep(
                &mut self.outcomes,
                PacketOutcome::Dropped(Dropped { id, reason: Reason::Restart }),
            );
        }
    }

    /// Records that a current frame of the peer was authenticated.
    pub(super) const fn mark_heard(&mut self) {
        (self.trying, self.strange) = (None, 0);
    }

    /// Processes a greeting. Returns false if it is not authentic.
    pub(super) fn take_greeting(&mut self, now: Instant, greeting: &Greeting<'_>) -> bool {
        let standing = self.up.as_ref().map_or_else(SessionState::default, |up| SessionState {
            session: up.number,
            opened: up.receiver.opened() as u32,
        });
        match self.handshake.take(now, greeting, standing) {
            Event::Ignored => return false,
            Event::Heard => {}
            Event::Agreed => {
                self.up.iter_mut().for_each(|up| up.is_closed = true);
                self.mark_heard();
            }
            Event::Up(pair, theirs) => self.begin(now, *pair, theirs),
            Event::Again => self.up.iter_mut().for_each(|up| up.owed = true),
        }
        true
    }

    /// Starts a new session. `theirs` states the packets that the peer received in the old one. The
    /// remaining packets are carried over.
    fn begin(&mut self, now: Instant, pair: Pair, theirs: SessionState) {
        self.counts = self.counts();
        self.counts.sessions += 1;
        let overhead = self.config.protection.overhead();
        let new = Up {
            number: pair.session,
            is_initiator: pair.is_initiator,
            began: now,
            sender: Sender::new(pair.send),
            receiver: Receiver::new(pair.receive, self.config.mtu, overhead),
            owed: true,
            is_closed: false,
            is_over: false,
        };
        if let Some(old) = self.up.replace(new) {
            self.carry_over(old, theirs);
        }
        (self.asking, self.ready) = (None, Ready::default());
        (self.age, self.answered_age, self.unanswered) = (0, 0, 0);
        (self.in_vain, self.ask_at) = (0, now);
        self.mark_heard();
    }

    fn carry_over(&mut self, mut old: Up, theirs: SessionState) {
        let outcomes = &mut self.outcomes;
        let confirmed = |id| keep(outcomes, PacketOutcome::Confirmed(id));
        // If the peer has restarted, its reception in the old session is not known.
        let same = theirs.session == old.number;
        match same.then(|| old.sender.settle(theirs.opened, confirmed)).flatten() {
            Some(mut rest) => {
                rest.append(&mut self.carried);
                self.carried = rest;
            }
            None => self.drop_all(old.sender.abandon()),
        }
    }

    /// Greeting for the prepared response, if any.
    pub(super) fn greeting(&mut self, now: Instant) -> Option<Frame> {
        let greeting = self.handshake.answer(now, &self.config.pace);
        greeting.or_else(|| self.up.is_none().then(|| self.handshake.hello()))
    }
}
