//! Attempts to make two ends communicate unencrypted or with an attacker, and their outcomes.

use std::cell::Cell;

use crate::wired::{SEED, Way, Wired, failed, message, told, wired};
use airlag_rpc::Identity;
use airlag_rpc::capability::{Capabilities, Flags};
use airlag_rpc::central::{Event, Failure};
use airlag_rpc::control::Reason;
use airlag_rpc::exchange::{self, identity};
use airlag_rpc::peripheral::{Config, Encryption, Refused};
use airlag_rpc::session;

const CAPABILITIES: u8 = 4;
const KEY_EXCHANGE: u8 = 6;

fn code(packet: &[u8]) -> Option<u8> {
    (packet[2] >> 6 == 0b11).then_some(packet[2] >> 2 & 0xF)
}

/// Clears the encryption flag in the capabilities of the peripheral.
fn stripped(way: Way, mut packet: Vec<u8>) -> Vec<Vec<u8>> {
    if way == Way::Down && code(&packet) == Some(CAPABILITIES) {
        packet[8] &= !1;
    }
    vec![packet]
}

/// The connection ends for this reason, and so does a call.
fn broken(ends: &mut Wired, events: &[Event], failure: Failure) {
    assert_eq!(events, [Event::Broken(failure.clone())]);
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle(), [failed(ticket, failure)]);
    assert_eq!((ends.calls, ends.central.unfinished()), (0, 0));
}

#[test]
fn a_peripheral_that_does_not_encrypt_is_refused_where_it_must() {
    let mut ends = wired(244, |_, _| {});
    let events = ends.settle_with(stripped);
    broken(&mut ends, &events, Failure::InTheClear { known: false });
}

#[test]
fn a_known_peripheral_that_does_not_encrypt_any_more_is_refused() {
    let mut ends = wired(244, |central, _| {
        (central.encryption, central.identity) = (Encryption::Preferred, Some(identity(&SEED)));
    });
    let events = ends.settle_with(stripped);
    broken(&mut ends, &events, Failure::InTheClear { known: true });
}

#[test]
fn a_known_peripheral_that_does_not_say_what_it_can_do_is_refused() {
    let mut ends = wired(244, |central, _| {
        (central.encryption, central.identity) = (Encryption::Preferred, Some(identity(&SEED)));
    });
    let lost = |_, packet: Vec<u8>| {
        if code(&packet) == Some(CAPABILITIES) { vec![] } else { vec![packet] }
    };
    assert_eq!(ends.settle_with(lost), []);
    let events = ends.wait(5_001);
    broken(&mut ends, &events, Failure::InTheClear { known: true });
}

#[test]
fn encryption_that_is_only_preferred_can_be_taken_away() {
    // The peripheral is unknown, and nothing indicates that it supports encryption.
    let mut ends = wired(244, |central, peripheral| {
        (central.encryption, peripheral.encryption) =
            (Encryption::Preferred, Encryption::Preferred);
    });
    assert_eq!(ends.settle_with(stripped), [Event::Ready]);
    assert_eq!(ends.central.peer().and_then(|peer| peer.identity), None);
    ends.works();
}

#[test]
fn a_peripheral_that_must_encrypt_answers_nothing_in_the_clear() {
    let mut ends = wired(244, |central, _| central.encryption = Encryption::Off);
    assert_eq!(ends.settle(), [Event::Ready]);
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle(), [told(ticket, Reason::NotSealed)]);
    assert_eq!((&ends.refused[..], ends.calls), (&[Refused::Clear][..], 0));
}

#[test]
fn requests_in_the_clear_are_refused_in_a_session() {
    for (request, cause) in [
        (&b"\x40\x00x"[..], session::Refused::Short(3)),
        (b"\x00\x04echo\x0c\x00in the clear", session::Refused::Broken),
    ] {
        let mut ends = wired(244, |_, _| {});
        ends.settle();
        let length = request.len() as u8;
        ends.up(&[&[9, 0, 0, length, 0, length], request].concat());
        assert_eq!(ends.refused, [Refused::Session(cause)]);
        assert_eq!((ends.settle(), ends.calls), (vec![], 0));
        ends.works();
    }
}

