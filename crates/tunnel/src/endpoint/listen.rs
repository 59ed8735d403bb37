//! While the other end may have the channel: what an end makes of frames, and what it lays ready.

use core::time::Duration;

use super::fate::{Fate, drop_waiting, keep};
use super::{Arq, Endpoint, Ready, report};
use crate::send::Heeded;
use crate::time::Instant;
use crate::wire::{self, Frame, Kind, LEFT, Parsed, Report, room_behind_report};

/// Whether a new answer is to be laid ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renew {
    /// The one that is there will do.
    No,
    /// At once, before the burst ends.
    Now,
    /// Once the radio has sent the one that is there, at this instant.
    Behind(Instant),
}

/// With so many frames left of a burst the answer to it is laid ready: late enough to tell of most of it, and
/// early enough to be in place.
const RENEWED: u8 = 2;
/// Reports in a row that are not about this session, until the other end is greeted again. Some come by
/// chance: damaged ones, those of the session before.
const STRANGE: u32 = 8;

impl Endpoint {
    /// A frame was heard.
    pub fn heard(&mut self, now: Instant, frame: &[u8]) -> Renew {
        let Some(Parsed { left, kind }) = Parsed::parse(frame) else {
            self.counts.garbage += 1;
            return Renew::No;
        };
        let (pace, arq) = (self.config.pace, self.config.arq);
        if left > 0 && self.config.shared {
            let rest = if left == LEFT { pace.burst as u32 } else { u32::from(left) };
            self.not_before = now + pace.frame * rest + pace.answer + pace.turn;
        }
        self.peer_wants = false;
        // Radios of one channel cannot cross: a burst is made after all that this end has sent before.
        let age = match &self.up {
            Some(up) if arq == Arq::Laid => up.sender.age(),
            _ => self.told,
        };
        self.make_of(now, &kind, age);
        if arq != Arq::Laid {
            if left > 0 {
                return Renew::No;
            }
            // The answer goes before anything else.
            self.not_before = now + pace.answer;
            return Renew::Now;
        }
        if left == 0 {
            self.answer_goes(now);
            return Renew::Behind(now + pace.answer);
        }
        if left == RENEWED { Renew::Now } else { Renew::No }
    }

    /// The answer that was made goes out.
    fn answer_goes(&mut self, now: Instant) {
        let (ready, pace) = (core::mem::take(&mut self.ready), self.config.pace);
        let turn = if ready.wants { Duration::ZERO } else { pace.turn };
        self.not_before = now + pace.answer + turn;
        if ready.greeting {
            self.handshake.mark_sent();
        }
        if let (Some(up), Some(number)) = (&mut self.up, ready.number) {
            up.sender.mark_sent(number);
            self.ask_at = now + (pace.answer + pace.turn) * 4 + pace.frame * pace.burst as u32;
        }
        self.failures = 0;
    }

    pub(super) fn make_of(&mut self, now: Instant, kind: &Kind<'_>, age: u64) {
        match *kind {
            Kind::Greeting { greeting, vouched, voucher } => {
                if self.handshake.take(greeting, vouched, voucher) {
                    self.begin(now);
                }
            }
            Kind::Report(report) => {
                self.take_report(&report, age);
                report.data.iter().for_each(|data| self.take_data(data));
            }
            Kind::Data(data) => self.take_data(&data),
        }
    }

    fn take_report(&mut self, report: &Report<'_>, age: u64) {
        let Some(up) = &mut self.up else { return };
        let fates = &mut self.fates;
        match up.sender.take_report(report, age, |id| keep(fates, Fate::Confirmed(id))) {
            Heeded::Taken => (self.peer_wants, self.strange) = (report.wants, 0),
            Heeded::Late => {}
            Heeded::Strange => self.strange += 1,
        }
        // The ends are in two sessions, or do not agree where a packet begins.
        if self.strange >= STRANGE || up.sender.is_stuck() {
            self.strange = 0;
            self.handshake.begin_anew();
        }
    }

    fn take_data(&mut self, data: &wire::Data<'_>) {
        let Some(up) = &mut self.up else { return };
        up.receiver.take(data, |packet| {
            self.counts.received += 1;
            self.received.push_back(packet);
        });
        if up.receiver.is_stuck() {
            self.handshake.begin_anew();
        }
    }

    /// The answer to be laid ready; where the other end has asked, the one that goes out now.
    pub fn answer(&mut self, now: Instant) -> Frame {
        let frame = self.make_answer(now);
        if self.config.arq != Arq::Laid {
            let wants = self.ready.wants;
            self.answer_goes(now);
            if wants || !self.config.shared {
                self.not_before = now;
            }
        }
        frame
    }

    fn make_answer(&mut self, now: Instant) -> Frame {
        self.ready = Ready::default();
        if self.up.is_none() || self.handshake.is_due() {
            self.ready.greeting = true;
            return self.handshake.frame();
        }
        let Some(up) = &mut self.up else { return self.handshake.frame() };
        let (queue, fates, counts) = (&mut self.queue, &mut self.fates, &mut self.counts);
        let room = room_behind_report(self.config.frame, up.receiver.holding().bitmap().len());
        self.ready.number = up.sender.next(room, || {
            let packet = queue.take(now, |gone, why| drop_waiting(fates, counts, &gone, why))?;
            Some((packet.id, packet.packet))
        });
        let number = self.ready.number;
        self.ready.wants =
            !self.queue.is_empty() || up.sender.is_cutting() || up.sender.is_due_beside(number);
        let behind = number.map(|number| (number, up.sender.body(number)));
        report(&up.receiver, self.ready.wants, behind)
    }
}
