//! Any single packet is lost or duplicated: every call ends exactly once, every response is
//! correct, and the next call is answered.

use std::collections::BTreeMap;

use crate::wired::{self, Way, Wired, is_piece, wired};
use airlag_rpc::central::{CallKind, Event, Ticket};
use airlag_rpc::peripheral::Encryption;
use proptest::prelude::*;

/// A call, with its lengths or its number of items.
#[derive(Clone, Debug)]
enum Request {
    Echo(usize),
    Count(u8),
    Sum(Vec<usize>),
}

fn asked() -> impl Strategy<Value = Request> {
    prop_oneof![
        3 => (0..1_500_usize).prop_map(Request::Echo),
        1 => (0..6_u8).prop_map(Request::Count),
        1 => prop::collection::vec(0..300_usize, 1..4).prop_map(Request::Sum),
    ]
}

/// Change made to a packet.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Lost,
    Twice,
}

fn ask(ends: &mut Wired, asked: &Request, nth: usize) -> Ticket {
    let text = |length: usize| (0..length).map(|at| (at + nth) as u8).collect::<Vec<u8>>();
    match asked {
        Request::Echo(length) => ends.central.ask(CallKind::Single, "echo", vec![text(*length)]),
        Request::Count(items) => ends.central.ask(CallKind::Stream, "count", vec![vec![*items]]),
        Request::Sum(lengths) => {
            let items = lengths.iter().map(|&length| text(length)).collect();
            ends.central.ask(CallKind::Upload, "sum", items)
        }
    }
}

