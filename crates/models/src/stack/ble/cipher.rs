//! Encryption of data PDUs: AES-CCM with a session key and a packet counter for each direction.
//!
//! ```text
//!  header │ length │ payload, encrypted │ MIC
//!  1        1        1..251               4
//! ```
//!
//! Bluetooth Core Specification 5.4, volume 6, part E, section 2; part B, section 5.1.3.1. Empty
//! PDUs are not encrypted.

use std::rc::Rc;

use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use ccm::Ccm;
use ccm::aead::AeadInOut;
use ccm::consts::{U4, U13};

/// Bytes of the message integrity check.
pub const MIC_LEN: usize = 4;

/// Bits of the first header byte that the integrity check covers: all but NESN, SN and MD.
const COVERED: u8 = 0xE3;
/// Direction bit in the last counter byte of a nonce: from the central to the peripheral.
const FROM_CENTRAL: u8 = 0x80;

/// Contribution of one end to the session key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diversifier {
    /// SKD_C or SKD_P.
    pub key: u64,
    /// IV_C or IV_P.
    pub iv: u32,
}

/// One direction of an encrypted connection.
#[derive(Clone)]
pub struct Way {
    cipher: Rc<Ccm<Aes128, U4, U13>>,
    iv: [u8; 8],
    direction: u8,
    counter: u64,
}

/// The integrity check of a PDU failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forged;

/// Creates both directions of a session. The direction from the central comes first.
#[must_use]
pub fn session(ltk: [u8; 16], central: Diversifier, peripheral: Diversifier) -> [Way; 2] {
    // Most significant octet first, as the security function requires; the peripheral's octets come
    // first.
    let mut key = [0; 16];
    key[..8].copy_from_slice(&peripheral.key.to_be_bytes());
    key[8..].copy_from_slice(&central.key.to_be_bytes());
    let mut block = key.into();
    Aes128::new(&ltk.into()).encrypt_block(&mut block);
    let cipher = Rc::new(Ccm::new(&block));
    let mut iv = [0; 8];
    iv[..4].copy_from_slice(&central.iv.to_le_bytes());
    iv[4..].copy_from_slice(&peripheral.iv.to_le_bytes());
    [FROM_CENTRAL, 0].map(|direction| Way { cipher: Rc::clone(&cipher), iv, direction, counter: 0 })
}

impl Way {
    /// Encrypts `payload`. `header` is the first byte of its header.
    #[must_use]
    pub fn seal(&mut self, header: u8, payload: &[u8]) -> Rc<[u8]> {
        let mut bytes = payload.to_vec();
        let nonce = self.next().into();
        let clear = [header & COVERED];
        let mic = self.cipher.encrypt_inout_detached(&nonce, &clear, bytes.as_mut_slice().into());
        // A PDU is shorter than the limit of the mode's length field, so this cannot fail.
        bytes.extend_from_slice(&mic.unwrap_or_default());
        bytes.into()
    }

    /// Decrypts a received payload.
    ///
    /// # Errors
    ///
    /// [`Forged`] if the integrity check is missing or wrong.
    pub fn open(&mut self, header: u8, payload: &[u8]) -> Result<Vec<u8>, Forged> {
        let (secret, mic) = payload.split_last_chunk::<MIC_LEN>().ok_or(Forged)?;
        let mut bytes = secret.to_vec();
        let nonce = self.next().into();
        let clear = [header & COVERED];
        let inout = bytes.as_mut_slice().into();
        let opened = self.cipher.decrypt_inout_detached(&nonce, &clear, inout, &(*mic).into());
        opened.map_err(|_| Forged)?;
        Ok(bytes)
    }

    /// Nonce of the next PDU (part E, section 2.1).
    fn next(&mut self) -> [u8; 13] {
        let mut nonce = [0; 13];
        nonce[..5].copy_from_slice(&self.counter.to_le_bytes()[..5]);
        nonce[4] |= self.direction;
        nonce[5..].copy_from_slice(&self.iv);
        self.counter += 1;
        nonce
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume 6, part C, section 1: LTK, and the contributions of both ends.
    fn sample() -> [Way; 2] {
        let ltk = 0x4C68_3841_39F5_74D8_36BC_F34E_9DFB_01BF_u128.to_be_bytes();
        session(
            ltk,
            Diversifier { key: 0xACBD_CEDF_E0F1_0213, iv: 0xBADC_AB24 },
            Diversifier { key: 0x0213_2435_4657_6879, iv: 0xDEAF_BABE },
        )
    }

    #[test]
    fn the_sample_data_of_the_specification_comes_out() {
        let [mut there, mut back] = sample();
        // LL_START_ENC_RSP in both directions.
        assert_eq!(*there.seal(0x0F, &[0x06]), [0x9F, 0xCD, 0xA7, 0xF4, 0x48]);
        assert_eq!(*back.seal(0x07, &[0x06]), [0xA3, 0x4C, 0x13, 0xA4, 0x15]);
        // The first data packet of the central.
        let text = b"\x17\x00cdefghijklmnopq1234567890";
        assert_eq!(
            *there.seal(0x0E, text),
            [
                0x7A, 0x70, 0xD6, 0x64, 0x15, 0x22, 0x6D, 0xF2, 0x6B, 0x17, 0x83, 0x9A, 0x06, 0x04,
                0x05, 0x59, 0x6B, 0xD6, 0x56, 0x4F, 0x79, 0x6B, 0x5B, 0x9C, 0xE6, 0xFF, 0x32, 0xF7,
                0x5A, 0x6D, 0x33
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn what_is_sealed_opens_once_and_only_as_it_was(
            payload in proptest::collection::vec(proptest::num::u8::ANY, 1..252), header: u8, flip: usize,
        ) {
            let [mut there, _] = sample();
            let [mut heard, mut wrong] = [sample()[0].clone(), sample()[0].clone()];
            let sealed = there.seal(header, &payload);
            proptest::prop_assert_eq!(sealed.len(), payload.len() + MIC_LEN);
            // A retransmitted packet has different sequence bits.
            proptest::prop_assert_eq!(heard.open(header ^ 0x1C, &sealed), Ok(payload));
            let mut bytes = sealed.to_vec();
            let bit = flip % (bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            proptest::prop_assert_eq!(wrong.open(header, &bytes), Err(Forged));
        }
    }
}
