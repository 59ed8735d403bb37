//! Packets, acknowledgements and retransmissions on a radio that plays a script.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::transceiver::script::{Over, Script, now};

fn config() -> Config {
    Config {
        rate: Rate::Mbps2,
        address: 3,
        longest: LEGACY_PAYLOAD,
        acknowledge: true,
        retransmit_count: 2,
        retransmit_delay_us: 1_000,
    }
}

/// An acknowledgement with this identity.
fn ack(identity: u8) -> Option<Vec<u8>> {
    Some(vec![0, identity << 1])
}

fn starts(script: &Script) -> Vec<Start> {
    script.sent.iter().map(|(_, start)| *start).collect()
}

#[test]
fn the_wait_for_an_acknowledgement_covers_it() {
    // 130 us and 57 bits at 2 Mbit/s; 130 us and 73 bits at 1 Mbit/s with five address bytes.
    assert_eq!(config().ack_wait_us(), 130 + 29 + 33);
    let slow = Config { rate: Rate::Mbps1, address: 5, ..config() };
    assert_eq!(slow.ack_wait_us(), 130 + 73 + 33);
    assert_eq!(slow.shortest_retransmit_delay_us(), 366);
}

#[test]
fn an_acknowledged_packet_is_sent_once() {
    let mut script = Script::of([ack(1)]);
    let mut link = Esb::new(&mut script, config());
    assert_eq!(now(link.send(b"hello")), Ok(Delivery::Confirmed));
    assert_eq!(script.sent, [(b"\x05\x02hello".to_vec(), Start::NotBefore(0))]);
    assert_eq!(script.limits, [Some(192)]);
}

#[test]
fn a_packet_is_repeated_after_its_delay_and_then_given_up() {
    let mut script = Script::of([None, None, None]);
    let mut link = Esb::new(&mut script, config());
    assert_eq!(now(link.send(b"x")), Ok(Delivery::Lost));
    let delay = Start::NotBefore(1_000);
    assert_eq!(starts(&script), [Start::NotBefore(0), delay, delay]);
    assert!(script.sent.iter().all(|(frame, _)| frame == b"\x01\x02x"));
}

#[test]
fn data_of_another_sender_is_no_acknowledgement() {
    let mut script = Script::of([Some(b"\x01\x00y".to_vec()), ack(1)]);
    let mut link = Esb::new(&mut script, config());
    assert_eq!(now(link.send(b"x")), Ok(Delivery::Confirmed));
    assert_eq!(script.sent.len(), 2);
}

#[test]
fn without_acknowledgement_the_packet_says_so_and_nothing_is_awaited() {
    let mut script = Script::default();
    let mut link = Esb::new(&mut script, Config { acknowledge: false, ..config() });
    assert_eq!(now(link.send(b"x")), Ok(Delivery::Sent));
    assert_eq!(script.sent, [(b"\x01\x03x".to_vec(), Start::NotBefore(0))]);
    assert!(script.limits.is_empty());
}

#[test]
fn identities_count_modulo_four() {
    let mut script = Script::of((0..6).map(|_| ack(0)));
    let mut link = Esb::new(&mut script, config());
    for _ in 0..6 {
        assert_eq!(now(link.send(b"x")), Ok(Delivery::Confirmed));
    }
    let identities: Vec<u8> = script.sent.iter().map(|(frame, _)| frame[1] >> 1).collect();
    assert_eq!(identities, [1, 2, 3, 0, 1, 2]);
}

#[test]
fn a_received_packet_is_acknowledged_at_the_turnaround() {
    let mut script = Script::of([Some(b"\x02\x04ab".to_vec())]);
    let mut link = Esb::new(&mut script, config());
    let mut buffer = [0; 32];
    assert_eq!(now(link.receive(&mut buffer)), Ok(2));
    assert_eq!(&buffer[..2], b"ab");
    assert_eq!(script.sent, [(vec![0, 4], Start::Exactly(130))]);
}

#[test]
fn a_duplicate_is_acknowledged_and_dropped() {
    let packet = Some(b"\x02\x04ab".to_vec());
    let mut script = Script::of([packet.clone(), packet, Some(b"\x02\x06ab".to_vec())]);
    let mut link = Esb::new(&mut script, config());
    let mut buffer = [0; 32];
    assert_eq!(now(link.receive(&mut buffer)), Ok(2));
    // The same bytes with another identity are another packet.
    assert_eq!(now(link.receive(&mut buffer)), Ok(2));
    assert_eq!(now(link.receive(&mut buffer)), Err(Error::Radio(Over)));
    let acknowledged: Vec<u8> = script.sent.iter().map(|(frame, _)| frame[1]).collect();
    assert_eq!(acknowledged, [4, 4, 6]);
}

#[test]
fn a_packet_too_late_to_acknowledge_is_taken_from_its_retransmission() {
    let packet = Some(b"\x02\x04ab".to_vec());
    let mut script = Script::of([packet.clone()]);
    script.is_late = true;
    let mut link = Esb::new(&mut script, config());
    let mut buffer = [0; 32];
    assert_eq!(now(link.receive(&mut buffer)), Err(Error::Radio(Over)));
    link.radio().is_late = false;
    link.radio().arrivals.push_back(packet);
    assert_eq!(now(link.receive(&mut buffer)), Ok(2));
}

#[test]
fn no_acknowledgement_is_sent_where_none_is_requested() {
    let mut script = Script::of([Some(b"\x02\x05ab".to_vec())]);
    let mut link = Esb::new(&mut script, config());
    assert_eq!(now(link.receive(&mut [0; 32])), Ok(2));
    assert!(script.sent.is_empty());
}

#[test]
fn a_reply_waits_until_the_peer_listens() {
    let mut script = Script::of([Some(b"\x02\x04ab".to_vec()), ack(1)]);
    let mut link = Esb::new(&mut script, config());
    assert_eq!(now(link.receive(&mut [0; 32])), Ok(2));
    assert_eq!(now(link.send(b"ab")), Ok(Delivery::Confirmed));
    assert_eq!(starts(&script), [Start::Exactly(130), Start::NotBefore(400)]);
}

#[test]
fn a_chunk_that_is_too_long_is_refused() {
    for (longest, len) in [(32, 33), (252, 253), (1_000, 253)] {
        let mut script = Script::default();
        let mut link = Esb::new(&mut script, Config { longest, ..config() });
        let most = longest.min(MAX_PAYLOAD);
        assert_eq!(now(link.send(&vec![0; len])), Err(Error::TooLong { len, most }));
    }
}

proptest! {
    #[test]
    fn a_packet_comes_back(
        identity in 0_u8..4, no_ack: bool, payload in prop::collection::vec(any::<u8>(), 0..=MAX_PAYLOAD),
    ) {
        let packet = Packet { identity, no_ack, payload: &payload };
        let mut frame = [0; MAX_FRAME];
        let len = packet.encode(&mut frame).expect("it fits");
        prop_assert_eq!(Packet::decode(&frame[..len]), Some(packet));
        prop_assert_eq!(Packet::decode(&frame[..len - 1]), None);
    }

    #[test]
    fn any_frame_is_received_without_a_panic(
        frames in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=MAX_FRAME), 0..8),
        room in 0_usize..64,
    ) {
        let mut script = Script::of(frames.into_iter().map(Some));
        let mut link = Esb::new(&mut script, config());
        let mut buffer = vec![0; room];
        while let Ok(len) = now(link.receive(&mut buffer)) {
            prop_assert!(len <= room);
        }
    }
}
