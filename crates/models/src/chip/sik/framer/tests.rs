use super::*;
use proptest::prelude::*;

const ROOM: usize = 250;

fn framer(framing: Framing) -> Framer {
    Framer::new(framing, false, ROOM, 10)
}

fn buffer(bytes: &[u8]) -> VecDeque<u8> {
    bytes.iter().copied().collect()
}

#[test]
fn without_framing_bytes_leave_as_they_come() {
    let mut ring = buffer(&[1, 0xFE, 0x55, 0xFD]);
    let packet = framer(Framing::Off).next(&mut ring, 3, 0);
    assert_eq!((packet.data, ring), (vec![1, 0xFE, 0x55], buffer(&[0xFD])));
}

#[test]
fn a_first_byte_of_a_frame_ends_the_packet_before_it() {
    let mut ring = buffer(&[1, 2, 0xFE, 1, 0, 0, 0, 0, 0, 0, 0, 7]);
    let mut framer = framer(Framing::V10);
    assert_eq!(framer.next(&mut ring, ROOM, 0).data, [1, 2]);
    assert_eq!(framer.next(&mut ring, ROOM, 0).data, [0xFE, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(framer.next(&mut ring, ROOM, 0).data, [7]);
}

#[test]
fn a_frame_is_held_until_it_is_whole() {
    let mut ring = buffer(&[0xFE, 1, 0, 0]);
    let mut framer = framer(Framing::V10);
    assert!(framer.next(&mut ring, ROOM, 0).data.is_empty());
    ring.extend([0, 0, 0, 0, 0]);
    assert_eq!(framer.next(&mut ring, ROOM, 50).data.len(), 9);
}

#[test]
fn a_frame_that_does_not_come_is_sent_as_it_is_after_its_time_on_the_serial_line() {
    let mut ring = buffer(&[0xFE, 1, 0, 0]);
    let mut framer = framer(Framing::V10);
    assert!(framer.next(&mut ring, ROOM, 100).data.is_empty());
    assert!(framer.next(&mut ring, ROOM, 190).data.is_empty());
    assert_eq!(framer.next(&mut ring, ROOM, 191).data, [0xFE, 1, 0, 0]);
}

#[test]
fn a_lone_first_byte_waits_for_its_length() {
    let mut ring = buffer(&[0xFE]);
    let mut framer = framer(Framing::V10);
    assert!(framer.next(&mut ring, ROOM, 0).data.is_empty());
    assert_eq!(framer.next(&mut ring, ROOM, 11).data, [0xFE]);
}

#[test]
fn a_frame_too_long_for_a_packet_is_not_kept_together() {
    let mut ring = buffer(&[0xFE, 0xFF, 3]);
    assert_eq!(framer(Framing::V10).next(&mut ring, ROOM, 0).data, [0xFE, 0xFF, 3]);
}

#[test]
fn whole_frames_behind_each_other_share_a_packet() {
    let frame = [0xFE, 0, 0, 0, 0, 0, 0, 0];
    let mut ring: VecDeque<u8> = frame.iter().chain(&frame).chain(&frame).copied().collect();
    let mut framer = framer(Framing::V10);
    assert_eq!(framer.next(&mut ring, 20, 0).data.len(), 16);
    assert_eq!(framer.next(&mut ring, 20, 0).data.len(), 8);
}

#[test]
fn only_the_versions_asked_for_begin_a_frame() {
    for (framing, starts) in [
        (Framing::Off, [false, false, false]),
        (Framing::V10, [true, false, false]),
        (Framing::V09V10, [true, true, false]),
        (Framing::V10V20, [true, false, true]),
    ] {
        assert_eq!([0xFE, 0x55, 0xFD].map(|byte| framer(framing).begins_frame(byte)), starts);
    }
}

#[test]
fn the_last_packet_is_sent_once_more_while_little_waits() {
    let mut framer = Framer::new(Framing::Off, true, ROOM, 10);
    let mut ring = buffer(&[1, 2, 3]);
    assert_eq!(framer.next(&mut ring, ROOM, 0), Packet { data: vec![1, 2, 3], resend: false });
    assert_eq!(framer.next(&mut ring, ROOM, 0), Packet { data: vec![1, 2, 3], resend: true });
    assert_eq!(framer.next(&mut ring, ROOM, 0), Packet { data: vec![], resend: false });
}

#[test]
fn a_packet_that_came_twice_is_handed_out_once() {
    let mut duplicates = Duplicates::default();
    assert!(!duplicates.is_one(b"one", false));
    assert!(duplicates.is_one(b"one", true));
    // Its first copy was lost, so this one is new.
    assert!(!duplicates.is_one(b"two", true));
}

proptest! {
    #[test]
    fn the_packets_of_a_stream_are_the_stream(
        pieces in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..40), 1_usize..250, 0_u64..3_000), 1..40),
        framing in prop::sample::select(vec![Framing::Off, Framing::V10, Framing::V09V10, Framing::V10V20]),
    ) {
        let (mut ring, mut tick) = (VecDeque::new(), 0);
        let mut framer = framer(framing);
        let (mut came, mut left): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
        for (bytes, room, passed) in pieces {
            came.extend(&bytes);
            ring.extend(bytes);
            tick += passed;
            let packet = framer.next(&mut ring, room, tick);
            prop_assert!(packet.data.len() <= room);
            left.extend(packet.data);
        }
        left.extend(ring);
        prop_assert_eq!(came, left);
    }
}
