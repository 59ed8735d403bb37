//! Lower bounds for messages over a Thread network.
//!
//! Every frame of a message is sent over every hop. While a board sends, no other board within
//! carrier-sense range of the receiver may send. Frames on neighbouring hops are therefore sent one
//! after the other, and only more distant hops use the channel at the same time.

use std::collections::BTreeMap;

use airlag_link::airtime::ieee802154::{CCA_SYMBOLS, MAX_PSDU};
use airlag_models::stack::ieee802154::Config;
use airlag_models::stack::thread::adaptation;
use airlag_models::stack::thread::address::Place;
use airlag_models::stack::thread::config::{overhead, room};

use super::parameters::{Parameters, mac};
use airlag_rig::floor::{Cycle, Floor, split};

const AIRTIME: &str = "IEEE 802.15.4-2006, 6.3";

/// PSDU lengths of a message's frames, octets, with the number of each, longest first.
pub(super) fn frames(p: &Parameters, size: usize) -> Vec<(usize, u64)> {
    let (scope, onward) = (p.mesh.scope(), p.mesh.hops > 1);
    let (full, rest) = split(size, p.datagram);
    let mut by_len: BTreeMap<usize, u64> = BTreeMap::new();
    for (len, times) in [(p.datagram, full), (rest, u64::from(rest > 0))] {
        if times == 0 {
            continue;
        }
        let elements = p.csl.elements_len(p.direction);
        for payload in adaptation::lengths(scope, len, room(scope, onward) - elements) {
            *by_len.entry(overhead(scope, onward) + elements + payload).or_default() += times;
        }
    }
    by_len.into_iter().rev().collect()
}

/// Lower bound of a message's latency. Over one hop, it is the sum of CCA, turnaround and airtime
/// of each frame, and of the gaps after all frames but the last. All random backoffs are zero. The
/// times of AES and of the serial line to the co-processor are not included. Over several hops, all
/// frames but one count with their airtime only, because the CCA for a frame may already run while
/// another frame is acknowledged.
pub(super) fn floor(p: &Parameters, size: usize) -> Floor {
    let (mac, all) = (mac(p, Place::default()), frames(p, size));
    let (hops, count) = (u64::from(p.mesh.hops), all.iter().map(|&(_, times)| times).sum::<u64>());
    if hops == 1 {
        return after(
            p,
            &mac,
            on_air(&mac, &all, count, |_, times| times),
            count.saturating_sub(1),
            true,
        );
    }
    // The last frame may be the shortest.
    let shortest = all.last().map_or(0, |&(len, _)| len);
    let floor = on_air(&mac, &all, hops, |len, times| {
        let last = u64::from(len == shortest);
        (times - last) * p.mesh.exclusive() + last * hops
    });
    after(p, &mac, floor, hops - 1, false)
}

/// Shortest time that a message occupies the channel: every frame with its acknowledgement and the
/// shortest spacing to the next frame, with a backoff of zero. Over several hops, the time includes
/// the frames of all hops that share the channel, but not the interframe spacing, because another
/// board sends during the interframe spacing.
pub(super) fn cycle(p: &Parameters, size: usize) -> Cycle {
    let (mac, all) = (mac(p, Place::default()), frames(p, size));
    let shared = p.mesh.exclusive();
    let count = all.iter().map(|&(_, times)| times).sum::<u64>() * shared;
    let floor = on_air(&mac, &all, count, |_, times| times * shared);
    Cycle::each(after(p, &mac, floor, count, p.mesh.hops == 1))
}

fn on_air(
    mac: &Config,
    all: &[(usize, u64)],
    begun: u64,
    sent: impl Fn(usize, u64) -> u64,
) -> Floor {
    let phy = mac.phy();
    let turn = mac.turnaround.as_ns();
    let floor = Floor::new()
        .with("cca", begun, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9")
        .with("turnaround", begun, turn, "IEEE 802.15.4-2006, 6.4.1");
    all.iter().fold(floor, |floor, &(psdu, times)| {
        let name = format!("air, {psdu} B");
        floor.with(name, sent(psdu, times), phy.duration_ns(psdu), AIRTIME)
    })
}

/// Adds the acknowledgements of `count` frames and the silence after them.
fn after(p: &Parameters, mac: &Config, floor: Floor, count: u64, silent: bool) -> Floor {
    let phy = mac.phy();
    let spaces = if mac.interframe_space && silent { count } else { 0 };
    // Every data frame counts as long: its headers and security alone exceed the length of a short
    // frame.
    let space = phy.interframe_space_ns(MAX_PSDU);
    floor
        .with(
            "acknowledgement turnaround",
            count,
            mac.ack_turnaround.as_ns(),
            "IEEE 802.15.4-2006, 6.4.1",
        )
        .with("acknowledgement", count, phy.duration_ns(p.csl.ack_len(p.direction)), AIRTIME)
        .with("interframe space", spaces, space, "IEEE 802.15.4-2006, 7.5.1.3")
}
