//! Lower bounds: airtime of packets and acknowledgements, and the waits before each of them.

use airlag_models::stack::meshtastic::Addressee;
use airlag_models::stack::meshtastic::contention::{
    detection, least_relay_slots, slot_ms, timeout_ms,
};
use airlag_models::stack::meshtastic::data::{
    ACKNOWLEDGEMENT, Data, PUBLIC_KEY_OVERHEAD, ROUTING, TEXT,
};
use airlag_models::stack::meshtastic::header;
use airlag_sim::Duration;

use super::parameters::Parameters;
use airlag_rig::floor::{Floor, split};

const AIRTIME: &str = "SX1276/77/78/79 rev. 7, 4.1.1.7; Meshtastic, preset: preamble of 16 symbols";
const DETECTION: &str = "Meshtastic, RadioInterface.cpp, computeSlotTimeMsec: 2.5 symbols";
const SLOTS: &str = "Meshtastic, RadioInterface.cpp, getTxDelayMsecWeighted";

/// Length of a packet with `chunk` bytes of data.
fn packet(p: &Parameters, chunk: usize) -> usize {
    let text = Data { port: TEXT, payload: vec![0; chunk], request_id: 0 };
    let seals = p.config(0, 0).seals();
    header::LEN + text.encode().len() + if seals { PUBLIC_KEY_OVERHEAD } else { 0 }
}

/// Length of an acknowledgement.
fn acknowledgement() -> usize {
    let data = Data { port: ROUTING, payload: ACKNOWLEDGEMENT.to_vec(), request_id: 1 };
    header::LEN + data.encode().len()
}

/// Packets of a message of `size` bytes: number and length of the full ones, and the length of a
/// shorter last one.
fn packets(p: &Parameters, size: usize) -> [(u64, usize); 2] {
    let (full, rest) = split(size, p.longest_message);
    [(full, packet(p, p.longest_message)), (u64::from(rest > 0), packet(p, rest))]
}

/// `count` transmissions of `len` bytes, with the waits before each.
fn sent(p: &Parameters, floor: Floor, count: u64, len: usize) -> Floor {
    let frame = p.frame();
    floor
        .with("channel activity detection", count, detection(&frame).as_ns(), DETECTION)
        .with("radio start", count, p.radio_start.as_ns(), "profile: radio_start")
        .with(format!("air, {len} B"), count, frame.duration_ns(len), AIRTIME)
}

/// `count` rebroadcasts of a packet of `len` bytes.
fn relayed(p: &Parameters, floor: Floor, count: u64, len: usize) -> Floor {
    let slots = least_relay_slots(p.relay_role) * slot_ms(&p.frame()) * 1_000_000;
    let floor = floor
        .with("packet processing", count, p.processing.as_ns(), "profile: processing")
        .with("slots before a rebroadcast", if slots > 0 { count } else { 0 }, slots, SLOTS);
    sent(p, floor, count, len)
}

/// Minimum time by which `count` packets of `len` bytes delay the next packet. With
/// acknowledgements, the sender waits after each packet for the acknowledgement of the packet, or
/// for the copy of the packet that a relay sends. Without acknowledgements, the first relay sends a
/// copy of each packet, and cannot receive the next packet while it sends this copy. The duty cycle
/// limit is not included, because a run can spend the transmit time that the limit permits per hour
/// without a pause.
fn spaced(p: &Parameters, floor: Floor, count: u64, len: usize) -> Floor {
    let floor = sent(p, floor, count, len);
    let is_relayed = p.hops > 1 || p.addressee == Addressee::Channel;
    if !p.acknowledged {
        return if p.hops > 1 && p.reach == 1 { sent(p, floor, count, len) } else { floor };
    }
    if !is_relayed {
        let floor =
            floor.with("packet processing", count, p.processing.as_ns(), "profile: processing");
        return sent(p, floor, count, acknowledgement());
    }
    // The sender hears the copy from a relay before an acknowledgement from beyond its reach. An
    // acknowledgement from within its reach may come before the copy.
    if p.reach < p.hops {
        return relayed(p, floor, count, len);
    }
    let floor = floor.with("packet processing", count, p.processing.as_ns(), "profile: processing");
    sent(p, floor, count, acknowledgement().min(len))
}

/// Lower bound of the period of a stream of messages.
pub(super) fn cycle(p: &Parameters, size: usize) -> Floor {
    packets(p, size)
        .into_iter()
        .fold(Floor::new(), |floor, (count, len)| spaced(p, floor, count, len))
}

/// Lower bound of the latency of a message: all packets but the last one leave the sender, and then
/// the last packet crosses each hop. If the last packet is shorter than the others, it may cross
/// the hops before the full packet that precedes it. The latency of the full packets alone is
/// therefore a second lower bound of the latency of the message. The function returns the larger
/// bound.
pub(super) fn floor(p: &Parameters, size: usize) -> Floor {
    let [(full, long), (rest, short)] = packets(p, size);
    let ends = |before: u64, last: usize| {
        let floor = sent(p, leaving(p, before, long), 1, last);
        let floor = relayed(p, floor, p.least_hops() - 1, last);
        floor.with("packet processing", 1, p.processing.as_ns(), "profile: processing")
    };
    let whole = full.checked_sub(1).map(|before| ends(before, long));
    let all = (rest > 0).then(|| ends(full, short));
    whole.into_iter().chain(all).max_by_key(Floor::ns).unwrap_or_default()
}

/// Least time until `count` packets of `len` bytes have left the sender, and it may send the next
/// one.
fn leaving(p: &Parameters, count: u64, len: usize) -> Floor {
    if p.acknowledged {
        spaced(p, Floor::new(), count, len)
    } else {
        sent(p, Floor::new(), count, len)
    }
}

/// Time before a retransmission: the time for which a sender waits for an acknowledgement on an
/// idle channel. A node refuses a packet that exceeds the duty cycle limit. The shortest message
/// period that this limit permits is the airtime of one message divided by the limit. The result is
/// at least half of this shortest period, because the default message period is at least twice the
/// result.
pub(super) fn repetition_wait(p: &Parameters, size: usize) -> Duration {
    let packets = packets(p, size);
    let frame = p.frame();
    let airtime: u64 = packets.iter().map(|&(count, len)| count * frame.duration_ns(len)).sum();
    let share =
        if p.duty_cycle < 100.0 { airtime as f64 * 100.0 / p.duty_cycle / 2.0 } else { 0.0 };
    let longest = packets.into_iter().filter(|one| one.0 > 0).map(|one| one.1).max();
    let timeout_ms = if p.acknowledged {
        timeout_ms(&frame, frame.duration_ns(longest.unwrap_or(0)) / 1_000_000, 0.0)
    } else {
        0
    };
    Duration::from_ms(timeout_ms).max(Duration::from_ns(share as u64))
}

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn a_longer_message_has_no_lower_bound_below_that_of_a_shorter_one() {
        for profile in registry::all().expect("right files") {
            if profile.kind.name() != "meshtastic" {
                continue;
            }
            for acknowledged in ["false", "true"] {
                let mut profile = profile.clone();
                profile.set("acknowledged", acknowledged).expect("a setting");
                let bound = profile.bind().expect("it is right");
                let floor = |size| bound.floor(size).expect("it is carried").ns();
                let all: Vec<u64> = (1..=700).map(floor).collect();
                assert!(all.is_sorted(), "{}, {acknowledged}", profile.name);
                assert!(all[0] < all[699], "{}", profile.name);
            }
        }
    }
}
