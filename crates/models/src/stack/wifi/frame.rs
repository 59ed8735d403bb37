//! MAC frames (IEEE Std 802.11-2012, 8.2 and 8.3), as the bytes of an MPDU.
//!
//! ```text
//!  frame control │ duration │ address 1 │ address 2 │ address 3 │ sequence │ QoS │ body │ FCS
//!  2             │ 2        │ 6         │ 6         │ 6         │ 2        │ 0/2 │ …    │ 4
//! ```
//!
//! A data frame carries a packet after an LLC and SNAP header of eight octets (IEEE Std 802.2, RFC
//! 1042). Its third address is the final destination or the original source (table 8-19).

use std::rc::Rc;

use crc::{CRC_32_ISO_HDLC, Crc, Table};

/// A MAC address.
pub type Address = [u8; 6];

/// Destination address of beacons.
pub const BROADCAST: Address = [0xFF; 6];
/// Length of the FCS, octets.
pub const FCS_LEN: usize = 4;
/// Length of a header with three addresses, octets.
pub const HEADER_LEN: usize = 24;
/// Overhead of a packet in a data frame, octets: header, QoS control, LLC and SNAP, FCS.
pub const DATA_OVERHEAD: usize = HEADER_LEN + QOS_LEN + SNAP.len() + FCS_LEN;
/// Largest packet in a data frame that is not an aggregate: 2304 octets (8.2.3) including LLC and
/// SNAP.
pub const MAX_PACKET: usize = 2_304 - SNAP.len();

const QOS_LEN: usize = 2;
/// LLC with SNAP for the Ethernet type IPv4 (RFC 1042).
const SNAP: [u8; 8] = [0xAA, 0xAA, 3, 0, 0, 0, 0x08, 0x00];

/// First octet of frame control: version 0, type and subtype (8.2.4.1.3, table 8-1).
pub(crate) mod kind {
    pub(crate) const BEACON: u8 = 0x80;
    pub(crate) const ACTION: u8 = 0xD0;
    pub(crate) const ACK: u8 = 0xD4;
    pub(crate) const NULL: u8 = 0x48;
    pub(crate) const QOS_DATA: u8 = 0x88;
}

/// Second octet of frame control (8.2.4.1.4 to 8.2.4.1.8).
mod flag {
    pub(super) const TO_DS: u8 = 0x01;
    pub(super) const FROM_DS: u8 = 0x02;
    pub(super) const RETRY: u8 = 0x08;
    pub(super) const POWER_MANAGEMENT: u8 = 0x10;
    pub(super) const MORE_DATA: u8 = 0x20;
}

const FCS: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// Returns the frame check sequence of `bytes` (8.2.4.8).
#[must_use]
pub const fn fcs(bytes: &[u8]) -> u32 {
    FCS.checksum(bytes)
}

/// Appends the FCS to `bytes`.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Rc<[u8]> {
    let check = fcs(&bytes);
    bytes.extend(check.to_le_bytes());
    Rc::from(bytes)
}

/// Fields that are filled in on transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Departure {
    /// Sequence number, twelve bits; retries of a frame share it.
    pub(crate) sequence: u16,
    /// Whether it is a retransmission.
    pub(crate) retry: bool,
    /// Remaining duration of the exchange after this frame, microseconds.
    pub(crate) duration_us: u16,
    /// Time stamp of a beacon, microseconds of its sender's clock (8.4.1.10).
    pub(crate) timestamp_us: Option<u64>,
}

impl Departure {
    /// Fills in the fields of `mpdu`, and appends the FCS.
    pub(crate) fn seal(self, mpdu: &[u8]) -> Rc<[u8]> {
        let mut bytes = Vec::with_capacity(mpdu.len() + FCS_LEN);
        bytes.extend_from_slice(mpdu);
        if self.retry {
            bytes[1] |= flag::RETRY;
        }
        bytes[2..4].copy_from_slice(&self.duration_us.to_le_bytes());
        bytes[22..24].copy_from_slice(&(self.sequence << 4).to_le_bytes());
        if let Some(timestamp) = self.timestamp_us {
            bytes[HEADER_LEN..HEADER_LEN + 8].copy_from_slice(&timestamp.to_le_bytes());
        }
        sealed(bytes)
    }
}

