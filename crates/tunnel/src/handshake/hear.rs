//! Processing of received greetings.

use alloc::boxed::Box;

use subtle::ConstantTimeEq;

use super::state::{
    Attempt, Candidate, Event, Fresh, Pair, SessionState, id_of, prologue, public_of,
};
use super::{AGAIN, CANDIDATES, GIVEN_UP, Handshake, draw};
use crate::keys::{GREETING, TAG};
use crate::noise::{FIRST, Initiator, PUBLIC, Responder, Secret};
use crate::time::Instant;
use crate::wire::{self, CONTENT, Greeting, Message};

impl Handshake {
    /// Processes a greeting. `standing` states what this end has received in the current session.
    pub fn take(&mut self, now: Instant, greeting: &Greeting<'_>, standing: SessionState) -> Event {
        match *greeting {
            Greeting::Hello { own, peer, mtu, asks, voucher } => {
                if voucher_differs(self.vouch_hello(own, peer, mtu, asks), voucher) {
                    return Event::Ignored;
                }
                let event = self.take_hello(now, own, peer, asks);
                if !matches!(event, Event::Ignored) {
                    self.peer_mtu = Some(mtu);
                }
                event
            }
            Greeting::Part { message, nth, id, body, voucher } => {
                if voucher_differs(self.vouch_part(self.own, message, nth, id, body), voucher) {
                    return Event::Ignored;
                }
                match message {
                    Message::First => self.take_first(now, nth, id, body),
                    Message::Second => self.take_second(now, nth, id, body, standing),
                }
            }
            Greeting::Confirm { id, content, tag } => {
                self.take_confirm(now, id, content, tag, standing)
            }
        }
    }

    fn take_hello(&mut self, now: Instant, nonce: u64, echo: u64, asks: bool) -> Event {
        if nonce == 0 || nonce == self.own || nonce == self.former {
            return Event::Ignored;
        }
        self.peer = nonce;
        // Only a peer that is online now can have received the current nonce of this end.
        if echo == self.own && self.may_begin(nonce) {
            if self.exchanges.take(now) {
                self.begin_attempt(now, nonce);
            }
            return Event::Heard;
        }
        let is_live = echo == self.own;
        // A Noise message to this peer is queued or in flight, so no hello is needed.
        let is_begun = matches!(&self.attempt, Some(Attempt::Sent { peer, .. }
            | Attempt::Agreed { peer, .. }) if *peer == nonce);
        if is_live && is_begun {
            return Event::Heard;
        }
        let limit = if is_live { &mut self.again } else { &mut self.answers };
        if asks && limit.take(now) {
            let hello = self.hello();
            if self.out.iter().all(|frame| frame.bytes() != hello.bytes()) {
                self.out.push_back(hello);
            }
        }
        Event::Heard
    }

    /// Whether this end may begin a handshake with the end that has this nonce.
    fn may_begin(&self, nonce: u64) -> bool {
        // The peer has begun a handshake, but may have stopped since.
        let is_begun = self.fresh.is_some() || self.candidates.iter().any(|one| one.peer == nonce);
        if (is_begun && self.tries <= GIVEN_UP) || (self.is_up && !self.wanted) {
            return false;
        }
        match &self.attempt {
            None => true,
            Some(Attempt::Sent { peer, .. }) => *peer != nonce,
            Some(Attempt::Agreed { peer, .. }) => *peer != nonce && self.tries > GIVEN_UP,
        }
    }

    fn begin_attempt(&mut self, now: Instant, nonce: u64) {
        let mut random = Secret([0; 32]);
        (self.entropy)(&mut random.0);
        let payload = self.own.to_le_bytes();
        let initiator = Initiator::new(&self.psk, &prologue(nonce), random, payload);
        self.attempt = Some(Attempt::Sent { initiator, peer: nonce });
        self.begin_saying(now);
    }

    /// Discards queued frames and restarts the transmissions.
    fn begin_saying(&mut self, now: Instant) {
        self.out.clear();
        (self.tries, self.next) = (0, now);
    }

    fn take_first(&mut self, now: Instant, nth: u8, id: u16, body: &[u8]) -> Event {
        let Some(message) = self.firsts.take(nth, id, body) else { return Event::Heard };
        let known = self.candidates.iter().position(|one| one.public[..] == message[..PUBLIC]);
        if known.is_none() {
            let Some(candidate) = self.respond(now, &message) else { return Event::Heard };
            if self.candidates.len() >= CANDIDATES {
                self.candidates.pop_front();
            }
            self.candidates.push_back(candidate);
            self.tries = 0;
        }
        let at = known.unwrap_or(self.candidates.len() - 1);
        let Some(one) = self.candidates.get_mut(at).filter(|one| one.next <= now) else {
            return Event::Heard;
        };
        one.next = now + AGAIN;
        self.repeats = 0;
        let one = &self.candidates[at];
        let frames = self.parts(one.peer, Message::Second, one.id, &one.second);
        // Frames of the previous response keep their position, because an end that only responds sends one at
        // a time.
        for frame in frames {
            if self.out.iter().all(|one| one.bytes() != frame.bytes()) {
                self.out.push_back(frame);
            }
        }
        Event::Heard
    }

