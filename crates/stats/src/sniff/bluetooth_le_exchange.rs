//! Acknowledgement and retransmission of Bluetooth LE.
//!
//! Each packet contains two bits: its sequence number (SN), and the sequence number that its sender
//! expects next (NESN) (Bluetooth Core Specification 5.4, volume 6, part B, 4.5.9). A NESN that
//! differs from the SN of a PDU acknowledges this PDU. A NESN that equals the SN of a PDU requests
//! the PDU again. A sender changes its SN only after an acknowledgement. The conclusions from these
//! rules are:
//!
//! | PDU compared with the previous PDU of the same end | meaning |
//! |---|---|
//! | same SN and content, previous PDU not acknowledged | retransmission |
//! | same SN and content, previous PDU acknowledged | retransmission: the acknowledgement was not received |
//! | same SN, other content | the sniffer missed a PDU in between |
//! | other SN, previous PDU not acknowledged | the sniffer missed the acknowledgement |
//! | NESN changes back, without a PDU of the other end in between | the sniffer missed a PDU of the other end |
//!
//! Two missed packets in a row can hide each other. Empty PDUs have equal content, so after a gap in the
//! recording an empty PDU with the same SN is not counted as a retransmission.

use airlag_trace::frames::bluetooth_le::{Pdu, Sender};
use airlag_trace::memory::Held;

use super::Heard;
use super::bluetooth_le::end_ns;
use super::stream::{Ack, Attempt, Collector};

/// LLID of control PDUs.
const CONTROL: u8 = 3;

/// Packets missing in the recording before a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Gap {
    /// Whole events, which may have had packets of both ends.
    pub(super) events: bool,
    /// A packet of the central.
    pub(super) central: bool,
    /// A packet of the peripheral.
    pub(super) peripheral: bool,
}

/// Both ends of a connection.
#[derive(Debug)]
pub(super) struct Exchange {
    central: End,
    peripheral: End,
}

impl Default for Exchange {
    fn default() -> Self {
        Self { central: End::new(), peripheral: End::new() }
    }
}

/// PDUs of one end.
#[derive(Debug)]
struct End {
    collector: Collector,
    open: Option<Open>,
    /// Whether a packet of this end may be missing since its last packet, or since the last
    /// acknowledgement.
    has_gap: bool,
    /// Missing packets that were counted from pauses, and that the sequence numbers have not confirmed yet.
    counted: u64,
    /// Number that the other end expected in its last packet.
    expected: Option<bool>,
    /// First damaged packet since the last acknowledgement.
    damaged_ns: Option<i64>,
    /// Whether the other end is known to have acknowledged a PDU that the sniffer missed. The next PDU is then
    /// new.
    is_acknowledged: bool,
}

/// The last PDU of an end.
#[derive(Clone, Copy, Debug)]
struct Open {
    sn: bool,
    digest: u32,
    is_empty: bool,
    is_control: bool,
    /// Last bit of its last transmission, ns.
    end_ns: i64,
    /// Whether the other end requested it again.
    is_requested: bool,
    attempt: Attempt,
}

impl Exchange {
    /// Evaluates the next packet.
    pub(super) fn hear(&mut self, packet: &Heard<Pdu>, sender: Sender, gap: Gap, held: &mut Held) {
        for (end, is_missing) in
            [(&mut self.central, gap.central), (&mut self.peripheral, gap.peripheral)]
        {
            end.has_gap |= gap.events || is_missing;
            if is_missing {
                end.collector.counts.missed += 1;
                end.counted += 1;
            }
        }
        let (own, peer) = match sender {
            Sender::Central => (&mut self.central, &mut self.peripheral),
            Sender::Peripheral => (&mut self.peripheral, &mut self.central),
        };
        own.collector.heard(packet.begin_ns, end_ns(packet));
        if packet.frame.is_intact {
            peer.acknowledge(packet.frame.nesn(), packet.begin_ns, held);
            own.transmit(packet, held);
        } else {
            own.damage(packet);
        }
    }

    /// The stream of one end.
    pub(super) fn finish(&mut self, sender: Sender, held: &mut Held) -> Collector {
        let end = match sender {
            Sender::Central => &mut self.central,
            Sender::Peripheral => &mut self.peripheral,
        };
        end.close(held);
        std::mem::replace(&mut end.collector, Collector::new())
    }
}

impl End {
    const fn new() -> Self {
        Self {
            collector: Collector::new(),
            open: None,
            has_gap: false,
            counted: 0,
            expected: None,
            damaged_ns: None,
            is_acknowledged: false,
        }
    }

