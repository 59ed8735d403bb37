//! Connections of Bluetooth LE: connection events and their interval.
//!
//! All packets of a connection have the same access address. A connection event begins at an anchor
//! point with a packet of the central, and all packets of the event are on one channel. Within the
//! event, each packet follows the previous packet after T_IFS (Bluetooth Core Specification 5.4,
//! volume 6, part B, 4.5.1 and 4.1.1). A longer pause within an event therefore means that the
//! sniffer missed a packet. If the first recorded packet of an event is from the peripheral, the
//! sniffer missed a packet of the central. The one-bit sequence numbers in the packets reveal
//! further missed packets ([`super::bluetooth_le_exchange`]).
//!
//! If the recording has no packet of an event, the sniffer missed the event or the central skipped
//! it. The sequence numbers do not show which.

use std::collections::BTreeMap;

use airlag_trace::Problem;
use airlag_trace::frames::Radio;
use airlag_trace::frames::bluetooth_le::{ADVERTISING, Pdu, Sender};
use airlag_trace::memory::Held;

use super::bluetooth_le_exchange::{Exchange, Gap};
use super::interval::{interval_ns, is_multiple, steps};
use super::{Heard, Stream};

/// Longest pause between two successive packets of a connection event, ns. This pause is T_IFS (150
/// us), plus the tolerance of T_IFS and the tolerance of the time stamps. If the sniffer missed a
/// packet between two recorded packets, the pause between them is at least 344 us: two T_IFS, and
/// 44 us for an empty packet at 2 Mbit/s.
const LONGEST_PAUSE_NS: i64 = 250_000;
/// Time from the anchor point to a packet of the peripheral, ns: T_IFS and an empty packet at 1 Mbit/s.
const ANSWER_NS: i64 = 230_000;
/// Memory for an event, bytes.
const EVENT_BYTES: usize = size_of::<i64>();

/// A connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Access address.
    pub access_address: u32,
    /// Time of the first packet, ns since the first packet of the recording.
    pub first_ns: i64,
    /// Last bit of the last packet, ns.
    pub end_ns: i64,
    /// Mean interval between anchor points, ns. `None` for too few events.
    pub interval_ns: Option<f64>,
    /// Interval in the CONNECT_IND, ns, if it is in the recording.
    pub stated_interval_ns: Option<i64>,
    /// Number of connection events with at least one packet in the recording.
    pub events: u64,
    /// Number of connection events without a packet in the recording.
    pub events_missed: u64,
    /// Number of anchor points that are not a whole number of intervals after the previous one. The
    /// connection changed its interval or moved its anchor point there.
    pub off_grid: u64,
}

/// Position of a packet in its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    sender: Sender,
    begins_event: bool,
    /// Whether it follows the previous packet of its event after T_IFS.
    follows: bool,
}

/// Finds the connections in packets in time order, and adds their streams.
pub(super) fn connections(
    heard: &mut [Heard<Pdu>],
    held: &mut Held,
    streams: &mut Vec<Stream>,
) -> Result<Vec<Connection>, Problem> {
    let mut stated = BTreeMap::new();
    for one in heard.iter().filter(|one| one.frame.is_intact) {
        if let Some(connect) = one.frame.connect {
            held.charge(32)?;
            stated.insert(connect.access_address, connect.interval_ns);
        }
    }
    // Stable: packets of a connection stay in time order.
    heard.sort_by_key(|one| one.frame.access_address);
    let mut connections = Vec::new();
    for packets in heard.chunk_by(|a, b| a.frame.access_address == b.frame.access_address) {
        let address = packets[0].frame.access_address;
        let is_data = |one: &Heard<Pdu>| one.frame.is_acl_or_advertising;
        if address == ADVERTISING || !packets.iter().all(is_data) {
            continue;
        }
        let stated_ns = stated.get(&address).copied();
        held.charge(size_of::<Connection>() as u64)?;
        connections.push(connection(packets, stated_ns, held, streams)?);
    }
    connections.sort_by_key(|connection| connection.first_ns);
    Ok(connections)
}

