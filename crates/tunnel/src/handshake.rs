//! Handshake that establishes a session between two ends: at the start, for renewal, and after a restart of
//! either end.
//!
//! ```text
//!  A  hello (a, 0)   ──────►                      A's nonce
//!                   ◄──────  hello (b, a)         B's nonce and A's current one
//!  A  first (b)      ──────►                      Noise, with B's nonce in the prologue
//!                   ◄──────  second               B's first Diffie-Hellman operation
//!  A  confirm        ──────►                      the session is up at B: A is present, with the keys
//!                   ◄──────  confirm              the session is up at A
//! ```
//!
//! **Freshness** is based on nonces, not on a clock. An end draws a random nonce when it starts and whenever
//! a session comes up. Only a peer that holds the pre-shared key and currently participates in the handshake
//! can write a first message for this nonce. A recorded message contains an older nonce, so the end that
//! receives a replay rejects it without a Diffie-Hellman operation. **Roles** are different in Noise: one end
//! is the initiator, and the other end is the responder. An end also rejects greetings (messages of the
//! handshake) whose sender nonce is the end's own nonce. Because of the different roles and this check, an
//! end never has a session with itself. **The current session stays in use** until both ends have confirmed
//! the new session. Replayed or withheld greetings do not end the current session.
//!
//! If both ends begin a handshake at the same time, the end with the larger public key remains the initiator.
//! A Noise message is sent in parts. Each part has a MAC that covers the nonce of the receiving end, so an
//! attacker without the key cannot disturb the reassembly of the message.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::time::Duration;

use crate::endpoint::Pace;
use crate::keys::{GREETING, Protection, mac, short};
use crate::noise::{FIRST, SECOND, Secret};
use crate::time::Instant;
use crate::wire::{self, CONTENT, Frame, Message};

mod hear;
mod limit;
mod parts;
mod state;
#[cfg(test)]
mod tests;

use limit::Limit;
use parts::Assembly;
use state::{Attempt, Candidate, Fresh, id_of};
pub use state::{Event, Pair, SessionState};

/// Fills bytes with unpredictable random numbers.
pub type Entropy = alloc::boxed::Box<dyn FnMut(&mut [u8])>;

/// Number of transmissions of a first message before the handshake restarts with a hello.
const FIRSTS: u32 = 6;
/// Number of transmissions of a confirmation before the handshake restarts.
const CONFIRMS: u32 = 12;
/// Number of transmissions after which an end may begin another handshake.
const GIVEN_UP: u32 = 3;
/// Number of concurrent handshakes of the peer.
const CANDIDATES: usize = 2;
/// Number of immediate retransmissions of an unanswered burst of greetings.
const REPEATS: u32 = 4;
/// Shortest interval between two responses to the same first message.
const AGAIN: Duration = Duration::from_millis(5);
/// Largest retransmission interval, in doublings of the first.
const BACKOFF: u32 = 5;

/// State of the handshake at one end.
pub struct Handshake {
    protection: Protection,
    psk: Secret,
    vouching: Secret,
    frame: usize,
    entropy: Entropy,
    /// MTU of this end, and that of the peer if known, bytes.
    mtu: u16,
    peer_mtu: Option<u16>,
    /// Current and previous nonces of this end.
    own: u64,
    former: u64,
    /// Last received nonce of the peer. 0 if none.
    peer: u64,
    /// Whether a new session is requested.
    wanted: bool,
    is_up: bool,
    attempt: Option<Attempt>,
    candidates: VecDeque<Candidate>,
    /// Confirmation of the current session until the peer uses it. Only at a responder.
    fresh: Option<Fresh>,
    /// Confirmation that brought up the current session. Only at an initiator.
    last: Option<(u16, [u8; CONTENT])>,
    firsts: Assembly<FIRST>,
    seconds: Assembly<SECOND>,
    /// Frames to send next.
    out: VecDeque<Frame>,
    /// Time of the next transmission, and number of unsuccessful ones.
    next: Instant,
    tries: u32,
    /// Number of immediate retransmissions since the last regular one.
    repeats: u32,
    /// Rate limits of responses to possibly old greetings, of responses to current ones, and of
    /// Diffie-Hellman operations.
    answers: Limit,
    again: Limit,
    exchanges: Limit,
}

fn draw(entropy: &mut Entropy) -> u64 {
    let mut bytes = [0; 8];
    entropy(&mut bytes);
    // 0 is an unknown nonce.
    u64::from_le_bytes(bytes).max(1)
}

impl Handshake {
    /// Creates an end without a session, for frames of at most `frame` bytes.
    #[must_use]
    pub fn new(protection: Protection, frame: usize, mut entropy: Entropy) -> Self {
        let own = draw(&mut entropy);
        Self {
            psk: protection.derive(b"airlag tunnel 2: handshake"),
            vouching: protection.derive(b"airlag tunnel 2: greetings"),
            protection,
            frame,
            entropy,
            mtu: 0,
            peer_mtu: None,
            own,
            former: own,
            peer: 0,
            wanted: false,
            is_up: false,
            attempt: None,
            candidates: VecDeque::new(),
            fresh: None,
            last: None,
            firsts: Assembly::new(frame),
            seconds: Assembly::new(frame),
            out: VecDeque::new(),
            next: Instant::default(),
            tries: 0,
            repeats: 0,
            answers: Limit::new(limit::ANSWERS),
            again: Limit::new(limit::AGAIN),
            exchanges: Limit::new(limit::EXCHANGES),
        }
    }