/// Checks all events of a call.
fn judge(asked: &Request, nth: usize, came: &[&Event], harm: &[(u8, Harm)], sealed: bool) {
    let (last, before) = came.split_last().expect("one end");
    let ends = |event: &&&Event| !matches!(event, Event::Item { .. });
    assert_eq!(before.iter().filter(ends).count(), 0, "{came:?}");
    let items: Vec<u8> = before
        .iter()
        .map(|event| match event {
            Event::Item { message, .. } => message[0],
            other => panic!("{other:?}"),
        })
        .collect();
    match (asked, last) {
        (_, Event::Failed { .. }) => {}
        (Request::Echo(length), Event::Reply { message, .. }) => {
            assert!(message.iter().enumerate().all(|(at, &byte)| byte == (at + nth) as u8));
            assert_eq!(message.len(), *length);
        }
        (Request::Count(all), Event::End { .. }) => {
            // The number of items is not transmitted. In a session, the received items have no gap.
            let gaps = items.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
            assert!(items.iter().all(|item| item < all) && (!sealed || gaps == 0), "{items:?}");
            let none = items.len() == usize::from(*all);
            assert!(none || !harm.is_empty(), "{items:?} of {all}");
        }
        (Request::Sum(lengths), Event::Reply { message, .. }) => {
            let sum = u64::from_le_bytes(message[..].try_into().expect("eight bytes"));
            let whole = lengths.iter().sum::<usize>() as u64;
            assert!(sum == whole || !harm.is_empty(), "{sum} of {whole}");
            // Each item fits into one container. Items at the start may be lost; without
            // encryption, items anywhere may be lost or duplicated.
            let most = if sealed { whole } else { 2 * whole };
            assert!(sum <= most, "{sum} of {whole}");
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_packet_lost_or_come_twice_harms_no_more_than_the_calls_in_flight(
        mtu in 23..518_usize,
        sealed: bool,
        calls in 1..9_u8,
        asked in prop::collection::vec(asked(), 1..8),
        harm in prop::collection::btree_map(0..60_u8, prop_oneof![Just(Harm::Lost), Just(Harm::Twice)], 0..3),
    ) {
        let mut ends = wired(mtu - 3, |central, peripheral| {
            let encryption = if sealed { Encryption::Preferred } else { Encryption::Off };
            (central.encryption, peripheral.encryption) = (encryption, encryption);
            central.flags = central.flags.with_calls(calls);
        });
        prop_assert_eq!(ends.settle(), [Event::Ready]);
        let sealed = ends.peripheral.is_sealed();
        let tickets: Vec<Ticket> =
            asked.iter().enumerate().map(|(nth, asked)| ask(&mut ends, asked, nth)).collect();
        let mut seen = 0_u8;
        let mut events = Vec::new();
        // No end waits longer than the timeout of a call.
        for _ in 0..=asked.len() {
            events.extend(ends.settle_with(|_, packet| {
                seen = seen.saturating_add(1);
                match harm.get(&(seen - 1)) {
                    None => vec![packet],
                    Some(Harm::Lost) => vec![],
                    Some(Harm::Twice) => vec![packet.clone(), packet],
                }
            }));
            events.extend(ends.wait(101));
        }
        prop_assert_eq!(ends.central.unfinished(), 0);
        let harm: Vec<_> = harm.into_iter().filter(|&(at, _)| at < seen).collect();
        for (nth, (asked, ticket)) in asked.iter().zip(&tickets).enumerate() {
            let of = |event: &&Event| match event {
                Event::Reply { ticket: found, .. }
                | Event::Item { ticket: found, .. }
                | Event::End { ticket: found }
                | Event::Failed { ticket: found, .. } => found == ticket,
                Event::Ready | Event::Broken(_) | Event::Dropped => false,
            };
            let came: Vec<&Event> = events.iter().filter(of).collect();
            judge(asked, nth, &came, &harm, sealed);
        }
        ends.works();
    }

    #[test]
    fn a_connection_lost_in_the_middle_of_calls_is_followed_by_one_that_works(
        mtu in 136..518_usize,
        calls in 1..9_u8,
        asked in prop::collection::vec(asked(), 1..8),
        left in 0..40_usize,
    ) {
        let mut ends = wired(mtu - 3, |central, _| central.flags = central.flags.with_calls(calls));
        prop_assert_eq!(ends.settle(), [Event::Ready]);
        let mut sealed = BTreeMap::new();
        for connection in 0..2 {
            asked.iter().enumerate().for_each(|(nth, asked)| {
                ask(&mut ends, asked, nth);
            });
            let mut first = None;
            let mut sent = 0;
            ends.settle_with(|way, packet| {
                if way == Way::Up && is_piece(&packet) {
                    first.get_or_insert_with(|| packet.clone());
                }
                sent += 1;
                if sent > left { vec![] } else { vec![packet] }
            });
            sealed.insert(first, connection);
            ends.connect();
            prop_assert_eq!(ends.settle(), [Event::Ready]);
            ends.works();
            ends.connect();
            prop_assert_eq!(ends.settle(), [Event::Ready]);
        }
        // This is the same call with the same counter but another key.
        prop_assert_eq!(sealed.len(), 2);
        prop_assert_eq!(ends.upload(&[1, 2]), 3);
    }
}

#[test]
fn a_packet_of_the_greeting_that_is_lost_or_comes_twice_leaves_no_call_waiting() {
    for harm in [Harm::Lost, Harm::Twice] {
        for harmed in 0..9 {
            let mut ends = wired(244, |_, _| {});
            let ticket = ends.echo(b"x");
            let mut seen = 0;
            let mut events = ends.settle_with(|_, packet| {
                seen += 1;
                match harm {
                    _ if seen - 1 != harmed => vec![packet],
                    Harm::Lost => vec![],
                    Harm::Twice => vec![packet.clone(), packet],
                }
            });
            events.extend(ends.wait(5_001));
            events.extend(ends.settle());
            let of_call = events.iter().filter(|event| match event {
                Event::Reply { ticket: found, .. } | Event::Failed { ticket: found, .. } => {
                    *found == ticket
                }
                _ => false,
            });
            assert_eq!(of_call.count(), 1, "{harm:?} {harmed}: {events:?}");
            let begun = events.contains(&Event::Ready);
            let broken = events.iter().any(|event| matches!(event, Event::Broken(_)));
            assert!(begun != broken, "{harm:?} {harmed}: {events:?}");
            ends.connect();
            assert_eq!(ends.settle(), [Event::Ready]);
            ends.works();
        }
    }
}

#[test]
fn a_cancelled_call_that_is_never_answered_is_forgotten_in_time() {
    for lost in [Way::Up, Way::Down] {
        let mut ends = wired(244, |_, _| {});
        ends.settle();
        let ticket = ends.echo(b"x");
        let events =
            ends.settle_with(|way, packet| if way == lost { vec![] } else { vec![packet] });
        assert_eq!(events, []);
        ends.central.cancel(ticket);
        assert_eq!(ends.central.unfinished(), 1);
        assert_eq!(ends.wait(101), []);
        assert_eq!(ends.central.unfinished(), 0);
        ends.works();
    }
}

#[test]
fn a_request_half_sent_when_its_call_fails_is_given_up_by_the_peripheral() {
    let mut ends = wired(140, |_, _| {});
    ends.settle();
    let ticket = ends.echo(&[7; 1_000]);
    let mut bytes = [0; 140];
    let length = ends.central.outgoing(&mut bytes, ends.now).expect("the first container");
    ends.up(&bytes[..length]);
    let failed = wired::failed(ticket, airlag_rpc::central::Failure::TimedOut);
    assert_eq!(ends.wait(101), [failed]);
    ends.works();
    assert_eq!(ends.calls, 1);
}
