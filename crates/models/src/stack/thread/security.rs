//! Security of frames: AES-CCM* with the keys of a Thread network.
//!
//! ```text
//!  header │ security control │ frame counter │ key index │ payload, encrypted │ MIC │ FCS
//!         │ 1                │ 4, LE         │ 1         │                    │ 4   │ 2
//! ```
//!
//! IEEE Std 802.15.4-2006, 7.6; security level 5 (ENC-MIC-32) and key identifier mode 1, as in
//! every data frame of a Thread network. Between the auxiliary header and the encrypted payload is
//! data in clear that the MIC covers: the identifier of a command of the 2006 edition, or the
//! information elements of the edition of 2015, which encrypts the identifier
//! (`Frame::FindPayloadIndex`).

use aes::Aes128;
use ccm::Ccm;
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U4, U13};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::stack::ieee802154::element;
use crate::stack::ieee802154::frame::{Header, Kind, Version};

/// Length of the auxiliary security header, octets (7.6.2).
pub const AUXILIARY_LEN: usize = 6;
/// Length of the message integrity code, octets.
pub const MIC_LEN: usize = 4;

/// Default network key of OpenThread. It is published in its documentation, so a sniffer can be
/// configured with it.
pub const NETWORK_KEY: [u8; 16] = [
    0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
];

/// Security level and key identifier mode (7.6.2.2).
const CONTROL: u8 = LEVEL | 1 << 3;
const LEVEL: u8 = 5;
/// Size of an AES block, octets.
const BLOCK: usize = 16;

type Cipher = Ccm<Aes128, U4, U13>;

/// Keys of a network for one key sequence number.
pub struct Keys {
    cipher: Cipher,
    index: u8,
}

/// Reason why a frame is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The frame is not secured as in a Thread network, or is secured with another key.
    Unknown,
    /// The integrity code is wrong.
    Integrity,
}

impl Keys {
    /// Derives the keys with number `sequence` of a network from its key (Thread Specification 1.1,
    /// 7.1.4: the second half of an HMAC-SHA256 is the MAC key).
    #[must_use]
    pub fn new(network: [u8; 16], sequence: u32) -> Self {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&network).expect("a key of any length will do");
        mac.update(&sequence.to_be_bytes());
        mac.update(b"Thread");
        let hash: [u8; 32] = mac.finalize().into_bytes().into();
        let (_, key) = hash.split_at(BLOCK);
        let cipher = Cipher::new_from_slice(key).expect("half of 32 octets are 16");
        Self { cipher, index: (sequence & 0x7F) as u8 + 1 }
    }

    /// Encrypts `payload` of the board with EUI-64 `eui`, as the data between the encoded `header`
    /// and the FCS. `clear` is only authenticated.
    #[must_use]
    pub fn protect(
        &self,
        header: &[u8],
        eui: u64,
        counter: u32,
        clear: &[u8],
        payload: &[u8],
    ) -> Vec<u8> {
        let begin = AUXILIARY_LEN + clear.len();
        let mut bytes = Vec::with_capacity(begin + payload.len() + MIC_LEN);
        bytes.push(CONTROL);
        bytes.extend(counter.to_le_bytes());
        bytes.push(self.index);
        bytes.extend_from_slice(clear);
        let associated = [header, &bytes].concat();
        bytes.extend_from_slice(payload);
        let secret = &mut bytes[begin..];
        let nonce = nonce(eui, counter).into();
        let mic = self.cipher.encrypt_inout_detached(&nonce, &associated, secret.into());
        // It fails only for payloads longer than CCM's length field allows.
        bytes.extend_from_slice(&mic.expect("a frame is short"));
        bytes
    }

    /// Decrypts the data between `header` and the FCS, and returns the frame counter and the
    /// payload, with the identifier of a command.
    pub fn open(
        &self,
        header: &Header,
        eui: u64,
        bytes: &[u8],
    ) -> Result<(u32, Vec<u8>), Rejected> {
        let clear = clear_len(header, bytes).ok_or(Rejected::Unknown)?;
        let (octets, len) = header.octets();
        let (counter, mut payload) = self.open_after(&octets[..len], eui, clear, bytes)?;
        if header.kind == Kind::Command && header.version == Version::Until2006 {
            payload.splice(..0, bytes[AUXILIARY_LEN..AUXILIARY_LEN + clear].iter().copied());
        }
        if !header.secured { Err(Rejected::Unknown) } else { Ok((counter, payload)) }
    }

    /// Decrypts the data between an encoded header and the FCS, of which `clear` octets after the
    /// auxiliary header are in clear.
    pub fn open_after(
        &self,
        header: &[u8],
        eui: u64,
        clear: usize,
        bytes: &[u8],
    ) -> Result<(u32, Vec<u8>), Rejected> {
        let begin = AUXILIARY_LEN + clear;
        let (open, rest) = bytes.split_at_checked(begin).ok_or(Rejected::Unknown)?;
        let (secret, mic) = rest.split_last_chunk::<MIC_LEN>().ok_or(Rejected::Unknown)?;
        let &[control, c0, c1, c2, c3, index, ..] = open else { return Err(Rejected::Unknown) };
        if control != CONTROL || index != self.index {
            return Err(Rejected::Unknown);
        }
        let counter = u32::from_le_bytes([c0, c1, c2, c3]);
        let (associated, nonce) = ([header, open].concat(), nonce(eui, counter).into());
        let mut payload = secret.to_vec();
        self.cipher
            .decrypt_inout_detached(
                &nonce,
                &associated,
                payload.as_mut_slice().into(),
                &(*mic).into(),
            )
            .map_err(|_| Rejected::Integrity)?;
        Ok((counter, payload))
    }
}