    /// Sets the MTU that is announced to the peer, bytes.
    #[must_use]
    pub fn with_mtu(self, mtu: usize) -> Self {
        Self { mtu: u16::try_from(mtu).unwrap_or(u16::MAX), ..self }
    }

    /// MTU that the peer last announced with a valid MAC, bytes. `None` before.
    #[must_use]
    pub const fn peer_mtu(&self) -> Option<u16> {
        self.peer_mtu
    }

    /// Requests a new session, even if one is up.
    pub fn want(&mut self, now: Instant) {
        if !self.wanted {
            (self.wanted, self.tries, self.next) = (true, 0, now);
        }
    }

    /// Drops the current session.
    pub fn forget(&mut self) {
        (self.is_up, self.fresh, self.last) = (false, None, None);
    }

    /// Records that the peer uses the current session.
    pub fn settle(&mut self) {
        self.fresh = None;
    }

    /// Whether a session is being confirmed, while only greetings may be sent.
    #[must_use]
    pub const fn is_switching(&self) -> bool {
        self.fresh.is_some() || matches!(self.attempt, Some(Attempt::Agreed { .. }))
    }

    /// Time at which greetings are due. `None` if none are.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        if !self.out.is_empty() {
            return Some(Instant::default());
        }
        let waits = self.wanted || self.attempt.is_some() || self.fresh.is_some();
        waits.then_some(self.next)
    }

    /// Takes the greetings to send now, at most `most`.
    pub fn burst(&mut self, now: Instant, pace: &Pace, most: usize) -> Vec<Frame> {
        self.fill(now, pace);
        self.out.drain(..most.max(1).min(self.out.len())).collect()
    }

    /// Queues unanswered greetings again, because both ends may have sent at the same time. This is
    /// done only a few times, and only if the queue is empty.
    pub fn say_again(&mut self, greetings: &[Frame]) {
        if self.out.is_empty() && self.repeats < REPEATS {
            self.repeats += 1;
            self.out.extend(greetings);
        }
    }

    /// Greeting for the prepared response, if any. It stays queued until [`Self::mark_sent`] is
    /// called.
    pub fn answer(&mut self, now: Instant, pace: &Pace) -> Option<Frame> {
        self.fill(now, pace);
        self.out.front().copied()
    }

    /// Removes a greeting that was sent as a prepared response.
    pub fn mark_sent(&mut self, greeting: &Frame) {
        if let Some(at) = self.out.iter().position(|frame| frame.bytes() == greeting.bytes()) {
            self.out.remove(at);
        }
    }

    /// Creates a hello to the last received peer.
    #[must_use]
    pub fn hello(&self) -> Frame {
        let (own, peer, asks) = (self.own, self.peer, self.wanted || !self.is_up);
        wire::hello(own, peer, self.mtu, asks, self.vouch_hello(own, peer, self.mtu, asks))
    }

    /// Whether the rate limit allows a response to an unauthenticated frame.
    pub fn may_answer(&mut self, now: Instant) -> bool {
        self.answers.take(now)
    }

    fn vouch_hello(&self, own: u64, peer: u64, mtu: u16, asks: bool) -> [u8; GREETING] {
        let (own, peer, mtu) = (own.to_le_bytes(), peer.to_le_bytes(), mtu.to_le_bytes());
        short(mac(&self.vouching, &[b"hello", &own, &peer, &mtu, &[u8::from(asks)]]))
    }

    /// MAC of a part of a message to the end with nonce `to`.
    fn vouch_part(
        &self,
        to: u64,
        message: Message,
        nth: u8,
        id: u16,
        body: &[u8],
    ) -> [u8; GREETING] {
        let what = [message as u8, nth];
        let parts: [&[u8]; 5] = [b"part", &to.to_le_bytes(), &what, &id.to_le_bytes(), body];
        short(mac(&self.vouching, &parts))
    }

    fn parts(&self, to: u64, message: Message, id: u16, bytes: &[u8]) -> Vec<Frame> {
        let parts = bytes.chunks(wire::part_room(self.frame)).enumerate();
        parts
            .map(|(nth, body)| {
                let nth = nth as u8;
                wire::part(message, nth, id, body, self.vouch_part(to, message, nth, id, body))
            })
            .collect()
    }

    /// Queues the due greetings, unless frames are already queued.
    fn fill(&mut self, now: Instant, pace: &Pace) {
        if !self.out.is_empty() || self.due().is_none_or(|at| now < at) {
            return;
        }
        let most = match &self.attempt {
            Some(Attempt::Sent { .. }) => FIRSTS,
            Some(Attempt::Agreed { .. }) => CONFIRMS,
            None => u32::MAX,
        };
        if self.tries >= most {
            (self.attempt, self.wanted, self.tries) = (None, true, 0);
        }
        if let Some(fresh) = &self.fresh {
            self.out.push_back(fresh.confirm);
        }
        match &self.attempt {
            Some(Attempt::Agreed { confirm, .. }) => self.out.push_back(**confirm),
            Some(Attempt::Sent { initiator, peer }) => {
                let id = id_of(initiator.public());
                self.out.extend(self.parts(*peer, Message::First, id, initiator.message()));
            }
            None if self.wanted => self.out.push_back(self.hello()),
            None => {}
        }
        let frames = self.out.len() as u32 + 3;
        let wait = (pace.frame * frames + pace.answer + pace.turn) * (1 << self.tries.min(BACKOFF));
        // Random, up to twice the interval, because the peer may transmit at the same interval.
        let share = draw(&mut self.entropy) as u8;
        self.repeats = 0;
        self.next = now + wait + wait * u32::from(share) / 256;
        self.tries = self.tries.saturating_add(1);
    }
}
