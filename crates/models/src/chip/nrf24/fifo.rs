//! The two FIFOs, each three payloads deep (section 8.4).

use std::collections::VecDeque;

/// Capacity of a FIFO, payloads.
pub const DEPTH: usize = 3;

/// A payload of up to 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload {
    bytes: [u8; 32],
    len: u8,
}

impl Payload {
    /// Empty payload.
    pub const EMPTY: Self = Self { bytes: [0; 32], len: 0 };

    /// Creates a payload from the first 32 bytes.
    #[must_use]
    pub fn new(data: &[u8]) -> Self {
        let len = data.len().min(32);
        let mut bytes = [0; 32];
        bytes[..len].copy_from_slice(&data[..len]);
        Self { bytes, len: len as u8 }
    }

    /// Content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Purpose of a payload in the transmit FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The payload is to be sent and acknowledged.
    Send,
    /// The payload is to be sent with the NO_ACK flag.
    SendWithoutAck,
    /// The payload is to be sent with the next acknowledgement on this pipe.
    Acknowledge(u8),
}

/// An entry of the transmit FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Purpose.
    pub purpose: Purpose,
    /// Packet identity. It is assigned when the payload is written. A payload that is sent again
    /// after MAX_RT is therefore still the same packet (section 7.5.1).
    pub identity: u8,
    /// Payload.
    pub payload: Payload,
}

/// The transmit FIFO, shared by a transmitter's payloads and a receiver's acknowledgement payloads.
#[derive(Debug, Default)]
pub struct TxFifo(VecDeque<Outgoing>);

impl TxFifo {
    /// Adds a payload. It is ignored if the FIFO is full.
    pub fn push(&mut self, outgoing: Outgoing) {
        if !self.is_full() {
            self.0.push_back(outgoing);
        }
    }

    /// Oldest payload to send.
    #[must_use]
    pub fn to_send(&self) -> Option<Outgoing> {
        self.0.front().copied().filter(|out| !matches!(out.purpose, Purpose::Acknowledge(_)))
    }

    /// Oldest acknowledgement payload for `pipe`.
    #[must_use]
    pub fn for_ack(&self, pipe: u8) -> Option<Payload> {
        let mut all = self.0.iter();
        all.find(|out| out.purpose == Purpose::Acknowledge(pipe)).map(|out| out.payload)
    }

    /// Removes the oldest payload.
    pub fn pop(&mut self) {
        self.0.pop_front();
    }

    /// Removes the oldest acknowledgement payload for `pipe`.
    pub fn pop_ack(&mut self, pipe: u8) {
        if let Some(at) = self.0.iter().position(|out| out.purpose == Purpose::Acknowledge(pipe)) {
            self.0.remove(at);
        }
    }

    /// Removes all payloads (command FLUSH_TX).
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the FIFO is full (bit TX_FULL).
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.len() >= DEPTH
    }

    /// Whether the FIFO is empty (bit TX_EMPTY).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The receive FIFO: payloads with their pipes.
#[derive(Debug, Default)]
pub struct RxFifo(VecDeque<(u8, Payload)>);

impl RxFifo {
    /// Adds a payload. The caller ensures that there is room.
    pub fn push(&mut self, pipe: u8, payload: Payload) {
        self.0.push_back((pipe, payload));
    }

    /// Oldest payload, with its pipe.
    #[must_use]
    pub fn front(&self) -> Option<&(u8, Payload)> {
        self.0.front()
    }

    /// Removes the oldest payload.
    pub fn pop(&mut self) {
        self.0.pop_front();
    }

    /// Removes all payloads (command FLUSH_RX).
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the FIFO is full (bit RX_FULL).
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.len() >= DEPTH
    }

    /// Whether the FIFO is empty (bit RX_EMPTY).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
