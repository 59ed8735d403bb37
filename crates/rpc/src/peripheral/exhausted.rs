//! Test of a session with exhausted counters, which calls cannot reach.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::central::Event;
use crate::control::Reason;
use crate::wired::{self, told, wired};

#[test]
fn a_peripheral_without_counters_says_so_until_it_is_connected_anew() {
    let mut ends = wired(244, |_, _| {});
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.peripheral.session.as_mut().expect("a session").sealed_so_far(u32::MAX - 1);
    ends.works();
    for _ in 0..2 {
        let ticket = ends.echo(b"x");
        assert_eq!(ends.settle(), [told(ticket, Reason::NotSealed)]);
    }
    ends.connect();
    assert_eq!(ends.settle(), [Event::Ready]);
    ends.works();
}

#[test]
fn secrets_are_not_printed() {
    let mut ends = wired(244, |_, _| {});
    ends.settle();
    let key: Vec<String> = wired::SEED.iter().map(ToString::to_string).collect();
    for shown in [format!("{:?}", ends.peripheral), format!("{:?}", ends.central)] {
        assert!(shown.contains("Session(") && !shown.contains(&key.join(", ")), "{shown}");
    }
}
