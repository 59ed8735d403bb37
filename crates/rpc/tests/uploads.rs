//! Failed uploads: an item of one upload is never counted in another.

use crate::wired::{Way, Wired, failed, told, wired};
use airlag_rpc::capability::Flags;
use airlag_rpc::central::{CallKind, Event, Failure};
use airlag_rpc::control::Reason;
use airlag_rpc::peripheral::{Encryption, Refused};

fn clear() -> Wired {
    let mut ends = wired(20, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Off);
    });
    assert_eq!(ends.settle(), [Event::Ready]);
    ends
}

/// Drops the `nth` packet to the peripheral, counted from 0.
fn without(nth: usize) -> impl FnMut(Way, Vec<u8>) -> Vec<Vec<u8>> {
    let mut seen = 0;
    move |way, packet| {
        seen += usize::from(way == Way::Up);
        if way == Way::Up && seen - 1 == nth { vec![] } else { vec![packet] }
    }
}

#[test]
fn items_of_an_upload_that_lost_one_do_not_count_in_the_next() {
    // Each item takes three containers; the fourth and the fifth belong to the second item.
    for lost in [1, 4, 5] {
        let mut ends = clear();
        let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 30]; 4]);
        let events = ends.settle_with(without(lost));
        assert_eq!(events, [told(ticket, Reason::Incomplete)], "container {lost}");
        assert_eq!(ends.upload(&[1, 2]), 3, "container {lost}");
        ends.works();
    }
}

#[test]
fn items_of_an_upload_that_was_not_ended_do_not_count_in_the_next() {
    let mut ends = clear();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 5]]);
    assert_eq!(ends.settle_with(without(1)), []);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    assert_eq!(ends.upload(&[1, 2]), 3);
}

#[test]
fn items_of_an_upload_do_not_count_in_another_connection() {
    let mut ends = clear();
    ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 5]]);
    assert_eq!(ends.settle_with(without(1)), []);
    ends.connect();
    assert_eq!(ends.settle(), [Event::Ready]);
    assert_eq!(ends.upload(&[1, 2]), 3);
}

#[test]
fn an_item_that_does_not_fit_ends_the_upload() {
    let mut ends = clear();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![1], vec![0; 9_999], vec![1]]);
    let events = ends.settle();
    let limit = airlag_rpc::writer::Writer::longest(20);
    assert_eq!(events, [failed(ticket, Failure::TooLong { length: 9_999, limit })]);
    assert_eq!(ends.upload(&[1, 2]), 3);
}

#[test]
fn the_end_of_an_upload_that_nobody_began_is_refused() {
    let mut ends = clear();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![]);
    assert_eq!(ends.settle(), [told(ticket, Reason::Malformed)]);
    assert_eq!(ends.refused, [Refused::NoUpload]);
    ends.works();
}

#[test]
fn a_cancelled_upload_is_sent_to_its_end_and_its_answer_dropped() {
    let mut ends = clear();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 30]; 2]);
    let mut packet = [0; 20];
    let length = ends.central.outgoing(&mut packet, ends.now).expect("the first container");
    ends.central.cancel(ticket);
    ends.up(&packet[..length]);
    assert_eq!(ends.settle(), []);
    assert_eq!(ends.central.unfinished(), 0);
    assert_eq!(ends.upload(&[1, 2]), 3);
}

#[test]
fn a_central_of_the_protocols_own_gets_no_answer_to_an_upload_that_lost_an_item() {
    // This central receives no reason, and uses a separate transaction for every item.
    let mut ends = wired(244, |central, _| central.flags = Flags::default());
    assert_eq!(ends.settle(), [Event::Ready]);
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 5]; 4]);
    assert_eq!(ends.settle_with(without(1)), []);
    assert_eq!(ends.refused, [Refused::Missing(1), Refused::GivenUp, Refused::GivenUp]);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    assert_eq!(ends.upload(&[1, 2]), 3);
}
