//! Lower bound and shortest period of packets on the air.

use airlag_link::airtime::wifi::{Rate, SIFS_NS, space_ns};
use airlag_models::stack::wifi::frame::DATA_OVERHEAD;

use super::parameters::Network;
use crate::ip::{self, Ip, Packets};
use airlag_rig::floor::{Cycle, Floor};

const AIRTIME: &str = "IEEE 802.11-2012, 20.4.3";
const SIFS: &str = "IEEE 802.11-2012, 9.3.2.8";
const ANSWER: &str = "IEEE 802.11-2012, 9.7.9";
const SPACE: &str = "IEEE 802.11-2012, 9.3.2.3";
const BACKOFF: &str = "IEEE 802.11-2012, 9.3.4: half the smallest window";

/// Frames on an idle medium, one hop after the other, without backoff.
pub(super) fn floor(network: &Network, ip: &Ip, size: usize) -> Floor {
    air_floor(network, &ip.message(size))
}

/// The same for `packets` of any stack.
pub(crate) fn air_floor(network: &Network, packets: &Packets) -> Floor {
    let (hops, rate) = (network.hops(), network.rate());
    let count = packets.full.0 + packets.rest.0;
    let gaps = hops * (count + packets.acks) - 1;
    exchanges(network, rate, packets, hops, gaps)
}

/// Like the floor, with an acknowledgement after each frame, and the mean backoff of the station
/// that sends most frames, because the backoff slots of all stations elapse concurrently.
pub(crate) fn air_cycle(network: &Network, packets: &Packets) -> Floor {
    let (hops, rate) = (network.hops(), network.rate());
    let count = packets.full.0 + packets.rest.0;
    let frames = count + packets.acks;
    let busiest = if hops > 1 { frames } else { count.max(packets.acks) };
    let takes = exchanges(network, rate, packets, hops, hops * frames);
    let mean = u64::from(network.cw_min) * network.slot_ns() / 2;
    let name = if packets.acks == 0 || hops == 1 {
        "mean backoff"
    } else {
        "mean backoff of the access point"
    };
    takes.with(name, busiest, mean, BACKOFF)
}

/// Time on the air of messages in a stream.
pub(super) fn cycle(network: &Network, ip: &Ip, size: usize) -> Cycle {
    let packets = ip.stream(size);
    Cycle { messages: packets.messages, takes: air_cycle(network, &packets) }
}

fn exchanges(network: &Network, rate: Rate, packets: &Packets, hops: u64, gaps: u64) -> Floor {
    let air = |packet: usize| rate.duration_ns(packet + DATA_OVERHEAD);
    let space = space_ns(network.aifsn, network.slot_ns());
    let named = |packet: usize| format!("air, packet of {packet} B");
    Floor::new()
        .with(named(packets.full.1), hops * packets.full.0, air(packets.full.1), AIRTIME)
        .with(named(packets.rest.1), hops * packets.rest.0, air(packets.rest.1), AIRTIME)
        .with("air, TCP acknowledgement", hops * packets.acks, air(ip::ACK), AIRTIME)
        .with("SIFS", gaps, SIFS_NS, SIFS)
        .with("acknowledgement", gaps, rate.ack_ns(), ANSWER)
        .with("interframe space", gaps, space, SPACE)
}
