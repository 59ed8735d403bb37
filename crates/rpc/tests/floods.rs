//! More data than an end can accept: it accepts up to its capacity and continues to work. Its
//! memory does not grow.

use crate::wired::{Way, Wired, failed, message, told, wired};
use airlag_rpc::assemble::Refused as Pieces;
use airlag_rpc::central::{CallKind, Event, Failure};
use airlag_rpc::control::Reason;
use airlag_rpc::peripheral::{Encryption, Refused};

fn clear() -> Wired {
    let mut ends = wired(244, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Off);
    });
    assert_eq!(ends.settle(), [Event::Ready]);
    ends
}

fn request(transaction: u8, message: &[u8]) -> Vec<u8> {
    let length = message.len() as u8 + 2;
    [&[transaction, 0, 0, length, 0, length, 0x40, 0], message].concat()
}

/// Number of packets that the peripheral has to send.
fn outgoing(ends: &mut Wired) -> usize {
    let mut packet = [0; 300];
    std::iter::from_fn(|| ends.peripheral.outgoing(&mut packet)).count()
}

#[test]
fn of_many_questions_as_many_are_answered_as_there_is_room_for() {
    for code in [1, 4] {
        let mut ends = clear();
        (0..=255).for_each(|transaction| ends.up(&message(transaction, code, &[])));
        assert_eq!(outgoing(&mut ends), 4);
        ends.works();
    }
}

