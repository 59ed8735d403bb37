//! An attacker between the two ends, who can read, modify, delay and inject packets of a session.
//! In each case the correct end rejects them with the correct error, and the next call is answered.

use crate::wired::{LONG, PACKET, Way, at, changed, failed, sealed, told, wired};
use airlag_rpc::assemble::Refused as Pieces;
use airlag_rpc::capability::Flags;
use airlag_rpc::central::{CallKind, Event, Failure};
use airlag_rpc::container::Malformed;
use airlag_rpc::control::Reason;
use airlag_rpc::peripheral::Refused;
use airlag_rpc::session;

#[test]
fn a_changed_request_is_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(at(Way::Up, 0, changed(10, |byte| byte ^ 1)));
    assert_eq!(events, [told(ticket, Reason::NotSealed)]);
    assert_eq!(ends.refused, [Refused::Session(session::Refused::Broken)]);
    ends.works();
}

#[test]
fn a_changed_answer_is_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(at(Way::Down, 0, changed(10, |byte| byte ^ 1)));
    assert_eq!(events, [failed(ticket, Failure::Session(session::Refused::Broken))]);
    ends.works();
}

#[test]
fn a_request_that_comes_twice_is_answered_once() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(at(Way::Up, 0, |packet| vec![packet.clone(), packet]));
    assert_eq!(events, [Event::Reply { ticket, message: b"x".to_vec() }]);
    assert_eq!(ends.refused, [Refused::Session(session::Refused::Replayed { counter: 0 })]);
    assert_eq!(ends.calls, 1);
    ends.works();
}

#[test]
fn a_request_that_begins_twice_is_answered_once() {
    for pieces in 1..=3 {
        let mut ends = sealed();
        let message = vec![7; 100 * pieces];
        let ticket = ends.echo(&message);
        let events = ends.settle_with(at(Way::Up, 0, |packet| vec![packet.clone(), packet]));
        assert_eq!(events, [Event::Reply { ticket, message }]);
        assert_eq!(ends.calls, 1);
        ends.works();
    }
}

#[test]
fn a_beginning_under_the_transaction_of_a_later_call_does_not_spoil_it() {
    let mut ends = sealed();
    ends.up(&[2, 0, 0, 100, 0, 1, 7]);
    ends.works();
    ends.up(&[3, 0, 0, 100, 0, 1, 7]);
    assert_eq!(ends.upload(&[300, 20]), 320);
}

#[test]
fn an_upload_whose_first_item_was_not_whole_is_refused() {
    let mut ends = sealed();
    let ticket = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 200]; 4]);
    let events = ends.settle_with(at(Way::Up, 1, |_| vec![]));
    assert_eq!(events, [told(ticket, Reason::Incomplete)]);
    assert_eq!(ends.calls, 0);
    ends.works();
}

#[test]
fn a_request_of_earlier_is_not_answered_again() {
    let mut ends = sealed();
    let mut kept = Vec::new();
    ends.echo(b"x");
    ends.settle_with(at(Way::Up, 0, |packet| {
        kept.clone_from(&packet);
        vec![packet]
    }));
    ends.works();
    ends.up(&kept);
    assert_eq!(ends.settle(), []);
    assert_eq!(ends.refused, [Refused::Session(session::Refused::Replayed { counter: 0 })]);
    assert_eq!(ends.calls, 2);
    ends.works();
}

#[test]
fn an_answer_that_comes_twice_is_taken_once() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(at(Way::Down, 0, |packet| vec![packet.clone(), packet]));
    assert_eq!(events, [Event::Reply { ticket, message: b"x".to_vec() }, Event::Dropped]);
    ends.works();
}

#[test]
fn an_answer_of_earlier_is_none_to_a_later_call() {
    let mut ends = sealed();
    let mut kept = Vec::new();
    ends.echo(b"old");
    ends.settle_with(at(Way::Down, 0, |packet| {
        kept.clone_from(&packet);
        vec![packet]
    }));
    let ticket = ends.echo(b"new");
    let events = ends.settle_with(at(Way::Down, 0, |packet| {
        kept[0] = packet[0];
        vec![kept.clone(), packet]
    }));
    let broken = failed(ticket, Failure::Session(session::Refused::Broken));
    assert_eq!(events, [broken, Event::Dropped]);
    ends.works();
}

