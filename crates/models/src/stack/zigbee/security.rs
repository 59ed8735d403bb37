//! Security of NWK frames: AES-CCM* with the network key.
//!
//! ```text
//!  NWK header │ security control │ frame counter │ IEEE source │ key sequence │ payload, encrypted │ MIC
//!             │ 1                │ 4, LE         │ 8, LE       │ 1            │                    │ 4
//! ```
//!
//! 4.3.1 and 4.5.1; security level 5 (ENC-MIC-32). The level is zero in the frame on the air, and
//! is restored before encryption and decryption. The IEEE address is that of the sender of this
//! hop, which encrypts the frame anew.

use aes::Aes128;
use ccm::Ccm;
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U4, U13};

/// Length of the auxiliary header, octets (4.5.1).
pub const AUXILIARY_LEN: usize = 14;
/// Length of the message integrity code, octets.
pub const MIC_LEN: usize = 4;
/// Size of an AES block, octets.
const BLOCK: usize = 16;

/// Network key of the bench: the octets of `ZigBeeAlliance09`, a published key, with which a
/// sniffer can be configured.
pub const NETWORK_KEY: [u8; BLOCK] = *b"ZigBeeAlliance09";

/// Security control of a frame with the network key and an extended nonce (4.5.1.1), without the
/// security level.
const CONTROL: u8 = 1 << 3 | 1 << 5;
const LEVEL: u8 = 5;
/// Sequence number of the network key.
const KEY_SEQUENCE: u8 = 0;

type Cipher = Ccm<Aes128, U4, U13>;

/// A network key.
pub struct Key(Cipher);

/// A frame that was decrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// IEEE address of the sender of this hop.
    pub sender: u64,
    /// Its frame counter.
    pub counter: u32,
    /// Payload.
    pub payload: Vec<u8>,
}

impl Key {
    /// Prepares a key.
    #[must_use]
    pub fn new(key: [u8; BLOCK]) -> Self {
        Self(Cipher::new(&key.into()))
    }

    /// Encrypts `payload` after the encoded NWK `header`; returns what follows the header.
    #[must_use]
    pub fn protect(&self, header: &[u8], sender: u64, counter: u32, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(AUXILIARY_LEN + payload.len() + MIC_LEN);
        bytes.extend(auxiliary(CONTROL, sender, counter));
        bytes.extend_from_slice(payload);
        let clear = [header, &auxiliary(CONTROL | LEVEL, sender, counter)].concat();
        let nonce = nonce(sender, counter).into();
        let secret = &mut bytes[AUXILIARY_LEN..];
        let mic = self.0.encrypt_inout_detached(&nonce, &clear, secret.into());
        // It fails only for payloads longer than CCM's length field allows.
        bytes.extend_from_slice(&mic.expect("a frame is short"));
        bytes
    }

    /// Decrypts what follows the encoded NWK `header`. `None` if it is not secured with this key,
    /// or was changed.
    #[must_use]
    pub fn open(&self, header: &[u8], bytes: &[u8]) -> Option<Opened> {
        let (auxiliary_header, rest) = bytes.split_first_chunk::<AUXILIARY_LEN>()?;
        let (secret, mic) = rest.split_last_chunk::<MIC_LEN>()?;
        let (counter, sender) = auxiliary_header[1..13].split_first_chunk()?;
        let (counter, sender) =
            (u32::from_le_bytes(*counter), u64::from_le_bytes(sender.try_into().ok()?));
        if *auxiliary_header != auxiliary(CONTROL, sender, counter) {
            return None;
        }
        let clear = [header, &auxiliary(CONTROL | LEVEL, sender, counter)].concat();
        let nonce = nonce(sender, counter).into();
        let mut payload = secret.to_vec();
        let tag = (*mic).into();
        let text = payload.as_mut_slice().into();
        self.0.decrypt_inout_detached(&nonce, &clear, text, &tag).ok()?;
        Some(Opened { sender, counter, payload })
    }
}

/// Number of AES operations for a payload of `len` octets after an NWK header of `header` octets
/// (Annex A). One operation is for the first block of the authentication. One operation is for each
/// block of the plaintext header, which is preceded by its length in two octets. Two operations are
/// for each block of the payload. One operation is for the MIC.
#[must_use]
pub const fn blocks(header: usize, len: usize) -> u64 {
    let clear = (2 + header + AUXILIARY_LEN).div_ceil(BLOCK);
    (1 + clear + 2 * len.div_ceil(BLOCK) + 1) as u64
}

fn auxiliary(control: u8, sender: u64, counter: u32) -> [u8; AUXILIARY_LEN] {
    let mut bytes = [KEY_SEQUENCE; AUXILIARY_LEN];
    bytes[0] = control;
    bytes[1..5].copy_from_slice(&counter.to_le_bytes());
    bytes[5..13].copy_from_slice(&sender.to_le_bytes());
    bytes
}

/// Nonce: IEEE address, frame counter and security control (4.5.2.2).
fn nonce(sender: u64, counter: u32) -> [u8; 13] {
    let mut nonce = [CONTROL | LEVEL; 13];
    nonce[..8].copy_from_slice(&sender.to_le_bytes());
    nonce[8..12].copy_from_slice(&counter.to_le_bytes());
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SENDER: u64 = 0x0013_A200_4001_4011;

    #[test]
    fn aes_runs_fifteen_times_for_the_longest_frame_with_ieee_addresses() {
        // 24 octets of NWK header, 14 of auxiliary header and 2 of length in 3 blocks; 74 octets
        // of APS in 5 blocks.
        assert_eq!(blocks(24, 74), 1 + 3 + 5 + 5 + 1);
        // An APS acknowledgement: 8 octets in one block.
        assert_eq!(blocks(24, 8), 1 + 3 + 1 + 1 + 1);
    }

    proptest! {
        #[test]
        fn a_payload_comes_back_and_one_changed_bit_does_not(
            header in prop::collection::vec(any::<u8>(), 8..=24),
            payload in prop::collection::vec(any::<u8>(), 0..90), counter: u32,
            at: prop::sample::Index, bit in 0_u8..8,
        ) {
            let key = Key::new(NETWORK_KEY);
            let mut bytes = key.protect(&header, SENDER, counter, &payload);
            prop_assert_eq!(bytes.len(), AUXILIARY_LEN + payload.len() + MIC_LEN);
            let opened = Opened { sender: SENDER, counter, payload };
            prop_assert_eq!(key.open(&header, &bytes), Some(opened));
            let mut other = header.clone();
            let place = at.index(header.len());
            other[place] ^= 1 << bit;
            prop_assert_eq!(key.open(&other, &bytes), None);
            let place = at.index(bytes.len());
            bytes[place] ^= 1 << bit;
            prop_assert_eq!(key.open(&header, &bytes), None);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let _ = Key::new(NETWORK_KEY).open(&[0; 8], &bytes);
        }
    }
}
