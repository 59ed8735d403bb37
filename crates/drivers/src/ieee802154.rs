//! IEEE 802.15.4 data frames on a radio inside a microcontroller, blind or acknowledged.
//!
//! Sections are those of IEEE Std 802.15.4-2006. For the [`Transceiver`], a frame is a PSDU without its frame
//! check sequence, which the radio adds and checks:
//!
//! ```text
//!  frame control │ sequence │ PAN    │ destination │ source │ payload
//!  2, LE         │ 1        │ 2, LE  │ 2, LE       │ 2, LE  │ 0..116
//! ```
//!
//! Channel access is blind: there is no CSMA-CA.

use airlag_link::airtime::ieee802154::{MAX_PSDU, Phy, TURNAROUND_SYMBOLS};
use airlag_link::{Capability, Delivery, Link};

use crate::transceiver::{Start, Transceiver};

/// Octets of the header, with two short addresses in one PAN (7.2.1).
pub const HEADER: usize = 9;
/// Octets of the frame check sequence.
pub const FCS: usize = 2;
/// Longest payload, octets.
pub const MAX_PAYLOAD: usize = MAX_PSDU - HEADER - FCS;
/// Longest frame, octets.
pub const MAX_FRAME: usize = MAX_PSDU - FCS;
/// Address of all nodes of a PAN.
pub const BROADCAST: u16 = 0xFFFF;

const PHY: Phy = Phy::Oqpsk2450;
/// From the end of a frame to the first symbol of its acknowledgement: 192 us (7.5.6.4.2).
pub const TURNAROUND_US: u32 = (PHY.symbols_ns(TURNAROUND_SYMBOLS) / 1_000) as u32;
/// Time from the end of a frame until the sender stops waiting for its acknowledgement: 864 us (7.4.2,
/// `macAckWaitDuration`). An acknowledgement ends 544 us after its frame.
pub const ACK_WAIT_US: u32 = (PHY.ack_wait_ns() / 1_000) as u32;

/// Fields of the frame control field (7.2.1.1).
mod control {
    pub(super) const TYPE: u16 = 0b111;
    pub(super) const DATA: u16 = 1;
    pub(super) const ACK: u16 = 2;
    pub(super) const SECURITY_ENABLED: u16 = 1 << 3;
    pub(super) const ACK_REQUEST: u16 = 1 << 5;
    pub(super) const PAN_ID_COMPRESSION: u16 = 1 << 6;
    pub(super) const SHORT_ADDRESSES: u16 = 0b10 << 10 | 0b10 << 14;
    /// Fields that a supported data frame has in common.
    pub(super) const LAYOUT: u16 =
        TYPE | SECURITY_ENABLED | PAN_ID_COMPRESSION | 0b11 << 10 | 0b11 << 14;
}

/// A data frame between two short addresses of a PAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Sequence number.
    pub sequence: u8,
    /// Whether an acknowledgement is requested.
    pub ack_request: bool,
    /// PAN of both ends.
    pub pan: u16,
    /// Receiver.
    pub destination: u16,
    /// Sender.
    pub source: u16,
    /// Payload.
    pub payload: &'a [u8],
}

/// A decoded frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// User data.
    Data(Data<'a>),
    /// Acknowledgement of the frame with this sequence number.
    Ack(u8),
}

impl Data<'_> {
    /// Encodes the frame, and returns its length. `None` if the payload is too long.
    #[must_use]
    pub fn encode(&self, frame: &mut [u8; MAX_FRAME]) -> Option<usize> {
        let len = HEADER + self.payload.len();
        frame.get_mut(HEADER..len)?.copy_from_slice(self.payload);
        let request = if self.ack_request { control::ACK_REQUEST } else { 0 };
        let layout = control::DATA | control::PAN_ID_COMPRESSION | control::SHORT_ADDRESSES;
        frame[..2].copy_from_slice(&(layout | request).to_le_bytes());
        frame[2] = self.sequence;
        frame[3..5].copy_from_slice(&self.pan.to_le_bytes());
        frame[5..7].copy_from_slice(&self.destination.to_le_bytes());
        frame[7..HEADER].copy_from_slice(&self.source.to_le_bytes());
        Some(len)
    }
}

impl<'a> Frame<'a> {
    /// Decodes a frame. `None` for other types, addresses and secured frames.
    #[must_use]
    pub fn decode(frame: &'a [u8]) -> Option<Self> {
        let (&[low, high, sequence], rest) = frame.split_first_chunk()?;
        let control = u16::from_le_bytes([low, high]);
        if control & control::TYPE == control::ACK && rest.is_empty() {
            return Some(Self::Ack(sequence));
        }
        let expected = control::DATA | control::PAN_ID_COMPRESSION | control::SHORT_ADDRESSES;
        if control & control::LAYOUT != expected {
            return None;
        }
        let (&[p0, p1, d0, d1, s0, s1], payload) = rest.split_first_chunk()?;
        Some(Self::Data(Data {
            sequence,
            ack_request: control & control::ACK_REQUEST != 0,
            pan: u16::from_le_bytes([p0, p1]),
            destination: u16::from_le_bytes([d0, d1]),
            source: u16::from_le_bytes([s0, s1]),
            payload,
        }))
    }
}

