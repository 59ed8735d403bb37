//! Packets of the host fragmented to PDUs, and the unacknowledged one.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::stack::ble::cipher::{MIC_LEN, Way};
use crate::stack::ble::pdu::Llid;

/// Unit of exchange between host and controller: a fragment of an L2CAP frame, as in an HCI ACL
/// data packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Whether it is the start of an L2CAP frame.
    pub start: bool,
    /// Content.
    pub bytes: Vec<u8>,
}

/// One PDU.
#[derive(Clone, Debug)]
pub struct Pdu {
    pub(super) llid: Llid,
    pub(super) payload: Rc<[u8]>,
    /// Whether it is the last of its packet.
    last: bool,
    /// Whether it was sent before.
    pub(super) repeated: bool,
}

/// Transmit queue.
#[derive(Clone)]
pub struct Queue {
    data_length: usize,
    waiting: VecDeque<Pdu>,
    /// Control PDUs of the link layer itself, which have priority.
    control: VecDeque<Pdu>,
    /// Whether data is held until the connection is encrypted.
    held: bool,
    /// Encrypts PDUs at their first transmission.
    seal: Option<Way>,
    /// PDU in flight. It has to be retransmitted until it is acknowledged. Empty PDUs are
    /// acknowledged too.
    under_way: Option<Pdu>,
    /// Host bytes of that PDU.
    bytes_under_way: usize,
    bytes: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self::new(usize::from(u8::MAX))
    }
}

impl Queue {
    pub(super) fn new(data_length: usize) -> Self {
        let (waiting, control) = (VecDeque::new(), VecDeque::new());
        let (held, seal, under_way) = (false, None, None);
        Self { data_length, waiting, control, held, seal, under_way, bytes_under_way: 0, bytes: 0 }
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

    /// Queues a control PDU before all data.
    pub(super) fn push_control(&mut self, payload: &[u8]) {
        let llid = Llid::Control;
        self.control.push_back(Pdu { llid, payload: payload.into(), last: false, repeated: false });
    }

    /// Holds data until [`let_data_go`](Self::let_data_go).
    pub(super) fn hold_data(&mut self) {
        self.held = true;
    }

    /// Releases held data.
    pub(super) fn let_data_go(&mut self) {
        self.held = false;
    }

    /// Encrypts every PDU that has not been sent yet.
    pub(super) fn seal_with(&mut self, way: Way) {
        self.seal = Some(way);
    }

    /// Next PDU that may be sent for the first time.
    fn next(&self) -> Option<&Pdu> {
        self.control.front().or_else(|| self.waiting.front().filter(|_| !self.held))
    }

    /// Bytes not acknowledged yet.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns true if a data PDU has to be sent, for the first time or again.
    pub(super) fn has_data(&self) -> bool {
        self.next().is_some() || self.under_way.as_ref().is_some_and(|pdu| !pdu.payload.is_empty())
    }

    /// Payload length on the air of the PDU that [`outgoing`](Self::outgoing) would return if data
    /// may be sent.
    pub(super) fn next_length(&self) -> usize {
        let sealed = if self.seal.is_some() { MIC_LEN } else { 0 };
        match (&self.under_way, self.next()) {
            (Some(pdu), _) => pdu.payload.len(),
            (None, next) => next.map_or(0, |pdu| pdu.payload.len() + sealed),
        }
    }

    /// PDU to send: the one in flight again, or the next one. It is the empty PDU if there is none,
    /// or if no more data `may` be sent. Also returns whether more data is waiting.
    pub(super) fn outgoing(&mut self, may: bool) -> (Pdu, bool) {
        let pdu = match &self.under_way {
            Some(pdu) => Pdu { repeated: true, ..pdu.clone() },
            None => {
                let next = if may { self.pop() } else { None };
                next.unwrap_or_else(|| {
                    let (llid, payload) = (Llid::Continuation, Rc::default());
                    Pdu { llid, payload, last: false, repeated: false }
                })
            }
        };
        self.under_way = Some(pdu.clone());
        (pdu, self.next().is_some())
    }

    /// Takes the next PDU in the form in which it is sent.
    fn pop(&mut self) -> Option<Pdu> {
        let next = self.control.pop_front();
        let mut pdu = match next {
            None if !self.held => self.waiting.pop_front(),
            next => next,
        }?;
        if pdu.llid != Llid::Control {
            self.bytes_under_way = pdu.payload.len();
        }
        if let Some(way) = &mut self.seal {
            // The sequence bits of the header are not authenticated.
            pdu.payload = way.seal(pdu.llid as u8, &pdu.payload);
        }
        Some(pdu)
    }

    /// Handles the acknowledgement of the PDU in flight. Returns true if it was the last one of a
    /// packet.
    pub(super) fn acknowledged(&mut self) -> bool {
        match self.under_way.take() {
            Some(pdu) => {
                self.bytes -= std::mem::take(&mut self.bytes_under_way);
                pdu.last
            }
            None => false,
        }
    }

    pub(super) fn has_under_way(&self) -> bool {
        self.under_way.is_some()
    }
}
