//! Behaviour of an end while the other end may occupy the channel: received frames, and prepared
//! responses.

use core::time::Duration;

use super::outcome::{PacketOutcome, drop_waiting, keep};
use super::{Arq, Endpoint, Ready, Up, report};
use crate::receive::Place;
use crate::send::Heeded;
use crate::time::Instant;
use crate::wire::{self, Frame, Kind, LEFT, Parsed, Report, room_behind_report};

/// Whether a new response is to be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renew {
    /// No new response, because the prepared one is current.
    No,
    /// A new response immediately, before the burst ends.
    Now,
    /// A new response at this time, after the radio has sent the prepared one.
    Behind(Instant),
}

/// Number of remaining frames of a burst at which the response is prepared: late enough to cover most of
/// it, and early enough to be ready.
const RENEWED: u8 = 2;
/// Number of consecutive reports of another session before the other end is greeted. Some occur by
/// chance: damaged reports, and reports of the previous session.
const STRANGE: u32 = 8;
/// Shortest time for which reports that do not belong to the current session arrive, without an authentic
/// frame in between, before this end starts a new handshake because of these reports. A minimum duration is
/// needed because anyone can send invalid reports. The duration is counted from the first of these reports,
/// because an end that was suspended first processes the frames that it received during the suspension.
const DOUBT: Duration = Duration::from_millis(500);

/// Time without reception after which a burst is considered over if only one of its frames was
/// received, in frame durations.
const GAP: u32 = 4;

/// Authenticity of a received frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A current frame of the session.
    Session,
    /// A greeting that a holder of the key sent now or earlier.
    Greeting,
    /// Not authentic.
    Stranger,
}

impl Endpoint {
    /// Processes a received frame.
    pub fn heard(&mut self, now: Instant, frame: &[u8]) -> Renew {
        let laid = self.config.arq == Arq::Laid;
        let Some(Parsed { left, is_done, kind }) = Parsed::parse(frame) else {
            self.counts.garbage += 1;
            return if laid { Renew::Now } else { Renew::No };
        };
        let wanted = core::mem::take(&mut self.peer_wants);
        // Frames on one channel cannot cross, so a burst is newer than all frames that this end has
        // sent.
        let age = match &self.up {
            Some(up) if laid => up.sender.age(),
            _ => self.answered_age,
        };
        let pace = self.config.pace;
        let before = core::mem::replace(&mut self.streamed, now);
        match self.interpret(now, &kind, age) {
            Origin::Session => {}
            Origin::Greeting if self.up.is_none() || self.handshake.is_switching() => {}
            origin => return self.heard_stranger(now, left, origin, wanted, before),
        }
        // The peer retransmits missing frames as soon as it has the report.
        let is_whole = |up: &Up| up.receiver.holding().bitmap().is_empty();
        self.peer_yields = is_done && self.up.as_ref().is_some_and(is_whole);
        if left > 0 && self.config.shared {
            let rest = if left == LEFT { pace.burst as u32 } else { u32::from(left) };
            // A single frame may be forged; a genuine burst has more of them.
            let goes_on = now.since(before) <= pace.frame * GAP;
            let rest = if goes_on { rest } else { rest.min(GAP) };
            self.not_before = now + pace.frame * rest + pace.answer + pace.turn;
        }
        if !laid {
            if left > 0 {
                return Renew::No;
            }
            // The response precedes any other transmission.
            self.not_before = now + pace.answer;
            return Renew::Now;
        }
        if left == 0 {
            self.answer_goes(now);
            return Renew::Behind(now + pace.answer);
        }
        if left == RENEWED { Renew::Now } else { Renew::No }
    }

    /// Handles a frame that may be forged or replayed. Such a frame does not delay the transmissions of
    /// this end. However, if the radio has acknowledged the frame automatically, the radio has also sent
    /// the prepared response with the acknowledgement, and the prepared response is used up.
    fn heard_stranger(
        &mut self,
        now: Instant,
        left: u8,
        origin: Origin,
        wanted: bool,
        before: Instant,
    ) -> Renew {
        (self.peer_wants, self.streamed) = (wanted, before);
        self.counts.garbage += u64::from(origin == Origin::Stranger);
        let answers = match self.config.arq {
            Arq::Laid => true,
            // Without a session, a response notifies a peer whose session this end has lost.
            _ => {
                origin == Origin::Greeting || (self.up.is_none() && self.handshake.may_answer(now))
            }
        };
        if left == 0 && answers { Renew::Now } else { Renew::No }
    }

    /// Whether this end may use the channel after its prepared response. This is the case if the response
    /// indicates more data. It is also the case if the peer has nothing else to send, and the response
    /// contains neither data nor a greeting.
    const fn is_free(&self) -> bool {
        let Ready { number, greeting, wants } = &self.ready;
        *wants || (self.peer_yields && number.is_none() && greeting.is_none())
    }

