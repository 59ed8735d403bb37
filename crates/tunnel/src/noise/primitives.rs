//! X25519, ChaCha20-Poly1305 and SHA-256 for `snow`. Their state is wiped on drop.

use alloc::boxed::Box;

use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce, Tag};
use sha2::{Digest, Sha256};
use snow::Error;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::CryptoResolver;
use snow::types::{Cipher, Dh, Hash, Random};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroize;

use super::Secret;

const TAG: usize = 16;
/// Block length of SHA-256, bytes.
const BLOCK: usize = 64;

/// The primitives of one handshake, with its only random number.
pub(super) struct Primitives {
    random: Secret,
}

impl Primitives {
    pub(super) const fn new(random: Secret) -> Self {
        Self { random }
    }
}

impl CryptoResolver for Primitives {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Drawn(Some(self.random.clone()))))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        (*choice == DHChoice::Curve25519).then(|| Box::new(Pair::default()) as _)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        (*choice == HashChoice::SHA256).then(|| Box::new(Sha(Sha256::new())) as _)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        (*choice == CipherChoice::ChaChaPoly).then(|| Box::new(ChaCha(None)) as _)
    }
}

/// Random numbers that were drawn before. They are used once.
struct Drawn(Option<Secret>);

impl Random for Drawn {
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let drawn = self.0.take().ok_or(Error::Rng)?;
        if bytes.len() != drawn.0.len() {
            return Err(Error::Rng);
        }
        bytes.copy_from_slice(&drawn.0);
        Ok(())
    }
}

/// An ephemeral key pair.
struct Pair {
    private: StaticSecret,
    public: PublicKey,
}

impl Default for Pair {
    fn default() -> Self {
        let private = StaticSecret::from([0; 32]);
        Self { public: PublicKey::from([0; 32]), private }
    }
}

impl Dh for Pair {
    fn name(&self) -> &'static str {
        "25519"
    }

    fn pub_len(&self) -> usize {
        32
    }

    fn priv_len(&self) -> usize {
        32
    }

    fn set(&mut self, private: &[u8]) {
        let mut key = [0; 32];
        key.copy_from_slice(private);
        self.private = StaticSecret::from(key);
        self.public = PublicKey::from(&self.private);
        key.zeroize();
    }

    fn generate(&mut self, random: &mut dyn Random) -> Result<(), Error> {
        let mut key = [0; 32];
        random.try_fill_bytes(&mut key)?;
        self.set(&key);
        key.zeroize();
        Ok(())
    }

    fn pubkey(&self) -> &[u8] {
        self.public.as_bytes()
    }

    fn privkey(&self) -> &[u8] {
        self.private.as_bytes()
    }

    fn dh(&self, public: &[u8], shared: &mut [u8]) -> Result<(), Error> {
        let public: [u8; 32] =
            public.get(..32).and_then(|key| key.try_into().ok()).ok_or(Error::Dh)?;
        let secret = self.private.diffie_hellman(&PublicKey::from(public));
        if !secret.was_contributory() {
            return Err(Error::Dh);
        }
        shared.get_mut(..32).ok_or(Error::Dh)?.copy_from_slice(secret.as_bytes());
        Ok(())
    }
}

struct Sha(Sha256);

impl Hash for Sha {
    fn name(&self) -> &'static str {
        "SHA256"
    }

    fn block_len(&self) -> usize {
        BLOCK
    }

    fn hash_len(&self) -> usize {
        32
    }

    fn reset(&mut self) {
        self.0 = Sha256::new();
    }

    fn input(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn result(&mut self, out: &mut [u8]) {
        let digest = self.0.finalize_reset();
        out[..digest.len()].copy_from_slice(&digest);
    }
}

struct ChaCha(Option<ChaCha20Poly1305>);

/// Noise, section 12.3: four bytes of zeros, then the number, little endian.
fn nonce(number: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&number.to_le_bytes());
    bytes.into()
}

