use airlag_trace::MemoryLimit;
use proptest::prelude::*;

use super::*;
use crate::pair::{NONE, Outcome, Transfers};

/// Packets of one link type at times in us.
fn analyzed(link_type: u16, packets: &[(i64, Vec<u8>)]) -> Result<Sniff, Problem> {
    let mut recording = Recording::within(MemoryLimit::default());
    for (at_us, bytes) in packets {
        let at_ns = at_us * 1_000;
        let packet = Packet { at_ns, link_type, bytes, is_cut: false, is_damaged: false };
        recording.add(&packet).expect("within the limit");
    }
    recording.analyze()
}

const WITHOUT_FCS: u16 = frames::ieee802154::WITHOUT_FCS;

/// Data from 0x8899 to 0x1234 of ten bytes, which lasts 576 us with its FCS.
fn data(sequence: u8) -> Vec<u8> {
    vec![0x61, 0x88, sequence, 7, 0, 0x34, 0x12, 0x99, 0x88, sequence]
}

/// An acknowledgement.
fn ack(sequence: u8) -> Vec<u8> {
    vec![2, 0, sequence]
}

/// From the first bit of a frame to that of its acknowledgement, us: 576 and a turnaround of 192.
const ACK_US: i64 = 768;

#[test]
fn ieee_802154_is_delivered_with_the_acknowledged_transmission() {
    let found = analyzed(
        WITHOUT_FCS,
        &[
            (0, data(1)),
            (ACK_US, ack(1)),
            // The first transmission is not acknowledged.
            (10_000, data(2)),
            (14_000, data(2)),
            (14_000 + ACK_US, ack(2)),
            // The acknowledgement is lost on the way back.
            (20_000, data(3)),
            (20_000 + ACK_US, ack(3)),
            (24_000, data(3)),
            (24_000 + ACK_US, ack(3)),
            (30_000, data(4)),
            (30_000 + ACK_US, ack(4)),
        ],
    )
    .expect("frames");
    let [stream] = &found.streams[..] else { panic!("{found:?}") };
    assert_eq!(stream.name, "0x8899→0x1234");
    assert_eq!(stream.transfers.latencies_ns(), [576_000, 4_576_000, 576_000, 576_000]);
    assert_eq!(stream.acknowledged_ns, [768_000, 4_768_000, 768_000, 768_000]);
    let counts = Counts { frames: 4, transmissions: 6, retransmissions: 2, ..Counts::default() };
    assert_eq!(stream.counts, counts);
}

#[test]
fn an_ieee_802154_sender_that_gives_up_has_lost_its_frame() {
    let mut packets: Vec<_> = (0..4).map(|nth| (nth * 4_000, data(1))).collect();
    packets.extend([(30_000, data(2)), (30_000 + ACK_US, ack(2))]);
    // The acknowledgement is missing, or the sender was interrupted. The recording does not show
    // which.
    packets.extend([(40_000, data(3)), (50_000, data(4)), (50_000 + ACK_US, ack(4))]);
    let found = analyzed(WITHOUT_FCS, &packets).expect("frames");
    let stream = &found.streams[0];
    let [lost, done, unknown] = [Outcome::Lost, Outcome::Delivered, Outcome::Censored];
    assert_eq!(stream.transfers.outcome, [lost, done, unknown, done]);
    assert_eq!((stream.counts.retransmissions, stream.counts.unresolved), (3, 1));
}

#[test]
fn an_ieee_802154_acknowledgement_without_its_frame_is_a_loss_of_the_sniffer() {
    let found = analyzed(
        WITHOUT_FCS,
        &[
            (0, data(1)),
            (ACK_US, ack(1)),
            // Frame 2 is missing.
            (10_000 + ACK_US, ack(2)),
            // The second transmission of frame 3 is missing.
            (20_000, data(3)),
            (23_000 + ACK_US, ack(3)),
            (30_000, data(4)),
            (30_000 + ACK_US, ack(4)),
        ],
    )
    .expect("frames");
    let stream = &found.streams[0];
    assert_eq!((stream.counts.missed, stream.counts.retransmissions), (2, 0));
    assert_eq!(stream.transfers.latencies_ns(), [576_000, 576_000]);
    assert_eq!(stream.transfers.outcome[1], Outcome::Censored);
    assert_eq!(stream.counts.unresolved, 0);
}

const PLAIN: u16 = frames::ieee80211::PLAIN;
const A: [u8; 6] = [2, 0, 0, 0, 0, 1];
const B: [u8; 6] = [2, 0, 0, 0, 0, 2];

/// QoS data from A to B.
fn wifi(sequence: u16, is_retry: bool) -> Vec<u8> {
    let flags = if is_retry { 9 } else { 1 };
    let control = (sequence << 4).to_le_bytes();
    [&[0x88, flags, 44, 0][..], &B, &A, &B, &control, &[0, 0], &[1, 2, 3]].concat()
}

fn wifi_ack() -> Vec<u8> {
    [&[0xD4, 0, 0, 0][..], &A].concat()
}

