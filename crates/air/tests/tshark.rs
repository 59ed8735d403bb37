//! Wireshark's tshark reads the sniffer's files: no malformed frames, and time stamps exact to the
//! nanosecond.
//!
//! Without tshark, the tests print a message and pass, unless the environment requires all tools.

use std::rc::Rc;

use airlag_air::{Band, Medium, Modulation, Sniffer};
use airlag_peers::dissect;
use airlag_sim::{Instant, Simulation};

/// IEEE 802.15.4-2020, 7.2.11: x^16 + x^12 + x^5 + 1 from 0, least significant bit first.
fn with_fcs_16(mut frame: Vec<u8>) -> Vec<u8> {
    let crc = frame.iter().fold(0_u16, |crc, &byte| {
        (0..8)
            .fold(crc ^ u16::from(byte), |crc, _| crc >> 1 ^ if crc & 1 != 0 { 0x8408 } else { 0 })
    });
    frame.extend(crc.to_le_bytes());
    frame
}

/// IEEE 802.11-2020, 9.2.4.8: the CRC-32 of Ethernet.
fn with_fcs_32(mut frame: Vec<u8>) -> Vec<u8> {
    let crc = frame.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ if crc & 1 != 0 { 0xEDB8_8320 } else { 0 }
        })
    });
    frame.extend((!crc).to_le_bytes());
    frame
}

/// Core specification 5.4, volume 6, part B, 3.1.1: x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1
/// from 0x555555 on advertising channels, over the PDU, sent most significant bit first.
fn advertisement(pdu: &[u8]) -> Vec<u8> {
    let crc = pdu.iter().fold(0x00AA_AAAA_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ if crc & 1 != 0 { 0x00DA_6000 } else { 0 }
        })
    });
    let mut packet = vec![0xD6, 0xBE, 0x89, 0x8E];
    packet.extend(pdu);
    packet.extend(&crc.to_le_bytes()[..3]);
    packet
}

/// Successive frames with family, time of the first bit, length, centre frequency and bytes.
fn sniff(frames: Vec<(&'static str, u64, u64, u32, Vec<u8>)>) -> Vec<u8> {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let (node, sniffer) = (air.join("a"), Sniffer::attach(&air, bench.now()));
    for (family, at, length, centre_mhz, bytes) in frames {
        let (air, bytes): (_, Rc<[u8]>) = (air.clone(), Rc::from(bytes));
        bench.at(Instant::from_ns(at), move || {
            let band = Band::around(centre_mhz * 1_000, 2_000);
            let modulation = Modulation { family, setting: 0 };
            air.send(node, band, modulation, Instant::from_ns(at + length), bytes);
        });
    }
    bench.run().expect("no livelock");
    sniffer.take().pcapng
}

#[test]
#[ignore = "needs tshark"]
fn frames_of_three_standards_in_one_file_are_read_without_complaint() {
    // A data frame to PAN 7, broadcast, from 0x8899, which requests an acknowledgement; and that
    // acknowledgement.
    let mut data = vec![0x61, 0x88, 203, 7, 0, 0xFF, 0xFF, 0x99, 0x88];
    data.extend(0..50);
    let wifi_ack = vec![0xD4, 0, 0, 0, 2, 0, 0, 0, 0, 1];
    // ADV_NONCONN_IND with a random address and the name "lag".
    let pdu = [0x42, 11, 1, 2, 3, 4, 5, 0xC6, 4, 0x09, b'l', b'a', b'g'];
    let file = sniff(vec![
        ("ieee802154", 1, 2_208_000, 2_425, with_fcs_16(data)),
        ("ieee802154", 4_455_001, 352_000, 2_425, with_fcs_16(vec![2, 0, 203])),
        ("wifi", 5_000_000_003, 304_000, 2_437, with_fcs_32(wifi_ack)),
        ("ble", 6_123_456_789, 168_000, 2_426, advertisement(&pdu)),
        ("ble", 7_000_000_000, 88_000, 2_426, advertisement(&pdu)),
    ]);
    let fields = [
        "frame.time_epoch",
        "frame.interface_name",
        "wpan-tap.ch_num",
        "wpan.fcs_ok",
        "radiotap.channel.freq",
        "wlan.fcs.status",
        "btle_rf.channel",
        "btle.crc.incorrect",
        "btle_rf.phy",
        "btcommon.eir_ad.entry.device_name",
        "_ws.malformed",
        "_ws.expert.severity",
    ];
    let expected = [
        "0.000000001|ieee802154|15|1||||||||",
        "0.004455001|ieee802154|15|1||||||||",
        "5.000000003|wifi|||2437|1||||||",
        "6.123456789|ble|||||12||0|lag||",
        "7.000000000|ble|||||12||1|lag||",
    ];
    let Some(found) = dissect("standards", &file, &fields) else { return };
    let lines: Vec<_> = found.iter().map(|fields| fields.join("|")).collect();
    assert_eq!(lines, expected);
}

#[test]
#[ignore = "needs tshark"]
fn a_collision_shows_as_a_comment_and_a_crc_error() {
    let frame = || with_fcs_16(vec![2, 0, 203]);
    let file = sniff(vec![
        ("ieee802154", 0, 352_000, 2_425, frame()),
        ("ieee802154", 100_000, 352_000, 2_425, frame()),
        ("ieee802154", 900_000, 352_000, 2_425, frame()),
    ]);
    let fields = ["frame.number", "frame.packet_flags_crc_error", "frame.comment"];
    let Some(found) = dissect("collision", &file, &fields) else { return };
    let hit = |line: &Vec<String>| line[1] == "1" && line[2].starts_with("collided");
    assert_eq!(found.iter().map(hit).collect::<Vec<_>>(), [true, true, false], "{found:?}");
}

#[test]
#[ignore = "needs tshark"]
fn frames_of_any_bytes_are_all_there_in_order() {
    let mut stream = airlag_sim::Stream::new(5, "any bytes");
    let families = ["ieee802154", "wifi", "ble"];
    let frames: Vec<_> = (0..300)
        .map(|nth: u64| {
            let bytes: Vec<u8> = (0..stream.below(300)).map(|_| stream.below(256) as u8).collect();
            let family = families[stream.below(3) as usize];
            (family, nth * 1_000_003, 1_000, 2_402, bytes)
        })
        .collect();
    let expected: Vec<_> = frames
        .iter()
        .map(|(family, at, ..)| {
            format!("{}.{:09}|{family}", at / 1_000_000_000, at % 1_000_000_000)
        })
        .collect();
    let fields = ["frame.time_epoch", "frame.interface_name"];
    let Some(found) = dissect("any", &sniff(frames), &fields) else { return };
    let lines: Vec<_> = found.iter().map(|fields| fields.join("|")).collect();
    assert_eq!(lines, expected);
}