#[test]
fn an_error_that_finds_no_room_is_not_told_and_the_call_given_up_in_time() {
    let mut ends = clear();
    (0..9).for_each(|transaction| ends.up(&message(200 + transaction, 1, &[])));
    let ticket = ends.central.ask(CallKind::Single, "nothing", vec![vec![]]);
    assert_eq!(ends.settle(), []);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn of_many_requests_as_many_are_served_as_there_is_room_for() {
    let mut ends = clear();
    (0..=255).for_each(|transaction| ends.up(&request(transaction, b"x")));
    assert_eq!(ends.calls, 8);
    assert_eq!(ends.refused, [Refused::Full; 248]);
    // Four calls were answered with "busy".
    assert_eq!(outgoing(&mut ends), 8 + 4);
    ends.works();
}

#[test]
fn a_central_that_asks_more_than_it_may_is_told_that_the_peripheral_is_busy() {
    let mut ends = clear();
    (0..8).for_each(|nth| ends.up(&request(100 + nth, b"x")));
    let ticket = ends.echo(b"x");
    let events = ends.settle();
    assert_eq!(events, [told(ticket, Reason::Busy), Event::Dropped]);
    ends.works();
}

#[test]
fn beginnings_without_an_end_take_the_place_of_each_other() {
    let mut ends = clear();
    for nth in 0..2_000_u32 {
        ends.up(&[nth as u8, 0, 0, 0, 1, 1, 7]);
    }
    assert!(ends.refused.is_empty());
    assert_eq!(outgoing(&mut ends), 4);
    ends.works();
}

#[test]
fn a_request_that_trickles_in_comes_to_an_end() {
    // One byte is sent at a time, each just before the timeout, so there are at most 256
    // containers.
    let mut ends = clear();
    ends.up(&[9, 0, 0, 0, 16, 1, 7]);
    for nth in 1..=256_u32 {
        assert!(ends.refused.is_empty(), "{nth}");
        ends.now = ends.now.after(999_000_000);
        ends.up(&[9, nth as u8, 0x40, 1, 7]);
    }
    let none = Pieces::OutOfSequence { expected: 0, got: 0 };
    assert_eq!(ends.refused, [Refused::Piece(none)]);
    assert_eq!(outgoing(&mut ends), 1);
    ends.works();
}

#[test]
fn an_answer_that_trickles_in_comes_to_an_end() {
    let mut ends = clear();
    let ticket = ends.echo(b"x");
    let mut bytes = [0; 300];
    ends.central.outgoing(&mut bytes, ends.now).expect("the request");
    let transaction = bytes[0];
    ends.central.received(&[transaction, 0, 0, 0, 16, 1, 7], ends.now);
    for nth in 1..=256_u32 {
        assert_eq!(ends.wait(99), [], "{nth}");
        ends.central.received(&[transaction, nth as u8, 0x40, 1, 7], ends.now);
    }
    let none = Pieces::OutOfSequence { expected: 0, got: 0 };
    assert_eq!(ends.wait(1), [failed(ticket, Failure::Pieces(none))]);
    ends.works();
}

#[test]
fn an_answer_that_begins_again_and_again_is_none() {
    let mut ends = clear();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(|way, packet| match way {
        Way::Up => vec![packet],
        Way::Down => vec![vec![packet[0], 0, 0, 0, 16, 1, 7]; 3],
    });
    assert_eq!(events, [failed(ticket, Failure::Unfinished), Event::Dropped]);
    ends.works();
}

#[test]
fn packets_that_belong_to_nothing_keep_no_call_alive_for_ever() {
    for junk in [
        vec![],
        vec![1, 2, 3],
        vec![77, 0, 0, 0, 16, 1, 7],
        vec![77, 0, 0, 1, 0, 1, 7],
        message(77, 5, &[1]),
        message(77, 1, &[1, 0]),
        message(77, 9, &[]),
    ] {
        let mut ends = clear();
        let ticket = ends.echo(b"x");
        assert_eq!(ends.settle_with(|_, _| vec![]), []);
        let mut events = Vec::new();
        let mut sent = 0;
        while !events.contains(&failed(ticket, Failure::TimedOut)) {
            sent += 1;
            assert!(sent < 5_000, "{junk:?}");
            ends.central.received(&junk, ends.now);
            events.extend(ends.wait(99));
        }
        ends.works();
    }
}

#[test]
fn packets_that_belong_to_nothing_are_one_event_until_it_is_seen() {
    let mut ends = clear();
    (0..10_000).for_each(|_| ends.central.received(&[1], ends.now));
    assert_eq!(ends.settle(), [Event::Dropped]);
    ends.works();
}

#[test]
fn a_late_stream_does_not_fail_the_call_behind_it() {
    // The rest of the stream takes longer than the central's timeout for a call, but each part of
    // it restarts the timeout.
    let mut ends = clear();
    let stream = ends.central.ask(CallKind::Stream, "count", vec![vec![50]]);
    let mut bytes = [0; 300];
    let length = ends.central.outgoing(&mut bytes, ends.now).expect("the request");
    ends.up(&bytes[..length]);
    assert_eq!(ends.wait(101), [failed(stream, Failure::TimedOut)]);
    let ticket = ends.echo(b"x");
    let length = ends.central.outgoing(&mut bytes, ends.now).expect("the request");
    ends.up(&bytes[..length]);
    let mut events = Vec::new();
    while let Some(length) = ends.peripheral.outgoing(&mut bytes) {
        ends.central.received(&bytes[..length], ends.now);
        events.extend(ends.wait(50));
    }
    let reply = Event::Reply { ticket, message: b"x".to_vec() };
    assert_eq!(events.last(), Some(&reply));
    assert!(events[..50].iter().all(|event| *event == Event::Dropped));
}

#[test]
fn a_call_that_all_others_went_past_is_lost_before_its_transaction_is_used_again() {
    let mut ends = clear();
    let first = ends.echo(b"x");
    let mut events = ends.settle_with(|_, _| vec![]);
    // Errors are sent before waiting responses, and restart the timeout.
    for _ in 0..256 {
        let ticket = ends.central.ask(CallKind::Single, "nothing", vec![vec![]]);
        let mut failed: Vec<Event> = ends.settle();
        failed.retain(|event| *event != told(ticket, Reason::UnknownMethod));
        events.extend(failed);
        events.extend(ends.wait(50));
    }
    assert_eq!(events, [failed(first, Failure::Lost)]);
    ends.works();
}
