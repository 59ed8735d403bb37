//! Packets of the host cut to PDUs, and the one under way.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::stack::ble::cipher::{MIC_LEN, Way};
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
#[derive(Clone)]
pub struct Queue {
    data_length: usize,
    waiting: VecDeque<Pdu>,
    /// PDUs of the link layer itself, which go first.
    control: VecDeque<Pdu>,
    /// Data waits until the connection is encrypted.
    held: bool,
    /// PDUs are sealed as they are sent for the first time.
    seal: Option<Way>,
    /// Sent and not acknowledged: what has to be sent again. The empty PDU is acknowledged too.
    under_way: Option<Pdu>,
    /// Of the host's, in the one under way.
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

    /// A control PDU to send before all data.
    pub(super) fn push_control(&mut self, payload: &[u8]) {
        let llid = Llid::Control;
        self.control.push_back(Pdu { llid, payload: payload.into(), last: false, repeated: false });
    }

    /// Keeps data back until [`let_data_go`](Self::let_data_go).
    pub(super) fn hold_data(&mut self) {
        self.held = true;
    }

    /// Lets data go from here on.
    pub(super) fn let_data_go(&mut self) {
        self.held = false;
    }

    /// Seals every PDU that has not been sent yet.
    pub(super) fn seal_with(&mut self, way: Way) {
        self.seal = Some(way);
    }

    /// What may be sent next, for the first time.
    fn next(&self) -> Option<&Pdu> {
        self.control.front().or_else(|| self.waiting.front().filter(|_| !self.held))
    }

    /// Bytes not acknowledged yet.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// True if a data PDU has still to be sent, for the first time or again.
    pub(super) fn has_data(&self) -> bool {
        self.next().is_some() || self.under_way.as_ref().is_some_and(|pdu| !pdu.payload.is_empty())
    }

    /// Payload on the air of the PDU that [`outgoing`](Self::outgoing) would give if data may be sent.
    pub(super) fn next_length(&self) -> usize {
        let sealed = if self.seal.is_some() { MIC_LEN } else { 0 };
        match (&self.under_way, self.next()) {
            (Some(pdu), _) => pdu.payload.len(),
            (None, next) => next.map_or(0, |pdu| pdu.payload.len() + sealed),
        }
    }

    /// The PDU to send: the one under way again, or the next one, or the empty PDU where there is
    /// none or no more data `may` be sent. Says too whether more is waiting behind it.
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

    /// The next PDU as it goes on the air.
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
            // Of the header, the sequence bits are not covered.
            pdu.payload = way.seal(pdu.llid as u8, &pdu.payload);
        }
        Some(pdu)
    }

    /// The PDU under way arrived. True if that was the last one of a packet.
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
