//! Segments of messages at both ends: their intervals, acknowledgements and repetitions.

use std::rc::Rc;

use super::{Complete, Node, State};
use crate::stack::btmesh::config::{INCOMPLETE_TIMER, Segmentation};
use crate::stack::btmesh::incident::Incident;
use crate::stack::btmesh::job::Job;
use crate::stack::btmesh::pdu::Transport;
use crate::stack::btmesh::segments::Inbound;
use crate::stack::btmesh::slices;

impl Node {
    /// Sends the segments that are not acknowledged, or gives the message up.
    pub(super) fn send_segments(&self, state: &mut State) {
        state.round += 1;
        let round = state.round;
        let Some(message) = &mut state.message else { return };
        message.round = round;
        let Some(segments) = &message.segments else { return };
        if message.segment_attempts == 0 {
            self.conclude(state, false);
            return;
        }
        message.segment_attempts -= 1;
        message.unsent = segments.missing().collect();
        self.next_segment(state);
    }

    /// Passes the next segment that is not acknowledged yet to the advertiser.
    fn next_segment(&self, state: &mut State) {
        let Some(message) = &mut state.message else { return };
        let Some(segments) = &message.segments else { return };
        message.is_held = false;
        while let Some(segment) = message.unsent.pop_front() {
            if segments.lacks(&segment) {
                message.handed_over = self.sim.now();
                self.send(state, self.config.peer, segment);
                return;
            }
        }
        self.all_sent(state);
    }

