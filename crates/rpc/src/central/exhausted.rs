//! Test of a session with exhausted counters, which calls cannot reach.

use std::vec;

use super::{Event, Failure};
use crate::session::Refused;
use crate::wired::{self, failed, wired};

#[test]
fn a_central_without_counters_asks_nothing_until_it_is_connected_anew() {
    let mut ends = wired(244, |_, _| {});
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.central.session.as_mut().expect("a session").sealed_so_far(u32::MAX - 1);
    ends.works();
    for _ in 0..2 {
        let ticket = ends.echo(b"x");
        assert_eq!(ends.settle(), [failed(ticket, Failure::Session(Refused::Exhausted))]);
    }
    ends.connect();
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.works();
}

#[test]
fn nothing_that_a_peripheral_sends_makes_a_central_grow() {
    let mut ends = wired(244, |_, _| {});
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.works();
    for nth in 0..100_000_u32 {
        let [a, b, c, _] = nth.to_le_bytes();
        ends.central.received(&[a, 0, b, c, 0, 1, 7], ends.now);
    }
    let central = &ends.central;
    assert_eq!(central.events.len(), 1);
    assert_eq!((central.messages.len(), central.waiting.len(), central.flying.len()), (0, 0, 0));
    assert_eq!(central.numbers.len(), 1);
    ends.settle();
    ends.works();
}

#[test]
fn a_number_stays_that_of_the_method_it_was_told_for() {
    let mut ends = wired(244, |central, peripheral| {
        let off = crate::peripheral::Encryption::Off;
        (central.encryption, peripheral.encryption) = (off, off);
    });
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.works();
    for other in [1, 7] {
        let ticket = ends.echo(b"x");
        let events = ends.settle_with(|way, mut packet| {
            if way == wired::Way::Down {
                packet[7] = other;
            }
            vec![packet]
        });
        assert_eq!(events, [failed(ticket, Failure::NotAsked)]);
    }
    assert_eq!(ends.central.numbers, [("echo".into(), 0)]);
    ends.works();
}
