//! Frames byte for byte.

use super::*;
use proptest::prelude::*;

#[test]
fn the_check_of_the_standards_example_is_the_standards() {
    // 7.2.1.9: an acknowledgement sent as 0100 0000 0000 0000 0101 0110, first bit first, has
    // the FCS 0010 0111 1001 1110. The first bit is the least significant.
    let sent = |byte: u8| byte.reverse_bits();
    let expected = [0b0100_0000, 0, 0b0101_0110, 0b0010_0111, 0b1001_1110].map(sent);
    assert_eq!(*ack(expected[2], false), expected);
}

#[test]
fn frames_of_the_measured_firmware_come_out_byte_for_byte() {
    // Sniffer capture of an acknowledged transfer whose payload counts up from zero.
    let header = Header {
        kind: Kind::Data,
        version: Version::Until2006,
        sequence: 0xCB,
        frame_pending: false,
        ack_request: true,
        secured: false,
        pan: 0x0007,
        destination: Address::BROADCAST,
        source: Address::Short(0x8899),
    };
    let payload: Vec<u8> = (0..116).collect();
    let psdu = data(&header, &payload).expect("it fits");
    assert_eq!(psdu[..11], [0x61, 0x88, 0xCB, 0x07, 0, 0xFF, 0xFF, 0x99, 0x88, 0, 1]);
    assert_eq!(psdu[125..], [0x4D, 0x10]);
    assert_eq!(*ack(0xCB, false), [0x02, 0x00, 0xCB, 0x67, 0xCD]);
}

#[test]
fn a_payload_that_does_not_fit_is_refused() {
    for (address, room) in [(Address::Short(2), MAX_PAYLOAD), (Address::Extended(2), 104)] {
        let header = Header {
            kind: Kind::Data,
            version: Version::Until2006,
            sequence: 0,
            frame_pending: false,
            ack_request: false,
            secured: false,
            pan: 1,
            destination: address,
            source: address,
        };
        let len = |payload: usize| data(&header, &vec![0; payload]).map(|psdu| psdu.len());
        assert_eq!(len(room), Some(MAX_PSDU));
        assert_eq!(len(room + 1), None);
        assert_eq!(len(1_000), None);
    }
}

#[test]
fn a_secured_frame_between_extended_addresses_is_laid_out_as_the_standard_says() {
    // 7.2.1.1: data, security enabled, acknowledgement requested, one PAN, both modes 11,
    // version 1.
    let header = Header {
        kind: Kind::Data,
        version: Version::Until2006,
        sequence: 56,
        frame_pending: false,
        ack_request: true,
        secured: true,
        pan: 0xFACE,
        destination: Address::Extended(0x0102_0304_0506_0708),
        source: Address::Extended(0x1112_1314_1516_1718),
    };
    let psdu = data(&header, &[]).expect("it fits");
    assert_eq!(psdu[..5], [0x69, 0xDC, 56, 0xCE, 0xFA]);
    assert_eq!(psdu[5..13], [8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(psdu[13..21], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
}

const VERSIONS: [Version; 3] =
    [Version::Until2006, Version::V2015 { elements: false }, Version::V2015 { elements: true }];

#[test]
fn an_enhanced_acknowledgement_is_laid_out_as_the_standard_says() {
    // IEEE Std 802.15.4-2015, 7.2.1 and 7.3.3: type 2, security, version 2, elements, and the
    // sender of the acknowledged frame as destination, with its PAN and without compression.
    let header = Header {
        kind: Kind::Command,
        version: Version::V2015 { elements: true },
        sequence: 56,
        frame_pending: false,
        ack_request: true,
        secured: true,
        pan: 0xFACE,
        destination: Address::Short(0x0400),
        source: Address::Short(0x0401),
    };
    let (bytes, len) = header.enhanced_ack(true, true);
    assert_eq!(bytes[..len], [0x1A, 0x2A, 56, 0xCE, 0xFA, 0x01, 0x04]);
    let psdu = with_fcs(&bytes[..len], &[7, 8]).expect("it fits");
    assert_eq!(acknowledges(&psdu), Some(56));
    assert_eq!((announces_data(&psdu), enhanced_body(&psdu)), (true, Some(&[7, 8][..])));
    // The frame itself: a command of version 2 between short addresses of one PAN.
    let (bytes, len) = header.octets();
    assert_eq!(bytes[..len], [0x6B, 0xAA, 56, 0xCE, 0xFA, 0x00, 0x04, 0x01, 0x04]);
}

#[test]
fn extended_addresses_of_one_pan_are_not_compressed_in_the_edition_of_2015() {
    let header = Header {
        kind: Kind::Data,
        version: Version::V2015 { elements: false },
        sequence: 1,
        frame_pending: false,
        ack_request: true,
        secured: true,
        pan: 0xFACE,
        destination: Address::Extended(1),
        source: Address::Extended(2),
    };
    let (bytes, len) = header.octets();
    assert_eq!((len, &bytes[..5]), (MAX_HEADER_LEN, &[0x29, 0xEC, 1, 0xCE, 0xFA][..]));
}

fn address() -> impl Strategy<Value = Address> {
    prop_oneof![any::<u16>().prop_map(Address::Short), any::<u64>().prop_map(Address::Extended)]
}

proptest! {
    #[test]
    fn a_frame_comes_back_and_one_changed_bit_does_not(
        kind in prop::sample::select(vec![Kind::Data, Kind::Command]),
        version in prop::sample::select(VERSIONS.to_vec()),
        sequence: u8, frame_pending: bool, ack_request: bool, secured: bool, pan: u16,
        destination in address(), source in address(),
        payload in prop::collection::vec(any::<u8>(), 0..=104),
        at: prop::sample::Index, bit in 0_u8..8,
    ) {
        let header = Header {
            kind, version, sequence, frame_pending, ack_request, secured, pan, destination,
            source,
        };
        let psdu = data(&header, &payload).expect("it fits");
        prop_assert_eq!(parse(&psdu), Some(Frame::Data(header, &payload)));
        let mut damaged = psdu.to_vec();
        let at = at.index(damaged.len());
        damaged[at] ^= 1 << bit;
        prop_assert_eq!(parse(&damaged), None);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
        let _ = parse(&bytes);
        let _ = read(&bytes);
    }
}
