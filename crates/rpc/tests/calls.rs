//! Calls between two directly connected ends.

use crate::wired::{SEED, wired};
use airlag_rpc::capability::Flags;
use airlag_rpc::central::{CallKind, Event};
use airlag_rpc::exchange::identity;
use airlag_rpc::peripheral::Encryption;
use proptest::prelude::*;

#[test]
fn the_two_ends_agree_on_a_session_and_on_what_both_can_do() {
    let mut ends = wired(244, |_, peripheral| peripheral.flags = peripheral.flags.with_calls(4));
    assert_eq!(ends.settle(), [Event::Ready]);
    let peer = ends.central.peer().expect("ready");
    assert_eq!(peer.identity, Some(identity(&SEED)));
    assert_eq!(peer.flags.calls(), 4);
    assert!(peer.flags.has(Flags::ENCRYPTION.and(Flags::COMPACT).and(Flags::REASONS)));
    assert!(ends.peripheral.is_sealed());
}

#[test]
fn calls_in_flight_are_answered_in_their_order() {
    let mut ends = wired(244, |_, _| {});
    let tickets: Vec<u32> = (0..20)
        .map(|nth| ends.central.ask(CallKind::Single, "echo", vec![vec![nth; 300]]))
        .collect();
    let events = ends.settle();
    let replies = tickets
        .iter()
        .zip(0..20)
        .map(|(&ticket, nth)| Event::Reply { ticket, message: vec![nth; 300] });
    assert_eq!(events[1..], replies.collect::<Vec<_>>());
}

#[test]
fn streams_and_uploads_go_between_calls() {
    let mut ends = wired(60, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Off);
    });
    let stream = ends.central.ask(CallKind::Stream, "count", vec![vec![3]]);
    let upload = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 100], vec![0; 11]]);
    let echo = ends.central.ask(CallKind::Single, "echo", vec![b"x".to_vec()]);
    let empty = ends.central.ask(CallKind::Stream, "count", vec![vec![0]]);
    let events = ends.settle();
    let item = |message| Event::Item { ticket: stream, message: vec![message] };
    let sum = Event::Reply { ticket: upload, message: 111_u64.to_le_bytes().to_vec() };
    let x = Event::Reply { ticket: echo, message: b"x".to_vec() };
    let ended = |ticket| Event::End { ticket };
    let all = [Event::Ready, item(0), item(1), item(2), ended(stream), sum, x, ended(empty)];
    assert_eq!(events, all);
}

#[test]
fn a_method_is_spoken_of_by_its_number_once_the_answer_told_it() {
    let mut ends = wired(244, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Off);
    });
    ends.settle();
    let mut lengths = Vec::new();
    for _ in 0..2 {
        ends.central.ask(CallKind::Single, "echo", vec![b"x".to_vec()]);
        ends.settle_with(|_, packet| {
            lengths.push(packet.len());
            vec![packet]
        });
    }
    assert_eq!(lengths, [6 + 9, 6 + 3, 6 + 3, 6 + 3]);
}

#[test]
fn what_the_service_refuses_the_central_is_told_and_goes_on() {
    let mut ends = wired(244, |_, _| {});
    for (method, request) in [("nothing", vec![]), ("count", vec![1, 2])] {
        ends.central.ask(CallKind::Single, method, vec![request]);
    }
    ends.central.ask(CallKind::Single, "echo", vec![b"x".to_vec()]);
    let events = ends.settle();
    let shown: Vec<String> = events
        .iter()
        .map(|event| match event {
            Event::Failed { failure, .. } => failure.to_string(),
            Event::Reply { .. } => "answered".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Ready",
            "the peripheral has no such method",
            "the request is not a message of this method",
            "answered",
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_message_comes_back_over_packets_of_any_size(
        mtu in 23..518_usize,
        sealed: bool,
        calls in 1..9_u8,
        lengths in prop::collection::vec(0..3_000_usize, 1..6),
    ) {
        let mut ends = wired(mtu - 3, |central, peripheral| {
            let encryption = if sealed { Encryption::Preferred } else { Encryption::Off };
            (central.encryption, peripheral.encryption) = (encryption, encryption);
            central.flags = central.flags.with_calls(calls);
        });
        let mut wanted = vec![Event::Ready];
        for &length in &lengths {
            let message: Vec<u8> = (0..length).map(|nth| nth as u8).collect();
            let ticket = ends.central.ask(CallKind::Single, "echo", vec![message.clone()]);
            wanted.push(Event::Reply { ticket, message });
        }
        prop_assert_eq!(ends.settle(), wanted);
        prop_assert_eq!(ends.peripheral.is_sealed(), sealed && mtu - 3 >= 133);
    }
}