/// Encodes a header without the fields that are filled in on transmission, with capacity for `more`
/// octets.
pub(crate) fn header(kind: u8, flags: u8, addresses: [Address; 3], more: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_LEN + more);
    bytes.extend([kind, flags, 0, 0]);
    bytes.extend(addresses.as_flattened());
    bytes.extend([0, 0]);
    bytes
}

/// Header of a management frame with `third` as its third address.
pub(crate) fn management(kind: u8, to: Address, from: Address, third: Address) -> Vec<u8> {
    header(kind, 0, [to, from, third], 256)
}

/// Returns an acknowledgement to `to` (8.3.1.4).
#[must_use]
pub fn ack(to: Address) -> Rc<[u8]> {
    let mut bytes = [0; 14];
    bytes[0] = kind::ACK;
    bytes[4..10].copy_from_slice(&to);
    let check = fcs(&bytes[..10]);
    bytes[10..].copy_from_slice(&check.to_le_bytes());
    Rc::from(bytes)
}

/// Direction between a station and its access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the access point, with `end` as the final destination.
    Up,
    /// From the access point, with `end` as the original source.
    Down,
}

/// A data frame between a station and its access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Direction.
    pub way: Way,
    /// The radio that receives it.
    pub receiver: Address,
    /// The radio that sends it.
    pub transmitter: Address,
    /// Final destination of a frame to the access point, or original source of a frame from it.
    pub end: Address,
    /// Whether the station will sleep after this frame.
    pub sleeps: bool,
    /// Whether the access point has more pending frames for the station.
    pub more: bool,
    /// Packet. `None` in a frame that only announces a sleep state.
    pub packet: Option<&'a [u8]>,
}

impl Data<'_> {
    /// Encodes the frame without FCS. A packet is sent in a best effort QoS data frame (8.2.4.5),
    /// and no packet in a null frame (8.3.2.1).
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let way = match self.way {
            Way::Up => flag::TO_DS,
            Way::Down => flag::FROM_DS,
        };
        let sleeps = if self.sleeps { flag::POWER_MANAGEMENT } else { 0 };
        let more = if self.more { flag::MORE_DATA } else { 0 };
        let kind = if self.packet.is_some() { kind::QOS_DATA } else { kind::NULL };
        let addresses = [self.receiver, self.transmitter, self.end];
        let room = self.packet.map_or(0, |packet| packet.len() + DATA_OVERHEAD);
        let mut bytes = header(kind, way | sleeps | more, addresses, room);
        if let Some(packet) = self.packet {
            bytes.extend([0; QOS_LEN]);
            bytes.extend(SNAP);
            bytes.extend_from_slice(packet);
        }
        bytes
    }
}

/// A decoded frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Acknowledgement to this address.
    Ack(Address),
    /// Data, or a null frame.
    Data(Data<'a>),
    /// Beacon of the access point with this address, and the data after its header.
    Beacon(Address, &'a [u8]),
    /// Another frame with the header of a management or data frame.
    Other(Header),
}

/// Common header of management and data frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Receiver.
    pub to: Address,
    /// Sender.
    pub from: Address,
    /// Sequence number, twelve bits.
    pub sequence: u16,
    /// Whether it is a retransmission.
    pub retry: bool,
}

impl Header {
    /// Decodes the header of a management or data frame.
    #[must_use]
    pub fn read(mpdu: &[u8]) -> Option<Self> {
        let bytes = mpdu.first_chunk::<HEADER_LEN>()?;
        // Type 1 is control; its frames have other headers (8.2.4.1.3).
        if bytes[0] & 0x0C == 0x04 {
            return None;
        }
        Some(Self {
            to: address(bytes, 4),
            from: address(bytes, 10),
            sequence: u16::from_le_bytes([bytes[22], bytes[23]]) >> 4,
            retry: bytes[1] & flag::RETRY != 0,
        })
    }
}

