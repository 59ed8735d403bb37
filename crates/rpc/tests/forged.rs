//! Streams and uploads with parts removed, and forged messages, in a session.

use crate::wired::{Way, at, failed, is_first, message, sealed, told};
use airlag_rpc::central::{CallKind, Event, Failure};
use airlag_rpc::control::Reason;
use airlag_rpc::peripheral::Refused;
use airlag_rpc::session;

#[test]
fn an_item_taken_out_of_a_stream_is_noticed() {
    let mut ends = sealed();
    let ticket = ends.central.ask(CallKind::Stream, "count", vec![vec![4]]);
    let events = ends.settle_with(at(Way::Down, 1, |_| vec![]));
    let first = Event::Item { ticket, message: vec![0] };
    assert_eq!(events, [first, failed(ticket, Failure::Missing(1))]);
    assert_eq!(ends.central.unfinished(), 0);
    ends.works();
}

#[test]
fn an_item_taken_out_of_an_upload_is_noticed() {
    let mut ends = sealed();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 3]; 4]);
    let events = ends.settle_with(at(Way::Up, 1, |_| vec![]));
    assert_eq!(events, [told(ticket, Reason::Incomplete)]);
    assert_eq!(ends.refused[0], Refused::Missing(1));
    ends.works();
}

#[test]
fn the_counters_say_nothing_of_the_ends_of_a_stream() {
    // If the first or the last item is missing, this is not detected, because no encrypted part
    // contains the number of items.
    for (taken, left) in [(0, [1, 2]), (2, [0, 1])] {
        let mut ends = sealed();
        let ticket = ends.central.ask(CallKind::Stream, "count", vec![vec![3]]);
        let events = ends.settle_with(at(Way::Down, taken, |_| vec![]));
        let [first, second] = left.map(|item| Event::Item { ticket, message: vec![item] });
        assert_eq!(events, [first, second, Event::End { ticket }]);
    }
}

#[test]
fn a_forged_end_ends_a_stream() {
    // Control messages are never encrypted, as the protocol defines.
    let mut ends = sealed();
    let ticket = ends.central.ask(CallKind::Stream, "count", vec![vec![3]]);
    let events =
        ends.settle_with(at(Way::Down, 1, |packet| vec![message(packet[0], 3, &[]), packet]));
    let first = Event::Item { ticket, message: vec![0] };
    assert_eq!(events, [first, Event::End { ticket }, Event::Dropped]);
    ends.works();
}

#[test]
fn a_forged_end_ends_no_other_call() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events =
        ends.settle_with(at(Way::Down, 0, |packet| vec![message(packet[0], 3, &[]), packet]));
    assert_eq!(events, [failed(ticket, Failure::NotAsked), Event::Dropped]);
    ends.works();
}

#[test]
fn a_forged_end_of_an_upload_fails_it() {
    // Control messages are never encrypted, as the protocol defines. However, further items arrive
    // after this message.
    let mut ends = sealed();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 3]; 4]);
    let events =
        ends.settle_with(at(Way::Up, 0, |packet| vec![packet.clone(), message(packet[0], 2, &[])]));
    assert_eq!(events, [told(ticket, Reason::Incomplete), Event::Dropped]);
    assert_eq!(ends.refused, [Refused::GivenUp; 4]);
    assert_eq!(ends.upload(&[2, 2]), 4);
}

#[test]
fn a_forged_error_ends_a_call() {
    // Control messages are never encrypted, as the protocol defines.
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events =
        ends.settle_with(at(Way::Down, 0, |packet| vec![message(packet[0], 5, &[2]), packet]));
    assert_eq!(events, [told(ticket, Reason::Busy), Event::Dropped]);
    ends.works();
}

#[test]
fn errors_and_ends_of_calls_that_do_not_exist_are_dropped() {
    let mut ends = sealed();
    for transaction in [0, 1, 2, 99, 255] {
        for packet in [
            message(transaction, 5, &[2]),
            message(transaction, 5, &[]),
            message(transaction, 3, &[]),
            message(transaction, 2, &[]),
        ] {
            ends.central.received(&packet, ends.now);
        }
    }
    assert_eq!(ends.settle(), []);
    ends.works();
}

#[test]
fn messages_of_a_later_version_are_passed_over() {
    let mut ends = sealed();
    for code in [0, 7, 8, 15] {
        ends.up(&message(9, code, &[1, 2, 3]));
        ends.central.received(&message(9, code, &[1, 2, 3]), ends.now);
    }
    assert_eq!(ends.settle(), []);
    assert_eq!(ends.refused, []);
    ends.works();
}

#[test]
fn pieces_that_nobody_sent_spoil_no_more_than_the_call_they_name() {
    let mut ends = sealed();
    let first = ends.echo(b"first");
    let second = ends.echo(b"second");
    let mut done = false;
    let events = ends.settle_with(|way, packet| {
        if way == Way::Down && !std::mem::replace(&mut done, true) {
            assert!(is_first(&packet));
            let forged = [&[packet[0], 0, 0, 30, 0, 30][..], &[0; 30]].concat();
            return vec![forged, packet];
        }
        vec![packet]
    });
    let broken = failed(first, Failure::Session(session::Refused::Broken));
    let second = Event::Reply { ticket: second, message: b"second".to_vec() };
    assert_eq!(events, [broken, Event::Dropped, second]);
    ends.works();
}
