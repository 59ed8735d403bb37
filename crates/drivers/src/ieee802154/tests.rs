//! Frames, acknowledgements and retries on a radio that plays a script.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::transceiver::script::{Over, Script, now};

const SENDER: Config = Config { pan: 7, own: 1, peer: 2, acknowledge: true, retries: 2 };
const RECEIVER: Config = Config { own: 2, peer: 1, ..SENDER };

/// A frame of the sender.
fn frame(sequence: u8, ack_request: bool, destination: u16, payload: &[u8]) -> Option<Vec<u8>> {
    let data = Data { sequence, ack_request, pan: 7, destination, source: 1, payload };
    let mut bytes = [0; MAX_FRAME];
    let len = data.encode(&mut bytes).expect("it fits");
    Some(bytes[..len].to_vec())
}

fn ack(sequence: u8) -> Option<Vec<u8>> {
    Some(acknowledgement(sequence).to_vec())
}

fn starts(script: &Script) -> Vec<Start> {
    script.sent.iter().map(|(_, start)| *start).collect()
}

#[test]
fn times_are_those_of_the_standard() {
    assert_eq!((TURNAROUND_US, ACK_WAIT_US), (192, 864));
    let longest_ack = u64::from(TURNAROUND_US) * 1_000 + PHY.duration_ns(5);
    assert!(longest_ack < u64::from(ACK_WAIT_US) * 1_000);
}

#[test]
fn a_frame_has_the_bytes_of_one_that_was_sniffed() {
    // The header of the ESP32-C6 of the latency comparison: frame control 0x8861, sequence number, PAN 7,
    // broadcast, source 0x8899.
    let data = Data {
        sequence: 0xCB,
        ack_request: true,
        pan: 7,
        destination: BROADCAST,
        source: 0x8899,
        payload: &[0, 1],
    };
    let mut bytes = [0; MAX_FRAME];
    assert_eq!(data.encode(&mut bytes), Some(11));
    assert_eq!(bytes[..11], [0x61, 0x88, 0xCB, 0x07, 0, 0xFF, 0xFF, 0x99, 0x88, 0, 1]);
    assert_eq!(acknowledgement(0xCB), [0x02, 0x00, 0xCB]);
}

#[test]
fn a_blind_frame_is_sent_once_and_followed_by_an_interframe_space() {
    let mut script = Script::default();
    let mut link = Ieee802154::new(&mut script, Config { acknowledge: false, ..SENDER });
    assert_eq!(now(link.send(&[1; 7])), Ok(Delivery::Sent));
    assert_eq!(now(link.send(&[2; 8])), Ok(Delivery::Sent));
    assert_eq!(now(link.send(&[3; 7])), Ok(Delivery::Sent));
    // 18 octets are followed by 12 symbols, 19 by 40 (7.5.1.3).
    let spaces = [Start::NotBefore(0), Start::NotBefore(192), Start::NotBefore(640)];
    assert_eq!(starts(&script), spaces);
    let controls: Vec<&[u8]> = script.sent.iter().map(|(frame, _)| &frame[..3]).collect();
    assert_eq!(controls, [[0x41, 0x88, 1], [0x41, 0x88, 2], [0x41, 0x88, 3]]);
}

#[test]
fn a_frame_is_repeated_with_its_sequence_number_until_it_is_acknowledged() {
    // The second arrival acknowledges another frame.
    let mut script = Script::of([None, ack(9), ack(1)]);
    let mut link = Ieee802154::new(&mut script, SENDER);
    assert_eq!(now(link.send(b"x")), Ok(Delivery::Confirmed));
    let retry = Start::NotBefore(864);
    assert_eq!(starts(&script), [Start::NotBefore(0), retry, retry]);
    assert!(script.sent.iter().all(|(sent, _)| Some(sent) == frame(1, true, 2, b"x").as_ref()));
    assert_eq!(script.limits, [Some(864); 3]);
}

#[test]
fn a_frame_is_given_up_after_its_retries() {
    let mut script = Script::of([None, None, None]);
    let mut link = Ieee802154::new(&mut script, SENDER);
    assert_eq!(now(link.send(b"x")), Ok(Delivery::Lost));
    assert_eq!(script.sent.len(), 3);
}

