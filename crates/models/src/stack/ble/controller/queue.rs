//! Packets of the host cut to PDUs, and the one under way.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::stack::ble::pdu::Llid;

/// What host and controller hand each other: a piece of an L2CAP frame, as in an HCI ACL data packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// True if an L2CAP frame begins with it.
    pub start: bool,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// One PDU.
#[derive(Clone, Debug)]
pub struct Pdu {
    pub(super) llid: Llid,
    pub(super) payload: Rc<[u8]>,
    /// The last of its packet.
    last: bool,
    /// It has been on the air before.
    pub(super) repeated: bool,
}

/// What there is to send.
#[derive(Clone, Debug)]
pub struct Queue {
    data_length: usize,
    waiting: VecDeque<Pdu>,
    /// Sent and not acknowledged: what has to be sent again. The empty PDU is acknowledged too.
    under_way: Option<Pdu>,
    bytes: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self::new(usize::from(u8::MAX))
    }
}

impl Queue {
    pub(super) fn new(data_length: usize) -> Self {
        Self { data_length, waiting: VecDeque::new(), under_way: None, bytes: 0 }
    }

    pub(super) fn push(&mut self, packet: Packet) {
        self.bytes += packet.bytes.len();
        let pieces = packet.bytes.len().div_ceil(self.data_length);
        for (nth, piece) in packet.bytes.chunks(self.data_length).enumerate() {
            let llid = if packet.start && nth == 0 { Llid::Start } else { Llid::Continuation };
            let last = nth + 1 == pieces;
            self.waiting.push_back(Pdu { llid, payload: piece.into(), last, repeated: false });
        }
    }

    /// Bytes not acknowledged yet.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// True if a data PDU has still to be sent, for the first time or again.
    pub(super) fn has_data(&self) -> bool {
        !self.waiting.is_empty()
            || self.under_way.as_ref().is_some_and(|pdu| !pdu.payload.is_empty())
    }

    /// Payload of the PDU that [`outgoing`](Self::outgoing) would give if data may be sent.
    pub(super) fn next_length(&self) -> usize {
        let next = self.under_way.as_ref().or(self.waiting.front());
        next.map_or(0, |pdu| pdu.payload.len())
    }

    /// The PDU to send: the one under way again, or the next one, or the empty PDU where there is
    /// none or no more data `may` be sent. Says too whether more is waiting behind it.
    pub(super) fn outgoing(&mut self, may: bool) -> (Pdu, bool) {
        let pdu = match &self.under_way {
            Some(pdu) => Pdu { repeated: true, ..pdu.clone() },
            None if may && !self.waiting.is_empty() => self.waiting.pop_front().expect("not empty"),
            None => {
                let (llid, payload) = (Llid::Continuation, Rc::default());
                Pdu { llid, payload, last: false, repeated: false }
            }
        };
        self.under_way = Some(pdu.clone());
        (pdu, !self.waiting.is_empty())
    }

    /// The PDU under way arrived. True if that was the last one of a packet.
    pub(super) fn acknowledged(&mut self) -> bool {
        match self.under_way.take() {
            Some(pdu) => {
                self.bytes -= pdu.payload.len();
                pdu.last
            }
            None => false,
        }
    }

    pub(super) fn has_under_way(&self) -> bool {
        self.under_way.is_some()
    }
}