    /// Updates the state when the prepared response is sent.
    fn answer_goes(&mut self, now: Instant) {
        let (is_free, pace) = (self.is_free(), self.config.pace);
        let ready = core::mem::take(&mut self.ready);
        let turn = if is_free { Duration::ZERO } else { pace.turn };
        self.not_before = now + pace.answer + turn;
        if let Some(greeting) = &ready.greeting {
            self.handshake.mark_sent(greeting);
        }
        if let (Some(up), Some(number)) = (&mut self.up, ready.number) {
            up.sender.mark_sent(number);
            self.ask_at = now + (pace.answer + pace.turn) * 4 + pace.frame * pace.burst as u32;
        }
        self.failures = 0;
    }

    /// Processes a received frame.
    pub(super) fn interpret(&mut self, now: Instant, kind: &Kind<'_>, age: u64) -> Origin {
        match kind {
            Kind::Greeting(greeting) => {
                let known = self.take_greeting(now, greeting);
                if known { Origin::Greeting } else { Origin::Stranger }
            }
            Kind::Report(report) => {
                let of_now = self.take_report(now, report, age);
                // The data frame in a report has its own mark. In a forged report, it is not an
                // attempt at a packet.
                if let Some(data) = report.data.as_ref().filter(|_| of_now) {
                    self.take_data(now, data);
                }
                if of_now { Origin::Session } else { Origin::Stranger }
            }
            Kind::Data(data) => self.take_data(now, data),
        }
    }

    /// Processes a report. Returns false if it does not belong to this session.
    fn take_report(&mut self, now: Instant, report: &Report<'_>, age: u64) -> bool {
        let Some(up) = &mut self.up else { return false };
        let outcomes = &mut self.outcomes;
        let heeded =
            up.sender.take_report(report, age, |id| keep(outcomes, PacketOutcome::Confirmed(id)));
        let is_stuck = up.sender.is_stuck();
        match heeded {
            Heeded::Taken => {
                self.peer_wants = report.wants;
                self.mark_heard();
                self.handshake.settle();
            }
            Heeded::Late => {}
            Heeded::Doubtful | Heeded::Strange => {
                if self.strange == 0 {
                    self.strange_since = now;
                }
                self.strange += 1;
            }
        }
        // The ends disagree about where a packet begins, or the peer has lost the session.
        let is_lost = self.strange >= STRANGE && now.since(self.strange_since) > DOUBT;
        if is_lost || is_stuck {
            self.strange = 0;
            self.handshake.want(now);
        }
        !matches!(heeded, Heeded::Strange)
    }

    /// Processes a part of the stream.
    fn take_data(&mut self, now: Instant, data: &wire::Data<'_>) -> Origin {
        let Some(up) = self.up.as_mut().filter(|up| !up.is_closed) else { return Origin::Stranger };
        let before = up.receiver.opened();
        let place = up.receiver.take(data, |packet| {
            self.counts.received += 1;
            self.received.push_back(packet);
        });
        let (is_stuck, opened) = (up.receiver.is_stuck(), up.receiver.opened() > before);
        if is_stuck {
            self.handshake.want(now);
        }
        if opened {
            self.mark_heard();
        }
        if place == Place::Nowhere { Origin::Stranger } else { Origin::Session }
    }

    /// Returns the response to prepare, or the response to send now if the other end has requested
    /// one.
    pub fn answer(&mut self, now: Instant) -> Frame {
        let frame = self.make_answer(now);
        if self.config.arq != Arq::Laid {
            let is_free = self.is_free();
            self.answer_goes(now);
            if is_free || !self.config.shared {
                self.not_before = now;
            }
        }
        frame
    }

    fn make_answer(&mut self, now: Instant) -> Frame {
        self.ready = Ready::default();
        if let Some(greeting) = self.greeting(now) {
            self.ready.greeting = Some(greeting);
            return greeting;
        }
        let can_send = self.session().is_some();
        let Some(up) = &mut self.up else { return self.handshake.hello() };
        if !can_send {
            return report(&up.receiver, false, None);
        }
        let (queue, outcomes, counts) = (&mut self.queue, &mut self.outcomes, &mut self.counts);
        let carried = &mut self.carried;
        let room = room_behind_report(self.config.frame, up.receiver.holding().bitmap().len());
        self.ready.number = up.sender.next(room, || {
            carried.pop_front().or_else(|| {
                let packet =
                    queue.take(now, |gone, why| drop_waiting(outcomes, counts, &gone, why))?;
                Some((packet.id, packet.packet))
            })
        });
        let number = self.ready.number;
        self.ready.wants = !(self.queue.is_empty() && self.carried.is_empty())
            || up.sender.is_cutting()
            || up.sender.is_due_beside(number);
        let behind = number.map(|number| (&up.sender, number));
        report(&up.receiver, self.ready.wants, behind)
    }
}
