//! Exchanges in a sniffer recording.

use airlag_stats::sniff::{self, Counts};
use airlag_trace::frames::Radio as Of;
use schemars::JsonSchema;
use serde::Serialize;

use super::latency::Latency;

/// Connections and streams in a sniffer recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Sniff {
    /// Packets in the file.
    pub packets: u64,
    /// Packets of link types that are not supported.
    pub unsupported: u64,
    /// Packets that could not be decoded.
    pub undecoded: u64,
    /// Bluetooth LE connections, in the order of their first packets.
    pub connections: Vec<Connection>,
    /// Streams of frames from one sender to one receiver, in the order of their first frames.
    pub streams: Vec<Stream>,
    /// Index of the stream in `streams` whose frames are the transfers of the run.
    pub selected: usize,
}

/// Bluetooth LE connection.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SniffedConnection")]
pub struct Connection {
    /// Access address, hexadecimal.
    pub access_address: String,
    /// Mean interval between anchor points, ns. Null if the recording has too few connection events.
    pub interval_ns: Option<f64>,
    /// Connection interval that the CONNECT_IND states, ns. Null if the recording has no CONNECT_IND.
    pub stated_interval_ns: Option<i64>,
    /// Connection events with a packet in the recording.
    pub events: u64,
    /// Connection events without a packet in the recording. The sniffer missed the packets, or the
    /// central skipped the event.
    pub events_missed: u64,
    /// Number of anchor points that are not a whole number of intervals after the previous one.
    pub off_grid: u64,
}

/// Radio of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "SniffedRadio")]
pub enum Radio {
    /// Bluetooth LE.
    BluetoothLe,
    /// IEEE 802.15.4.
    #[serde(rename = "ieee802154")]
    Ieee802154,
    /// IEEE 802.11.
    #[serde(rename = "ieee80211")]
    Ieee80211,
}

/// Frames from one sender to one receiver.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SniffedStream")]
pub struct Stream {
    /// Sender and receiver. For a connection, the access address precedes them.
    pub name: String,
    /// Radio.
    pub radio: Radio,
    /// Distinct frames with a payload.
    pub frames: u64,
    /// Transmissions of these frames in the recording.
    pub transmissions: u64,
    /// Retransmissions of these frames in the recording.
    pub retransmissions: u64,
    /// Packets that the sniffer received damaged.
    pub damaged: u64,
    /// Packets that the sniffer missed. Later packets show that they were sent. This count is a
    /// lower bound.
    pub missed: u64,
    /// Acknowledgements that the sniffer missed. The sender's next frame shows that the sender
    /// received them.
    pub acks_missed: u64,
    /// Unacknowledged frames whose delivery cannot be determined from the recording.
    pub unresolved: u64,
    /// Time from the first bit of the first transmission to the last bit of the delivered
    /// transmission. Null if no transfer has a known latency.
    pub latency_ns: Option<Latency>,
    /// Time from the first bit of the first transmission to the first bit of the acknowledgement. Null if no
    /// transfer has a known latency.
    pub acknowledged_ns: Option<Latency>,
}

impl Sniff {
    /// Summarises a recording.
    #[must_use]
    pub fn of(found: &sniff::Sniff, selected: usize) -> Self {
        let connection = |one: &sniff::Connection| Connection {
            access_address: format!("0x{:08x}", one.access_address),
            interval_ns: one.interval_ns,
            stated_interval_ns: one.stated_interval_ns,
            events: one.events,
            events_missed: one.events_missed,
            off_grid: one.off_grid,
        };
        Self {
            packets: found.packets,
            unsupported: found.unsupported,
            undecoded: found.undecoded,
            connections: found.connections.iter().map(connection).collect(),
            streams: found.streams.iter().map(Stream::of).collect(),
            selected,
        }
    }
}

impl Stream {
    fn of(found: &sniff::Stream) -> Self {
        let Counts {
            frames,
            transmissions,
            retransmissions,
            damaged,
            missed,
            acks_missed,
            unresolved,
        } = found.counts;
        Self {
            name: found.name.clone(),
            radio: match found.radio {
                Of::BluetoothLe => Radio::BluetoothLe,
                Of::Ieee802154 => Radio::Ieee802154,
                Of::Ieee80211 => Radio::Ieee80211,
            },
            frames,
            transmissions,
            retransmissions,
            damaged,
            missed,
            acks_missed,
            unresolved,
            latency_ns: Latency::of(&found.transfers.latencies_ns()),
            acknowledged_ns: Latency::of(&found.acknowledged_ns),
        }
    }
}
