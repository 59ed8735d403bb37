//! Incremental AES-128-GCM: a message is sealed in pieces without storing it.
//!
//! This module implements AES-GCM according to NIST SP 800-38D, sections 6.4, 6.5 and 7, with AES and GHASH
//! of RustCrypto. On a microcontroller, it encrypts one block at a time. On other processors, it encrypts up
//! to 64 blocks at once, because processors with AES instructions pipeline these instructions.
//!
//! RustCrypto's own `aes-gcm` is not used, for two reasons. `aes-gcm` seals only whole messages, so a
//! microcontroller would have to store the whole response to a call that reads 8 KiB. `aes-gcm` also always
//! encrypts several blocks at once, with keys and blocks on the stack. The table lists the largest stack use
//! of both implementations, measured on an emulated Cortex-M4 (aes-gcm 0.11.1, aes 0.9.4, `opt-level = 2`,
//! fat LTO) with messages of 16, 244 and 4,096 B:
//!
//! | | this module | `aes-gcm` |
//! |---|---|---|
//! | seal | 1,112 B | 1,760 B |
//! | open | 1,080 B | 1,792 B |
//!
//! The board image may use 4,800 B of stack during such a read, and uses 4,720 B. A test below checks that
//! both implementations seal to the same bytes.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Length of a key, bytes.
pub(crate) const KEY: usize = 16;
/// Length of a nonce, bytes.
pub(crate) const NONCE: usize = 12;
/// Length of a tag, bytes.
pub(crate) const TAG: usize = 16;
const BLOCK: usize = 16;
/// Number of blocks encrypted at once.
const AT_ONCE: usize = if cfg!(target_pointer_width = "64") { 64 } else { 1 };

/// A message that is being sealed.
pub(crate) struct Gcm {
    cipher: Aes128,
    /// Nonce. The block counter is in `next`.
    nonce: [u8; NONCE],
    next: u32,
    /// Key stream of the current block.
    stream: Zeroizing<[u8; BLOCK]>,
    /// Ciphertext of the current block.
    block: [u8; BLOCK],
    hash: GHash,
    associated: usize,
    length: usize,
}

impl Gcm {
    /// Starts a message. A nonce must never be used twice with a key.
    pub(crate) fn new(key: &[u8; KEY], nonce: &[u8; NONCE], associated: &[u8]) -> Self {
        let cipher = Aes128::new(key.into());
        let mut hash_key = Zeroizing::new([0; BLOCK]);
        cipher.encrypt_block((&mut *hash_key).into());
        let mut hash = GHash::new((&*hash_key).into());
        hash.update_padded(associated);
        let (associated, length) = (associated.len(), 0);
        let (stream, block) = (Zeroizing::new([0; BLOCK]), [0; BLOCK]);
        // The first block is used for the tag.
        Self { cipher, nonce: *nonce, next: 2, stream, block, hash, associated, length }
    }

    fn encrypted(&self, number: u32, block: &mut [u8; BLOCK]) {
        block[..NONCE].copy_from_slice(&self.nonce);
        block[NONCE..].copy_from_slice(&number.to_be_bytes());
        self.cipher.encrypt_block(block.into());
    }

    /// Advances to the next block.
    fn advance(&mut self) {
        let mut stream = core::mem::take(&mut self.stream);
        self.encrypted(self.next, &mut stream);
        self.stream = stream;
        self.next = self.next.wrapping_add(1);
    }

    /// Encrypts bytes of the current block from byte `at` on.
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
        // Wipes the used part at once. Wiping byte by byte would take as long as AES.
        let used = (blocks.len() / BLOCK).min(AT_ONCE);
        streams[..used].as_flattened_mut().zeroize();
    }

    /// Encrypts up to [`AT_ONCE`] whole blocks at once with their key stream.
    fn several(&mut self, streams: &mut [[u8; BLOCK]], blocks: &mut [u8]) {
        for stream in &mut *streams {
            stream[..NONCE].copy_from_slice(&self.nonce);
            stream[NONCE..].copy_from_slice(&self.next.to_be_bytes());
            self.next = self.next.wrapping_add(1);
        }
        self.cipher.encrypt_blocks(Array::cast_slice_from_core_mut(streams));
        // Sixteen bytes at once, because compilers do not vectorise an iterator over bytes of arrays.
        let (blocks, _) = blocks.as_chunks_mut::<BLOCK>();
        for (block, stream) in blocks.iter_mut().zip(streams) {
            *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(*stream)).to_ne_bytes();
        }
    }

    /// Seals the next bytes in place.
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

    /// Tag of the complete message.
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

/// Opens a message in place. Returns false, without modifying it, if the tag is wrong.
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
        // The hash wipes itself, although its type does not declare it.
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
