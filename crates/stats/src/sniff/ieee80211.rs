//! Frames and acknowledgements of IEEE 802.11.
//!
//! The receiver of an individually addressed frame sends an ACK after SIFS, which is 10 us at 2.4 GHz and 16 us at 5
//! GHz. The only address in this ACK is the address of the sender of the frame (IEEE 802.11-2020, 10.3.2.11). The
//! frames of an aggregate are acknowledged by a BlockAck, which has a bit for each sequence number. A retransmission
//! has the sequence number of the first transmission, and the retry bit.
//!
//! | recording | meaning |
//! |---|---|
//! | a frame, directly followed by an ACK to the sender of the frame | the frame was delivered, and ended SIFS before the ACK |
//! | a frame with the retry bit and the sequence number of an earlier frame | retransmission |
//! | a frame with the retry bit, without an earlier transmission of this frame | the sniffer missed the first transmission |
//! | an ACK that does not directly follow the frame that it acknowledges | the sniffer missed a frame |
//! | a frame without acknowledgement, transmitted N times (N: the largest number of transmissions of any frame of the sender, but at least 4) | lost: the sender gave up |
//! | a frame without acknowledgement, transmitted fewer than N times | unresolved: the sniffer missed the acknowledgement, or further transmissions |
//!
//! The end of a frame in an aggregate is not known. The end of the last transmission before the
//! BlockAck is used instead.

use std::collections::BTreeMap;

use airlag_trace::Problem;
use airlag_trace::frames::Radio;
use airlag_trace::frames::ieee80211::{Address, BlockAck, Kind, Mpdu, Numbered};
use airlag_trace::memory::Held;

use super::stream::{Ack, Attempt, Collector};
use super::{Heard, Stream};

/// Interframe space before an acknowledgement, ns, below and above 5 GHz (15.3.3, 17.3.2).
const SIFS_NS: [i64; 2] = [10_000, 16_000];
/// Longest time from the first bit of a frame to its acknowledgement, ns: 2304 bytes and headers at 1 Mbit/s take
/// 19 ms.
const ACK_WAIT_NS: i64 = 20_000_000;
/// Number of transmissions of a frame with the default dot11LongRetryLimit of 4 (annex C).
const LEAST_LIMIT: u32 = 4;
/// Sequence numbers that a sender has in flight: the largest window of a compressed BlockAck.
const WINDOW: usize = 256;

/// Transmitter, receiver and traffic identifier.
type Ends = (Address, Address, Option<u8>);
/// Sequence and fragment number.
type Number = (u16, u8);

/// Frames with common sequence numbers.
struct Flow {
    collector: Collector,
    /// Frames in flight, the oldest first.
    open: Vec<Open>,
    has_data: bool,
}

struct Open {
    number: Number,
    is_data: bool,
    attempt: Attempt,
}

/// The last frame, if it requests an acknowledgement.
#[derive(Clone, Copy)]
struct Asking {
    ends: Ends,
    number: Number,
    begin_ns: i64,
}

/// Adds the streams in frames in time order.
pub(super) fn streams(
    heard: &[Heard<Mpdu>],
    held: &mut Held,
    streams: &mut Vec<Stream>,
) -> Result<(), Problem> {
    let mut flows: BTreeMap<Ends, Flow> = BTreeMap::new();
    let mut asking: BTreeMap<Option<u16>, Asking> = BTreeMap::new();
    for one in heard {
        let channel = one.frame.frequency_mhz;
        let last = asking.remove(&channel);
        if !one.frame.is_intact {
            if let Kind::Numbered(frame) = one.frame.kind
                && let Some(flow) = flows.get_mut(&ends(&one.frame, &frame))
            {
                flow.collector.counts.damaged += 1;
            }
            continue;
        }
        match one.frame.kind {
            Kind::Numbered(frame) => {
                let ends = ends(&one.frame, &frame);
                if !flows.contains_key(&ends) {
                    held.charge((size_of::<(Ends, Flow)>() + WINDOW * size_of::<Open>()) as u64)?;
                }
                let flow = flows.entry(ends).or_insert_with(Flow::new);
                flow.transmit(one, &frame, held);
                if frame.wants_ack {
                    let number = (frame.sequence, frame.fragment);
                    asking.insert(channel, Asking { ends, number, begin_ns: one.begin_ns });
                }
            }
            Kind::Ack => acknowledge(last, one, &mut flows),
            Kind::BlockAck(ack) => {
                let ends = (one.frame.receiver, ack.transmitter, Some(ack.tid));
                if let Some(flow) = flows.get_mut(&ends) {
                    flow.acknowledge_several(one, &ack);
                }
            }
            Kind::Other => {}
        }
    }
    for ((from, to, tid), mut flow) in flows {
        flow.close(0, held);
        if !flow.has_data {
            continue;
        }
        let to = if to.is_group() { "group".to_owned() } else { to.to_string() };
        let tid = tid.filter(|tid| *tid != 0).map(|tid| format!(" TID {tid}")).unwrap_or_default();
        let limit = flow.collector.most_transmissions().max(LEAST_LIMIT);
        let name = format!("{from}→{to}{tid}");
        streams.extend(flow.collector.finish(name, Radio::Ieee80211, Some(limit), held)?);
    }
    Ok(())
}

