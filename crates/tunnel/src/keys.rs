//! Encryption of packets, authentication of reports, and marks of stream frames.
//!
//! The handshake ([`crate::noise`]) yields one transport key for each direction of a session. Packets are
//! transport messages of Noise: packet `n` of a session is sealed with ChaCha20-Poly1305 (RFC 8439), with the
//! nonce `n + 1`. The nonce follows from the packet's position in the stream and is not sent. A packet that
//! arrives at the position of another packet fails authentication, which protects against replay. Because the
//! stream preserves the order of packets, every replay is detected, and no window of accepted nonces is
//! needed. Nonce 0 seals the confirmation that both ends have the keys.
//!
//! Two more keys are derived from each transport key. Like a new key in Noise (section 4.2, REKEY), these
//! keys result from encrypting zeros with a nonce that no packet uses. The first derived key authenticates
//! reports (HMAC-SHA-256, truncated to 32 bits). The second derived key marks frames of the stream, so that
//! few foreign frames are mistaken for frames of the stream. The mark of frame number `n` is `a n + b` modulo
//! a prime. SipHash-2-4 of the contents of the frame gives `a` and `b`. Such mappings from `n` to a mark are
//! pairwise independent (Carter and Wegman, 1979). An observer of at most one frame with given contents
//! therefore learns nothing about the mark of a frame that has the same contents and another number.
//!
//! Without encryption, the same handshake uses a public key. The second derived key then detects damaged
//! packets, without protection against an attacker.

use alloc::vec::Vec;
use core::fmt;
use core::hash::Hasher as _;

use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use siphasher::sip::SipHasher24;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::noise::Secret;

type HmacSha256 = Hmac<Sha256>;

/// Whether packets are encrypted.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub enum Protection {
    /// Packets are encrypted with a pre-shared key.
    Sealed([u8; 32]),
    /// Packets are not encrypted. Anyone in range can read and send packets.
    Plain,
}

impl fmt::Debug for Protection {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sealed(_) => "Sealed",
            Self::Plain => "Plain",
        })
    }
}

/// Length of the tag of an encrypted packet (Poly1305), bytes.
pub const TAG: usize = 16;
/// Length of the check of an unencrypted packet, bytes.
pub const CHECK: usize = 4;
/// Length of the authentication tag of a report, bytes.
pub const VOUCHER: usize = 4;
/// Length of the authentication tag of a part of a greeting, bytes.
pub const GREETING: usize = 4;

/// Number of frames per round: the largest prime below 2^12.
pub const PRIME: u64 = 4_093;

/// Number under which the confirmation is encrypted.
const CONFIRMATION: u64 = 0;
/// Number under which further keys are derived. Noise reserves the next one for REKEY.
const FURTHER: u64 = u64::MAX - 1;

impl Protection {
    /// Number of bytes added to a packet.
    #[must_use]
    pub const fn overhead(&self) -> usize {
        match self {
            Self::Sealed(_) => TAG,
            Self::Plain => CHECK,
        }
    }

    /// Returns the protection for one of several radios between the same two ends. Each radio has its own
    /// label, and keys of different labels are independent. Two radios of the same end therefore never have a
    /// session with each other, even if the frames of one radio are forwarded to the other radio.
    #[must_use]
    pub fn labelled(&self, label: &[u8]) -> Self {
        match self {
            Self::Sealed(_) => {
                Self::Sealed(self.derive(&[b"airlag tunnel 2: radio ", label].concat()).0)
            }
            Self::Plain => Self::Plain,
        }
    }

    /// A key for one purpose, derived from the pre-shared key (HKDF, RFC 5869).
    pub(crate) fn derive(&self, purpose: &[u8]) -> Secret {
        let known: &[u8] = match self {
            Self::Sealed(key) => key,
            Self::Plain => b"airlag tunnel 2: everyone knows this key",
        };
        let mut key = Secret([0; 32]);
        let derived = Hkdf::<Sha256>::new(None, known);
        derived.expand(purpose, &mut key.0).expect("shorter than 255 hashes");
        key
    }
}