fn connection(
    packets: &[Heard<Pdu>],
    stated_ns: Option<i64>,
    held: &mut Held,
    streams: &mut Vec<Stream>,
) -> Result<Connection, Problem> {
    let positions = positions(packets, held)?;
    let mut anchors_ns = Vec::new();
    for (one, position) in packets.iter().zip(&positions) {
        if position.begins_event && position.sender == Sender::Central {
            held.push(&mut anchors_ns, one.begin_ns, EVENT_BYTES);
        }
    }
    held.refusal().map_or(Ok(()), Err)?;
    let (first, last) = (packets[0], packets[packets.len() - 1]);
    let mut found = Connection {
        access_address: first.frame.access_address,
        first_ns: first.begin_ns,
        end_ns: end_ns(&last),
        interval_ns: interval_ns(&anchors_ns, stated_ns),
        stated_interval_ns: stated_ns,
        events: 0,
        events_missed: 0,
        off_grid: 0,
    };
    let mut exchange = Exchange::default();
    let mut anchor_ns: Option<i64> = None;
    for (nth, (one, position)) in packets.iter().zip(&positions).enumerate() {
        let mut gap = Gap::default();
        if position.begins_event {
            found.events += 1;
            let is_answer = position.sender == Sender::Peripheral;
            let this_ns = one.begin_ns - if is_answer { ANSWER_NS } else { 0 };
            if let (Some(interval_ns), Some(before_ns)) = (found.interval_ns, anchor_ns) {
                let distance_ns = (this_ns - before_ns) as f64;
                let (steps, _) = steps(distance_ns, interval_ns);
                if is_answer || is_multiple(distance_ns, interval_ns) {
                    found.events_missed += steps - 1;
                    gap.events = steps > 1;
                } else {
                    found.off_grid += 1;
                    gap.events = distance_ns > 1.5 * interval_ns;
                }
            }
            anchor_ns = Some(this_ns);
            gap.central = is_answer;
        } else if !position.follows {
            // The ends alternate. Between two packets of one end, a packet of the other end is
            // missing. Otherwise, one packet of each end is missing.
            let before = positions[nth - 1].sender;
            gap.central = before == Sender::Peripheral;
            gap.peripheral = before == Sender::Central;
            if before != position.sender {
                (gap.central, gap.peripheral) = (true, true);
            }
        }
        exchange.hear(one, position.sender, gap, held);
    }
    let name = format!("0x{:08x}", found.access_address);
    for sender in [Sender::Central, Sender::Peripheral] {
        let ends = match sender {
            Sender::Central => "central→peripheral",
            Sender::Peripheral => "peripheral→central",
        };
        let stream = exchange.finish(sender, held);
        // Bluetooth LE retransmits until the connection is lost, so there is no limit.
        streams.extend(stream.finish(format!("{name} {ends}"), Radio::BluetoothLe, None, held)?);
    }
    Ok(found)
}

fn positions(packets: &[Heard<Pdu>], held: &mut Held) -> Result<Vec<Position>, Problem> {
    held.charge(size_of_val(packets) as u64)?;
    let mut positions: Vec<Position> = Vec::with_capacity(packets.len());
    for (nth, one) in packets.iter().enumerate() {
        let before = nth.checked_sub(1).map(|nth| (&packets[nth], positions[nth].sender));
        let pause_ns = before.map_or(i64::MAX, |(last, _)| one.begin_ns - end_ns(last));
        let hopped = before.is_some_and(|(last, _)| {
            matches!((last.frame.channel, one.frame.channel), (Some(a), Some(b)) if a != b)
        });
        let begins_event = hopped || pause_ns > longest_gap_ns(&one.frame);
        let is_close = !begins_event && pause_ns <= LONGEST_PAUSE_NS;
        let sender = one.frame.sender.unwrap_or_else(|| match before {
            Some((_, sender)) if is_close => sender.peer(),
            _ => Sender::Central,
        });
        let follows = is_close && before.is_some_and(|(_, last)| last != sender);
        positions.push(Position { sender, begins_event, follows });
    }
    Ok(positions)
}

/// Longest pause within a connection event in which the sniffer missed one packet, ns. This pause
/// is two T_IFS plus the duration of the longest packet. The longest packet takes 2.12 ms, or
/// 17.04 ms on a coded PHY. At 2 Mbit/s, the longest packet takes less than 2.12 ms, so the actual
/// pause is shorter than the returned value.
fn longest_gap_ns(frame: &Pdu) -> i64 {
    2 * 150_000 + if frame.is_coded { 17_040_000 } else { 2_120_000 }
}

pub(super) fn end_ns(one: &Heard<Pdu>) -> i64 {
    one.begin_ns.saturating_add(one.frame.airtime_ns.into())
}