#[test]
fn ieee_80211_ends_a_sifs_before_its_acknowledgement() {
    let found = analyzed(
        PLAIN,
        &[
            (0, wifi(1, false)),
            (210, wifi_ack()),
            (1_000, wifi(2, false)),
            (2_000, wifi(2, true)),
            (2_210, wifi_ack()),
            // Only the retransmission is in the recording.
            (3_000, wifi(3, true)),
            (3_210, wifi_ack()),
            // The frame is missing.
            (4_210, wifi_ack()),
            // Given up after four transmissions.
            (5_000, wifi(5, false)),
            (5_500, wifi(5, true)),
            (6_000, wifi(5, true)),
            (6_500, wifi(5, true)),
            (7_000, wifi(6, false)),
            (7_210, wifi_ack()),
        ],
    )
    .expect("frames");
    let [stream] = &found.streams[..] else { panic!("{found:?}") };
    assert_eq!(stream.name, "02:00:00:00:00:01→02:00:00:00:00:02");
    assert_eq!(stream.transfers.latencies_ns(), [200_000, 1_200_000, 200_000]);
    let [lost, done, unknown] = [Outcome::Lost, Outcome::Delivered, Outcome::Censored];
    assert_eq!(stream.transfers.outcome, [done, done, unknown, lost, done]);
    // Four frames with a first transmission, and one without.
    assert_eq!((stream.counts.frames, stream.counts.retransmissions), (5, 5));
    assert_eq!(stream.counts.missed, 2);
}

#[test]
fn a_block_acknowledgement_covers_an_aggregate() {
    let block = [&[0x94, 0, 0, 0][..], &A, &B, &[4, 0, 0x10, 0], &[0b101, 0, 0, 0, 0, 0, 0, 0]];
    let found = analyzed(
        PLAIN,
        &[(0, wifi(1, false)), (0, wifi(2, false)), (0, wifi(3, false)), (900, block.concat())],
    )
    .expect("frames");
    let transfers = &found.streams[0].transfers;
    assert_eq!(transfers.completion_ns, [890_000, NONE, 890_000]);
    let trace = found.streams[0].edges(0, "delivered");
    assert_eq!(trace.channels[0].segments[0].edges_ns, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_file_without_frames_of_a_radio_is_refused_by_name() {
    let text = |link_type, packets: &[(i64, Vec<u8>)]| {
        analyzed(link_type, packets).expect_err("refused").to_string()
    };
    assert!(text(1, &[(0, data(1))]).starts_with("link type 1 is not supported; expected"));
    assert!(text(WITHOUT_FCS, &[]).starts_with("the file has no packets; expected"));
    assert!(text(WITHOUT_FCS, &[(0, vec![1])]).starts_with("the file has no complete packet"));
}

#[test]
fn memory_is_limited() {
    let mut recording = Recording::within(MemoryLimit::of(10_000));
    let bytes = data(1);
    let packet = Packet {
        at_ns: 0,
        link_type: WITHOUT_FCS,
        bytes: &bytes,
        is_cut: false,
        is_damaged: false,
    };
    let refused = (0..10_000).find_map(|_| recording.add(&packet).err()).expect("a limit");
    assert!(matches!(refused, Problem::OverMemory { .. }), "{refused}");
}

/// Properties of every stream, for any packets.
fn is_sound(stream: &Stream) -> bool {
    let Transfers { trigger_ns, completion_ns, outcome, .. } = &stream.transfers;
    let delivered = stream.transfers.count(Outcome::Delivered);
    let ends = trigger_ns.iter().zip(completion_ns).zip(outcome);
    trigger_ns.len() == completion_ns.len()
        && trigger_ns.len() == outcome.len()
        && trigger_ns.is_sorted()
        && stream.acknowledged_ns.len() == delivered
        && ends.into_iter().all(|((trigger, completion), outcome)| {
            (*outcome == Outcome::Delivered) == (*completion != NONE)
                && (*completion == NONE || completion >= trigger)
        })
        && stream.counts.transmissions >= stream.counts.frames
}

proptest! {
    #[test]
    fn arbitrary_packets_at_arbitrary_times_give_sound_streams(
        packets in prop::collection::vec(
            (0_usize..8, any::<i64>(), 0_i64..50_000_000, prop::collection::vec(any::<u8>(), 0..48)),
            1..40,
        ),
        is_wild in any::<bool>(),
    ) {
        const TYPES: [u16; 8] = [251, 256, 272, 195, 230, 283, 105, 127];
        let mut recording = Recording::within(MemoryLimit::of(1 << 20));
        let mut at_ns = 0;
        for (nth, wild_ns, step_ns, bytes) in &packets {
            at_ns = if is_wild { *wild_ns } else { at_ns + step_ns };
            let link_type = TYPES[*nth];
            let packet = Packet { at_ns, link_type, bytes, is_cut: false, is_damaged: false };
            recording.add(&packet).expect("within the limit");
        }
        if let Ok(found) = recording.analyze() {
            for stream in &found.streams {
                prop_assert!(is_sound(stream), "{stream:?}");
            }
        }
    }
}

#[test]
fn a_packet_takes_as_much_memory_as_documented() {
    let sizes = [
        size_of::<Heard<frames::bluetooth_le::Pdu>>(),
        size_of::<Heard<frames::ieee802154::Mpdu>>(),
        size_of::<Heard<frames::ieee80211::Mpdu>>(),
    ];
    assert!(sizes.iter().all(|bytes| (56..=80).contains(bytes)), "{sizes:?}");
}