#[test]
fn an_answer_to_one_call_is_none_to_another() {
    let mut ends = sealed();
    let (first, second) = (ends.echo(b"first"), ends.echo(b"second"));
    let events = ends.settle_with(at(Way::Down, 0, changed(0, |transaction| transaction + 1)));
    let broken = failed(second, Failure::Session(session::Refused::Broken));
    assert_eq!(events, [broken, Event::Dropped]);
    assert_eq!(ends.wait(101), [failed(first, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn an_answer_kept_back_is_none_to_a_later_call() {
    let mut ends = sealed();
    let mut kept = Vec::new();
    let first = ends.echo(b"old");
    ends.settle_with(at(Way::Down, 0, |packet| {
        kept = packet;
        vec![]
    }));
    assert_eq!(ends.wait(101), [failed(first, Failure::TimedOut)]);
    let second = ends.echo(b"new");
    let events = ends.settle_with(at(Way::Down, 0, |packet| {
        kept[0] = packet[0];
        vec![kept.clone()]
    }));
    assert_eq!(events, [failed(second, Failure::Session(session::Refused::Broken))]);
    ends.works();
}

#[test]
fn a_request_under_another_transaction_is_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle_with(at(Way::Up, 0, changed(0, |transaction| transaction + 1))), []);
    assert_eq!(ends.refused, [Refused::Session(session::Refused::Broken)]);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn with_a_central_of_the_protocols_own_an_answer_kept_back_is_one_to_a_later_call() {
    // This peripheral ignores transaction numbers, and nothing else in a response identifies its
    // request.
    let mut ends = wired(PACKET, |central, _| central.flags = Flags::default());
    assert_eq!(ends.settle(), [Event::Ready]);
    let mut kept = Vec::new();
    let first = ends.echo(b"old");
    ends.settle_with(at(Way::Down, 0, |packet| {
        kept = packet;
        vec![]
    }));
    assert_eq!(ends.wait(101), [failed(first, Failure::TimedOut)]);
    let ticket = ends.echo(b"new");
    let events = ends.settle_with(at(Way::Down, 0, |_| vec![kept.clone()]));
    assert_eq!(events, [Event::Reply { ticket, message: b"old".to_vec() }]);
}

#[test]
fn a_request_sent_back_is_no_answer() {
    let mut ends = sealed();
    let mut kept = Vec::new();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(|way, packet| match way {
        Way::Up => {
            kept.clone_from(&packet);
            vec![packet]
        }
        Way::Down => vec![kept.clone()],
    });
    assert_eq!(events, [failed(ticket, Failure::Session(session::Refused::Broken))]);
    ends.works();
}

#[test]
fn containers_of_a_request_in_another_order_are_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(&[7; LONG]);
    let mut kept = Vec::new();
    let mut nth = 0;
    let events = ends.settle_with(|way, packet| {
        if way == Way::Down {
            return vec![packet];
        }
        nth += 1;
        match nth {
            2 => {
                kept.clone_from(&packet);
                vec![]
            }
            3 => vec![packet, kept.clone()],
            _ => vec![packet],
        }
    });
    assert_eq!(events, [told(ticket, Reason::Incomplete)]);
    assert_eq!(ends.refused[0], Refused::Piece(Pieces::OutOfSequence { expected: 1, got: 2 }));
    ends.works();
}

#[test]
fn containers_of_an_answer_in_another_order_are_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(&[7; LONG]);
    let mut kept = Vec::new();
    let mut nth = 0;
    let events = ends.settle_with(|way, packet| {
        if way == Way::Up {
            return vec![packet];
        }
        nth += 1;
        match nth {
            2 => {
                kept.clone_from(&packet);
                vec![]
            }
            3 => vec![packet, kept.clone()],
            _ => vec![packet],
        }
    });
    let cause = Failure::Pieces(Pieces::OutOfSequence { expected: 1, got: 2 });
    assert_eq!(events, [failed(ticket, cause), Event::Dropped]);
    ends.works();
}

#[test]
fn a_request_cut_short_is_refused_and_given_up_in_time() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let mut says = 0;
    let events = ends.settle_with(at(Way::Up, 0, |mut packet| {
        says = usize::from(packet[5]);
        packet.pop();
        vec![packet]
    }));
    assert_eq!(events, []);
    assert_eq!(ends.refused, [Refused::Container(Malformed::Truncated { says, has: says - 1 })]);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn an_answer_cut_short_is_refused_and_given_up_in_time() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(at(Way::Down, 0, |mut packet| {
        packet.pop();
        vec![packet]
    }));
    assert_eq!(events, [Event::Dropped]);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn a_request_that_claims_more_than_there_is_room_for_is_refused_at_once() {
    let mut ends = sealed();
    let ticket = ends.echo(&[7; LONG]);
    let events = ends.settle_with(at(Way::Up, 0, changed(4, |_| 0xFF)));
    assert_eq!(events, [told(ticket, Reason::RequestTooLarge)]);
    let Refused::Piece(Pieces::TooLong { total, room }) = ends.refused[0] else {
        panic!("{:?}", ends.refused)
    };
    assert_eq!((total >> 8, room), (0xFF, 10_000));
    assert!(ends.refused[1..].iter().all(|&cause| cause == Refused::Piece(Pieces::NoBeginning)));
    ends.works();
}

#[test]
fn a_request_longer_than_it_claims_is_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let mut total = 0;
    let events = ends.settle_with(at(Way::Up, 0, |mut packet| {
        packet[3] -= 1;
        total = usize::from(packet[3]);
        vec![packet]
    }));
    assert_eq!(events, [told(ticket, Reason::Incomplete)]);
    assert_eq!(ends.refused, [Refused::Piece(Pieces::Overrun { total })]);
    ends.works();
}

