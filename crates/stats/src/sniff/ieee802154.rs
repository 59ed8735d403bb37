//! Frames and acknowledgements of IEEE 802.15.4.
//!
//! If a frame requests an acknowledgement, its receiver sends an acknowledgement after a turnaround of 192 us
//! (IEEE 802.15.4-2020, 6.6.3 and 10.1.3). The acknowledgement has the sequence number of the frame. If the
//! sender gets no acknowledgement, it transmits the same frame again, up to macMaxFrameRetries times, 3 by
//! default (8.4.3), and then gives up. A retransmission carries no mark that distinguishes it from the first
//! transmission.
//!
//! | recording | meaning |
//! |---|---|
//! | a frame, then its acknowledgement | delivered |
//! | the same frame again | retransmission |
//! | an acknowledgement that does not directly follow its frame | the sniffer missed a transmission |
//! | a frame without acknowledgement, transmitted N times (N: the largest number of transmissions of any frame of the sender, but at least 4) | lost: the sender gave up |
//! | a frame without acknowledgement, transmitted fewer than N times, then the next frame | unresolved: the sniffer missed the acknowledgement or further transmissions, or the sender is configured for fewer than N transmissions |
//! | a gap in the sequence numbers of a sender | not counted: the sniffer missed frames, or the sender found no free channel |

use std::collections::BTreeMap;

use airlag_trace::Problem;
use airlag_trace::frames::Radio;
use airlag_trace::frames::ieee802154::{Address, Kind, Mpdu};
use airlag_trace::memory::Held;

use super::stream::{Ack, Attempt, Collector};
use super::{Heard, Stream};

/// Longest wait for an acknowledgement from the end of the frame: macAckWaitDuration of the 2.4 GHz O-QPSK PHY,
/// 54 symbols of 16 us (8.4.3.2 and 12.2), ns.
const ACK_WAIT_NS: i64 = 54 * 16_000;
/// Longest time, ns, from a recorded transmission of a frame to an acknowledgement that is still assigned to
/// this frame although the sniffer missed the last transmission of the frame. The value is twice the sum of
/// the longest backoff (2^5 - 1 slots of 320 us) and the longest frame (4.256 ms).
const RETRY_NS: i64 = 2 * (31 * 320_000 + 4_256_000);
/// Number of transmissions of a frame with the default macMaxFrameRetries of 3 (8.4.3): the first one and 3 retries.
const LEAST_LIMIT: u32 = 4;

/// Sender and receiver.
type Ends = (Option<Address>, Option<Address>);

/// Frames from one sender to one receiver.
struct Flow {
    collector: Collector,
    open: Option<Open>,
}

struct Open {
    sequence: Option<u8>,
    digest: u32,
    end_ns: i64,
    attempt: Attempt,
}

/// The last frame on a channel that requests an acknowledgement.
#[derive(Clone, Copy)]
struct Asking {
    ends: Ends,
    sequence: Option<u8>,
    end_ns: i64,
    is_acknowledged: bool,
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
        let mpdu = &one.frame;
        let end_ns = one.begin_ns.saturating_add(mpdu.airtime_ns.into());
        if mpdu.kind == Kind::Ack {
            if let (true, Some(asking)) = (mpdu.is_intact, asking.get_mut(&mpdu.channel)) {
                acknowledge(asking, one, &mut flows);
            }
            continue;
        }
        let ends = (mpdu.source, mpdu.destination);
        if mpdu.kind != Kind::Data || (!mpdu.is_intact && !flows.contains_key(&ends)) {
            // Addresses of a damaged frame may be wrong.
            continue;
        }
        if !flows.contains_key(&ends) {
            held.charge(size_of::<(Ends, Flow)>() as u64)?;
        }
        let flow =
            flows.entry(ends).or_insert_with(|| Flow { collector: Collector::new(), open: None });
        flow.collector.heard(one.begin_ns, end_ns);
        if !mpdu.is_intact {
            flow.damage(mpdu, end_ns);
        } else if mpdu.wants_ack {
            flow.transmit(one, end_ns, held);
            let sequence = mpdu.sequence;
            let request = Asking { ends, sequence, end_ns, is_acknowledged: false };
            asking.insert(mpdu.channel, request);
        } else {
            flow.collector.counts.frames += 1;
            flow.collector.counts.transmissions += 1;
        }
    }
    for ((from, to), mut flow) in flows {
        flow.close(held);
        let name = |address: Option<Address>| match address {
            Some(address) if address.is_broadcast() => "broadcast".to_owned(),
            Some(address) => address.to_string(),
            None => "coordinator".to_owned(),
        };
        let name = format!("{}→{}", name(from), name(to));
        let limit = flow.collector.most_transmissions().max(LEAST_LIMIT);
        streams.extend(flow.collector.finish(name, Radio::Ieee802154, Some(limit), held)?);
    }
    Ok(())
}

/// Assigns an acknowledgement to the last frame that requested one.
fn acknowledge(asking: &mut Asking, one: &Heard<Mpdu>, flows: &mut BTreeMap<Ends, Flow>) {
    let Some(flow) = flows.get_mut(&asking.ends) else { return };
    let pause_ns = one.begin_ns - asking.end_ns;
    let is_same = asking.sequence == one.frame.sequence;
    if !is_same || asking.is_acknowledged && pause_ns > ACK_WAIT_NS || pause_ns > RETRY_NS {
        // The acknowledged frame is not in the recording. Its stream is not known, because an
        // acknowledgement has no address. The last stream is the most likely.
        flow.collector.counts.missed += 1;
        return;
    }
    let is_direct = pause_ns <= ACK_WAIT_NS;
    flow.collector.counts.missed += u64::from(!is_direct);
    asking.is_acknowledged = true;
    if let Some(open) = flow.open.as_mut().filter(|open| open.sequence == asking.sequence) {
        let delivered_ns = open.end_ns;
        let ack = Ack { begin_ns: one.begin_ns, delivered_ns, is_known: is_direct };
        // The first one counts: later transmissions are duplicates for the receiver.
        open.attempt.ack.get_or_insert(ack);
    }
}

impl Flow {
    fn transmit(&mut self, one: &Heard<Mpdu>, end_ns: i64, held: &mut Held) {
        let mpdu = &one.frame;
        let counts = &mut self.collector.counts;
        counts.transmissions += 1;
        match &mut self.open {
            Some(open) if open.sequence == mpdu.sequence && open.digest == mpdu.digest => {
                counts.retransmissions += 1;
                open.attempt.transmissions += 1;
                open.end_ns = end_ns;
            }
            _ => {
                counts.frames += 1;
                self.close(held);
                self.open = Some(Open {
                    sequence: mpdu.sequence,
                    digest: mpdu.digest,
                    end_ns,
                    attempt: Attempt {
                        first_ns: one.begin_ns,
                        // The recording would not show an earlier transmission that the sniffer
                        // missed.
                        is_first_known: true,
                        transmissions: 1,
                        ack: None,
                    },
                });
            }
        }
    }

    /// Evaluates a frame that the sniffer received damaged. If it has the sequence number of the
    /// last frame, it is one of the transmissions of that frame.
    fn damage(&mut self, mpdu: &Mpdu, end_ns: i64) {
        self.collector.counts.damaged += 1;
        if let Some(open) = self.open.as_mut().filter(|open| open.sequence == mpdu.sequence) {
            open.end_ns = end_ns;
        }
    }

    fn close(&mut self, held: &mut Held) {
        if let Some(open) = self.open.take() {
            self.collector.close(open.attempt, held);
        }
    }
}
