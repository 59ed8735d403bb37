//! Headers of NWK, APS and ZCL.
//!
//! ```text
//!  NWK  frame control │ destination │ source │ radius │ sequence │ [ IEEE destination │ IEEE source ]
//!       2, LE         │ 2, LE       │ 2, LE  │ 1      │ 1        │   8, LE            │ 8, LE
//!  APS  frame control │ endpoint │ cluster │ profile │ endpoint │ counter
//!       1             │ 1        │ 2, LE   │ 2, LE   │ 1        │ 1
//!  ZCL  frame control │ sequence │ command
//!       1             │ 1        │ 1
//! ```
//!
//! An APS acknowledgement has the same fields as the header of the message (2.2.5.2.3).

/// Length of an NWK header without IEEE addresses, octets (3.3.1).
pub const NWK_LEN: usize = 8;
/// Length of an IEEE address, octets.
pub const IEEE_LEN: usize = 8;
/// Length of an APS header of a unicast, octets (2.2.5.1).
pub const APS_LEN: usize = 8;
/// Length of a ZCL header without a manufacturer code, octets (ZCL 2.4.1).
pub const ZCL_LEN: usize = 3;

/// Endpoint of both programs, and their cluster, which is from the range of manufacturers. The
/// choice has no effect on latency.
const ENDPOINT: u8 = 1;
const CLUSTER: u16 = 0xFC00;
/// Profile Home Automation, whose messages have a ZCL header.
const HOME_AUTOMATION: u16 = 0x0104;
/// A profile of a manufacturer, whose messages have none.
const PRIVATE: u16 = 0xC105;

/// Bits of the NWK frame control (3.3.1.1).
mod nwk {
    /// Type: a data frame.
    pub(super) const TYPE: u16 = 0b11;
    pub(super) const DATA: u16 = 0;
    /// Protocol version of Zigbee PRO.
    pub(super) const VERSION: u16 = 2 << 2;
    pub(super) const VERSION_MASK: u16 = 0xF << 2;
    pub(super) const MULTICAST: u16 = 1 << 8;
    pub(super) const SECURITY: u16 = 1 << 9;
    pub(super) const SOURCE_ROUTE: u16 = 1 << 10;
    pub(super) const DESTINATION_IEEE: u16 = 1 << 11;
    pub(super) const SOURCE_IEEE: u16 = 1 << 12;
}

/// Bits of the APS frame control (2.2.5.1.1).
mod aps {
    pub(super) const DATA: u8 = 0;
    pub(super) const ACK: u8 = 2;
    pub(super) const ACK_REQUEST: u8 = 1 << 6;
}

/// IEEE addresses in an NWK header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee {
    /// Of the last receiver.
    pub destination: u64,
    /// Of the first sender.
    pub source: u64,
}

/// NWK header of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nwk {
    /// Last receiver.
    pub destination: u16,
    /// First sender.
    pub source: u16,
    /// Remaining hops.
    pub radius: u8,
    /// Sequence number of the first sender.
    pub sequence: u8,
    /// IEEE addresses of both, if present.
    pub ieee: Option<Ieee>,
    /// Whether an auxiliary security header follows.
    pub secured: bool,
}

impl Nwk {
    /// Encoded header.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut control = nwk::DATA | nwk::VERSION;
        control |= if self.secured { nwk::SECURITY } else { 0 };
        control |= if self.ieee.is_some() { nwk::DESTINATION_IEEE | nwk::SOURCE_IEEE } else { 0 };
        let mut bytes = Vec::with_capacity(NWK_LEN + 2 * IEEE_LEN);
        for field in [control, self.destination, self.source] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend([self.radius, self.sequence]);
        if let Some(Ieee { destination, source }) = self.ieee {
            bytes.extend(destination.to_le_bytes());
            bytes.extend(source.to_le_bytes());
        }
        bytes
    }

    /// Decodes the header at the beginning of `bytes`, and returns the rest. `None` for other
    /// types of frames, and for headers with only one IEEE address.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[c0, c1, d0, d1, s0, s1, radius, sequence], rest) = bytes.split_first_chunk()?;
        let control = u16::from_le_bytes([c0, c1]);
        let fixed = nwk::TYPE | nwk::VERSION_MASK | nwk::MULTICAST | nwk::SOURCE_ROUTE;
        if control & fixed != nwk::DATA | nwk::VERSION {
            return None;
        }
        const BOTH: u16 = nwk::DESTINATION_IEEE | nwk::SOURCE_IEEE;
        let (ieee, rest) = match control & BOTH {
            0 => (None, rest),
            BOTH => {
                let (destination, rest) = rest.split_first_chunk()?;
                let (source, rest) = rest.split_first_chunk()?;
                let [destination, source] = [destination, source].map(|it| u64::from_le_bytes(*it));
                (Some(Ieee { destination, source }), rest)
            }
            _ => return None,
        };
        let header = Self {
            destination: u16::from_le_bytes([d0, d1]),
            source: u16::from_le_bytes([s0, s1]),
            radius,
            sequence,
            ieee,
            secured: control & nwk::SECURITY != 0,
        };
        Some((header, rest))
    }
}

/// Type of an APS frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A message, and whether it requests an acknowledgement.
    Data {
        /// Whether an acknowledgement is requested.
        ack_request: bool,
    },
    /// Acknowledgement of a message.
    Ack,
}

/// APS header of a unicast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aps {
    /// Type of the frame.
    pub kind: Kind,
    /// Counter of the message. Its repetitions and its acknowledgement share it.
    pub counter: u8,
}

impl Aps {
    /// Encoded header of a message with or without a ZCL header.
    #[must_use]
    pub fn encode(self, zcl: bool) -> [u8; APS_LEN] {
        let control = match self.kind {
            Kind::Data { ack_request } => {
                aps::DATA | if ack_request { aps::ACK_REQUEST } else { 0 }
            }
            Kind::Ack => aps::ACK,
        };
        let [c0, c1] = CLUSTER.to_le_bytes();
        let [p0, p1] = if zcl { HOME_AUTOMATION } else { PRIVATE }.to_le_bytes();
        [control, ENDPOINT, c0, c1, p0, p1, ENDPOINT, self.counter]
    }

    /// Decodes the header at the beginning of `bytes`, and returns the rest. `None` for frames of
    /// other types, endpoints, clusters and profiles.
    #[must_use]
    pub fn read(zcl: bool, bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (header, rest) = bytes.split_first_chunk::<APS_LEN>()?;
        const DATA: u8 = aps::DATA;
        const REQUEST: u8 = aps::DATA | aps::ACK_REQUEST;
        let kind = match header[0] {
            DATA => Kind::Data { ack_request: false },
            REQUEST => Kind::Data { ack_request: true },
            aps::ACK => Kind::Ack,
            _ => return None,
        };
        let this = Self { kind, counter: header[APS_LEN - 1] };
        (this.encode(zcl) == *header).then_some((this, rest))
    }
}

/// ZCL header of a command of the cluster from client to server, without a default response
/// (ZCL 2.4.1.1).
#[must_use]
pub const fn zcl(sequence: u8) -> [u8; ZCL_LEN] {
    const CLUSTER_COMMAND: u8 = 0b01;
    const NO_DEFAULT_RESPONSE: u8 = 1 << 4;
    [CLUSTER_COMMAND | NO_DEFAULT_RESPONSE, sequence, 0]
}