    /// Responds to a first message. `None` if it is not from a peer, or if this end remains the
    /// initiator.
    fn respond(&mut self, now: Instant, message: &[u8; FIRST]) -> Option<Candidate> {
        let mut random = Secret([0; 32]);
        (self.entropy)(&mut random.0);
        let responder = Responder::read(&self.psk, &prologue(self.own), random, message)?;
        let nonce = u64::from_le_bytes(responder.payload);
        if nonce == self.own || nonce == self.former {
            return None;
        }
        // Both ends began at the same time. An attempt for another nonce of the peer cannot succeed.
        let is_sent = match &self.attempt {
            Some(Attempt::Sent { initiator, peer }) => {
                if *peer == nonce && initiator.public() > &message[..PUBLIC] {
                    return None;
                }
                true
            }
            _ => false,
        };
        if !self.exchanges.take(now) {
            return None;
        }
        if is_sent {
            self.attempt = None;
            self.out.clear();
        }
        let (second, transport) = responder.reply()?;
        let public = public_of(message);
        let pair = Box::new(Pair::new(&self.protection, &transport, false));
        Some(Candidate { id: id_of(&public), peer: nonce, public, second, pair, next: now })
    }

    fn take_second(
        &mut self,
        now: Instant,
        nth: u8,
        id: u16,
        body: &[u8],
        standing: SessionState,
    ) -> Event {
        let Some(Attempt::Sent { initiator, peer }) = &mut self.attempt else {
            return Event::Heard;
        };
        if id != id_of(initiator.public()) {
            return Event::Heard;
        }
        let Some(message) = self.seconds.take(nth, id, body) else { return Event::Heard };
        let Some(transport) = initiator.finish(&message) else { return Event::Heard };
        let (peer, pair) = (*peer, Box::new(Pair::new(&self.protection, &transport, true)));
        let public = public_of(initiator.message());
        let (content, tag) = pair.send.confirm(standing.bytes());
        let confirm = Box::new(wire::confirm(id, content, tag));
        self.attempt = Some(Attempt::Agreed { pair, peer, public, confirm });
        self.begin_saying(now);
        Event::Agreed
    }

    fn take_confirm(
        &mut self,
        now: Instant,
        id: u16,
        content: [u8; CONTENT],
        tag: [u8; TAG],
        standing: SessionState,
    ) -> Event {
        if let Some(fresh) = self.fresh.as_ref().filter(|one| (one.id, one.theirs) == (id, content))
        {
            // The initiator has not received the confirmation of this end.
            let confirm = fresh.confirm;
            if self.out.is_empty() && self.again.take(now) {
                self.out.push_back(confirm);
            }
            return Event::Heard;
        }
        if self.last == Some((id, content)) {
            return if self.again.take(now) { Event::Again } else { Event::Heard };
        }
        let at = self.candidates.iter().position(|one| one.id == id);
        if let Some(at) = at.filter(|&at| !self.goes_before(&self.candidates[at]))
            && let Some(theirs) = self.candidates[at].pair.receive.confirmed(content, tag)
            && let Some(Candidate { pair, .. }) = self.candidates.remove(at)
        {
            let (own, tag) = pair.send.confirm(standing.bytes());
            let confirm = wire::confirm(id, own, tag);
            self.begin_session(now);
            self.fresh = Some(Fresh { id, theirs: content, confirm });
            return Event::Up(pair, SessionState::of(theirs));
        }
        let theirs = match &self.attempt {
            Some(Attempt::Agreed { pair, public, .. }) if id_of(public) == id => {
                pair.receive.confirmed(content, tag)
            }
            _ => None,
        };
        if let Some(theirs) = theirs
            && let Some(Attempt::Agreed { pair, .. }) = self.attempt.take()
        {
            self.begin_session(now);
            self.last = Some((id, content));
            return Event::Up(pair, SessionState::of(theirs));
        }
        Event::Ignored
    }

    /// Whether a handshake of this end takes precedence over a candidate, when both are almost complete.
    fn goes_before(&self, candidate: &Candidate) -> bool {
        matches!(&self.attempt, Some(Attempt::Agreed { peer, public, .. })
            if *peer == candidate.peer && *public > candidate.public)
    }

    fn begin_session(&mut self, now: Instant) {
        (self.wanted, self.is_up) = (false, true);
        (self.attempt, self.fresh, self.last) = (None, None, None);
        self.candidates.clear();
        self.former = self.own;
        self.own = draw(&mut self.entropy);
        self.begin_saying(now);
    }
}

fn voucher_differs(right: [u8; GREETING], found: [u8; GREETING]) -> bool {
    !bool::from(right.ct_eq(&found))
}