    /// Evaluates the number that the other end expects.
    fn acknowledge(&mut self, nesn: bool, begin_ns: i64, held: &mut Held) {
        let before = self.expected.replace(nesn);
        match &mut self.open {
            Some(open) if open.attempt.ack.is_none() => {
                if nesn == open.sn {
                    open.is_requested = true;
                } else {
                    let is_known = !self.has_gap;
                    let delivered_ns = open.end_ns;
                    open.attempt.ack = Some(Ack { begin_ns, delivered_ns, is_known });
                    self.settle();
                }
            }
            // Acknowledged, and then one more PDU, which is not in the recording.
            Some(open) if nesn == open.sn => self.missed(held),
            Some(_) => {}
            None => {
                if before.is_some_and(|before| before != nesn) {
                    self.missed(held);
                }
            }
        }
    }

    /// Counts a PDU that the other end acknowledged and the sniffer missed. The next PDU is sent
    /// after that acknowledgement.
    fn missed(&mut self, held: &mut Held) {
        self.close(held);
        self.count_missed();
        self.is_acknowledged = true;
        self.settle();
    }

    fn count_missed(&mut self) {
        match self.counted.checked_sub(1) {
            Some(rest) => self.counted = rest,
            None => self.collector.counts.missed += 1,
        }
    }

    /// The recording is complete from here on.
    fn settle(&mut self) {
        (self.has_gap, self.damaged_ns, self.counted) = (false, None, 0);
    }

    fn transmit(&mut self, packet: &Heard<Pdu>, held: &mut Held) {
        let pdu = &packet.frame;
        let mut still_counted = 0;
        match &mut self.open {
            Some(open) if open.sn == pdu.sn() && open.digest == pdu.digest => {
                let is_ambiguous = open.is_empty && self.has_gap;
                // If this is a new PDU, the next acknowledgement will reveal the missing PDU that was counted
                // from a pause.
                still_counted = if open.is_empty { self.counted } else { 0 };
                open.end_ns = end_ns(packet);
                if !open.is_empty {
                    self.collector.counts.transmissions += 1;
                }
                if !is_ambiguous {
                    open.attempt.transmissions += 1;
                    self.collector.counts.retransmissions += u64::from(!open.is_empty);
                }
            }
            Some(open) if open.sn == pdu.sn() => {
                // Not acknowledged in the recording, but another PDU followed.
                if open.attempt.ack.is_none() {
                    self.collector.counts.acks_missed += 1;
                }
                self.count_missed();
                self.close(held);
                self.open(packet, false);
            }
            Some(open) => {
                if open.attempt.ack.is_none() {
                    self.collector.counts.acks_missed += 1;
                }
                let is_first_known = !self.has_gap;
                self.close(held);
                self.open(packet, is_first_known);
            }
            // Without an earlier PDU, the first one may be a retransmission.
            None => self.open(packet, self.is_acknowledged && !self.has_gap),
        }
        self.settle();
        self.counted = still_counted;
    }

    fn open(&mut self, packet: &Heard<Pdu>, is_first_known: bool) {
        let pdu = &packet.frame;
        let is_empty = pdu.length == 0;
        // A damaged packet after the last acknowledgement was a transmission of this PDU.
        let damaged_ns = self.damaged_ns.filter(|_| is_first_known);
        let transmissions = 1 + u32::from(damaged_ns.is_some());
        if !is_empty {
            let counts = &mut self.collector.counts;
            counts.frames += 1;
            counts.transmissions += 1;
            counts.retransmissions += u64::from(damaged_ns.is_some());
        }
        self.open = Some(Open {
            sn: pdu.sn(),
            digest: pdu.digest,
            is_empty,
            is_control: pdu.llid() == CONTROL,
            end_ns: end_ns(packet),
            is_requested: false,
            attempt: Attempt {
                first_ns: damaged_ns.unwrap_or(packet.begin_ns),
                is_first_known,
                transmissions,
                ack: None,
            },
        });
    }

    /// Evaluates a packet whose time is known, but whose content is not.
    fn damage(&mut self, packet: &Heard<Pdu>) {
        self.collector.counts.damaged += 1;
        match &mut self.open {
            Some(open) if open.attempt.ack.is_none() => {
                open.end_ns = end_ns(packet);
                if open.is_requested {
                    open.attempt.transmissions += 1;
                    self.collector.counts.retransmissions += u64::from(!open.is_empty);
                } else {
                    // A retransmission, or a new PDU after an acknowledgement that the sniffer missed.
                    self.has_gap = true;
                }
            }
            Some(_) => {
                self.damaged_ns.get_or_insert(packet.begin_ns);
            }
            None => self.has_gap = true,
        }
    }

    /// Ends the last PDU. Only data of the layer above is a transfer.
    fn close(&mut self, held: &mut Held) {
        if let Some(open) = self.open.take().filter(|open| !open.is_empty && !open.is_control) {
            self.collector.close(open.attempt, held);
        }
    }
}

#[cfg(test)]
mod tests;
