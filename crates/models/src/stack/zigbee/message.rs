//! The message of a device's program: one at a time, until it is confirmed or given up.
//!
//! Without an APS acknowledgement, a message is confirmed when the next hop has acknowledged its
//! frame. Otherwise the receiver confirms it, and the sender repeats it if it does not
//! (2.2.8.4.4).

use std::rc::Weak;

use airlag_sim::Instant;

use super::frame::{Aps, Ieee, Kind, Nwk, zcl};
use super::slices;
use super::station::{Incident, Station};

/// Results of the messages since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Results {
    /// Messages that were given up.
    pub(super) lost: u32,
}

/// A message in progress.
pub(super) struct Message {
    /// Its APS frame.
    apdu: Vec<u8>,
    counter: u8,
    repetitions: u8,
    /// Number of its transmission, which tells its timers from earlier ones.
    round: u64,
    /// Time at which its frame had been sent and the wait for an acknowledgement began.
    waits_since: Option<Instant>,
}

impl Station {
    /// Waits until no message is in progress, and sends one with `data`.
    pub(super) async fn offer(&self, data: &[u8]) {
        self.drain().await;
        let counter = self.aps_counter.get();
        self.aps_counter.set(counter.wrapping_add(1));
        let format = self.config.format;
        let kind = Kind::Data { ack_request: self.config.aps_ack };
        let mut apdu = Aps { kind, counter }.encode(format.zcl).to_vec();
        if format.zcl {
            apdu.extend(zcl(counter));
        }
        apdu.extend_from_slice(data);
        let message = Message { apdu, counter, repetitions: 0, round: 0, waits_since: None };
        *self.message.borrow_mut() = Some(message);
        self.submit();
    }

    /// Waits until no message is in progress.
    pub(super) async fn drain(&self) {
        while self.message.borrow().is_some() {
            self.concluded.wait().await;
        }
    }

    /// NWK header of a new frame to the peer.
    pub(super) fn outward(&self) -> Nwk {
        let sequence = self.sequence.get();
        self.sequence.set(sequence.wrapping_add(1));
        let (own, peer, format) = (self.config.own, self.config.peer, self.config.format);
        Nwk {
            destination: peer.short,
            source: own.short,
            radius: self.config.radius,
            sequence,
            ieee: format.ieee.then_some(Ieee { destination: peer.eui, source: own.eui }),
            secured: format.secured,
        }
    }

    /// Passes the message in progress to the NWK.
    fn submit(&self) {
        let round = self.round.get() + 1;
        self.round.set(round);
        let mut message = self.message.borrow_mut();
        let Some(message) = &mut *message else { return };
        (message.round, message.waits_since) = (round, None);
        self.enqueue(self.outward(), message.apdu.clone(), Some(round));
    }

    /// Handles the end of transmission number `round`: whether the next hop has the frame.
    pub(super) fn handed_over(&self, round: u64, sent: bool) {
        let now = self.board.sim().now();
        {
            let mut message = self.message.borrow_mut();
            let Some(message) = message.as_mut().filter(|message| message.round == round) else {
                return;
            };
            message.waits_since = Some(now);
        }
        if !self.config.aps_ack {
            self.conclude(sent);
            return;
        }
        let deadline = self.board.clock().after(now, self.config.aps_ack_wait);
        let this = Weak::clone(&self.this);
        self.board.sim().at(deadline, move || {
            if let Some(station) = this.upgrade() {
                station.acknowledgement_missing(round);
            }
        });
    }

    fn acknowledgement_missing(&self, round: u64) {
        let repeats = {
            let mut message = self.message.borrow_mut();
            let Some(message) = message.as_mut().filter(|message| message.round == round) else {
                return;
            };
            message.repetitions += 1;
            self.waited(message);
            message.repetitions <= self.config.aps_retries
        };
        if repeats {
            self.record(Incident::ApsRetry);
            self.submit();
        } else {
            self.record(Incident::NoApsAck);
            self.conclude(false);
        }
    }

    /// Handles an APS acknowledgement from the peer.
    pub(super) fn acknowledged(&self, counter: u8) {
        let is_it = {
            let message = self.message.borrow();
            let message = message.as_ref().filter(|message| message.counter == counter);
            message.inspect(|message| self.waited(message)).is_some()
        };
        if is_it && self.config.aps_ack {
            self.conclude(true);
        }
    }

    fn waited(&self, message: &Message) {
        if let Some(since) = message.waits_since {
            self.board.span(&slices::AWAIT_APS, since, self.board.sim().now());
        }
    }

    fn conclude(&self, confirmed: bool) {
        let mut results = self.results.get();
        results.lost += u32::from(!confirmed);
        self.results.set(results);
        *self.message.borrow_mut() = None;
        self.concluded.raise();
    }
}
