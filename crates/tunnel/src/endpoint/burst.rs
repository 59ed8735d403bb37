//! While an end has the channel: a burst, and what comes of it.

use core::time::Duration;

use airlag_link::Delivery;

use super::fate::drop_waiting;
use super::{Arq, Endpoint, Pace, Up, data, report};
use crate::time::Instant;
use crate::wire::{Frame, Kind, Parsed, WINDOW, body, room_behind_report};

/// Unanswered bursts in a row after which only short questions are sent.
const PATIENCE: u32 = 2;
/// How long to wait, in turns, until an end asks after what is most probably there.
const PATIENT: u32 = 32;
/// Frames the link confirmed until an answer is asked for: of what a window holds, a quarter.
const UNTOLD: usize = WINDOW / 4;
/// The longest wait after an unanswered burst, in waits after the first.
const BACKOFF: u32 = 5;

impl Endpoint {
    /// The frames to send now, if any: none but the last asks for an answer, and where the link confirms frames
    /// seldom that one.
    pub fn burst(&mut self, now: Instant) -> Option<&[Frame]> {
        self.renew(now);
        if self.wake().is_none_or(|at| now < at) {
            return None;
        }
        self.frames.clear();
        self.asking = None;
        // An answer that went out makes place for a new one.
        let laid = self.config.arq == Arq::Laid;
        self.age = match &self.up {
            Some(up) if laid && self.failures == 0 => up.sender.age(),
            _ => 0,
        };
        self.greeted = self.handshake.due().is_some_and(|at| at <= now);
        if self.greeted {
            let (pace, most) = (self.config.pace, self.config.pace.burst);
            self.frames = self.handshake.burst(now, &pace, most);
        } else if self.failures >= PATIENCE {
            self.ask();
        } else {
            self.fill(now);
            if self.frames.is_empty() {
                self.ask();
            }
        }
        if self.up.is_some() {
            self.trying.get_or_insert(now);
        }
        if let Some(up) = self.up.as_ref().filter(|_| !laid) {
            self.age = up.sender.age();
        }
        let behind = usize::from(!self.asks());
        let count = self.frames.len();
        for (nth, frame) in self.frames.iter_mut().enumerate() {
            frame.set_left(count - 1 - nth + behind);
        }
        self.yields = behind == 0 && self.has_nothing_else();
        if let Some(last) = self.frames.last_mut().filter(|_| self.yields) {
            last.set_done();
        }
        self.counts.bursts += 1;
        Some(&self.frames)
    }

    /// Whether the burst's last frame asks for an answer.
    fn asks(&self) -> bool {
        let is_told = self.config.arq == Arq::Confirmed && self.asking.is_some();
        !is_told || self.untold + 1 >= UNTOLD || self.failures > 0
    }

    /// Whether nothing is to be sent behind this burst, as far as is known now. Where answers ride on
    /// acknowledgements the peer is not told: it would begin before this end has turned its radio around.
    fn has_nothing_else(&self) -> bool {
        let is_empty = |up: &Up| !up.owed && !up.sender.is_cutting() && !up.sender.is_due();
        self.config.shared
            && self.config.arq != Arq::Laid
            && self.handshake.due().is_none()
            && !self.has_packets()
            && self.session().is_some_and(is_empty)
    }

    /// A report alone, which asks for one.
    fn ask(&mut self) {
        if let Some(up) = &mut self.up {
            self.frames.push(report(&up.receiver, false, None));
            up.owed = false;
        }
    }

    /// What is to be sent, as much of it as a burst holds.
    fn fill(&mut self, now: Instant) {
        let Some(up) = &mut self.up else { return };
        let frame = self.config.frame;
        let (queue, fates, counts) = (&mut self.queue, &mut self.fates, &mut self.counts);
        let carried = &mut self.carried;
        let mut pull = || {
            carried.pop_front().or_else(|| {
                let packet =
                    queue.take(now, |gone, why| drop_waiting(fates, counts, &gone, why))?;
                Some((packet.id, packet.packet))
            })
        };
        if core::mem::take(&mut up.owed) {
            let room = room_behind_report(frame, up.receiver.holding().bitmap().len());
            let number = up.sender.next(room, &mut pull);
            let behind = number.map(|number| (&up.sender, number));
            self.frames.push(report(&up.receiver, false, behind));
            number.into_iter().for_each(|number| up.sender.mark_sent(number));
            self.asking = number;
        }
        while self.frames.len() < self.config.pace.burst {
            let Some(number) = up.sender.next(body(frame), &mut pull) else { break };
            self.frames.push(data(&up.sender, number));
            up.sender.mark_sent(number);
            self.asking = Some(number);
        }
    }

