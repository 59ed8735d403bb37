//! Lower bounds for messages over a Zigbee network.
//!
//! A message of several frames is sent frame by frame. With APS acknowledgements, the next frame
//! follows the acknowledgement of the previous one over all hops. Without them, it follows as soon
//! as the next hop has the previous one, and frames on neighbouring hops share the channel.

use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS};
use airlag_models::stack::ieee802154::Config;

use super::parameters::Parameters;
use airlag_rig::floor::{Floor, split};

const AIRTIME: &str = "IEEE 802.15.4-2006, 6.3";

/// Adds `count` frames of `len` octets, `acknowledged` of which are followed by the acknowledgement
/// of the MAC. All random backoffs are zero.
fn frames(floor: Floor, mac: &Config, len: usize, count: u64, acknowledged: u64) -> Floor {
    let phy = mac.phy();
    floor
        .with("cca", count, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9")
        .with("turnaround", count, mac.turnaround.as_ns(), "IEEE 802.15.4-2006, 6.4.1")
        .with(format!("air, {len} B"), count, phy.duration_ns(len), AIRTIME)
        .with(
            "acknowledgement turnaround",
            acknowledged,
            mac.ack_turnaround.as_ns(),
            "IEEE 802.15.4-2006, 6.4.1",
        )
        .with("acknowledgement", acknowledged, phy.duration_ns(ACK_PSDU), AIRTIME)
}

/// Adds `count` messages of `data` octets, each of which is followed by another one.
fn followed(p: &Parameters, mac: &Config, floor: Floor, data: usize, count: u64) -> Floor {
    let (format, hops) = (p.format(), u64::from(p.hops));
    let len = format.message_len(data);
    if p.aps_ack {
        let floor = frames(floor, mac, len, count * hops, count * hops);
        return frames(floor, mac, format.acknowledgement_len(), count * hops, count * hops);
    }
    if p.hops > 1 {
        // Hops whose senders sense each other use the channel one after the other.
        let shared = u64::from(p.hops.min(p.interference_range + 1));
        let name = format!("air, {len} B");
        return floor.with(name, count * shared, mac.phy().duration_ns(len), AIRTIME);
    }
    let spaces = if mac.interframe_space { count } else { 0 };
    let space = mac.phy().interframe_space_ns(len);
    frames(floor, mac, len, count, count).with(
        "interframe space",
        spaces,
        space,
        "IEEE 802.15.4-2006, 7.5.1.3",
    )
}

/// Lower bound of a message's latency.
pub(super) fn floor(p: &Parameters, size: usize) -> Floor {
    let (mac, hops) = (p.mac(0, 0), u64::from(p.hops));
    let (full, rest) = split(size, p.chunk());
    let (before, last) = if rest > 0 { (full, rest) } else { (full.saturating_sub(1), p.chunk()) };
    let floor = followed(p, &mac, Floor::new(), p.chunk(), before);
    if size == 0 {
        return floor;
    }
    // A router acknowledges a frame before it forwards the frame.
    frames(floor, &mac, p.format().message_len(last), hops, hops - 1)
}

/// Lower bound of the period of a stream of messages.
pub(super) fn cycle(p: &Parameters, size: usize) -> Floor {
    let mac = p.mac(0, 0);
    let (full, rest) = split(size, p.chunk());
    let floor = followed(p, &mac, Floor::new(), p.chunk(), full);
    followed(p, &mac, floor, rest, u64::from(rest > 0))
}

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn a_longer_message_has_no_lower_bound_below_that_of_a_shorter_one() {
        for hops in ["1", "3"] {
            for aps_ack in ["false", "true"] {
                let mut profile = registry::find("zigbee").expect("built in");
                profile.set("hops", hops).expect("in range");
                profile.set("aps_ack", aps_ack).expect("a flag");
                let bound = profile.bind().expect("it is right");
                let floor = |size| bound.floor(size).expect("it is carried").ns();
                let all: Vec<u64> = (1..=400).map(floor).collect();
                assert!(all.is_sorted(), "{hops} hops, acknowledged {aps_ack}");
                assert!(all[0] < all[399]);
            }
        }
    }
}
