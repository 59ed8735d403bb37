//! What seals a packet, and what vouches for an acknowledgement.
//!
//! Both ends hold one pre-shared key. Each begins a session with a number of its own that it never
//! uses again, and both numbers go into the keys of either direction (HKDF, RFC 5869). So no nonce
//! meets the same key twice, and nothing recorded in another session is taken in this one.
//!
//! A packet is sealed with ChaCha20-Poly1305 (RFC 8439) under its position in the stream, which is
//! not sent: a packet put in the place of another does not open. This is the replay protection, and
//! it is exact where a window of numbers would be approximate, because the stream below has an order.
//! Without encryption the same derivation, from a key that everyone knows, gives a check that tells
//! damaged packets and those of another session, but keeps nobody out.

use alloc::vec::Vec;
use core::fmt;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;

type HmacSha256 = Hmac<Sha256>;

/// Whether packets are encrypted.
#[derive(Clone, PartialEq, Eq)]
pub enum Protection {
    /// With a key that both ends have.
    Sealed([u8; 32]),
    /// Not at all: everyone in range can read packets, and send some.
    Plain,
}

impl fmt::Debug for Protection {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sealed(_) => "Sealed",
            Self::Plain => "Plain",
        })
    }
}

/// Bytes that seal a packet: the tag of Poly1305.
pub const TAG: usize = 16;
/// Bytes that tell whether a packet that is not encrypted is damaged.
pub const CHECK: usize = 4;
/// Bytes that vouch for an acknowledgement.
pub const VOUCHER: usize = 4;
/// Bytes that vouch for a greeting.
pub const GREETING: usize = 8;

impl Protection {
    /// Bytes it adds to a packet.
    #[must_use]
    pub const fn overhead(&self) -> usize {
        match self {
            Self::Sealed(_) => TAG,
            Self::Plain => CHECK,
        }
    }

    fn secret(&self) -> &[u8] {
        match self {
            Self::Sealed(key) => key,
            Self::Plain => &[],
        }
    }

    /// Fills `key` from the secret and what it is for.
    fn derive(&self, salt: &[u8], purpose: &[u8], key: &mut [u8]) {
        let derived = Hkdf::<Sha256>::new(Some(salt), self.secret());
        derived.expand(purpose, key).expect("shorter than 255 hashes");
    }

    /// What vouches for a greeting: that its sender has the key.
    #[must_use]
    pub fn greeting(&self, body: &[u8]) -> [u8; GREETING] {
        let mut key = [0; 32];
        self.derive(&[], b"airlag tunnel 1: greeting", &mut key);
        digest(&key, &[body])
    }
}

fn digest<const N: usize>(key: &[u8; 32], parts: &[&[u8]]) -> [u8; N] {
    let mut mac = HmacSha256::new_from_slice(key).expect("a key of any length");
    for part in parts {
        mac.update(part);
    }
    let whole = mac.finalize().into_bytes();
    core::array::from_fn(|at| whole[at])
}

/// The keys of one direction of a session.
pub struct Keys {
    cipher: Option<ChaCha20Poly1305>,
    mac: [u8; 32],
}

impl Keys {
    /// Of what is sent by the end whose number is `from` to the one whose number is `to`.
    #[must_use]
    pub fn new(protection: &Protection, from: u64, to: u64) -> Self {
        let mut salt = [0; 16];
        salt[..8].copy_from_slice(&from.to_le_bytes());
        salt[8..].copy_from_slice(&to.to_le_bytes());
        let (mut seal, mut mac) = ([0; 32], [0; 32]);
        protection.derive(&salt, b"airlag tunnel 1: packets", &mut seal);
        protection.derive(&salt, b"airlag tunnel 1: acknowledgements", &mut mac);
        let sealed = matches!(protection, Protection::Sealed(_));
        Self { cipher: sealed.then(|| ChaCha20Poly1305::new(&seal.into())), mac }
    }

    /// Seals packet `nth` of a session: its bytes become what goes over the link.
    pub fn seal(&self, nth: u64, packet: &mut Vec<u8>) {
        if let Some(cipher) = &self.cipher {
            cipher.encrypt_in_place(&nonce(nth), &[], packet).expect("memory for a tag");
        } else {
            let check: [u8; CHECK] = digest(&self.mac, &[b"packet", &nth.to_le_bytes(), packet]);
            packet.extend_from_slice(&check);
        }
    }

    /// Opens packet `nth`; false if these bytes are not what was sealed as that.
    #[must_use]
    pub fn open(&self, nth: u64, sealed: &mut Vec<u8>) -> bool {
        if let Some(cipher) = &self.cipher {
            return cipher.decrypt_in_place(&nonce(nth), &[], sealed).is_ok();
        }
        let Some(len) = sealed.len().checked_sub(CHECK) else { return false };
        let (packet, found) = sealed.split_at(len);
        let right: [u8; CHECK] = digest(&self.mac, &[b"packet", &nth.to_le_bytes(), packet]);
        let is_right = found == right;
        sealed.truncate(len);
        is_right
    }

    /// Vouches for an acknowledgement of everything before frame `first`, with `rest` as it is sent.
    #[must_use]
    pub fn vouch(&self, first: u64, rest: &[u8]) -> [u8; VOUCHER] {
        digest(&self.mac, &[b"acknowledgement", &first.to_le_bytes(), rest])
    }
}

/// A session's packets are counted, and its keys are its own.
fn nonce(nth: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&nth.to_le_bytes());
    bytes.into()
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const BOTH: [Protection; 2] = [Protection::Sealed([7; 32]), Protection::Plain];

    #[test]
    fn a_packet_opens_in_its_place_and_nowhere_else() {
        for protection in BOTH {
            let keys = Keys::new(&protection, 1, 2);
            let mut packet = b"a packet".to_vec();
            keys.seal(5, &mut packet);
            assert_eq!(packet.len(), 8 + protection.overhead());
            let opens = |keys: &Keys, nth| keys.open(nth, &mut packet.clone());
            assert!(opens(&keys, 5));
            assert!(!opens(&keys, 6), "in another place");
            for (from, to) in [(2, 1), (1, 3), (3, 2)] {
                assert!(!opens(&Keys::new(&protection, from, to), 5), "from {from} to {to}");
            }
        }
        let mut packet = b"a packet".to_vec();
        Keys::new(&BOTH[0], 1, 2).seal(0, &mut packet);
        assert!(!Keys::new(&Protection::Sealed([8; 32]), 1, 2).open(0, &mut packet.clone()));
        assert!(!packet.windows(6).any(|part| part == b"packet"), "readable");
    }

    #[test]
    fn any_bit_that_changes_is_noticed() {
        for protection in BOTH {
            let keys = Keys::new(&protection, 1, 2);
            let mut packet: Vec<u8> = (0..40).collect();
            keys.seal(0, &mut packet);
            for bit in 0..packet.len() * 8 {
                let mut damaged = packet.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(!keys.open(0, &mut damaged), "{protection:?}: bit {bit}");
            }
        }
    }

    #[test]
    fn a_key_is_not_printed() {
        assert_eq!(std::format!("{:?}", Protection::Sealed([0x5A; 32])), "Sealed");
    }
}