/// Length of the data in clear after the auxiliary header of the data after `header`, octets.
#[must_use]
pub fn clear_len(header: &Header, bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(AUXILIARY_LEN..)?;
    match (header.version, header.kind) {
        (Version::V2015 { elements: true }, _) => element::len(rest),
        (Version::V2015 { elements: false }, _) | (Version::Until2006, Kind::Data) => Some(0),
        (Version::Until2006, Kind::Command) => Some(1),
    }
}

/// Number of AES operations for `clear` and encrypted octets of payload (IEEE Std 802.15.4-2006, B.4.1). One
/// operation is for the first block of the authentication. One operation is for each block of the
/// plaintext header, which is preceded by its length in two octets. Two operations are for each
/// block of the payload: authentication and encryption. One operation is for the MIC.
#[must_use]
pub fn blocks(header: &Header, clear: usize, len: usize) -> u64 {
    let (_, header_len) = header.octets();
    let clear = (2 + header_len + AUXILIARY_LEN + clear).div_ceil(BLOCK);
    (1 + clear + 2 * len.div_ceil(BLOCK) + 1) as u64
}

/// Nonce: the sender's extended address, whichever address is in the frame, the frame counter and
/// the security level (7.6.3.2).
fn nonce(eui: u64, counter: u32) -> [u8; 13] {
    let mut nonce = [LEVEL; 13];
    nonce[..8].copy_from_slice(&eui.to_be_bytes());
    nonce[8..12].copy_from_slice(&counter.to_be_bytes());
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::ieee802154::Address;
    use proptest::prelude::*;

    const EUI: u64 = 0x6E8E_F905_2967_C615;

    fn header() -> Header {
        Header {
            kind: Kind::Data,
            version: Version::Until2006,
            sequence: 7,
            frame_pending: false,
            ack_request: true,
            secured: true,
            pan: 0xFACE,
            destination: Address::Extended(0x4A73_C036_DA29_D88B),
            source: Address::Extended(EUI),
        }
    }

    #[test]
    fn aes_runs_sixteen_times_for_a_datagram_of_79_bytes() {
        // 21 octets of header and 6 of auxiliary header in 2 blocks; 88 octets of payload in 6
        // blocks.
        assert_eq!(blocks(&header(), 0, 88), 1 + 2 + 6 + 6 + 1);
        assert_eq!(blocks(&header(), 0, 0), 4);
    }

    proptest! {
        #[test]
        fn a_payload_comes_back_and_one_changed_bit_does_not(
            payload in prop::collection::vec(any::<u8>(), 0..94), counter: u32,
            at: prop::sample::Index, bit in 0_u8..8,
        ) {
            let keys = Keys::new(NETWORK_KEY, 0);
            let (octets, len) = header().octets();
            let mut bytes = keys.protect(&octets[..len], EUI, counter, &[], &payload);
            prop_assert_eq!(bytes.len(), payload.len() + AUXILIARY_LEN + MIC_LEN);
            prop_assert_eq!(keys.open(&header(), EUI, &bytes), Ok((counter, payload)));
            prop_assert!(keys.open(&header(), EUI + 1, &bytes).is_err());
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            prop_assert!(keys.open(&header(), EUI, &bytes).is_err());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let _ = Keys::new(NETWORK_KEY, 3).open(&header(), EUI, &bytes);
        }
    }
}
