//! AES-128-GCM, a piece at a time: what is sealed need not lie in memory.
//!
//! NIST SP 800-38D, sections 6.4, 6.5 and 7, with AES and GHASH of libraries. A microcontroller encrypts one
//! block at a time: a library that encrypts four at once has keys and blocks for four on its stack, a
//! kilobyte.

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Block};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bytes of a key.
pub(crate) const KEY: usize = 16;
/// Bytes of a nonce.
pub(crate) const NONCE: usize = 12;
/// Bytes of a tag.
pub(crate) const TAG: usize = 16;
const BLOCK: usize = 16;
/// Blocks that are encrypted at once, as many as AES instructions keep busy.
const AT_ONCE: usize = if cfg!(target_pointer_width = "64") { 8 } else { 1 };

/// A message that is being sealed.
pub(crate) struct Gcm {
    cipher: Aes128,
    /// Nonce, and the number of the next block.
    nonce: [u8; NONCE],
    next: u32,
    /// Of the present block.
    stream: Zeroizing<[u8; BLOCK]>,
    /// Ciphertext of the present block.
    block: [u8; BLOCK],
    hash: GHash,
    associated: usize,
    length: usize,
}

impl Gcm {
    /// Begins a message. No nonce is ever used twice with a key.
    pub(crate) fn new(key: &[u8; KEY], nonce: &[u8; NONCE], associated: &[u8]) -> Self {
        let cipher = Aes128::new(key.into());
        let mut hash_key = Zeroizing::new([0; BLOCK]);
        cipher.encrypt_block((&mut *hash_key).into());
        let mut hash = GHash::new((&*hash_key).into());
        hash.update_padded(associated);
        let (associated, length) = (associated.len(), 0);
        let (stream, block) = (Zeroizing::new([0; BLOCK]), [0; BLOCK]);
        // The first block is that of the tag.
        Self { cipher, nonce: *nonce, next: 2, stream, block, hash, associated, length }
    }

    /// What is to be encrypted for block `number`.
    fn counted(&self, number: u32) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..NONCE].copy_from_slice(&self.nonce);
        block[NONCE..].copy_from_slice(&number.to_be_bytes());
        block
    }

    /// Encrypts bytes that begin with a block, of which the last need not be whole.
    fn encrypt(&mut self, bytes: &mut [u8]) {
        for bytes in bytes.chunks_mut(AT_ONCE * BLOCK) {
            let mut stream = Zeroizing::new([[0; BLOCK]; AT_ONCE]);
            let stream = &mut stream[..bytes.len().div_ceil(BLOCK)];
            for block in &mut *stream {
                *block = self.counted(self.next);
                self.next = self.next.wrapping_add(1);
            }
            match &mut *stream {
                [one] => self.cipher.encrypt_block(one.into()),
                all if AT_ONCE > 1 => {
                    self.cipher.encrypt_blocks(Block::cast_slice_from_core_mut(all));
                }
                _ => {}
            }
            for (bytes, stream) in bytes.chunks_mut(BLOCK).zip(&*stream) {
                bytes.iter_mut().zip(stream.iter()).for_each(|(byte, stream)| *byte ^= stream);
                self.stream.copy_from_slice(stream);
            }
        }
    }

    /// Seals the next bytes in their place.
    pub(crate) fn update(&mut self, bytes: &mut [u8]) {
        let held = self.length % BLOCK;
        self.length += bytes.len();
        let begun = if held == 0 { 0 } else { bytes.len().min(BLOCK - held) };
        let (first, bytes) = bytes.split_at_mut(begun);
        first.iter_mut().zip(&self.stream[held..]).for_each(|(byte, stream)| *byte ^= stream);
        self.block[held..held + begun].copy_from_slice(first);
        if begun > 0 && held + begun == BLOCK {
            self.hash.update(&[self.block.into()]);
        }
        self.encrypt(bytes);
        let (blocks, rest) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        self.hash.update_padded(blocks);
        self.block[..rest.len()].copy_from_slice(rest);
    }

    /// The tag of what was sealed, all of it.
    pub(crate) fn tag(&mut self) -> [u8; TAG] {
        let rest = self.length % BLOCK;
        self.hash.update_padded(&self.block[..rest]);
        self.finish()
    }

    fn finish(&mut self) -> [u8; TAG] {
        let mut lengths = [0; BLOCK];
        lengths[..BLOCK / 2].copy_from_slice(&(8 * self.associated as u64).to_be_bytes());
        lengths[BLOCK / 2..].copy_from_slice(&(8 * self.length as u64).to_be_bytes());
        self.hash.update(&[lengths.into()]);
        let mut mask = Zeroizing::new(self.counted(1));
        self.cipher.encrypt_block((&mut *mask).into());
        let mut tag: [u8; TAG] = self.hash.clone().finalize().into();
        tag.iter_mut().zip(mask.iter()).for_each(|(byte, mask)| *byte ^= mask);
        tag
    }
}

/// Opens a message in its place; false, and nothing of it touched, where its tag is wrong.
#[must_use]
pub(crate) fn open(
    key: &[u8; KEY],
    nonce: &[u8; NONCE],
    associated: &[u8],
    text: &mut [u8],
    tag: &[u8; TAG],
) -> bool {
    let mut message = Gcm::new(key, nonce, associated);
    message.hash.update_padded(text);
    message.length = text.len();
    if !bool::from(message.finish().ct_eq(tag)) {
        return false;
    }
    message.encrypt(text);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use aes_gcm::Aes128Gcm;
    use aes_gcm::aead::{AeadInOut, KeyInit};
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn keys_are_wiped_when_they_are_dropped() {
        const fn wiped<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        let message = Gcm::new(&[1; KEY], &[2; NONCE], &[]);
        wiped(&message.cipher);
        wiped(&message.stream);
        // What is hashed with wipes itself, without saying so in its type.
        assert!(core::mem::needs_drop::<GHash>());
    }

    proptest! {
        #[test]
        fn what_is_sealed_is_what_a_library_seals(
            key: [u8; KEY],
            nonce: [u8; NONCE],
            associated in prop::collection::vec(any::<u8>(), 0..40),
            text: Vec<u8>,
            cuts in prop::collection::vec(0..40_usize, 0..20),
        ) {
            let mut theirs = text.clone();
            let tag = Aes128Gcm::new((&key).into())
                .encrypt_inout_detached((&nonce).into(), &associated, (&mut *theirs).into())
                .expect("short");
            let (mut ours, mut message) = (text.clone(), Gcm::new(&key, &nonce, &associated));
            let mut rest = &mut ours[..];
            for cut in cuts {
                let (piece, behind) = rest.split_at_mut(cut.min(rest.len()));
                message.update(piece);
                rest = behind;
            }
            message.update(rest);
            let tag: [u8; TAG] = tag.into();
            prop_assert_eq!((&ours, message.tag()), (&theirs, tag));
            prop_assert!(open(&key, &nonce, &associated, &mut ours, &tag));
            prop_assert_eq!(ours, text);
        }

        #[test]
        fn what_does_not_open_is_not_touched(mut text: Vec<u8>, tag: [u8; TAG]) {
            let before = text.clone();
            prop_assert!(!open(&[1; KEY], &[2; NONCE], &[], &mut text, &tag));
            prop_assert_eq!(text, before);
        }
    }
}
