//! Frames from one sender to one receiver.

use airlag_trace::frames::Radio;
use airlag_trace::memory::Held;
use airlag_trace::{Channel, Problem, Segment, Trace};

use crate::pair::{NONE, Outcome, TRANSFER_BYTES, Transfers};

/// Packets of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct data and control frames.
    pub frames: u64,
    /// Transmissions of these frames in the recording.
    pub transmissions: u64,
    /// Retransmissions of the counted frames: all transmissions of a frame except the first one. If the
    /// sniffer missed the first transmission of a frame, the next transmission counts as a retransmission
    /// only if the frame is marked as a retransmission.
    pub retransmissions: u64,
    /// Packets that the sniffer received damaged.
    pub damaged: u64,
    /// Packets that the sniffer missed. Later packets show that they were sent. This count is a
    /// lower bound.
    pub missed: u64,
    /// Acknowledgements that the sniffer missed. The sender's next frame shows that the sender
    /// received them.
    pub acks_missed: u64,
    /// Unacknowledged transfers whose delivery cannot be determined from the recording.
    pub unresolved: u64,
}

/// Frames from one sender to one receiver.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Sender and receiver, and the connection, if there is one.
    pub name: String,
    /// Radio.
    pub radio: Radio,
    /// Time of the first packet, ns since the first packet of the recording.
    pub first_ns: i64,
    /// Packets.
    pub counts: Counts,
    /// Transfers of the acknowledged frames, from the first bit of the first transmission to the
    /// last bit of the delivered transmission.
    pub transfers: Transfers,
    /// Time from the first bit of the first transmission to the first bit of the acknowledgement, ns, of each
    /// delivered transfer.
    pub acknowledged_ns: Vec<i64>,
}

impl Stream {
    /// Converts the stream to edges on two channels. One channel has a pulse of 1 ns for the first
    /// transmission of each frame. The other channel, whose name is the argument `delivered`, has a pulse of
    /// 1 ns for each delivery. If a pulse would overlap or touch the previous pulse, as for the frames of an
    /// aggregate, the later pulse begins 1 ns after the previous pulse ends.
    #[must_use]
    pub fn edges(&self, epoch_unix_ns: i64, delivered: &str) -> Trace {
        let end_ns = self.transfers.end_ns;
        let channel = |name: &str, mut rises_ns: Vec<i64>| {
            rises_ns.sort_unstable();
            let mut edges_ns = Vec::with_capacity(2 * rises_ns.len());
            let mut last_ns = i64::MIN;
            for at_ns in rises_ns {
                let rise_ns = at_ns.max(last_ns.saturating_add(1));
                last_ns = rise_ns.saturating_add(1);
                edges_ns.extend([rise_ns, last_ns]);
            }
            let end_ns = end_ns.max(last_ns);
            let segment = Segment { begin_ns: 0, end_ns, initial: false, edges_ns };
            Channel { name: name.to_owned(), segments: vec![segment] }
        };
        let completions = self.transfers.completion_ns.iter().copied().filter(|at| *at != NONE);
        let channels = vec![
            channel(&self.name, self.transfers.trigger_ns.clone()),
            channel(delivered, completions.collect()),
        ];
        Trace { epoch_unix_ns: Some(epoch_unix_ns), channels, ..Trace::default() }
    }
}

/// Acknowledgement of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ack {
    /// First bit of the acknowledgement, ns.
    pub(super) begin_ns: i64,
    /// Last bit of the delivered transmission, ns.
    pub(super) delivered_ns: i64,
    /// Whether that transmission is in the recording.
    pub(super) is_known: bool,
}

/// A frame and its transmissions so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// First bit of the first transmission in the recording, ns.
    pub(super) first_ns: i64,
    /// Whether that transmission was the first.
    pub(super) is_first_known: bool,
    /// Transmissions in the recording.
    pub(super) transmissions: u32,
    /// Acknowledgement, if there was one.
    pub(super) ack: Option<Ack>,
}

/// Collects the frames of a stream.
#[derive(Debug)]
pub(super) struct Collector {
    pub(super) counts: Counts,
    first_ns: Option<i64>,
    end_ns: i64,
    closed: Vec<Attempt>,
}

impl Collector {
    pub(super) const fn new() -> Self {
        Self {
            counts: Counts {
                frames: 0,
                transmissions: 0,
                retransmissions: 0,
                damaged: 0,
                missed: 0,
                acks_missed: 0,
                unresolved: 0,
            },
            first_ns: None,
            end_ns: 0,
            closed: Vec::new(),
        }
    }

    /// Records that a packet of the stream is in the recording.
    pub(super) fn heard(&mut self, begin_ns: i64, end_ns: i64) {
        self.first_ns.get_or_insert(begin_ns);
        self.end_ns = self.end_ns.max(end_ns);
    }

    /// Most transmissions of any frame so far.
    pub(super) fn most_transmissions(&self) -> u32 {
        self.closed.iter().map(|attempt| attempt.transmissions).max().unwrap_or(0)
    }

    /// Adds a frame that will not be transmitted again.
    pub(super) fn close(&mut self, attempt: Attempt, held: &mut Held) {
        held.push(&mut self.closed, attempt, TRANSFER_BYTES + size_of::<Attempt>());
    }

    /// The finished stream. A frame without an acknowledgement is lost if it was transmitted
    /// `limit` times. The outcome of other unacknowledged frames is unknown.
    pub(super) fn finish(
        mut self,
        name: String,
        radio: Radio,
        limit: Option<u32>,
        held: &Held,
    ) -> Result<Option<Stream>, Problem> {
        if let Some(refusal) = held.refusal() {
            return Err(refusal);
        }
        let Some(first_ns) = self.first_ns else { return Ok(None) };
        self.closed.sort_by_key(|attempt| attempt.first_ns);
        let mut transfers = Transfers { end_ns: self.end_ns, ..Transfers::default() };
        let mut acknowledged_ns = Vec::new();
        for attempt in &self.closed {
            let known = attempt.ack.filter(|ack| ack.is_known && attempt.is_first_known);
            let outcome = match (known, attempt.ack) {
                (Some(_), _) => Outcome::Delivered,
                (None, None) if limit.is_some_and(|limit| attempt.transmissions >= limit) => {
                    Outcome::Lost
                }
                (None, ack) => {
                    self.counts.unresolved += u64::from(ack.is_none());
                    Outcome::Censored
                }
            };
            transfers.trigger_ns.push(attempt.first_ns);
            transfers.completion_ns.push(known.map_or(NONE, |ack| ack.delivered_ns));
            transfers.outcome.push(outcome);
            acknowledged_ns.extend(known.map(|ack| ack.begin_ns - attempt.first_ns));
        }
        let Self { counts, .. } = self;
        Ok(Some(Stream { name, radio, first_ns, counts, transfers, acknowledged_ns }))
    }
}