/// The acknowledgement of the frame `sequence` (7.2.2.3).
#[must_use]
pub const fn acknowledgement(sequence: u8) -> [u8; 3] {
    let [low, high] = control::ACK.to_le_bytes();
    [low, high, sequence]
}

/// Configuration of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// PAN of both ends.
    pub pan: u16,
    /// Address of this end.
    pub own: u16,
    /// Address of the other end, or [`BROADCAST`].
    pub peer: u16,
    /// Whether acknowledgements are requested. They are sent on request in either case.
    pub acknowledge: bool,
    /// Retries of an unacknowledged frame: `macMaxFrameRetries`, 0 to 7 (7.4.2).
    pub retries: u8,
}

/// Reason why a chunk cannot be sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E> {
    /// The radio failed.
    #[error("the radio failed")]
    Radio(E),
    /// The chunk is longer than the payload of a frame.
    #[error("{0} B do not fit a frame of at most {MAX_PAYLOAD} B")]
    TooLong(usize),
}

/// One end of a link. It sends and receives, one direction at a time.
pub struct Ieee802154<R> {
    radio: R,
    config: Config,
    sequence: u8,
    frame: [u8; MAX_FRAME],
    /// Source and sequence number of the last received frame, for the detection of duplicates (7.5.6.2).
    last: Option<(u16, u8)>,
    /// Interframe space after the previous frame, microseconds (7.5.1.3).
    space_us: u32,
}

impl<R: Transceiver> Ieee802154<R> {
    /// Creates an end on a radio that is set up for the 2450 MHz PHY.
    #[must_use]
    pub const fn new(radio: R, config: Config) -> Self {
        Self { radio, config, sequence: 0, frame: [0; MAX_FRAME], last: None, space_us: 0 }
    }

    /// Returns the radio.
    pub const fn radio(&mut self) -> &mut R {
        &mut self.radio
    }

    /// Changes the configuration between two runs. Duplicates of earlier frames are forgotten.
    pub const fn configure(&mut self, config: Config) {
        (self.config, self.last, self.space_us) = (config, None, 0);
    }

    /// Waits for the acknowledgement of the frame that was just sent. Any other frame ends the wait, because it
    /// overlaps the acknowledgement: it lasts at least 352 us, and the acknowledgement begins after 192 us.
    async fn is_acknowledged(&mut self) -> Result<bool, R::Error> {
        let mut reply = [0; MAX_FRAME];
        let Some(len) = self.radio.receive(&mut reply, Some(ACK_WAIT_US)).await? else {
            return Ok(false);
        };
        Ok(Frame::decode(&reply[..len]) == Some(Frame::Ack(self.sequence)))
    }

    /// Whether a data frame is for this end.
    const fn is_own(&self, data: &Data<'_>) -> bool {
        let Config { pan, own, .. } = self.config;
        (data.pan == pan || data.pan == BROADCAST)
            && (data.destination == own || data.destination == BROADCAST)
    }
}

impl<R: Transceiver> Link for Ieee802154<R> {
    type Error = Error<R::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(MAX_PAYLOAD).acknowledged(self.config.acknowledge)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        let Config { pan, own, peer, acknowledge, retries } = self.config;
        self.sequence = self.sequence.wrapping_add(1);
        let data = Data {
            sequence: self.sequence,
            ack_request: acknowledge,
            pan,
            destination: peer,
            source: own,
            payload: chunk,
        };
        let len = data.encode(&mut self.frame).ok_or(Error::TooLong(chunk.len()))?;
        let mut start = Start::NotBefore(self.space_us);
        self.space_us = (PHY.interframe_space_ns(len + FCS) / 1_000) as u32;
        let attempts = if acknowledge { 1 + retries } else { 1 };
        for _ in 0..attempts {
            self.radio.send(&self.frame[..len], start).await.map_err(Error::Radio)?;
            if !acknowledge {
                return Ok(Delivery::Sent);
            }
            if self.is_acknowledged().await.map_err(Error::Radio)? {
                return Ok(Delivery::Confirmed);
            }
            start = Start::NotBefore(ACK_WAIT_US);
        }
        Ok(Delivery::Lost)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        let confirms = self.config.acknowledge;
        Ok(if confirms { Delivery::Confirmed } else { Delivery::Sent })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        loop {
            let received = self.radio.receive(&mut self.frame, None).await.map_err(Error::Radio)?;
            let Some(len) = received else { continue };
            let Some(Frame::Data(data)) = Frame::decode(&self.frame[..len]) else { continue };
            let (sequence, source, payload) = (data.sequence, data.source, data.payload.len());
            if !self.is_own(&data) || payload > buffer.len() {
                continue;
            }
            self.space_us = (PHY.interframe_space_ns(len + FCS) / 1_000) as u32;
            // A broadcast is not acknowledged (7.5.6.4).
            if data.ack_request && data.destination != BROADCAST {
                let acknowledgement = acknowledgement(sequence);
                let start = Start::Exactly(TURNAROUND_US);
                let sent = self.radio.send(&acknowledgement, start).await;
                // If it is too late for an acknowledgement, the peer sends the frame again.
                if !sent.map_err(Error::Radio)? {
                    continue;
                }
            }
            if self.last.replace((source, sequence)) == Some((source, sequence)) {
                continue;
            }
            buffer[..payload].copy_from_slice(&self.frame[HEADER..HEADER + payload]);
            return Ok(payload);
        }
    }
}

#[cfg(test)]
mod tests;