const fn ends(mpdu: &Mpdu, frame: &Numbered) -> Ends {
    (frame.transmitter, mpdu.receiver, frame.tid)
}

fn sifs_ns(mpdu: &Mpdu) -> i64 {
    SIFS_NS[usize::from(mpdu.frequency_mhz.is_some_and(|mhz| mhz >= 5_000))]
}

/// Assigns an ACK to the frame just before.
fn acknowledge(last: Option<Asking>, one: &Heard<Mpdu>, flows: &mut BTreeMap<Ends, Flow>) {
    let sender = one.frame.receiver;
    let direct =
        last.filter(|last| last.ends.0 == sender && one.begin_ns - last.begin_ns <= ACK_WAIT_NS);
    let Some(last) = direct else {
        // An ACK contains only one address, so the receiver of the missed frame is unknown. The frame is counted in any
        // stream of this sender with data.
        let mut of_sender =
            flows.iter_mut().filter(|(ends, flow)| ends.0 == sender && flow.has_data);
        if let Some((_, flow)) = of_sender.next() {
            flow.collector.counts.missed += 1;
        }
        return;
    };
    let Some(flow) = flows.get_mut(&last.ends) else { return };
    let delivered_ns = one.begin_ns - sifs_ns(&one.frame);
    if let Some(open) = flow.open.iter_mut().rev().find(|open| open.number == last.number) {
        let is_known = delivered_ns > last.begin_ns;
        let ack = Ack { begin_ns: one.begin_ns, delivered_ns, is_known };
        open.attempt.ack.get_or_insert(ack);
    }
    flow.collector.heard(last.begin_ns, one.begin_ns);
}

impl Flow {
    const fn new() -> Self {
        Self { collector: Collector::new(), open: Vec::new(), has_data: false }
    }

    fn transmit(&mut self, one: &Heard<Mpdu>, frame: &Numbered, held: &mut Held) {
        self.has_data |= frame.carries_data;
        self.collector.heard(one.begin_ns, one.begin_ns);
        let number = (frame.sequence, frame.fragment);
        let counts = &mut self.collector.counts;
        counts.transmissions += u64::from(frame.carries_data);
        if !frame.wants_ack {
            counts.frames += u64::from(frame.carries_data);
            return;
        }
        let known = self.open.iter_mut().find(|open| open.number == number);
        if let Some(open) = known.filter(|_| frame.is_retry) {
            open.attempt.transmissions += 1;
            counts.retransmissions += u64::from(frame.carries_data);
            return;
        }
        if frame.carries_data {
            counts.frames += 1;
            counts.retransmissions += u64::from(frame.is_retry);
            counts.missed += u64::from(frame.is_retry);
        }
        let attempt = Attempt {
            first_ns: one.begin_ns,
            is_first_known: !frame.is_retry,
            transmissions: 1,
            ack: None,
        };
        self.close(WINDOW - 1, held);
        self.open.push(Open { number, is_data: frame.carries_data, attempt });
    }

    fn acknowledge_several(&mut self, one: &Heard<Mpdu>, ack: &BlockAck) {
        let delivered_ns = one.begin_ns - sifs_ns(&one.frame);
        for open in &mut self.open {
            let is_known = delivered_ns > open.attempt.first_ns;
            if ack.acknowledges(open.number.0) {
                let ack = Ack { begin_ns: one.begin_ns, delivered_ns, is_known };
                open.attempt.ack.get_or_insert(ack);
            }
        }
    }

    /// Ends the oldest frames, so that at most `most` remain in flight.
    fn close(&mut self, most: usize, held: &mut Held) {
        let excess = self.open.len().saturating_sub(most);
        for open in self.open.drain(..excess).filter(|open| open.is_data) {
            self.collector.close(open.attempt, held);
        }
    }
}