#[test]
fn answers_in_the_clear_are_refused_in_a_session() {
    let mut ends = wired(244, |_, _| {});
    ends.settle();
    let ticket = ends.echo(b"x");
    let events = ends.settle_with(|way, packet| match way {
        Way::Up => vec![packet],
        Way::Down => {
            vec![[&[packet[0], 0, 0, 20, 0, 20][..], b"\x80\x04echo\x0c\x00in the clear"].concat()]
        }
    });
    assert_eq!(events, [failed(ticket, Failure::Session(session::Refused::Broken))]);
    ends.works();
}

#[test]
fn what_a_peripheral_can_do_is_not_taken_from_it() {
    let mut ends = wired(244, |_, _| {});
    let came = Cell::new(0);
    let events = ends.settle_with(|way, mut packet| {
        if way == Way::Down && code(&packet) == Some(CAPABILITIES) {
            packet[9] = 0;
            came.set(u16::from(packet[8]));
        }
        vec![packet]
    });
    let declared = Flags::ENCRYPTION.and(Config::new(244, 8).flags).0;
    let cause = exchange::Refused::Downgraded { declared, came: came.get() };
    broken(&mut ends, &events, Failure::Exchange(cause));
}

#[test]
fn what_a_central_can_do_is_not_taken_from_it() {
    let mut ends = wired(244, |_, _| {});
    let events = ends.settle_with(|way, mut packet| {
        if way == Way::Up && code(&packet) == Some(CAPABILITIES) {
            packet[9] = 0;
        }
        vec![packet]
    });
    let declared = Flags::ENCRYPTION.and(Config::new(244, 8).flags).0;
    let cause = exchange::Refused::Downgraded { declared, came: 1 };
    assert_eq!((events, &ends.refused[..]), (vec![], &[Refused::Exchange(cause)][..]));
    assert!(!ends.peripheral.is_sealed());
    let events = ends.wait(5_001);
    broken(&mut ends, &events, Failure::NoAnswer);
}

#[test]
fn another_peripheral_in_the_place_of_a_known_one_is_refused() {
    let known = Identity([1; 32]);
    let mut ends = wired(244, |central, _| central.identity = Some(known));
    let events = ends.settle();
    let found = identity(&SEED);
    let cause = exchange::Refused::Identity { known, found };
    broken(&mut ends, &events, Failure::Exchange(cause));
    assert!(!ends.peripheral.is_sealed());
}

#[test]
fn a_changed_step_of_the_key_exchange_makes_no_session() {
    for (step, refused) in [(2, exchange::Refused::Signature), (4, exchange::Refused::Confirmation)]
    {
        let mut ends = wired(244, |_, _| {});
        let events = ends.settle_with(|way, mut packet| {
            if way == Way::Down && code(&packet) == Some(KEY_EXCHANGE) && packet[4] == step {
                packet[20] ^= 1;
            }
            vec![packet]
        });
        broken(&mut ends, &events, Failure::Exchange(refused));
    }
}

#[test]
fn a_changed_step_to_the_peripheral_makes_no_session() {
    for (step, refused) in
        [(1, None), (3, Some(Refused::Exchange(exchange::Refused::Confirmation)))]
    {
        let mut ends = wired(244, |_, _| {});
        let events = ends.settle_with(|way, mut packet| {
            if way == Way::Up && code(&packet) == Some(KEY_EXCHANGE) && packet[4] == step {
                packet[20] ^= 1;
            }
            vec![packet]
        });
        assert!(!ends.peripheral.is_sealed());
        assert_eq!(ends.refused.first().copied(), refused);
        match step {
            1 => {
                let cause = Failure::Exchange(exchange::Refused::Signature);
                broken(&mut ends, &events, cause);
            }
            _ => {
                assert_eq!(events, []);
                let events = ends.wait(5_001);
                broken(&mut ends, &events, Failure::NoAnswer);
            }
        }
    }
}