#[test]
fn a_frame_is_acknowledged_at_the_turnaround() {
    let mut script = Script::of([frame(5, true, 2, b"ab")]);
    let mut link = Ieee802154::new(&mut script, RECEIVER);
    let mut buffer = [0; 116];
    assert_eq!(now(link.receive(&mut buffer)), Ok(2));
    assert_eq!(&buffer[..2], b"ab");
    assert_eq!(script.sent, [(vec![2, 0, 5], Start::Exactly(192))]);
}

#[test]
fn broadcasts_and_frames_without_request_are_not_acknowledged() {
    let mut script = Script::of([frame(5, true, BROADCAST, b"a"), frame(6, false, 2, b"b")]);
    let mut link = Ieee802154::new(&mut script, RECEIVER);
    for _ in 0..2 {
        assert_eq!(now(link.receive(&mut [0; 116])), Ok(1));
    }
    assert!(script.sent.is_empty());
}

#[test]
fn frames_of_others_are_skipped() {
    let other_pan =
        Data { sequence: 1, ack_request: true, pan: 8, destination: 2, source: 1, payload: b"x" };
    let mut bytes = [0; MAX_FRAME];
    let len = other_pan.encode(&mut bytes).expect("it fits");
    let strange = [Some(bytes[..len].to_vec()), frame(1, true, 3, b"x"), ack(1), Some(vec![0, 0])];
    let mut script = Script::of(strange);
    let mut link = Ieee802154::new(&mut script, RECEIVER);
    assert_eq!(now(link.receive(&mut [0; 116])), Err(Error::Radio(Over)));
    assert!(script.sent.is_empty());
}

#[test]
fn a_duplicate_is_acknowledged_and_dropped() {
    let arrivals = [5, 5, 6].map(|sequence| frame(sequence, true, 2, b"ab"));
    let mut script = Script::of(arrivals);
    let mut link = Ieee802154::new(&mut script, RECEIVER);
    assert_eq!(now(link.receive(&mut [0; 116])), Ok(2));
    assert_eq!(now(link.receive(&mut [0; 116])), Ok(2));
    assert_eq!(now(link.receive(&mut [0; 116])), Err(Error::Radio(Over)));
    assert_eq!(script.sent.len(), 3);
}

#[test]
fn a_frame_too_late_to_acknowledge_is_taken_from_its_retry() {
    let mut script = Script::of([frame(5, true, 2, b"ab")]);
    script.is_late = true;
    let mut link = Ieee802154::new(&mut script, RECEIVER);
    assert_eq!(now(link.receive(&mut [0; 116])), Err(Error::Radio(Over)));
    link.radio().is_late = false;
    link.radio().arrivals.push_back(frame(5, true, 2, b"ab"));
    assert_eq!(now(link.receive(&mut [0; 116])), Ok(2));
}

#[test]
fn a_chunk_that_is_too_long_is_refused() {
    let mut script = Script::of([ack(1)]);
    let mut link = Ieee802154::new(&mut script, SENDER);
    assert_eq!(now(link.send(&[0; MAX_PAYLOAD])), Ok(Delivery::Confirmed));
    assert_eq!(now(link.send(&[0; MAX_PAYLOAD + 1])), Err(Error::TooLong(117)));
}

proptest! {
    #[test]
    fn a_data_frame_comes_back(
        sequence: u8, ack_request: bool, pan: u16, destination: u16, source: u16,
        payload in prop::collection::vec(any::<u8>(), 0..=MAX_PAYLOAD),
    ) {
        let data = Data { sequence, ack_request, pan, destination, source, payload: &payload };
        let mut frame = [0; MAX_FRAME];
        let len = data.encode(&mut frame).expect("it fits");
        prop_assert_eq!(Frame::decode(&frame[..len]), Some(Frame::Data(data)));
    }

    #[test]
    fn any_frame_is_received_without_a_panic(
        frames in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=MAX_FRAME), 0..8),
        room in 0_usize..64,
    ) {
        let mut script = Script::of(frames.into_iter().map(Some));
        let mut link = Ieee802154::new(&mut script, RECEIVER);
        let mut buffer = vec![0; room];
        while let Ok(len) = now(link.receive(&mut buffer)) {
            prop_assert!(len <= room);
        }
    }
}
