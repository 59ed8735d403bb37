//! Enhanced ShockBurst on a radio inside a microcontroller: packets, acknowledgements, retransmissions.
//!
//! The packets on the air have the format of an nRF24L01+ with dynamic payload length (product specification
//! v1.0, section 7.3). The control field of a packet consists of three fields: the payload length (6 bits),
//! the packet identity (2 bits), and the no-acknowledgement bit. A frame that is passed to the
//! [`Transceiver`] consists of a byte with the length, a byte with the identity and the no-acknowledgement
//! bit, and the payload. The radio packs the three fields into the control field, and adds preamble, address
//! and CRC. For payloads of more than 32 bytes, the length field needs 8 bits. An nRF24L01+ does not receive
//! packets with a length field of 8 bits.

use airlag_link::airtime::nrf24::{Frame, Rate, SETTLE_NS};
use airlag_link::{Capability, Delivery, Link};

use crate::transceiver::{Start, Transceiver};

/// Longest payload that an nRF24L01+ receives, bytes (section 7.3.4).
pub const LEGACY_PAYLOAD: usize = 32;
/// Longest payload with a length field of 8 bits, bytes, as in the library of Nordic's nRF Connect SDK
/// (`CONFIG_ESB_MAX_PAYLOAD_LENGTH`).
pub const MAX_PAYLOAD: usize = 252;
/// Bytes of a frame before its payload.
pub const CONTROL: usize = 2;
/// Longest frame, bytes.
pub const MAX_FRAME: usize = CONTROL + MAX_PAYLOAD;

/// From the end of a packet to the first bit of its acknowledgement, microseconds (section 7.4.2).
pub const TURNAROUND_US: u32 = (SETTLE_NS / 1_000) as u32;
/// Additional time for which an acknowledgement is awaited, microseconds: twice the delay of interrupt and
/// demodulator at both ends, which is up to 8.2 us per end at 1 Mbit/s (section 7.7).
const MARGIN_US: u32 = 33;
/// From the end of a received packet to the first bit of a packet in the other direction, microseconds. The
/// peer needs [`TURNAROUND_US`] to switch to its receiver, and its program some time before that.
const DIRECTION_US: u32 = 400;

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Identity, two bits.
    pub identity: u8,
    /// Whether no acknowledgement is requested.
    pub no_ack: bool,
    /// Payload.
    pub payload: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Encodes the packet, and returns its length. `None` if the payload is too long.
    #[must_use]
    pub fn encode(&self, frame: &mut [u8; MAX_FRAME]) -> Option<usize> {
        let len = CONTROL + self.payload.len();
        frame.get_mut(CONTROL..len)?.copy_from_slice(self.payload);
        frame[0] = self.payload.len() as u8;
        frame[1] = (self.identity & 3) << 1 | u8::from(self.no_ack);
        Some(len)
    }

    /// Decodes a frame. `None` if it is shorter than its length field states.
    #[must_use]
    pub fn decode(frame: &'a [u8]) -> Option<Self> {
        let (&[length, control], rest) = frame.split_first_chunk()?;
        let payload = rest.get(..usize::from(length))?;
        Some(Self { identity: control >> 1 & 3, no_ack: control & 1 != 0, payload })
    }
}

/// Configuration of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Air data rate: 1 or 2 Mbit/s.
    pub rate: Rate,
    /// Address length, 3 to 5 bytes.
    pub address: u8,
    /// Longest payload, up to [`MAX_PAYLOAD`]. Up to [`LEGACY_PAYLOAD`], packets are those of an nRF24L01+.
    pub longest: usize,
    /// Whether acknowledgements are requested and sent.
    pub acknowledge: bool,
    /// Retransmissions of an unacknowledged packet.
    pub retransmit_count: u8,
    /// From the end of a packet to the first bit of its retransmission, microseconds.
    pub retransmit_delay_us: u32,
}

impl Config {
    /// From the end of a packet to the latest end of its acknowledgement, microseconds.
    #[must_use]
    pub const fn ack_wait_us(&self) -> u32 {
        let frame = Frame::enhanced(self.rate, self.address);
        TURNAROUND_US + frame.duration_ns(0).div_ceil(1_000) as u32 + MARGIN_US
    }

    /// Shortest retransmit delay: the wait for an acknowledgement, and the ramp-up of the transmitter.
    #[must_use]
    pub const fn shortest_retransmit_delay_us(&self) -> u32 {
        self.ack_wait_us() + TURNAROUND_US
    }
}

