use super::*;

const ADDRESS: [u8; 4] = [0x35, 0x55, 0x65, 0x50];

fn packet(link_type: u16, bytes: &[u8]) -> Packet<'_> {
    Packet { at_ns: 0, link_type, bytes, is_cut: false, is_damaged: false }
}

fn decoded(link_type: u16, bytes: &[u8]) -> Pdu {
    Pdu::of(&packet(link_type, bytes)).expect("a packet")
}

/// A packet of a connection: header, payload, CRC.
fn data(header: u8, payload: &[u8]) -> Vec<u8> {
    [&ADDRESS[..], &[header, payload.len() as u8], payload, &[9, 9, 9]].concat()
}

fn with_header(flags: u16, packet: &[u8]) -> Vec<u8> {
    [&[17, 0, 0, 0][..], &ADDRESS, &flags.to_le_bytes(), packet].concat()
}

#[test]
fn a_pseudo_header_has_channel_sender_phy_and_crc() {
    // Start of an L2CAP frame, SN 1, NESN 0.
    let sent = data(0b1010, &[1, 2, 3, 4]);
    let pdu = decoded(WITH_HEADER, &with_header(1 | 2 << 7 | 3 << 10, &sent));
    assert_eq!(pdu.access_address, 0x5065_5535);
    assert_eq!((pdu.channel, pdu.sender), (Some(17), Some(Sender::Central)));
    assert_eq!((pdu.llid(), pdu.sn(), pdu.nesn(), pdu.length), (2, true, false, 4));
    assert!(pdu.is_intact && pdu.is_acl_or_advertising && !pdu.is_coded);
    // 1 + 4 + 2 + 4 + 3 bytes at 8 us.
    assert_eq!(pdu.airtime_ns, 112_000);

    let fast = decoded(WITH_HEADER, &with_header(1 | 3 << 7 | 1 << 10 | 1 << 14, &sent));
    assert_eq!((fast.sender, fast.is_intact), (Some(Sender::Peripheral), false));
    assert_eq!(fast.airtime_ns, 60_000);

    let isochronous = decoded(WITH_HEADER, &with_header(1 | 4 << 7, &sent));
    assert!(!isochronous.is_acl_or_advertising);
    // Whitened bytes cannot be decoded.
    assert_eq!(Pdu::of(&packet(WITH_HEADER, &with_header(0, &sent))), None);
}

#[test]
fn a_coded_packet_lasts_as_its_indicator_says() {
    // Volume 6, part B, 2.2.4: 720 us for an empty packet at S = 8, 462 us at S = 2.
    for (indicator, airtime_ns) in [(0, 720_000), (1, 462_000)] {
        let sent = [&ADDRESS[..], &[indicator], &[1, 0], &[9, 9, 9]].concat();
        let pdu = decoded(WITH_HEADER, &with_header(1 | 2 << 14, &sent));
        assert_eq!((pdu.airtime_ns, pdu.is_coded, pdu.is_intact), (airtime_ns, true, true));
    }
}

#[test]
fn a_header_of_the_nrf_sniffer_has_the_same() {
    let head = |kind: u8, flags: u8| {
        [&[1, 17, 0, 3, 5, 0, kind, 10, flags, 12, 50, 7, 0][..], &[0; 4]].concat()
    };
    let sent = [head(6, 0b0001_0011), data(0b0101, &[])].concat();
    let pdu = decoded(NORDIC, &sent);
    assert_eq!((pdu.channel, pdu.sender), (Some(12), Some(Sender::Central)));
    assert_eq!((pdu.is_intact, pdu.airtime_ns), (true, 44_000));
    assert!(pdu.nesn() && !pdu.sn());
    let damaged = decoded(NORDIC, &[head(6, 0), data(1, &[])].concat());
    assert_eq!((damaged.is_intact, damaged.sender), (false, Some(Sender::Peripheral)));
    // Messages of the sniffer itself are not packets of the air.
    assert_eq!(Pdu::of(&packet(NORDIC, &[head(5, 1), data(1, &[])].concat())), None);
}

#[test]
fn a_retransmission_has_the_same_digest_and_other_content_has_not() {
    let digest = |header, payload: &[u8]| decoded(PLAIN, &data(header, payload)).digest;
    // NESN, SN and MD may differ.
    assert_eq!(digest(0b0_0010, &[1, 2]), digest(0b1_1110, &[1, 2]));
    assert_ne!(digest(0b10, &[1, 2]), digest(0b10, &[1, 3]));
    assert_ne!(digest(0b10, &[1, 2]), digest(0b01, &[1, 2]));
}

#[test]
fn a_connect_ind_has_the_interval_of_the_connection() {
    let mut sent = 0x8E89_BED6_u32.to_le_bytes().to_vec();
    sent.extend([CONNECT_IND, 34]);
    sent.extend([0xAA; 12]);
    sent.extend(ADDRESS);
    sent.extend([1, 2, 3, 2, 0, 0, 24, 0]);
    sent.extend([0; 10]);
    sent.extend([9, 9, 9]);
    let connect = decoded(PLAIN, &sent).connect.expect("a connection");
    assert_eq!(connect, Connect { access_address: 0x5065_5535, interval_ns: 30_000_000 });
    sent[4] = 3;
    assert_eq!(decoded(PLAIN, &sent).connect, None);
}

#[test]
fn a_packet_that_is_cut_is_not_intact_and_one_without_header_is_none() {
    let sent = data(2, &[1, 2, 3]);
    assert!(!decoded(PLAIN, &sent[..8]).is_intact);
    for length in 0..6 {
        assert_eq!(Pdu::of(&packet(PLAIN, &sent[..length])), None);
    }
}
