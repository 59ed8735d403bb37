use airlag_trace::MemoryLimit;
use airlag_trace::frames::bluetooth_le::{Pdu, Sender};
use airlag_trace::memory::Held;
use proptest::prelude::*;

use crate::pair::{NONE, Outcome};
use crate::sniff::bluetooth_le::connections;
use crate::sniff::{Connection, Heard, Stream};

const INTERVAL_NS: i64 = 30_000_000;
const PAUSE_NS: i64 = 150_000;
const EVENTS: i64 = 120;

/// A repeatable source of chances (xorshift).
struct Chance(u64);

impl Chance {
    fn happens(&mut self, probability: f64) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}

/// One end, as section 4.5.9 describes it.
#[derive(Default)]
struct Side {
    sn: bool,
    nesn: bool,
    /// Identity of the PDU being sent; `None` for an empty one.
    data: Option<u32>,
    waiting: u32,
    next: u32,
    /// First bit and end of the delivered transmission of each data PDU.
    truth: Vec<(i64, i64)>,
    retransmissions: u64,
    /// Whether the PDU being sent was transmitted before.
    was_sent: bool,
}

impl Side {
    fn send(&mut self, sender: Sender, begin_ns: i64) -> Heard<Pdu> {
        if !self.was_sent && self.waiting > 0 {
            self.waiting -= 1;
            self.next += 1;
            self.data = Some(self.next);
            self.truth.push((begin_ns, NONE));
        }
        self.retransmissions += u64::from(self.was_sent && self.data.is_some());
        self.was_sent = true;
        let length = if self.data.is_some() { 20 } else { 0 };
        let llid = if length == 0 { 1 } else { 2 };
        let frame = Pdu {
            access_address: 0x5065_5535,
            channel: Some((begin_ns / INTERVAL_NS % 37) as u8),
            sender: Some(sender),
            header: llid | u8::from(self.nesn) << 2 | u8::from(self.sn) << 3,
            length,
            digest: self.data.unwrap_or(0),
            is_intact: true,
            is_acl_or_advertising: true,
            is_coded: false,
            airtime_ns: (10 + u32::from(length)) * 8_000,
            connect: None,
        };
        Heard { begin_ns, frame }
    }

    /// Receives a packet of `from`, which carried its current PDU.
    fn receive(&mut self, packet: &Heard<Pdu>, from: &mut Self) {
        if packet.frame.sn() == self.nesn {
            self.nesn = !self.nesn;
            if let (Some(_), Some(last)) = (from.data, from.truth.last_mut()) {
                last.1 = super::end_ns(packet);
            }
        }
        if packet.frame.nesn() != self.sn {
            self.sn = !self.sn;
            self.data = None;
            self.was_sent = false;
        }
    }
}

/// Packets of a connection in which each packet is lost with this probability, and both ends.
fn connection(chance: &mut Chance, loss: f64) -> (Vec<Heard<Pdu>>, [Side; 2]) {
    let (mut central, mut peripheral) = (Side::default(), Side::default());
    let mut air = Vec::new();
    for event in 0..EVENTS {
        // Nothing is lost and no data is sent at first, so that both numbers are known.
        let is_start = event < 2;
        for side in [&mut central, &mut peripheral] {
            side.waiting += u32::from(!is_start && chance.happens(0.3));
        }
        let mut at_ns = event * INTERVAL_NS;
        loop {
            let packet = central.send(Sender::Central, at_ns);
            air.push(packet);
            if !is_start && chance.happens(loss) {
                break;
            }
            peripheral.receive(&packet, &mut central);
            let answer = peripheral.send(Sender::Peripheral, super::end_ns(&packet) + PAUSE_NS);
            air.push(answer);
            if !is_start && chance.happens(loss) {
                break;
            }
            central.receive(&answer, &mut peripheral);
            at_ns = super::end_ns(&answer) + PAUSE_NS;
            if !chance.happens(0.4) || at_ns > (event + 1) * INTERVAL_NS - 10_000_000 {
                break;
            }
        }
    }
    (air, [central, peripheral])
}

fn analyzed(mut air: Vec<Heard<Pdu>>) -> (Connection, Vec<Stream>) {
    let (mut held, mut streams) = (Held::within(MemoryLimit::default()), Vec::new());
    let mut found = connections(&mut air, &mut held, &mut streams).expect("within the limit");
    assert_eq!((found.len(), streams.len()), (1, 2));
    (found.remove(0), streams)
}

/// First bit and end of each transfer. [`NONE`] for an unknown end.
fn pairs(stream: &Stream) -> Vec<(i64, i64)> {
    let transfers = &stream.transfers;
    transfers.trigger_ns.iter().copied().zip(transfers.completion_ns.iter().copied()).collect()
}

