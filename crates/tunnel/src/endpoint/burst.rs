//! Behaviour of an end while it occupies the channel.

use core::time::Duration;

use airlag_link::Delivery;

use super::outcome::drop_waiting;
use super::{Arq, Endpoint, Pace, Up, data, report};
use crate::time::Instant;
use crate::wire::{Frame, Kind, Parsed, WINDOW, body, room_behind_report};

/// Number of consecutive unanswered bursts after which only short requests are sent.
const PATIENCE: u32 = 2;
/// Time before an end requests a report on data that has probably arrived, in multiples of `Pace::turn`.
const PATIENT: u32 = 32;
/// Number of confirmed frames after which a response is requested: a quarter of the window.
const UNANSWERED: usize = WINDOW / 4;
/// Longest backoff after an unanswered burst, in doublings of the first.
const BACKOFF: u32 = 5;

impl Endpoint {
    /// Returns the frames to send now, if any. Only the last frame may request a response. On a
    /// link that confirms frames, this is rare.
    pub fn burst(&mut self, now: Instant) -> Option<&[Frame]> {
        self.renew(now);
        if self.wake().is_none_or(|at| now < at) {
            return None;
        }
        self.frames.clear();
        self.asking = None;
        // A sent response makes room for a new one.
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

    /// Whether the last frame of the burst requests a response.
    fn asks(&self) -> bool {
        let is_confirmed = self.config.arq == Arq::Confirmed && self.asking.is_some();
        !is_confirmed || self.unanswered + 1 >= UNANSWERED || self.failures > 0
    }

    /// Whether the burst indicates to the peer that this end has nothing else to send. If the
    /// acknowledgements of the radio carry the responses, a burst never contains this indication. The peer
    /// would otherwise start to send before the radio of this end has switched to reception.
    fn has_nothing_else(&self) -> bool {
        let is_empty = |up: &Up| !up.owed && !up.sender.is_cutting() && !up.sender.is_due();
        self.config.shared
            && self.config.arq != Arq::Laid
            && self.handshake.due().is_none()
            && !self.has_packets()
            && self.session().is_some_and(is_empty)
    }

    /// Queues a report that requests a report.
    fn ask(&mut self) {
        if let Some(up) = &mut self.up {
            self.frames.push(report(&up.receiver, false, None));
            up.owed = false;
        }
    }

    /// Queues frames up to the length of a burst.
    fn fill(&mut self, now: Instant) {
        let Some(up) = &mut self.up else { return };
        let frame = self.config.frame;
        let (queue, outcomes, counts) = (&mut self.queue, &mut self.outcomes, &mut self.counts);
        let carried = &mut self.carried;
        let mut pull = || {
            carried.pop_front().or_else(|| {
                let packet =
                    queue.take(now, |gone, why| drop_waiting(outcomes, counts, &gone, why))?;
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

    /// Processes the end of a burst. `answer` is the response. It is empty if the other radio had
    /// no response prepared, and `None` if no response arrived.
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
        (self.failures, self.unanswered) = (0, 0);
        self.answered_age = self.age;
        self.not_before = now;
        if let (Some(up), Some(number)) = (&mut self.up, self.asking) {
            up.sender.mark_held(number);
        }
        let asked = self.frames.len() == 1 && self.asking.is_none();
        self.peer_wants = false;
        match Parsed::parse(answer) {
            Some(parsed) => {
                self.interpret(now, &parsed.kind, self.age);
                // Data that came with a response is reported immediately, because nothing else requests
                // a report.
                let with_data =
                    matches!(parsed.kind, Kind::Report(report) if report.data.is_some());
                self.up.iter_mut().for_each(|up| up.owed |= with_data);
            }
            None => self.counts.garbage += u64::from(!answer.is_empty()),
        }
        // The burst indicated that this end has nothing else to send, so the peer may start.
        let has_to_send = |up: &Up| up.owed || up.sender.is_due();
        let yields = self.yields && !self.up.as_ref().is_some_and(has_to_send);
        if (self.peer_wants || yields) && self.config.shared {
            self.not_before = now + self.config.pace.turn;
        }
        let missing = self.up.as_ref().is_some_and(|up| up.sender.is_missing());
        self.in_vain = if asked && missing { (self.in_vain + 1).min(PATIENT) } else { 0 };
        // Data that the radio of the other end acknowledged has probably arrived.
        let patience = if missing { self.in_vain } else { PATIENT };
        self.ask_at = now + self.config.pace.turn * patience;
    }

    /// Processes the end of a burst that did not request a response. `delivery` is the link's confirmation
    /// of its last frame.
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
        (self.failures, self.unanswered) = (0, self.unanswered + 1);
        // Wait as long as after a response: data that the link confirmed has probably arrived.
        let patience = if up.sender.is_missing() || !up.sender.has_room() { 1 } else { PATIENT };
        self.ask_at = now + self.config.pace.turn * patience;
    }

    /// Returns the backoff after a burst without a response. After the first failure, the burst was probably
    /// lost, so the backoff is short. If the other end may have started to send, the first backoff is longer.
    /// After further failures, both ends may send at the same time, so the backoff is drawn at random from a
    /// range that increases with the number of failures.
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

    /// A random duration below `most` (SplitMix64).
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
