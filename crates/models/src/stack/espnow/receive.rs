//! The receiving side: filtering, acknowledging, telling copies apart (IEEE Std 802.11-2012, 9.3.2.8
//! and 9.3.2.10).

use airlag_air::{Reception, Verdict};
use airlag_link::airtime::wifi::{DIFS_NS, Rate};
use airlag_sim::Duration;

use super::config::rate_of;
use super::frame::{self, Frame, Header};
use super::slices;
use super::station::{Incident, Phase, Reply, State, Station};

impl Station {
    /// A frame in hearing has ended.
    pub(super) fn heard(&self, state: &mut State, reception: &Reception<'_>) {
        let frame = reception.frame;
        if !frame.band.overlaps(&self.band) || reception.end <= state.listening_from {
            return;
        }
        let rate = rate_of(frame.modulation).filter(|_| frame.band == self.band);
        let whole = reception.verdict == Verdict::Whole
            && reception.begin >= state.listening_from
            && rate.is_some_and(|rate| self.reads(rate, frame.bytes.len()));
        // 9.3.2.3.7: after a frame nobody can read, long enough for its acknowledgement.
        let space = if whole { DIFS_NS } else { rate.unwrap_or(Rate::Dsss1).eifs_ns() };
        state.free_from = reception.end + Duration::from_ns(space);
        let content = if whole { frame::read(&frame.bytes) } else { None };
        if matches!(state.phase, Phase::AwaitAck | Phase::AckComing) {
            match content {
                Some(Frame::Ack(to)) if to == self.config.address => self.acknowledged(state),
                // Whatever came, it was no acknowledgement.
                _ if state.phase == Phase::AckComing => self.missed(state),
                _ if reception.begin >= state.listening_from => self.missed(state),
                _ => {}
            }
            return;
        }
        if let (Some(Frame::EspNow(header, body)), Some(rate)) = (content, rate)
            && header.to == self.config.address
        {
            self.take(state, &header, body, rate, reception);
        }
        self.medium_changed(state, reception.begin);
    }

    /// True if a frame of `len` octets can be read at `rate`.
    fn reads(&self, rate: Rate, len: usize) -> bool {
        let longest = self.config.fallback.map_or(usize::MAX, |fallback| fallback.longest);
        rate != Rate::LongRange512 || len <= longest.saturating_add(frame::OVERHEAD)
    }

    fn take(
        &self,
        state: &mut State,
        header: &Header,
        body: &[u8],
        rate: Rate,
        reception: &Reception<'_>,
    ) {
        self.count(|counts| counts.received += 1);
        let (begin, until) = self.reply_times(reception.end, rate);
        state.reply = Some(Reply { to: header.from, rate: rate.of_ack(), until });
        state.listening_from = until;
        state.free_from = until + Duration::from_ns(DIFS_NS);
        self.span(&slices::TURNAROUND, reception.end, begin);
        self.set_reply(begin);
        let seen = state.last.binary_search_by_key(&header.from, |&(from, _)| from);
        match seen {
            Ok(at) if header.retry && state.last[at].1 == header.sequence => {
                self.tell(Incident::Duplicate);
                return;
            }
            Ok(at) => state.last[at].1 = header.sequence,
            Err(at) => state.last.insert(at, (header.from, header.sequence)),
        }
        if state.inbox.len() < self.config.receive_queue {
            state.inbox.push_back(body.into());
            self.arrived.raise();
        } else {
            self.tell(Incident::QueueFull);
        }
    }

    /// Waits for the next frame, copies its body into `buffer` and returns its size. What does not
    /// fit is cut off.
    pub(super) async fn next_body(&self, buffer: &mut [u8]) -> usize {
        loop {
            let next = self.state.borrow_mut().inbox.pop_front();
            if let Some(body) = next {
                let len = body.len().min(buffer.len());
                buffer[..len].copy_from_slice(&body[..len]);
                return len;
            }
            self.arrived.wait().await;
        }
    }
}