proptest! {
    #[test]
    fn a_complete_recording_gives_every_latency_and_retransmission(
        seed in 1_u64.., loss in 0.0..0.4,
    ) {
        let (air, sides) = connection(&mut Chance(seed), loss);
        let (found, streams) = analyzed(air);
        prop_assert_eq!(found.interval_ns, Some(INTERVAL_NS as f64));
        prop_assert_eq!((found.events, found.events_missed), (EVENTS as u64, 0));
        for (stream, side) in streams.iter().zip(&sides) {
            let counts = stream.counts;
            prop_assert_eq!(counts.retransmissions, side.retransmissions);
            prop_assert_eq!((counts.missed, counts.acks_missed, counts.damaged), (0, 0, 0));
            prop_assert_eq!(counts.frames, side.truth.len() as u64);
            // The acknowledgement of the last one may be after the end.
            let mut expected = side.truth.clone();
            let mut pairs = pairs(stream);
            if pairs.last().is_some_and(|last| last.1 == NONE) {
                expected.pop();
                pairs.pop();
            }
            prop_assert_eq!(pairs, expected);
        }
    }

    #[test]
    fn packets_that_the_sniffer_missed_are_never_retransmissions_or_latencies(
        seed in 1_u64.., missed in 0.0..0.5,
    ) {
        let mut chance = Chance(seed);
        let (air, sides) = connection(&mut chance, 0.0);
        let whole = air.len();
        let seen: Vec<_> = air.into_iter().filter(|_| !chance.happens(missed)).collect();
        prop_assume!(seen.len() > 40);
        let dropped = (whole - seen.len()) as u64;
        let (found, streams) = analyzed(seen);
        let interval_ns = found.interval_ns.expect("enough events");
        prop_assert!((interval_ns - INTERVAL_NS as f64).abs() < 1.0, "{interval_ns}");
        let mut certain = 0;
        for (stream, side) in streams.iter().zip(&sides) {
            prop_assert_eq!(stream.counts.retransmissions, 0);
            prop_assert_eq!(stream.transfers.count(Outcome::Lost), 0);
            for pair in pairs(stream).iter().filter(|pair| pair.1 != NONE) {
                prop_assert!(side.truth.contains(pair), "{pair:?}");
            }
            certain += stream.counts.missed;
        }
        prop_assert!(certain <= dropped, "{certain} of {dropped}");
    }

    #[test]
    fn with_losses_of_both_no_retransmission_is_counted_that_was_not_sent(
        seed in 1_u64.., loss in 0.0..0.3, missed in 0.0..0.3,
    ) {
        let mut chance = Chance(seed);
        let (air, sides) = connection(&mut chance, loss);
        let whole = air.len();
        let seen: Vec<_> = air.into_iter().filter(|_| !chance.happens(missed)).collect();
        let dropped = (whole - seen.len()) as u64;
        let (_, streams) = analyzed(seen);
        for (stream, side) in streams.iter().zip(&sides) {
            prop_assert!(stream.counts.retransmissions <= side.retransmissions);
            prop_assert!(stream.counts.frames <= side.truth.len() as u64);
        }
        let missed: u64 = streams.iter().map(|stream| stream.counts.missed).sum();
        prop_assert!(missed <= dropped, "{missed} of {dropped}");
    }
}

#[test]
fn a_damaged_first_transmission_begins_the_transfer() {
    let (mut air, sides) = connection(&mut Chance(7), 0.3);
    let (_, whole) = analyzed(air.clone());
    // The first transmission of a frame that was sent again.
    let pairs = pairs(&whole[0]);
    let again = pairs.iter().position(|(first, end)| end - first > INTERVAL_NS / 2).expect("one");
    let nth = air.iter().position(|one| one.begin_ns == pairs[again].0).expect("in the recording");
    air[nth].frame.is_intact = false;
    air[nth].frame.digest = 99;
    let (_, streams) = analyzed(air);
    assert_eq!(streams[0].counts.damaged, 1);
    assert_eq!(streams[0].counts.retransmissions, sides[0].retransmissions);
    assert!(self::pairs(&streams[0]).contains(&pairs[again]));
}

#[test]
fn a_single_missed_packet_is_found_wherever_it_is() {
    let (air, _) = connection(&mut Chance(5), 0.0);
    let ends = 4..air.len() - 4;
    for nth in ends {
        let mut seen = air.clone();
        let gone = seen.remove(nth);
        let (found, streams) = analyzed(seen);
        let counts: Vec<u64> =
            streams.iter().map(|stream| stream.counts.missed + stream.counts.acks_missed).collect();
        assert!(counts.iter().sum::<u64>() > 0, "{nth} {gone:?} {found:?}");
    }
}