impl Cipher for ChaCha {
    fn name(&self) -> &'static str {
        "ChaChaPoly"
    }

    fn set(&mut self, key: &[u8; 32]) {
        self.0 = Some(ChaCha20Poly1305::new(key.into()));
    }

    fn encrypt(&self, number: u64, about: &[u8], plain: &[u8], out: &mut [u8]) -> usize {
        let cipher = self.0.as_ref().expect("snow sets a key before it encrypts");
        let (sealed, rest) = out.split_at_mut(plain.len());
        sealed.copy_from_slice(plain);
        let sealing = cipher.encrypt_inout_detached(&nonce(number), about, InOutBuf::from(sealed));
        let tag = sealing.expect("shorter than 256 GiB");
        rest[..TAG].copy_from_slice(&tag);
        plain.len() + TAG
    }

    fn decrypt(
        &self,
        number: u64,
        about: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let cipher = self.0.as_ref().ok_or(Error::Decrypt)?;
        let (sealed, tag) = sealed.split_last_chunk::<TAG>().ok_or(Error::Decrypt)?;
        let plain = out.get_mut(..sealed.len()).ok_or(Error::Decrypt)?;
        plain.copy_from_slice(sealed);
        let tag = Tag::from(*tag);
        cipher
            .decrypt_inout_detached(&nonce(number), about, InOutBuf::from(plain), &tag)
            .map_err(|_| Error::Decrypt)?;
        Ok(sealed.len())
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use snow::Builder;

    use super::*;

    fn bytes(digits: &str) -> Vec<u8> {
        let pair = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
        (0..digits.len()).step_by(2).map(pair).collect()
    }

    fn key(digits: &str) -> [u8; 32] {
        bytes(digits).try_into().expect("32 bytes")
    }

    /// Test vector of cacophony, a Haskell implementation: the handshake, and the first message in each
    /// direction.
    #[test]
    fn the_handshake_writes_the_bytes_of_another_implementation() {
        let psk = key("54686973206973206d7920417573747269616e20706572737065637469766521");
        let prologue = bytes("4a6f686e2047616c74");
        let begin = |ephemeral: &str| {
            let random = Secret(key(ephemeral));
            let params = super::super::PATTERN.parse().expect("a pattern");
            Builder::with_resolver(params, Box::new(Primitives::new(random)))
                .psk(0, &psk)
                .and_then(|builder| builder.prologue(&prologue))
                .expect("one of each")
        };
        let near = "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a";
        let far = "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b";
        let mut near = begin(near).build_initiator().expect("an initiator");
        let mut far = begin(far).build_responder().expect("a responder");
        let mut say = |payload: &str, expected: &str, is_first: bool| {
            let (from, to) = if is_first { (&mut near, &mut far) } else { (&mut far, &mut near) };
            let (mut message, mut read) = (vec![0; 200], vec![0; 200]);
            let len = from.write_message(&bytes(payload), &mut message).expect("its turn");
            assert_eq!(message[..len], bytes(expected));
            let len = to.read_message(&message[..len], &mut read).expect("the right message");
            assert_eq!(read[..len], bytes(payload));
        };
        let first = "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c794479b962b8aff8485742ac\
                     32f905ba45369e2465fb59e138a93d67a0d1266b6a54";
        say("4c756477696720766f6e204d69736573", first, true);
        let second = "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843d6062704d5a9c422a8\
                      e834423f8c1feada7e8d0d910a1a2cd030fb584221e3";
        say("4d757272617920526f746862617264", second, false);
        let (there, back) = near.dangerously_get_raw_split();
        for (key, payload, expected) in [
            (
                there,
                "462e20412e20486179656b",
                "e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f",
            ),
            (
                back,
                "4361726c204d656e676572",
                "64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e",
            ),
        ] {
            let mut cipher = ChaCha(None);
            cipher.set(&key);
            let mut sealed = [0; 64];
            let len = cipher.encrypt(0, &[], &bytes(payload), &mut sealed);
            assert_eq!(sealed[..len], bytes(expected));
        }
    }
}
