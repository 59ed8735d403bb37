use super::*;

const A: [u8; 6] = [2, 0, 0, 0, 0, 1];
const B: [u8; 6] = [2, 0, 0, 0, 0, 2];
const GROUP: [u8; 6] = [0xFF; 6];

fn decoded(link_type: u16, bytes: &[u8]) -> Option<Mpdu> {
    Mpdu::of(&Packet { at_ns: 0, link_type, bytes, is_cut: false, is_damaged: false })
}

/// QoS data of TID 5 with sequence number 0x123, fragment 4.
fn data(flags: u8, to: [u8; 6], qos: u8) -> Vec<u8> {
    [&[0x88, flags, 44, 0][..], &to, &A, &B, &[0x34, 0x12], &[qos, 0], &[1, 2, 3]].concat()
}

fn numbered_of(bytes: &[u8]) -> Numbered {
    match decoded(PLAIN, bytes).expect("a frame").kind {
        Kind::Numbered(frame) => frame,
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn a_data_frame_has_addresses_numbers_and_the_retry_bit() {
    let frame = numbered_of(&data(0x09, B, 5));
    assert_eq!((frame.sequence, frame.fragment, frame.tid), (0x123, 4, Some(5)));
    assert!(frame.is_retry && frame.carries_data && frame.wants_ack);
    assert_eq!(frame.transmitter.to_string(), "02:00:00:00:00:01");
    let first = numbered_of(&data(0x01, B, 5));
    assert!(!first.is_retry);
    // A group address, and a policy without acknowledgement.
    assert!(!numbered_of(&data(0x01, GROUP, 5)).wants_ack);
    assert!(!numbered_of(&data(0x01, B, 5 | 1 << 5)).wants_ack);
}

#[test]
fn null_and_management_frames_carry_no_data_and_action_frames_do() {
    let mut frame = data(0, B, 0);
    for (control, carries) in
        [(0x08, true), (0x48, false), (0xC8, false), (0xB0, false), (0xD0, true)]
    {
        frame[0] = control;
        assert_eq!(numbered_of(&frame).carries_data, carries, "{control:02x}");
    }
}

#[test]
fn acknowledgements_have_receiver_and_bits() {
    let ack = decoded(PLAIN, &[&[0xD4, 0, 0, 0][..], &A].concat()).expect("a frame");
    assert_eq!((ack.kind, ack.receiver), (Kind::Ack, Address(A)));
    // Compressed, TID 5, from sequence number 0xFFF: 0xFFF, 1 and 62.
    let head = [&[0x94, 0, 0, 0][..], &A, &B, &[4, 0x50, 0xF0, 0xFF]].concat();
    let several = [&head[..], &(1_u64 | 1 << 2 | 1 << 63).to_le_bytes()].concat();
    let Kind::BlockAck(bits) = decoded(PLAIN, &several).expect("a frame").kind else { panic!() };
    assert_eq!((bits.transmitter, bits.tid, bits.start), (Address(B), 5, 0xFFF));
    let found: Vec<u16> = (0..0x1000).filter(|number| bits.acknowledges(*number)).collect();
    assert_eq!(found, [1, 62, 0xFFF]);
}

#[test]
fn a_radiotap_header_has_flags_and_frequency_after_aligned_fields() {
    // Time, flags, rate, channel; and a second word of presence.
    let present = (0b1111_u32 | 1 << 31).to_le_bytes();
    let mut head = [&[0, 0, 30, 0][..], &present, &[0; 4], &[0; 4]].concat();
    // Time from byte 16, aligned to 8.
    head.extend([7; 8]);
    head.extend([0x50, 2, 0x6C, 0x09, 0x80, 0]);
    assert_eq!(head.len(), 30);
    let mpdu = decoded(RADIOTAP, &[&head[..], &data(1, B, 0), &[0; 4]].concat()).expect("a frame");
    assert_eq!((mpdu.frequency_mhz, mpdu.is_intact), (Some(2_412), false));
    assert_eq!(decoded(RADIOTAP, &head[..20]), None);
}

#[test]
fn every_truncated_header_is_none() {
    let frame = data(1, B, 0);
    for length in 0..26 {
        assert_eq!(decoded(PLAIN, &frame[..length]), None, "{length}");
    }
}