/// A keyed hash over several parts.
pub(crate) fn mac(key: &Secret, parts: &[&[u8]]) -> HmacSha256 {
    let mut mac = HmacSha256::new_from_slice(&key.0).expect("a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac
}

/// The first bytes of a keyed hash.
pub(crate) fn short<const N: usize>(mac: HmacSha256) -> [u8; N] {
    let whole = mac.finalize().into_bytes();
    core::array::from_fn(|at| whole[at])
}

/// The keys of one direction of a session.
pub struct Keys {
    packets: ChaCha20Poly1305,
    reports: Secret,
    frames: Secret,
    /// Whether packets are encrypted.
    sealed: bool,
    /// Number of this direction of the session at both ends.
    number: u32,
}

impl Keys {
    /// Derives the keys from a transport key.
    ///
    /// # Panics
    ///
    /// Never: all sealed data are shorter than 256 GiB.
    #[must_use]
    pub fn new(protection: &Protection, transport: &Secret) -> Self {
        let packets = ChaCha20Poly1305::new(&transport.0.into());
        let mut further = [0; 68];
        packets
            .encrypt_inout_detached(&nonce(FURTHER), &[], InOutBuf::from(&mut further[..]))
            .expect("68 bytes");
        let (mut reports, mut frames) = (Secret([0; 32]), Secret([0; 32]));
        reports.0.copy_from_slice(&further[..32]);
        frames.0.copy_from_slice(&further[32..64]);
        let number = u32::from_le_bytes(core::array::from_fn(|at| further[64 + at]));
        further.zeroize();
        let sealed = matches!(protection, Protection::Sealed(_));
        Self { packets, reports, frames, sealed, number }
    }

    /// Public number of this direction of the session.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Encrypts the confirmation that this end has the keys. `content` must be constant within a session.
    ///
    /// # Panics
    ///
    /// Never: all sealed data are shorter than 256 GiB.
    #[must_use]
    pub fn confirm<const N: usize>(&self, mut content: [u8; N]) -> ([u8; N], [u8; TAG]) {
        let sealed = InOutBuf::from(&mut content[..]);
        let tag = self.packets.encrypt_inout_detached(&nonce(CONFIRMATION), &[], sealed);
        (content, tag.expect("a few bytes").into())
    }

    /// Decrypts a confirmation of the other end.
    #[must_use]
    pub fn confirmed<const N: usize>(
        &self,
        mut sealed: [u8; N],
        tag: [u8; TAG],
    ) -> Option<[u8; N]> {
        let content = InOutBuf::from(&mut sealed[..]);
        let (nonce, tag) = (nonce(CONFIRMATION), tag.into());
        self.packets.decrypt_inout_detached(&nonce, &[], content, &tag).ok()?;
        Some(sealed)
    }

    /// Encrypts packet `nth` of a session in place.
    ///
    /// # Panics
    ///
    /// Never: there is memory for a tag.
    pub fn seal(&self, nth: u64, packet: &mut Vec<u8>) {
        if self.sealed {
            self.packets.encrypt_in_place(&nonce(nth + 1), &[], packet).expect("memory for a tag");
        } else {
            let check: [u8; CHECK] = short(self.check(nth, packet));
            packet.extend_from_slice(&check);
        }
    }

    /// Decrypts packet `nth` in place. Returns false if it is not authentic.
    #[must_use]
    pub fn open(&self, nth: u64, sealed: &mut Vec<u8>) -> bool {
        if self.sealed {
            return self.packets.decrypt_in_place(&nonce(nth + 1), &[], sealed).is_ok();
        }
        let Some(len) = sealed.len().checked_sub(CHECK) else { return false };
        let (packet, found) = sealed.split_at(len);
        let is_right = self.check(nth, packet).verify_truncated_left(found).is_ok();
        sealed.truncate(len);
        is_right
    }

    fn check(&self, nth: u64, packet: &[u8]) -> HmacSha256 {
        mac(&self.reports, &[b"packet", &nth.to_le_bytes(), packet])
    }

    /// Authentication tag of a report of all frames before `first`, with its other bytes in `rest`.
    #[must_use]
    pub fn vouch(&self, first: u64, rest: &[u8]) -> [u8; VOUCHER] {
        short(self.report(first, rest))
    }

    /// Whether a tag is valid for such a report.
    #[must_use]
    pub fn vouched(&self, first: u64, rest: &[u8], voucher: &[u8; VOUCHER]) -> bool {
        self.report(first, rest).verify_truncated_left(voucher).is_ok()
    }

    fn report(&self, first: u64, rest: &[u8]) -> HmacSha256 {
        mac(&self.reports, &[b"report", &first.to_le_bytes(), rest])
    }

    /// Mark of frame `number` of the stream with this content, below [`crate::wire::MARKS`].
    #[must_use]
    pub fn mark(&self, number: u64, body: &[u8]) -> u16 {
        let (a, b) = self.map(number / PRIME, body);
        ((a * (number % PRIME) + b) % PRIME) as u16
    }

    /// Number of the frame with this mark, if it is in the round.
    #[must_use]
    pub fn number_of(&self, round: u64, mark: u16, body: &[u8]) -> Option<u64> {
        let (a, b) = self.map(round, body);
        let (mark, inverse) = (u64::from(mark), power(a, PRIME - 2));
        (mark < PRIME).then(|| round * PRIME + (mark + PRIME - b) * inverse % PRIME)
    }

    /// Parameters of the map of a round: a factor other than 0, and a summand.
    fn map(&self, round: u64, body: &[u8]) -> (u64, u64) {
        let mut key = [0; 16];
        key.copy_from_slice(&self.frames.0[..16]);
        let mut hasher = SipHasher24::new_with_key(&key);
        key.zeroize();
        hasher.write(&round.to_le_bytes());
        hasher.write(body);
        let hash = hasher.finish();
        (1 + (hash >> 32) % (PRIME - 1), (hash & 0xFFFF_FFFF) % PRIME)
    }
}

/// A power modulo the prime.
const fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut product = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = product * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    product
}

