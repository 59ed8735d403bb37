//! The handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256` (The Noise Protocol Framework, revision 34), run by
//! the crate `snow`.
//!
//! ```text
//!  first   -> psk, e        32 B of public key, 8 B of payload, 16 B of tag
//!  second  <- e, ee         32 B of public key, 16 B of tag
//! ```
//!
//! The first message is verified before any Diffie-Hellman operation. If the sender of the first message
//! does not have the pre-shared key, the receiver therefore computes only some hashes. The caller
//! provides a fresh prologue for each handshake ([`crate::handshake`]).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use snow::{Builder, HandshakeState};
use zeroize::{Zeroize, ZeroizeOnDrop};

mod primitives;

use primitives::Primitives;

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";

/// Length of a public key, bytes.
pub const PUBLIC: usize = 32;
/// Length of a tag, bytes.
const TAG: usize = 16;
/// Length of the payload of the first message, bytes.
pub const PAYLOAD: usize = 8;
/// Length of the first message, bytes.
pub const FIRST: usize = PUBLIC + PAYLOAD + TAG;
/// Length of the second message, bytes.
pub const SECOND: usize = PUBLIC + TAG;

/// 32 bytes that are wiped on drop.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Secret(pub [u8; 32]);

/// Transport keys of a session at one end.
pub struct Transport {
    /// Key for sending.
    pub send: Secret,
    /// Key for receiving.
    pub receive: Secret,
}

impl Transport {
    fn of(state: &mut HandshakeState) -> Self {
        let (mut first, mut second) = state.dangerously_get_raw_split();
        let (own, other) = if state.is_initiator() { (first, second) } else { (second, first) };
        first.zeroize();
        second.zeroize();
        Self { send: Secret(own), receive: Secret(other) }
    }
}

/// Creates a handshake. `random` becomes the ephemeral private key.
fn builder<'a>(psk: &'a Secret, prologue: &'a [u8], random: Secret) -> Builder<'a> {
    let params = PATTERN.parse().expect("a pattern that snow knows");
    Builder::with_resolver(params, Box::new(Primitives::new(random)))
        .psk(0, &psk.0)
        .expect("the only pre-shared key")
        .prologue(prologue)
        .expect("the only prologue")
}

/// The end that sent the first message.
pub struct Initiator {
    state: Box<HandshakeState>,
    message: Vec<u8>,
}

impl Initiator {
    /// Starts a handshake. `random` must be 32 unpredictable bytes.
    ///
    /// # Panics
    ///
    /// Never: the pattern is fixed, and all its primitives are implemented.
    #[must_use]
    pub fn new(psk: &Secret, prologue: &[u8], random: Secret, payload: [u8; PAYLOAD]) -> Self {
        let state = builder(psk, prologue, random).build_initiator();
        let mut state = Box::new(state.expect("all primitives are there"));
        let mut message = vec![0; FIRST];
        let len = state.write_message(&payload, &mut message).expect("it is this end's turn");
        debug_assert_eq!(len, FIRST);
        Self { state, message }
    }

    /// Returns the first message.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Public key of this end.
    #[must_use]
    pub fn public(&self) -> &[u8] {
        &self.message[..PUBLIC]
    }

    /// Processes the second message. Returns `None` if it does not belong to the first.
    #[must_use]
    pub fn finish(&mut self, message: &[u8]) -> Option<Transport> {
        if message.len() != SECOND {
            return None;
        }
        self.state.read_message(message, &mut []).ok()?;
        Some(Transport::of(&mut self.state))
    }
}

/// An end that has received a first message and not yet answered it.
pub struct Responder {
    state: Box<HandshakeState>,
    /// Payload of the first message.
    pub payload: [u8; PAYLOAD],
}

impl Responder {
    /// Reads the first message. Returns `None` unless its sender has the key and used this prologue. No
    /// Diffie-Hellman operation is needed.
    ///
    /// # Panics
    ///
    /// Never: the pattern is fixed, and all its primitives are implemented.
    #[must_use]
    pub fn read(psk: &Secret, prologue: &[u8], random: Secret, message: &[u8]) -> Option<Self> {
        if message.len() != FIRST {
            return None;
        }
        let state = builder(psk, prologue, random).build_responder();
        let mut state = Box::new(state.expect("all primitives are there"));
        let mut payload = [0; PAYLOAD];
        state.read_message(message, &mut payload).ok()?;
        Some(Self { state, payload })
    }

    /// Returns the second message and the keys, or `None` if the public key of the other end has a
    /// small order.
    #[must_use]
    pub fn reply(mut self) -> Option<(Vec<u8>, Transport)> {
        let mut message = vec![0; SECOND];
        self.state.write_message(&[], &mut message).ok()?;
        Some((message, Transport::of(&mut self.state)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PSK: Secret = Secret([7; 32]);

    fn random(byte: u8) -> Secret {
        Secret([byte; 32])
    }

    #[test]
    fn both_ends_have_the_same_keys_the_other_way_round() {
        let mut near = Initiator::new(&PSK, b"now", random(1), [9; PAYLOAD]);
        assert_eq!(near.message().len(), FIRST);
        let far = Responder::read(&PSK, b"now", random(2), near.message()).expect("the same key");
        assert_eq!(far.payload, [9; PAYLOAD]);
        let (message, far) = far.reply().expect("a public key");
        assert_eq!(message.len(), SECOND);
        let near = near.finish(&message).expect("its answer");
        assert_eq!((near.send.0, near.receive.0), (far.receive.0, far.send.0));
        assert_ne!(near.send.0, near.receive.0);
    }

    #[test]
    fn another_key_another_prologue_and_any_bit_that_changes_are_noticed() {
        let mut near = Initiator::new(&PSK, b"now", random(1), [9; PAYLOAD]);
        let first = near.message().to_vec();
        let read = |psk: &Secret, prologue: &[u8], message: &[u8]| {
            Responder::read(psk, prologue, random(2), message)
        };
        assert!(read(&Secret([8; 32]), b"now", &first).is_none());
        assert!(read(&PSK, b"then", &first).is_none());
        let (second, _) = read(&PSK, b"now", &first).and_then(Responder::reply).expect("right");
        for bit in 0..FIRST * 8 {
            let mut damaged = first.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&PSK, b"now", &damaged).is_none(), "bit {bit} of the first message");
        }
        // The upper bit of a public key is not used (RFC 7748, section 5), but it is hashed.
        for bit in 0..SECOND * 8 {
            let mut damaged = second.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(near.finish(&damaged).is_none(), "bit {bit} of the second message");
        }
        assert!(near.finish(&second).is_some(), "what was damaged before has changed nothing");
        assert!(read(&PSK, b"now", &first[1..]).is_none());
    }

    /// A first message is not a valid second one: an end that receives its own message has not found a peer.
    #[test]
    fn a_message_that_comes_back_is_no_answer() {
        let mut near = Initiator::new(&PSK, b"now", random(1), [9; PAYLOAD]);
        let own = near.message()[..SECOND].to_vec();
        assert!(near.finish(&own).is_none());
    }

    /// With a public key of small order, anyone could compute the keys of both ends.
    #[test]
    fn a_public_key_of_small_order_is_refused() {
        let mut near = Initiator::new(&PSK, b"now", random(1), [9; PAYLOAD]);
        assert!(near.finish(&[0; SECOND]).is_none());
    }
}