#[test]
fn an_answer_longer_than_it_claims_is_refused() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    let mut total = 0;
    let events = ends.settle_with(at(Way::Down, 0, |mut packet| {
        packet[3] -= 1;
        total = usize::from(packet[3]);
        vec![packet]
    }));
    assert_eq!(events, [failed(ticket, Failure::Pieces(Pieces::Overrun { total }))]);
    ends.works();
}

#[test]
fn a_request_shorter_than_it_claims_is_given_up_at_both_ends() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle_with(at(Way::Up, 0, changed(3, |byte| byte + 1))), []);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    assert_eq!(ends.refused, []);
    ends.works();
}

#[test]
fn an_answer_shorter_than_it_claims_is_given_up_in_time() {
    let mut ends = sealed();
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle_with(at(Way::Down, 0, changed(3, |byte| byte + 1))), []);
    assert_eq!(ends.wait(101), [failed(ticket, Failure::TimedOut)]);
    ends.works();
}

#[test]
fn a_container_of_the_undefined_type_is_dropped() {
    let mut ends = sealed();
    ends.up(&[2, 0, 0x80, 0]);
    assert_eq!(ends.refused, [Refused::Container(Malformed::Type)]);
    ends.central.received(&[2, 0, 0x80, 0], ends.now);
    assert_eq!(ends.settle(), [Event::Dropped]);
    ends.works();
}

#[test]
fn an_answer_before_its_request_was_sent_is_dropped() {
    let mut ends = sealed();
    let ticket = ends.echo(&[7; LONG]);
    let mut packet = [0; PACKET];
    let length = ends.central.outgoing(&mut packet, ends.now).expect("the first container");
    let early = [&[packet[0], 0, 0, 30, 0, 30][..], &[0; 30]].concat();
    ends.central.received(&early, ends.now);
    ends.up(&packet[..length]);
    assert_eq!(ends.settle(), [Event::Dropped, Event::Reply { ticket, message: vec![7; LONG] }]);
    ends.works();
}
