//! Parts of the state of a handshake, and its outcome.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::keys::{Keys, Protection};
use crate::noise::{Initiator, PUBLIC, Transport};
use crate::time::Instant;
use crate::wire::{CONTENT, Frame};

/// Packets that an end received in the previous session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionState {
    /// Number of the session. 0 if there is none.
    pub session: u32,
    /// Lower bits of the number of received packets.
    pub opened: u32,
}

impl SessionState {
    pub(super) fn bytes(self) -> [u8; CONTENT] {
        let whole = u64::from(self.session) << 32 | u64::from(self.opened);
        whole.to_be_bytes()
    }

    pub(super) const fn of(bytes: [u8; CONTENT]) -> Self {
        let whole = u64::from_be_bytes(bytes);
        Self { session: (whole >> 32) as u32, opened: whole as u32 }
    }
}

/// The keys of a session, one for each direction.
pub struct Pair {
    /// Keys for sending.
    pub send: Keys,
    /// Keys for receiving.
    pub receive: Keys,
    /// Number of the session, identical at both ends and not 0.
    pub session: u32,
    /// Whether this end sent the first message.
    pub is_initiator: bool,
}

impl Pair {
    pub(super) fn new(protection: &Protection, transport: &Transport, is_initiator: bool) -> Self {
        let [send, receive] =
            [&transport.send, &transport.receive].map(|key| Keys::new(protection, key));
        let first = if is_initiator { &send } else { &receive };
        let session = first.number().max(1);
        Self { send, receive, session, is_initiator }
    }
}

/// Effect of a received greeting.
pub enum Event {
    /// No effect, because the greeting is not authentic or was sent by this end.
    Ignored,
    /// No effect, but the greeting is from a holder of the key, who may have sent it earlier.
    Heard,
    /// Both ends have the keys of a new session. No more packets are accepted in the old session,
    /// because the confirmation states how many were received.
    Agreed,
    /// A new session is up. The peer reports what it received in the old one.
    Up(Box<Pair>, SessionState),
    /// The peer does not yet have an indication that the session is up at this end, and needs a
    /// report.
    Again,
}

/// A handshake begun by this end.
pub(super) enum Attempt {
    /// The first message was sent to the end with nonce `peer`.
    Sent { initiator: Initiator, peer: u64 },
    /// The second message was received, and `confirm` is due.
    Agreed { pair: Box<Pair>, peer: u64, public: [u8; PUBLIC], confirm: Box<Frame> },
}

/// A handshake begun by the peer.
pub(super) struct Candidate {
    pub(super) id: u16,
    /// Nonce of the peer.
    pub(super) peer: u64,
    pub(super) public: [u8; PUBLIC],
    pub(super) second: Vec<u8>,
    pub(super) pair: Box<Pair>,
    /// Earliest time of another response.
    pub(super) next: Instant,
}

/// Confirmations of both ends for a session that the peer has not used yet.
pub(super) struct Fresh {
    pub(super) id: u16,
    pub(super) theirs: [u8; CONTENT],
    pub(super) confirm: Frame,
}

/// Prologue of the Noise handshake: the protocol and the nonce of the responder.
pub(super) fn prologue(nonce: u64) -> [u8; 23] {
    let mut prologue = *b"airlag tunnel 2\0\0\0\0\0\0\0\0";
    prologue[15..].copy_from_slice(&nonce.to_le_bytes());
    prologue
}

pub(super) fn public_of(message: &[u8]) -> [u8; PUBLIC] {
    core::array::from_fn(|at| message[at])
}

pub(super) fn id_of(public: &[u8]) -> u16 {
    u16::from_le_bytes([public[0], public[1]])
}
