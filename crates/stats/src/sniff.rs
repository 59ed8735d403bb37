//! Link-layer exchanges in a sniffer recording: latency on the air, retransmissions, and the
//! packets that the sniffer missed.
//!
//! ```text
//!  packets ─► frames ─► by connection or sender ─► exchanges ─► Transfers, counts
//! ```
//!
//! A transfer begins with the first bit of the first transmission of a frame and ends with the last bit of
//! the transmission that the receiver acknowledged. A transfer is delivered only if these two
//! transmissions are in the recording. A transfer is censored (neither delivered nor lost) in two cases:
//! if the recording ends before the acknowledgement, or if the sniffer missed a packet on which the times
//! or the outcome of the transfer depend.
//!
//! - [`bluetooth_le`]: finds the exchanges of Bluetooth LE by the one-bit sequence numbers and the grid of
//!   connection events.
//! - [`ieee802154`]: finds the exchanges of IEEE 802.15.4 by the sequence numbers in acknowledgements.
//! - [`ieee80211`]: finds the exchanges of IEEE 802.11 by the times of acknowledgements, the retry bit and
//!   block acknowledgements.
//! - [`interval`]: calculates the Bluetooth LE connection interval from anchor points.
//!
//! Memory: a decoded frame, and [`TRANSFER_BYTES`](crate::pair::TRANSFER_BYTES) for each transfer.

pub mod bluetooth_le;
mod bluetooth_le_exchange;
pub mod ieee80211;
pub mod ieee802154;
pub mod interval;
mod stream;

use airlag_trace::error::Place;
use airlag_trace::frames::{self, Frame, Radio};
use airlag_trace::memory::Held;
use airlag_trace::packets::Packet;
use airlag_trace::sink::MAX_CHANNELS;
use airlag_trace::{Error, Input, MemoryLimit, Problem, Trace};

pub use bluetooth_le::Connection;
pub use stream::{Counts, Stream};

/// A frame with its time, ns since the first packet.
#[derive(Clone, Copy, Debug)]
struct Heard<F> {
    begin_ns: i64,
    frame: F,
}

/// Exchanges in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sniff {
    /// Number of packets in the file.
    pub packets: u64,
    /// Packets of link types that are not supported.
    pub unsupported: u64,
    /// Packets that could not be decoded.
    pub undecoded: u64,
    /// Time stamp of the first packet, ns since 1970 or since an origin of the sniffer.
    pub epoch_ns: i64,
    /// Bluetooth LE connections, in the order of their first packets.
    pub connections: Vec<Connection>,
    /// Streams of frames from one sender to one receiver, in the order of their first frames.
    pub streams: Vec<Stream>,
}

impl Sniff {
    /// Reads a recording.
    ///
    /// # Errors
    ///
    /// Returns an error of the reader, [`Problem::LinkType`] if the file has no supported link type, or
    /// [`Problem::NoPackets`] if no packet can be decoded. Also returns an error if the recording needs
    /// more memory than `memory`.
    pub fn read(input: &mut Input, memory: MemoryLimit) -> Result<Self, Error> {
        let mut recording = Recording::within(memory);
        input.read_packets(|packet| recording.add(packet))?;
        recording.analyze().map_err(|problem| problem.at(Place::File).of(input.path()))
    }

    /// Returns the first transmissions of each stream as pulses on its own channel, for the first
    /// [`MAX_CHANNELS`] streams.
    #[must_use]
    pub fn edges(&self) -> Trace {
        let pulses = |stream: &Stream| stream.edges(self.epoch_ns, "").channels.swap_remove(0);
        let channels = self.streams.iter().take(MAX_CHANNELS).map(pulses).collect();
        Trace { epoch_unix_ns: Some(self.epoch_ns), channels, ..Trace::default() }
    }

    /// Returns the index of the stream with the most transfers of known outcome. `None` without
    /// streams.
    #[must_use]
    pub fn busiest(&self) -> Option<usize> {
        let count = |nth: &usize| self.streams[*nth].acknowledged_ns.len();
        // Of equal streams, the first one.
        (0..self.streams.len()).rev().max_by_key(count)
    }
}