/// Noise, section 12.3: four bytes of zeros, then the number, little endian.
fn nonce(number: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&number.to_le_bytes());
    bytes.into()
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const BOTH: [Protection; 2] = [Protection::Sealed([7; 32]), Protection::Plain];

    fn keys(protection: &Protection, byte: u8) -> Keys {
        Keys::new(protection, &Secret([byte; 32]))
    }

    #[test]
    fn a_packet_opens_in_its_place_and_nowhere_else() {
        for protection in BOTH {
            let mut packet = b"a packet".to_vec();
            keys(&protection, 1).seal(5, &mut packet);
            assert_eq!(packet.len(), 8 + protection.overhead());
            let opens = |byte, nth| keys(&protection, byte).open(nth, &mut packet.clone());
            assert!(opens(1, 5));
            assert!(!opens(1, 6), "in another place");
            assert!(!opens(2, 5), "in another session");
        }
        let mut packet = b"a packet".to_vec();
        keys(&BOTH[0], 1).seal(0, &mut packet);
        assert!(!packet.windows(6).any(|part| part == b"packet"), "readable");
    }

    #[test]
    fn any_bit_that_changes_is_noticed() {
        for protection in BOTH {
            let keys = keys(&protection, 1);
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
    fn a_confirmation_is_of_its_keys_and_no_packet() {
        let (near, far) = (keys(&BOTH[0], 1), keys(&BOTH[0], 2));
        let (sealed, tag) = near.confirm(*b"contents");
        assert_eq!(near.confirmed(sealed, tag), Some(*b"contents"));
        assert_eq!(far.confirmed(sealed, tag), None);
        let mut packet = [&sealed[..], &tag].concat();
        assert!((0..3).all(|nth| !near.open(nth, &mut packet.clone())));
        packet[0] ^= 1;
        assert_eq!(near.confirmed::<8>(core::array::from_fn(|at| packet[at]), tag), None);
    }

    #[test]
    fn a_report_is_that_of_its_place() {
        let keys = keys(&BOTH[0], 1);
        let voucher = keys.vouch(3, b"rest");
        assert!(keys.vouched(3, b"rest", &voucher));
        assert!(!keys.vouched(4, b"rest", &voucher) && !keys.vouched(3, b"test", &voucher));
    }

    #[test]
    fn a_mark_shows_its_number_in_its_round() {
        let keys = keys(&BOTH[0], 1);
        for number in [0, 1, 95, PRIME - 1, PRIME, 10 * PRIME + 7, u64::from(u32::MAX)] {
            let mark = keys.mark(number, b"body");
            assert!(mark < crate::wire::MARKS);
            assert_eq!(keys.number_of(number / PRIME, mark, b"body"), Some(number));
        }
        assert_eq!(keys.number_of(0, PRIME as u16, b"body"), None);
    }

    /// 96 numbers are expected, so a forged frame has one of them in 96 of 4 096 cases: a random
    /// frame, or an authentic one with another mark, content, session or round.
    #[test]
    fn a_frame_that_is_made_up_seldom_has_a_number_that_may_come() {
        let (right, other) = (keys(&BOTH[0], 1), keys(&BOTH[0], 2));
        let (mut taken, mut made) = ([0; 5], 0);
        for number in 0..PRIME - 96 {
            let body = number.to_le_bytes();
            let mark = right.mark(number, &body);
            let random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let tries = [
                right.number_of(0, (random >> 52) as u16, &random.to_le_bytes()),
                right.number_of(0, mark ^ (1 + (random >> 60) as u16), &body),
                right.number_of(0, mark, &random.to_le_bytes()),
                other.number_of(0, mark, &body),
                right.number_of(1, mark, &body).map(|found| found - PRIME),
            ];
            for (taken, found) in taken.iter_mut().zip(tries) {
                *taken +=
                    u32::from(found.is_some_and(|found| (number..number + 96).contains(&found)));
            }
            made += 1;
        }
        // The tolerance is four standard deviations of a binomial distribution with 2.35 %.
        let expected = f64::from(made) * 96.0 / 4_096.0;
        let spread = 4.0 * expected.sqrt();
        assert!(
            taken.iter().all(|&taken| (f64::from(taken) - expected).abs() < spread),
            "{taken:?}"
        );
    }

    #[test]
    fn keys_for_different_purposes_differ() {
        let keys = [b"one", b"two"].map(|purpose| BOTH[0].derive(purpose).0);
        assert_ne!(keys[0], keys[1]);
        assert_ne!(keys[0], BOTH[1].derive(b"one").0);
    }

    #[test]
    fn a_key_is_not_printed() {
        assert_eq!(std::format!("{:?}", Protection::Sealed([0x5A; 32])), "Sealed");
    }
}