    /// A burst is over. `answer` is what came back, empty if the other radio answered without anything
    /// laid ready; none if it did not answer.
    pub fn answered(&mut self, now: Instant, answer: Option<&[u8]>) {
        let Some(answer) = answer else {
            self.failures += 1;
            self.counts.unanswered += 1;
            if self.greeted {
                self.handshake.say_again(&self.frames);
            }
            let wait = self.backoff();
            self.not_before = self.not_before.max(now + wait);
            return;
        };
        (self.failures, self.untold) = (0, 0);
        self.told = self.age;
        self.not_before = now;
        if let (Some(up), Some(number)) = (&mut self.up, self.asking) {
            up.sender.mark_held(number);
        }
        let asked = self.frames.len() == 1 && self.asking.is_none();
        self.peer_wants = false;
        match Parsed::parse(answer) {
            Some(parsed) => {
                self.interpret(now, &parsed.kind, self.age);
                // Nobody asks for what came with an answer: it is reported at once.
                let with_data =
                    matches!(parsed.kind, Kind::Report(report) if report.data.is_some());
                self.up.iter_mut().for_each(|up| up.owed |= with_data);
            }
            None => self.counts.garbage += u64::from(!answer.is_empty()),
        }
        // The peer has been told that this end has nothing else to send, and begins when it likes.
        let has_to_send = |up: &Up| up.owed || up.sender.is_due();
        let yields = self.yields && !self.up.as_ref().is_some_and(has_to_send);
        if (self.peer_wants || yields) && self.config.shared {
            self.not_before = now + self.config.pace.turn;
        }
        let missing = self.up.as_ref().is_some_and(|up| up.sender.is_missing());
        self.in_vain = if asked && missing { (self.in_vain + 1).min(PATIENT) } else { 0 };
        // What the radio on the other side acknowledged is most probably there.
        let patience = if missing { self.in_vain } else { PATIENT };
        self.ask_at = now + self.config.pace.turn * patience;
    }

    /// A burst is over whose last frame did not ask. `delivery` is what the link knows of that frame.
    pub fn passed(&mut self, now: Instant, delivery: Delivery) {
        let Some(up) = &mut self.up else { return };
        self.not_before = now;
        match (delivery, self.asking) {
            (Delivery::Lost, number) => {
                number.into_iter().for_each(|number| up.sender.mark_lost(number));
                self.failures += 1;
                self.counts.unanswered += 1;
                self.not_before = now + self.backoff();
                return;
            }
            (Delivery::Confirmed, Some(number)) => up.sender.mark_held(number),
            _ => {}
        }
        (self.failures, self.untold) = (0, self.untold + 1);
        // As after an answer: what the link has confirmed is most probably there.
        let patience = if up.sender.is_missing() || !up.sender.has_room() { 1 } else { PATIENT };
        self.ask_at = now + self.config.pace.turn * patience;
    }

    /// How long to wait after a burst without an answer: hardly after the first, which was most probably
    /// lost, unless the other end may have begun; then at random, and longer each time, in case both send
    /// at once.
    fn backoff(&mut self) -> Duration {
        let Pace { frame, answer, turn, .. } = self.config.pace;
        let slot = frame + answer + turn;
        match self.failures {
            1 if self.peer_wants => turn + self.within(slot),
            1 => self.within(frame),
            more => {
                let slots = 1 << (more - 1).min(BACKOFF);
                self.within(slot * slots)
            }
        }
    }

    /// A duration below `most` (SplitMix64).
    fn within(&mut self, most: Duration) -> Duration {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let ns = (u128::from(mixed) * most.as_nanos()) >> 64;
        Duration::from_nanos(ns as u64)
    }
}