/// Reason why a chunk cannot be sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E> {
    /// The radio failed.
    #[error("the radio failed")]
    Radio(E),
    /// The chunk is longer than a packet.
    #[error("{len} B do not fit a packet of at most {most} B")]
    TooLong {
        /// Length of the chunk, bytes.
        len: usize,
        /// Longest payload, bytes.
        most: usize,
    },
}

/// One end of a link. It sends and receives, one direction at a time.
pub struct Esb<R> {
    radio: R,
    config: Config,
    identity: u8,
    frame: [u8; MAX_FRAME],
    /// Last received frame, for the detection of duplicates.
    last: [u8; MAX_FRAME],
    last_len: usize,
    /// Whether the previous frame was received, so that the peer first has to switch to its receiver.
    turns: bool,
}

impl<R: Transceiver> Esb<R> {
    /// Creates an end on a radio that is set up with the same rate, address and length field.
    #[must_use]
    pub const fn new(radio: R, config: Config) -> Self {
        Self {
            radio,
            config,
            identity: 0,
            frame: [0; MAX_FRAME],
            last: [0; MAX_FRAME],
            last_len: 0,
            turns: false,
        }
    }

    /// Returns the radio.
    pub const fn radio(&mut self) -> &mut R {
        &mut self.radio
    }

    /// Changes the configuration between two runs. Duplicates of earlier packets are forgotten.
    pub const fn configure(&mut self, config: Config) {
        (self.config, self.last_len, self.turns) = (config, 0, false);
    }

    /// Waits for the acknowledgement of the packet that was just sent. Only an acknowledgement has no payload.
    async fn is_acknowledged(&mut self) -> Result<bool, R::Error> {
        let mut reply = [0; MAX_FRAME];
        let limit = Some(self.config.ack_wait_us());
        let Some(len) = self.radio.receive(&mut reply, limit).await? else { return Ok(false) };
        Ok(Packet::decode(&reply[..len]).is_some_and(|reply| reply.payload.is_empty()))
    }

    /// Acknowledges the packet that was just received. Returns whether to keep the packet. It is
    /// discarded if it is too late for an acknowledgement, because the peer then sends it again.
    async fn acknowledge(&mut self, identity: u8, no_ack: bool) -> Result<bool, R::Error> {
        if no_ack || !self.config.acknowledge {
            return Ok(true);
        }
        let acknowledgement = [0, identity << 1];
        self.radio.send(&acknowledgement, Start::Exactly(TURNAROUND_US)).await
    }

    /// Whether the frame in the buffer equals the last received one. If not, it is stored as the
    /// last one.
    fn repeats(&mut self, len: usize) -> bool {
        let frame = &self.frame[..len];
        if self.last_len == len && self.last[..len] == *frame {
            return true;
        }
        self.last[..len].copy_from_slice(frame);
        self.last_len = len;
        false
    }
}

impl<R: Transceiver> Link for Esb<R> {
    type Error = Error<R::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(self.config.longest).acknowledged(self.config.acknowledge)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        let (len, most) = (chunk.len(), self.config.longest.min(MAX_PAYLOAD));
        self.identity = (self.identity + 1) & 3;
        let no_ack = !self.config.acknowledge;
        let packet = Packet { identity: self.identity, no_ack, payload: chunk };
        let framed = packet.encode(&mut self.frame).filter(|_| len <= most);
        let framed = framed.ok_or(Error::TooLong { len, most })?;
        let mut start = Start::NotBefore(if self.turns { DIRECTION_US } else { 0 });
        self.turns = false;
        for _ in 0..=self.config.retransmit_count {
            self.radio.send(&self.frame[..framed], start).await.map_err(Error::Radio)?;
            if no_ack {
                return Ok(Delivery::Sent);
            }
            if self.is_acknowledged().await.map_err(Error::Radio)? {
                return Ok(Delivery::Confirmed);
            }
            start = Start::NotBefore(self.config.retransmit_delay_us);
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
            let Some(packet) = Packet::decode(&self.frame[..len]) else { continue };
            let (payload, fits) = (packet.payload.len(), packet.payload.len() <= buffer.len());
            // A packet without payload is a late acknowledgement, or one for another pair.
            if payload == 0 || !fits {
                continue;
            }
            self.turns = true;
            let (identity, no_ack) = (packet.identity, packet.no_ack);
            if !self.acknowledge(identity, no_ack).await.map_err(Error::Radio)? {
                continue;
            }
            if self.repeats(CONTROL + payload) {
                continue;
            }
            buffer[..payload].copy_from_slice(&self.frame[CONTROL..CONTROL + payload]);
            return Ok(payload);
        }
    }
}

#[cfg(test)]
mod tests;
