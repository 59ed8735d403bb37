//! Lower bounds: airtime, the intervals between transmissions that keep an advertiser occupied, and
//! the interval between segments.

use airlag_models::stack::btmesh::pdu::{
    ACCESS_MIC, SEGMENT, UNSEGMENTED, airtime_ns, segment_len, unsegmented_len,
};
use airlag_models::stack::btmesh::{Config, Occupancy, Transmit};

use airlag_sim::Duration;

use super::parameters::Parameters;
use airlag_rig::floor::{Floor, Term, split};

const AIRTIME: &str = "Mesh Profile 1.0.1, 3.4.4; Bluetooth Core 5.4, 6.B.2.1";
const OCCUPIED: &str =
    "profile: network transmit, relay retransmit; Bluetooth Core 5.4, 6.B.4.4.2.2";
const INTERVAL: &str = "profile: segment_interval";

/// Network PDU of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pdu {
    /// Its length, bytes.
    len: usize,
    /// Whether a further segment of its message follows.
    is_followed: bool,
}

/// Network PDUs of a message of `size` bytes, in the order of sending.
fn pdus(p: &Parameters, size: usize) -> Vec<Pdu> {
    let (full, rest) = split(size, p.longest_message);
    let chunks = core::iter::repeat_n(p.longest_message, full as usize);
    chunks.chain((rest > 0).then_some(rest)).flat_map(|chunk| parts(p, chunk)).collect()
}

/// Network PDUs of a chunk.
fn parts(p: &Parameters, chunk: usize) -> Vec<Pdu> {
    let access = chunk + Config::overhead(p.acknowledged);
    if access <= UNSEGMENTED {
        return vec![Pdu { len: unsegmented_len(access), is_followed: false }];
    }
    let (full, rest) = split(access + ACCESS_MIC, SEGMENT);
    let full = core::iter::repeat_n(SEGMENT, full as usize);
    let pieces: Vec<usize> = full.chain((rest > 0).then_some(rest)).collect();
    let segment =
        |(nth, &piece)| Pdu { len: segment_len(piece), is_followed: nth + 1 < pieces.len() };
    pieces.iter().enumerate().map(segment).collect()
}

/// Least time for which a PDU of `len` bytes occupies an advertiser, ns.
fn occupied_ns(p: &Parameters, transmit: &Transmit, len: usize) -> u64 {
    let start = p.advertising_start.as_ns();
    start
        + match p.occupancy {
            Occupancy::Counted => {
                let intervals = u64::from(transmit.transmissions) - 1;
                let event = 3 * airtime_ns(len) + 2 * p.channel_change.as_ns();
                intervals * Config::interval(transmit).as_ns() + event
            }
            Occupancy::Timed => Config::timed(transmit).as_ns(),
        }
}

/// Least time from a PDU to the next one: the longest of the occupancies of sender and relays, and
/// of the interval between segments.
fn spacing_ns(p: &Parameters, Pdu { len, is_followed }: Pdu) -> u64 {
    let sender = p.config(0, 0);
    let interval = if is_followed { sender.spacing().as_ns() } else { 0 };
    let own = occupied_ns(p, &sender.network_transmit, len).max(interval);
    // If messages skip relays, different relays forward different messages.
    if p.hops > 1 && p.reach == 1 {
        own.max(occupied_ns(p, &sender.relay_retransmit, len))
    } else {
        own
    }
}

/// Lower bound of a message: all PDUs but the last one occupy an advertiser, and the last one is on
/// the air over each hop.
pub(super) fn floor(p: &Parameters, size: usize) -> Floor {
    let all = pdus(p, size);
    let Some((&last, before)) = all.split_last() else { return Floor::new() };
    let hops = p.least_hops();
    let start = p.advertising_start.as_ns();
    let last = last.len;
    occupied(p, before).then([
        Term::new("advertising start", hops, start, "profile: advertising_start"),
        Term::new(
            "relay processing",
            hops - 1,
            p.relay_processing.as_ns(),
            "profile: relay_processing",
        ),
        Term::new(format!("air, {last} B"), hops, airtime_ns(last), AIRTIME),
    ])
}

/// Lower bound of the period of a stream of messages.
pub(super) fn cycle(p: &Parameters, size: usize) -> Floor {
    occupied(p, &pdus(p, size))
}

/// Wait for an acknowledgement of segments, or for a response, before a retransmission. A message
/// that is neither segmented nor acknowledged is not retransmitted.
pub(super) fn repetition_wait(p: &Parameters, size: usize) -> Duration {
    let is_segmented = pdus(p, size).len() > 1;
    let segments = is_segmented.then(|| p.config(0, 0).retransmission_wait());
    let response = p.acknowledged.then_some(p.response_timeout);
    segments.max(response).unwrap_or(Duration::ZERO)
}

fn occupied(p: &Parameters, pdus: &[Pdu]) -> Floor {
    let mut floor = Floor::new();
    let mut rest = pdus;
    while let Some(&first) = rest.first() {
        let same = rest.iter().take_while(|&&one| one == first).count();
        let spacing = spacing_ns(p, first);
        let is_held = first.is_followed && spacing == p.config(0, 0).spacing().as_ns();
        let (what, source) =
            if is_held { ("segment interval", INTERVAL) } else { ("advertiser", OCCUPIED) };
        floor = floor.with(format!("{what}, {} B", first.len), same as u64, spacing, source);
        rest = &rest[same..];
    }
    floor
}

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn a_longer_message_has_no_lower_bound_below_that_of_a_shorter_one() {
        for link in ["btmesh", "btmesh-acknowledged", "btmesh-zephyr"] {
            let profile = registry::find(link).expect("built in");
            let bound = profile.bind().expect("it is right");
            let floor = |size| bound.floor(size).expect("it is carried").ns();
            let all: Vec<u64> = (1..=400).map(floor).collect();
            assert!(all.is_sorted(), "{link}");
            assert!(all[0] < all[399], "{link}");
        }
    }
}