#[test]
fn a_third_step_without_a_first_is_refused() {
    let mut ends = wired(244, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Preferred);
    });
    ends.settle();
    ends.up(&message(0, KEY_EXCHANGE, &[3; exchange::CONFIRM]));
    assert_eq!(ends.refused, [Refused::Exchange(exchange::Refused::Step(1))]);
    assert!(!ends.peripheral.is_sealed());
    ends.works();
}

#[test]
fn a_key_exchange_in_a_session_is_not_due() {
    let mut ends = wired(244, |_, _| {});
    ends.settle();
    ends.up(&message(0, KEY_EXCHANGE, &[1; exchange::FIRST]));
    ends.up(&message(0, KEY_EXCHANGE, &[3; exchange::CONFIRM]));
    ends.central.received(&message(0, KEY_EXCHANGE, &[2; exchange::SECOND]), ends.now);
    ends.central.received(&message(0, KEY_EXCHANGE, &[4; exchange::CONFIRM]), ends.now);
    assert_eq!(ends.refused, [Refused::NotDue; 2]);
    assert_eq!(ends.settle(), []);
    ends.works();
}

#[test]
fn a_key_exchange_may_begin_anew_before_there_is_a_session() {
    let mut ends = wired(244, |_, _| {});
    let mut done = false;
    let mut other = [5; exchange::FIRST];
    other[0] = 1;
    let events = ends.settle_with(|way, packet| {
        let first = way == Way::Up && code(&packet) == Some(KEY_EXCHANGE);
        if first && !std::mem::replace(&mut done, true) {
            return vec![message(0, KEY_EXCHANGE, &other), packet];
        }
        vec![packet]
    });
    assert_eq!((events, &ends.refused[..]), (vec![Event::Ready], &[][..]));
    ends.works();
}

#[test]
fn no_key_is_exchanged_over_packets_that_are_too_short_for_it() {
    let mut ends = wired(100, |central, peripheral| {
        (central.encryption, peripheral.encryption) = (Encryption::Off, Encryption::Preferred);
    });
    ends.settle();
    ends.up(&message(0, KEY_EXCHANGE, &[1; exchange::FIRST]));
    assert_eq!(ends.refused, [Refused::NotDue]);
    ends.works();
}

#[test]
fn packets_too_short_for_a_key_are_told_where_there_must_be_one() {
    let mut ends = wired(100, |_, _| {});
    let events = ends.settle();
    broken(&mut ends, &events, Failure::ShortPackets { packet: 100 });
}

#[test]
fn what_was_agreed_on_holds_as_long_as_the_session() {
    let mut ends = wired(244, |_, _| {});
    ends.settle();
    let agreed = ends.peripheral.agreed();
    for flags in [Flags::default(), Flags(0xFFFF)] {
        let other = Capabilities { flags, ..Capabilities::default() };
        ends.up(&message(9, CAPABILITIES, &other.bytes()));
        ends.central.received(&message(9, CAPABILITIES, &other.bytes()), ends.now);
        assert_eq!(ends.settle(), []);
        assert_eq!(ends.peripheral.agreed(), agreed);
    }
    ends.works();
}

#[test]
fn a_timeout_of_nothing_is_none() {
    let mut ends = wired(244, |_, peripheral| peripheral.timeout_ms = 0);
    ends.settle();
    ends.works();
    let ticket = ends.echo(b"x");
    assert_eq!(ends.settle_with(|_, _| vec![]), []);
    assert_eq!(ends.wait(99), []);
    assert_eq!(ends.wait(2), [failed(ticket, Failure::TimedOut)]);
}

#[test]
fn a_session_of_an_earlier_connection_opens_nothing() {
    let mut ends = wired(244, |_, _| {});
    ends.settle();
    let mut kept = Vec::new();
    ends.echo(b"x");
    ends.settle_with(|way, packet| {
        if way == Way::Up {
            kept.clone_from(&packet);
        }
        vec![packet]
    });
    ends.connect();
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.up(&kept);
    assert_eq!(ends.refused, [Refused::Session(session::Refused::Broken)]);
    assert_eq!(ends.settle(), []);
    ends.works();
}
