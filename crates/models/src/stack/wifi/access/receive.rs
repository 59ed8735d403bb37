//! The receiving side: filtering, acknowledgement, duplicate detection (IEEE Std 802.11-2012,
//! 9.3.2.8 and 9.3.2.10).

use airlag_air::{Reception, Verdict};
use airlag_link::airtime::wifi::Rate;
use airlag_sim::Duration;

use super::config::rate_of;
use super::{Access, Event, Incident, Phase, Reply, State, timer};
use crate::stack::wifi::frame::{self, Header};
use crate::stack::wifi::slices;

impl Access {
    /// Handles the end of a frame in range.
    pub(super) fn heard(&self, state: &mut State, reception: &Reception<'_>) {
        let (frame, band) = (reception.frame, self.config.band());
        if !frame.band.overlaps(&band) || reception.end <= state.listening_from {
            return;
        }
        let rate = rate_of(frame.modulation).filter(|_| frame.band == band);
        // A frame whose preamble was missed while the radio was sending is only a carrier.
        let begun = reception.begin >= state.listening_from;
        let whole = reception.verdict == Verdict::Whole
            && begun
            && rate.is_some_and(|rate| self.reads(rate, frame.bytes.len()));
        // 9.3.2.3.7: after a frame that was not decoded, the space is long enough for its
        // acknowledgement.
        let space = self.config.space().as_ns();
        let unread = begun && !whole;
        let space = if unread { rate.unwrap_or(Rate::Dsss1).eifs_ns(space) } else { space };
        state.free_from = reception.end + Duration::from_ns(space);
        if matches!(state.phase, Phase::AwaitAck | Phase::AckComing) {
            let acknowledged = whole && frame::acknowledges(&frame.bytes) == Some(self.address());
            if acknowledged {
                self.acknowledged(state);
            } else if state.phase == Phase::AckComing || begun {
                // The received frame was not the acknowledgement.
                self.missed(state);
            }
            return;
        }
        let header = Header::read(&frame.bytes).filter(|_| whole);
        if let (Some(header), Some(rate)) = (header, rate) {
            if header.to == self.address() {
                self.take(state, &header, rate, reception);
            } else if header.to[0] & 1 != 0 {
                state.events.push_back(Event::Received(frame.bytes.clone()));
            }
        }
        self.medium_changed(state, reception.begin);
    }

    const fn address(&self) -> frame::Address {
        self.config.address
    }

    /// Returns true if a frame of `len` octets can be decoded at `rate`.
    fn reads(&self, rate: Rate, len: usize) -> bool {
        self.config.unreadable.is_none_or(|not| rate != not.rate || len <= not.over)
    }

    /// Processes a frame for this radio; duplicates are acknowledged too.
    fn take(&self, state: &mut State, header: &Header, rate: Rate, reception: &Reception<'_>) {
        self.count(|counts| counts.received += 1);
        let (begin, until) = self.reply_times(reception.end, rate);
        state.reply = Some(Reply { to: header.from, rate: rate.of_ack(), until });
        state.listening_from = until;
        state.free_from = until + self.config.space();
        self.span(&slices::TURNAROUND, reception.end, begin);
        self.set(timer::REPLY, 0, begin);
        if state.taken.repeats(header.from, header.sequence) && header.retry {
            self.record(Incident::Duplicate);
            return;
        }
        state.events.push_back(Event::Received(reception.frame.bytes.clone()));
    }
}