/// Decoded frames of a recording.
#[derive(Debug, Default)]
struct Recording {
    held: Held,
    packets: u64,
    unsupported: u64,
    undecoded: u64,
    /// First unsupported link type.
    stranger: Option<u16>,
    /// Smallest time stamp.
    first_ns: Option<i64>,
    bluetooth_le: Vec<Heard<frames::bluetooth_le::Pdu>>,
    ieee802154: Vec<Heard<frames::ieee802154::Mpdu>>,
    ieee80211: Vec<Heard<frames::ieee80211::Mpdu>>,
}

impl Recording {
    fn within(memory: MemoryLimit) -> Self {
        Self { held: Held::within(memory), ..Self::default() }
    }

    fn add(&mut self, packet: &Packet<'_>) -> Result<(), Problem> {
        self.packets += 1;
        self.first_ns = Some(self.first_ns.map_or(packet.at_ns, |first| first.min(packet.at_ns)));
        if Radio::of(packet.link_type).is_none() {
            self.unsupported += 1;
            self.stranger.get_or_insert(packet.link_type);
            return Ok(());
        }
        let begin_ns = packet.at_ns;
        match Frame::of(packet) {
            None => self.undecoded += 1,
            Some(Frame::BluetoothLe(frame)) => {
                push(&mut self.held, &mut self.bluetooth_le, Heard { begin_ns, frame });
            }
            Some(Frame::Ieee802154(frame)) => {
                push(&mut self.held, &mut self.ieee802154, Heard { begin_ns, frame });
            }
            Some(Frame::Ieee80211(frame)) => {
                push(&mut self.held, &mut self.ieee80211, Heard { begin_ns, frame });
            }
        }
        self.held.refusal().map_or(Ok(()), Err)
    }

    fn analyze(mut self) -> Result<Sniff, Problem> {
        let Some(epoch_ns) = self.first_ns else {
            return Err(Problem::NoPackets { what: "packets" });
        };
        if self.bluetooth_le.is_empty() && self.ieee802154.is_empty() && self.ieee80211.is_empty() {
            return Err(match self.stranger {
                Some(found) if self.undecoded == 0 => Problem::LinkType { found },
                _ => Problem::NoPackets { what: "complete packet" },
            });
        }
        in_order(&mut self.bluetooth_le, epoch_ns);
        in_order(&mut self.ieee802154, epoch_ns);
        in_order(&mut self.ieee80211, epoch_ns);
        let mut streams = Vec::new();
        let connections =
            bluetooth_le::connections(&mut self.bluetooth_le, &mut self.held, &mut streams)?;
        ieee802154::streams(&self.ieee802154, &mut self.held, &mut streams)?;
        ieee80211::streams(&self.ieee80211, &mut self.held, &mut streams)?;
        let end_ns = streams.iter().map(|stream| stream.transfers.end_ns).max().unwrap_or(0);
        for stream in &mut streams {
            stream.transfers.end_ns = end_ns;
        }
        streams.sort_by_key(|stream| stream.first_ns);
        let Self { packets, unsupported, undecoded, .. } = self;
        Ok(Sniff { packets, unsupported, undecoded, epoch_ns, connections, streams })
    }
}

fn push<F>(held: &mut Held, list: &mut Vec<Heard<F>>, heard: Heard<F>) {
    held.push(list, heard, size_of::<Heard<F>>());
}

/// Sorts frames by time, which becomes relative to `epoch_ns`.
fn in_order<F>(list: &mut [Heard<F>], epoch_ns: i64) {
    for heard in &mut *list {
        heard.begin_ns = heard.begin_ns.saturating_sub(epoch_ns);
    }
    // Stable: frames with equal time stamps stay in the order of the file.
    list.sort_by_key(|heard| heard.begin_ns);
}

#[cfg(test)]
mod tests;
