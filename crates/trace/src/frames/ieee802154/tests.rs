use super::*;

/// Data of PAN 7 from 0x8899 to 0x1234 that requests an acknowledgement.
const DATA: [u8; 11] = [0x61, 0x88, 203, 7, 0, 0x34, 0x12, 0x99, 0x88, 0xAB, 0xCD];

fn decoded(link_type: u16, bytes: &[u8]) -> Option<Mpdu> {
    Mpdu::of(&Packet { at_ns: 0, link_type, bytes, is_cut: false, is_damaged: false })
}

fn with_fcs(frame: &[u8]) -> Vec<u8> {
    [frame, &fcs(frame).to_le_bytes()].concat()
}

#[test]
fn a_frame_has_addresses_sequence_number_and_request() {
    let mpdu = decoded(WITHOUT_FCS, &DATA).expect("a frame");
    assert_eq!((mpdu.kind, mpdu.wants_ack, mpdu.sequence), (Kind::Data, true, Some(203)));
    assert_eq!(mpdu.source, Some(Address::Short(0x8899)));
    assert_eq!(mpdu.destination, Some(Address::Short(0x1234)));
    // 6 bytes, the frame, and the FCS that the file lacks.
    assert_eq!(mpdu.airtime_ns, (6 + 11 + 2) * 32_000);
    let ack = decoded(WITHOUT_FCS, &[2, 0, 203]).expect("a frame");
    assert_eq!((ack.kind, ack.sequence, ack.source), (Kind::Ack, Some(203), None));
    assert_eq!(ack.airtime_ns, 352_000);
}

#[test]
fn the_fcs_is_that_of_the_standard_and_is_checked() {
    // IEEE 802.15.4-2020, 7.2.11: the FCS of an acknowledgement with sequence number 0x6A.
    assert_eq!(fcs(&[0x02, 0x00, 0x6A]).reverse_bits(), 0b0010_0111_1001_1110);
    let mut frame = with_fcs(&DATA);
    let right = decoded(WITH_FCS, &frame).expect("a frame");
    assert!(right.is_intact);
    assert_eq!(right.digest, decoded(WITHOUT_FCS, &DATA).expect("a frame").digest);
    frame[9] ^= 1;
    assert!(!decoded(WITH_FCS, &frame).expect("a frame").is_intact);
}

#[test]
fn a_tap_header_has_channel_and_kind_of_fcs() {
    let head = [0, 0, 20, 0, 0, 0, 1, 0, 1, 0, 0, 0, 3, 0, 3, 0, 26, 0, 0, 0];
    let mpdu = decoded(TAP, &[&head[..], &with_fcs(&DATA)].concat()).expect("a frame");
    assert_eq!((mpdu.channel, mpdu.is_intact), (Some(26), true));
    assert_eq!(mpdu.airtime_ns, (6 + 11 + 2) * 32_000);
    let bare = decoded(TAP, &[&[0, 0, 4, 0][..], &DATA].concat()).expect("a frame");
    assert_eq!((bare.channel, bare.sequence), (None, Some(203)));
    assert_eq!(decoded(TAP, &[0, 0, 40, 0]), None);
}

#[test]
fn extended_addresses_and_suppressed_fields_are_found() {
    let [to, from] = [0x02005E10_00000001_u64, 0x02005E10_00000002];
    // Version 2, both extended, PAN ID compression: neither PAN; no sequence number.
    let control = 1_u16 | 1 << 6 | 1 << 8 | 3 << 10 | 2 << 12 | 3 << 14;
    let frame = [&control.to_le_bytes()[..], &to.to_le_bytes(), &from.to_le_bytes(), &[1]].concat();
    let mpdu = decoded(WITHOUT_FCS, &frame).expect("a frame");
    assert_eq!((mpdu.sequence, mpdu.wants_ack), (None, false));
    assert_eq!(mpdu.source, Some(Address::Extended(from)));
    assert_eq!(mpdu.destination.map(|to| to.to_string()).as_deref(), Some("02005e1000000001"));
}

#[test]
fn every_truncated_header_is_none() {
    for length in 0..9 {
        assert_eq!(decoded(WITHOUT_FCS, &DATA[..length]), None, "{length}");
    }
}
