//! AES-128-GCM, a piece at a time: what is sealed need not lie in memory.
//!
//! NIST SP 800-38D, sections 6.4, 6.5 and 7, with AES and GHASH of RustCrypto. On a microcontroller one
//! block is encrypted at a time. Elsewhere several are: a processor with instructions for AES works on up
//! to 64 at once.
//!
//! RustCrypto's own `aes-gcm` is not used, for two reasons. It seals a message only as a whole, so a
//! microcontroller would have to hold the 8 KiB of a read that now leaves it as it is sealed. And it
//! encrypts several blocks at once everywhere, with keys and blocks for all of them on the stack. Stack
//! at the deepest, measured on an emulated Cortex-M4 (aes-gcm 0.11.1, aes 0.9.4, `opt-level = 2`, fat LTO)
//! with messages of 16, 244 and 4,096 B:
//!
//! | | this module | `aes-gcm` |
//! |---|---|---|
//! | seal | 1,112 B | 1,760 B |
//! | open | 1,080 B | 1,792 B |
//!
//! The image for boards may take 4,800 B in all during such a read, and takes 4,720 B. That both seal the
//! same bytes is tested below.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a key.
pub(crate) const KEY: usize = 16;
/// Bytes of a nonce.
pub(crate) const NONCE: usize = 12;
/// Bytes of a tag.
pub(crate) const TAG: usize = 16;
const BLOCK: usize = 16;
/// Blocks that are encrypted at once.
const AT_ONCE: usize = if cfg!(target_pointer_width = "64") { 64 } else { 1 };

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

    fn encrypted(&self, number: u32, block: &mut [u8; BLOCK]) {
        block[..NONCE].copy_from_slice(&self.nonce);
        block[NONCE..].copy_from_slice(&number.to_be_bytes());
        self.cipher.encrypt_block(block.into());
    }

    /// Goes to the next block.
    fn advance(&mut self) {
        let mut stream = core::mem::take(&mut self.stream);
        self.encrypted(self.next, &mut stream);
        self.stream = stream;
        self.next = self.next.wrapping_add(1);
    }

    /// Encrypts bytes of the present block from its byte `at` on.
    fn part(&self, at: usize, bytes: &mut [u8]) {
        bytes.iter_mut().zip(&self.stream[at..]).for_each(|(byte, stream)| *byte ^= stream);
    }

    /// Encrypts whole blocks.
    fn whole(&mut self, blocks: &mut [u8]) {
        if AT_ONCE == 1 {
            for block in blocks.chunks_mut(BLOCK) {
                self.advance();
                self.part(0, block);
            }
            return;
        }
        let mut streams = [[0; BLOCK]; AT_ONCE];
        for some in blocks.chunks_mut(AT_ONCE * BLOCK) {
            self.several(&mut streams[..some.len() / BLOCK], some);
        }
        // Once for all of them, and no more than was used: byte by byte it takes as long as AES.
        let used = (blocks.len() / BLOCK).min(AT_ONCE);
        streams[..used].as_flattened_mut().zeroize();
    }

    /// Encrypts at most [`AT_ONCE`] whole blocks at once, with as many blocks of the key stream.
    fn several(&mut self, streams: &mut [[u8; BLOCK]], blocks: &mut [u8]) {
        for stream in &mut *streams {
            stream[..NONCE].copy_from_slice(&self.nonce);
            stream[NONCE..].copy_from_slice(&self.next.to_be_bytes());
            self.next = self.next.wrapping_add(1);
        }
        self.cipher.encrypt_blocks(Array::cast_slice_from_core_mut(streams));
        // Sixteen bytes at once: a compiler does not see it in bytes of an iterator over arrays.
        let (blocks, _) = blocks.as_chunks_mut::<BLOCK>();
        for (block, stream) in blocks.iter_mut().zip(streams) {
            *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(*stream)).to_ne_bytes();
        }
    }

    /// Seals the next bytes in their place.
    pub(crate) fn update(&mut self, bytes: &mut [u8]) {
        let held = self.length % BLOCK;
        self.length += bytes.len();
        let begun = if held == 0 { 0 } else { bytes.len().min(BLOCK - held) };
        let (first, bytes) = bytes.split_at_mut(begun);
        self.part(held, first);
        self.block[held..held + begun].copy_from_slice(first);
        if begun > 0 && held + begun == BLOCK {
            self.hash.update(&[self.block.into()]);
        }
        let (blocks, rest) = bytes.split_at_mut(bytes.len() / BLOCK * BLOCK);
        self.whole(blocks);
        self.hash.update_padded(blocks);
        if !rest.is_empty() {
            self.advance();
            self.part(0, rest);
            self.block[..rest.len()].copy_from_slice(rest);
        }
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
        let mut mask = Zeroizing::new([0; BLOCK]);
        self.encrypted(1, &mut mask);
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
    let (blocks, rest) = text.split_at_mut(text.len() / BLOCK * BLOCK);
    message.whole(blocks);
    if !rest.is_empty() {
        message.advance();
        message.part(0, rest);
    }
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