fn address(bytes: &[u8; HEADER_LEN], at: usize) -> Address {
    core::array::from_fn(|nth| bytes[at + nth])
}

/// Destination address of an acknowledgement.
pub(crate) fn acknowledges(mpdu: &[u8]) -> Option<Address> {
    let bytes = mpdu.first_chunk::<14>()?;
    (bytes[0] == kind::ACK).then(|| core::array::from_fn(|nth| bytes[4 + nth]))
}

/// Decodes a correct MPDU; `None` for other control frames and malformed ones.
#[must_use]
pub fn read(mpdu: &[u8]) -> Option<Frame<'_>> {
    let (covered, _) = mpdu.split_last_chunk::<FCS_LEN>()?;
    if let Some(to) = acknowledges(mpdu) {
        return Some(Frame::Ack(to));
    }
    let header = Header::read(covered)?;
    let (bytes, body) = covered.split_first_chunk::<HEADER_LEN>()?;
    let way = match bytes[1] & (flag::TO_DS | flag::FROM_DS) {
        flag::TO_DS => Some(Way::Up),
        flag::FROM_DS => Some(Way::Down),
        _ => None,
    };
    let packet = match bytes[0] {
        kind::BEACON => return Some(Frame::Beacon(header.from, body)),
        kind::NULL => None,
        kind::QOS_DATA => Some(body.get(QOS_LEN..)?.strip_prefix(SNAP.as_slice())?),
        _ => return Some(Frame::Other(header)),
    };
    let Some(way) = way else { return Some(Frame::Other(header)) };
    Some(Frame::Data(Data {
        way,
        receiver: header.to,
        transmitter: header.from,
        end: address(bytes, 16),
        sleeps: bytes[1] & flag::POWER_MANAGEMENT != 0,
        more: bytes[1] & flag::MORE_DATA != 0,
        packet,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_check_is_that_of_ethernet() {
        // Check value of the CRC RevEng catalogue for "123456789".
        assert_eq!(fcs(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_data_frame_is_laid_out_as_the_standard_says() {
        let data = Data {
            way: Way::Up,
            receiver: [1; 6],
            transmitter: [2; 6],
            end: [3; 6],
            sleeps: false,
            more: false,
            packet: Some(b"ab"),
        };
        let leaves =
            Departure { sequence: 0x123, retry: true, duration_us: 44, timestamp_us: None };
        let mpdu = leaves.seal(&data.to_vec());
        let mut expected = vec![0x88, 0x09, 44, 0];
        expected.extend([1; 6]);
        expected.extend([2; 6]);
        expected.extend([3; 6]);
        expected.extend([0x30, 0x12, 0, 0, 0xAA, 0xAA, 3, 0, 0, 0, 8, 0, b'a', b'b']);
        assert_eq!(mpdu[..mpdu.len() - FCS_LEN], expected);
        assert_eq!(mpdu.len(), DATA_OVERHEAD + 2);
        assert_eq!(fcs(&mpdu), 0x2144_DF1C, "the residue of a frame with its check");
    }

    proptest! {
        #[test]
        fn a_data_frame_comes_back(
            up: bool, addresses: [[u8; 6]; 3], sleeps: bool, more: bool,
            packet in prop::option::of(prop::collection::vec(any::<u8>(), 0..100)),
        ) {
            let [receiver, transmitter, end] = addresses;
            let way = if up { Way::Up } else { Way::Down };
            let data = Data {
                way, receiver, transmitter, end, sleeps, more, packet: packet.as_deref(),
            };
            let sealed = sealed(data.to_vec());
            prop_assert_eq!(read(&sealed), Some(Frame::Data(data)));
            let acknowledgement = ack(receiver);
            prop_assert_eq!(read(&acknowledgement), Some(Frame::Ack(receiver)));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }
    }
}