    /// Called when the advertiser has sent the last PDU of the node's own.
    pub(super) fn drained(&self) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(message) = &mut state.message else { return };
        if message.unsent.is_empty() {
            self.all_sent(state);
        } else if !message.is_held {
            let now = self.sim.now();
            let next = self.clock.after(message.handed_over, self.config.spacing());
            if next <= now {
                self.next_segment(state);
                return;
            }
            message.is_held = true;
            let job = Job::NextSegment { round: message.round };
            self.span(&slices::SEGMENT_INTERVAL, now, next);
            self.at(state, next, job);
        }
    }

    /// Handles the end of the interval after a segment.
    pub(super) fn end_interval(&self, state: &mut State, round: u64) {
        if state.message.as_ref().is_some_and(|message| message.round == round) {
            self.next_segment(state);
        }
    }

    /// Called when the advertiser has sent all PDUs of a message.
    fn all_sent(&self, state: &mut State) {
        let Some(message) = &mut state.message else { return };
        // After an acknowledgement to the peer, which the advertiser also sends, nothing changes.
        if message.waits_since.is_some() {
            return;
        }
        message.waits_since = Some(self.sim.now());
        let round = message.round;
        if message.segments.as_ref().is_some_and(|segments| !segments.is_complete()) {
            let wait = self.config.retransmission_wait();
            self.later(state, wait, Job::Segments { round });
        } else {
            self.arrived_or_sent(state);
        }
    }

    /// Handles a segment acknowledgement. Missing segments are sent again at once, unless some
    /// segments have not been sent yet.
    pub(super) fn acknowledged(&self, state: &mut State, seq_zero: u16, block: u32) {
        let Some(message) = &mut state.message else { return };
        let Some(segments) = &mut message.segments else { return };
        if segments.seq_zero != seq_zero || segments.is_complete() {
            return;
        }
        let is_new = segments.acknowledge(block);
        if !is_new && self.config.segmentation == Segmentation::Protocol11 {
            return;
        }
        let complete = segments.is_complete();
        if complete {
            message.unsent.clear();
        }
        let has_ended_early = complete && message.is_held;
        if message.waits_since.is_none() && !has_ended_early {
            return;
        }
        self.end_wait(message, &slices::AWAIT_SEGMENTS);
        if complete {
            self.arrived_or_sent(state);
        } else {
            self.note(Incident::SegmentRetry);
            self.send_segments(state);
        }
    }

    /// Handles a segment to this node.
    pub(super) fn segment(
        &self,
        state: &mut State,
        source: u16,
        seq_zero: u16,
        [nth, last]: [u8; 2],
        piece: &Rc<[u8]>,
    ) {
        if state.complete.get(&source).is_some_and(|done| done.seq_zero == seq_zero) {
            self.acknowledge_again(state, source);
            return;
        }
        let now = self.sim.now();
        let found =
            state.inbound.iter().position(|one| (one.source, one.seq_zero) == (source, seq_zero));
        let at = found.unwrap_or_else(|| {
            state.inbound.push(Inbound::new(source, seq_zero, last));
            state.inbound.len() - 1
        });
        if found.is_none() {
            self.later(state, INCOMPLETE_TIMER, Job::Discard { source, seq_zero });
        }
        let one = &mut state.inbound[at];
        let is_new = one.lacks(nth);
        if is_new {
            one.last_new = now;
        }
        if let Some(message) = one.take(nth, piece) {
            let block = state.inbound.swap_remove(at).block();
            let acknowledged = now;
            state.complete.insert(source, Complete { seq_zero, block, acknowledged });
            self.send(state, source, Transport::Acknowledgement { seq_zero, block });
            self.access(state, source, &message);
            return;
        }
        let starts_timer = match self.config.segmentation {
            Segmentation::Profile10 => one.acknowledge_at.is_none(),
            Segmentation::Protocol11 => is_new,
        };
        if starts_timer {
            let end = self.clock.after(now, self.config.acknowledgement_delay(last));
            one.acknowledge_at = Some(end);
            self.at(state, end, Job::Acknowledge { source, seq_zero });
        }
    }

    /// Handles a segment of a complete message, whose sender lacks an acknowledgement.
    fn acknowledge_again(&self, state: &mut State, source: u16) {
        let now = self.sim.now();
        let Some(done) = state.complete.get_mut(&source) else { return };
        if now < self.clock.after(done.acknowledged, self.config.acknowledgement_spacing()) {
            return;
        }
        done.acknowledged = now;
        let Complete { seq_zero, block, .. } = *done;
        self.send(state, source, Transport::Acknowledgement { seq_zero, block });
    }

    /// Handles the end of the segment timer.
    pub(super) fn retry_segments(&self, state: &mut State, round: u64) {
        let Some(message) = &mut state.message else { return };
        let incomplete = message.segments.as_ref().is_some_and(|segments| !segments.is_complete());
        if message.round == round && incomplete {
            self.end_wait(message, &slices::AWAIT_SEGMENTS);
            self.note(Incident::SegmentRetry);
            self.send_segments(state);
        }
    }

    /// Handles the end of an acknowledgement timer of a message in segments. Nothing happens if the
    /// timer has been started again meanwhile.
    pub(super) fn acknowledge(&self, state: &mut State, source: u16, seq_zero: u16) {
        let now = self.sim.now();
        let mut all = state.inbound.iter_mut();
        let Some(one) = all.find(|one| (one.source, one.seq_zero) == (source, seq_zero)) else {
            return;
        };
        if one.acknowledge_at.is_none_or(|end| now < end) {
            return;
        }
        one.acknowledge_at = None;
        let block = one.block();
        self.send(state, source, Transport::Acknowledgement { seq_zero, block });
    }

    /// Handles the end of the timer of an incomplete message, which each new segment starts again.
    pub(super) fn discard(&self, state: &mut State, source: u16, seq_zero: u16) {
        let mut all = state.inbound.iter();
        let Some(at) = all.position(|one| (one.source, one.seq_zero) == (source, seq_zero)) else {
            return;
        };
        let end = self.clock.after(state.inbound[at].last_new, INCOMPLETE_TIMER);
        if self.sim.now() < end {
            self.at(state, end, Job::Discard { source, seq_zero });
            return;
        }
        state.inbound.swap_remove(at);
        self.note(Incident::Incomplete);
    }
}
