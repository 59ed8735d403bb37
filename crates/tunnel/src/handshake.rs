//! Two ends agree on a session, and notice when one has begun anew.
//!
//! ```text
//!  A  (a, -)  ──────►             an end that has something to send, and no session
//!            ◄──────  (b, a)      is answered with the other's number and its own
//!  A  (a, b)  ──────►             which A has just made up: the session (a, b) is up, for A
//!            ◄──────  (b, a) up   and when it sees its own number, for B
//! ```
//!
//! A number is used for one session only, so whoever repeats it lives now: a greeting recorded in another
//! session has a number in it that nobody waits for. Until the new session is up the old one goes on.

use crate::keys::{GREETING, Protection};
use crate::wire::{self, Frame, Greeting};

/// The numbers of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Of this end.
    pub own: u64,
    /// Of the other.
    pub peer: u64,
}

/// Greetings of one end.
#[derive(Clone, Debug)]
pub struct Handshake {
    protection: Protection,
    /// This end's number in the next session.
    own: u64,
    /// The other end's, as far as it has said.
    candidate: Option<u64>,
    session: Option<Session>,
    due: bool,
    /// The session that is up is to be replaced.
    anew: bool,
}

impl Handshake {
    /// Without a session. `first` is the number of the first one: two runs of a program must not begin with
    /// the same.
    #[must_use]
    pub fn new(protection: Protection, first: u64) -> Self {
        Self {
            protection,
            own: first.max(1),
            candidate: None,
            session: None,
            due: false,
            anew: false,
        }
    }

    /// The session that is up.
    #[must_use]
    pub const fn session(&self) -> Option<Session> {
        self.session
    }

    /// True if the other end waits for a greeting.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        self.due
    }

    /// The other end is to be greeted.
    pub const fn greet(&mut self) {
        self.due = true;
    }

    /// The other end is to be greeted until a new session is up.
    pub const fn begin_anew(&mut self) {
        (self.due, self.anew) = (true, true);
    }

    /// A greeting was sent.
    pub const fn mark_sent(&mut self) {
        self.due = self.anew;
        if self.session.is_some() && !self.anew {
            self.candidate = None;
        }
    }

    /// The greeting to send now.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let (own, peer, up) = match (self.candidate, self.session) {
            (Some(peer), _) => (self.own, peer, false),
            (None, Some(session)) if !self.anew => (session.own, session.peer, true),
            (None, _) => (self.own, 0, false),
        };
        wire::greeting(Greeting { own, peer, up }, |body| self.protection.greeting(body))
    }

    /// Takes a greeting. True if a new session is up by it.
    pub fn take(&mut self, greeting: Greeting, vouched: &[u8], voucher: [u8; GREETING]) -> bool {
        if self.protection.greeting(vouched) != voucher || greeting.own == 0 {
            return false;
        }
        if greeting.peer == self.own {
            self.session = Some(Session { own: self.own, peer: greeting.own });
            self.own = self.own.wrapping_add(1).max(1);
            (self.candidate, self.anew, self.due) = (None, false, !greeting.up);
            return true;
        }
        if !self.anew && self.session.is_some_and(|session| session.peer == greeting.own) {
            // Of the session that is up: whoever says it is not is told that it is.
            if !greeting.up {
                (self.candidate, self.due) = (None, true);
            }
        } else {
            (self.candidate, self.due) = (Some(greeting.own), true);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Kind, Parsed};

    const KEY: Protection = Protection::Sealed([1; 32]);

    /// `to` takes what `from` has to say. True if a session is up by it.
    fn greet(from: &mut Handshake, to: &mut Handshake) -> bool {
        let frame = from.frame();
        from.mark_sent();
        take(to, &frame)
    }

    fn take(to: &mut Handshake, frame: &Frame) -> bool {
        match Parsed::parse(frame.bytes()).map(|parsed| parsed.kind) {
            Some(Kind::Greeting { greeting, vouched, voucher }) => {
                to.take(greeting, vouched, voucher)
            }
            other => panic!("{other:?}"),
        }
    }

    fn up() -> (Handshake, Handshake) {
        let (mut a, mut b) = (Handshake::new(KEY, 10), Handshake::new(KEY, 20));
        assert!(!greet(&mut a, &mut b));
        assert!(greet(&mut b, &mut a) && greet(&mut a, &mut b));
        (a, b)
    }

    #[test]
    fn three_greetings_bring_a_session_up_on_both_ends_and_then_there_is_silence() {
        let (mut a, mut b) = up();
        assert_eq!(a.session(), Some(Session { own: 10, peer: 20 }));
        assert_eq!(b.session(), Some(Session { own: 20, peer: 10 }));
        while a.is_due() || b.is_due() {
            assert!(!(greet(&mut b, &mut a) | greet(&mut a, &mut b)), "no second session");
        }
    }

    #[test]
    fn an_end_that_has_begun_anew_gets_a_new_session_and_the_old_one_goes_on_until_then() {
        let (_, mut b) = up();
        let (mut a, old) = (Handshake::new(KEY, 30), b.session());
        assert!(!greet(&mut a, &mut b));
        assert_eq!(b.session(), old);
        assert!(greet(&mut b, &mut a) && greet(&mut a, &mut b));
        assert_eq!(b.session(), Some(Session { own: 21, peer: 30 }));
    }

    #[test]
    fn greetings_recorded_in_another_session_begin_none() {
        let (mut a, mut b) = (Handshake::new(KEY, 10), Handshake::new(KEY, 20));
        let mut recorded = std::vec::Vec::new();
        for _ in 0..3 {
            recorded.extend([a.frame(), b.frame()]);
            greet(&mut a, &mut b);
            greet(&mut b, &mut a);
        }
        let mut c = Handshake::new(KEY, 40);
        assert!(!greet(&mut b, &mut c) && !greet(&mut c, &mut b));
        assert!(greet(&mut b, &mut c) && greet(&mut c, &mut b));
        let kept = b.session();
        assert!(recorded.iter().all(|frame| !take(&mut b, frame)));
        assert_eq!(b.session(), kept);
    }

    #[test]
    fn two_ends_in_two_sessions_come_to_one() {
        let (mut a, mut b) = up();
        // B has lost its session to a third one that A never heard of.
        let mut c = Handshake::new(KEY, 40);
        assert!(!greet(&mut c, &mut b) && greet(&mut b, &mut c) && greet(&mut c, &mut b));
        a.begin_anew();
        b.begin_anew();
        for _ in 0..4 {
            greet(&mut a, &mut b);
            greet(&mut b, &mut a);
        }
        let (a, b) = (a.session().expect("up"), b.session().expect("up"));
        assert_eq!((a.own, a.peer), (b.peer, b.own));
    }

    #[test]
    fn a_greeting_of_somebody_without_the_key_is_none() {
        let mut a = Handshake::new(KEY, 10);
        for stranger in [Protection::Sealed([2; 32]), Protection::Plain] {
            let mut stranger = Handshake::new(stranger, 50);
            assert!(!greet(&mut stranger, &mut a) && !a.is_due());
        }
    }
}
