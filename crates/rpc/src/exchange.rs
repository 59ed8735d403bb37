//! Key exchange: agreement on a session key, and authentication of the peripheral.
//!
//! ```text
//!  1  central     -> its ephemeral X25519 key
//!  2  peripheral  -> its ephemeral X25519 key, both keys signed with Ed25519, its identity key
//!  3  central     -> "BLERPC_CONFIRM_C" sealed with the session key
//!  4  peripheral  -> "BLERPC_CONFIRM_P" sealed with the session key
//! ```
//!
//! The session key is HKDF-SHA256 of the shared secret, salted with both ephemeral keys. The signature does
//! not cover the identity key of the peripheral. A central must therefore compare the received identity key
//! with the identity key that it knows from the first connection (trust on first use). Otherwise, an attacker
//! between the two ends could insert another identity key.
//!
//! The two ends announce their capabilities unencrypted. The nonce of each confirmation repeats the
//! capabilities of the end that sends the confirmation. The sender chooses the nonce, and the authentication
//! tag protects the nonce. The receiving end rejects the exchange if the confirmed capabilities differ from
//! the announced ones (similar to the random bytes of TLS 1.3, RFC 8446, section 4.1.3). A confirmation
//! without capabilities comes from an end that supports no extensions of the protocol.
//!
//! ```text
//!  nonce = random 4 | "AIRLAG", or "airlag" of a peripheral 6 | flags 2, LE
//! ```

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use hkdf::Hkdf;
use sha2::Sha256;
use subtle::ConstantTimeEq;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::{Zeroize, Zeroizing};

use crate::capability::Flags;
use crate::gcm::{self, Gcm, NONCE};
use crate::session::{KEY, Role, Session, TAG};
use crate::{Entropy, Identity};

const CENTRAL: &[u8; CONFIRMATION] = b"BLERPC_CONFIRM_C";
const PERIPHERAL: &[u8; CONFIRMATION] = b"BLERPC_CONFIRM_P";
const CONFIRMATION: usize = 16;
/// Position of the flags in the nonce of a confirmation, after the marker. The nonces of a session have zeros
/// there.
const MARK: core::ops::Range<usize> = 4..10;
const INFO: &[u8] = b"blerpc-session-key";

/// Length of the first step, bytes.
pub const FIRST: usize = 1 + 32;
/// Length of the second step, bytes.
pub const SECOND: usize = 1 + 32 + 64 + 32;
/// Length of the third and the fourth step, bytes.
pub const CONFIRM: usize = 1 + NONCE + CONFIRMATION + TAG;

/// Reason why an exchange fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The step was not expected, or has a wrong length.
    #[error("not step {0} of the key exchange")]
    Step(u8),
    /// The shared secret of the public key can be computed by anyone (RFC 7748, section 6.1).
    #[error("a public key without a shared secret")]
    WeakKey,
    /// The signature does not match the identity key.
    #[error("the peripheral's signature is wrong")]
    Signature,
    /// The identity of the peripheral has changed.
    #[error("the peripheral's identity key is {found}, not {known} as before")]
    Identity {
        /// Known identity.
        known: Identity,
        /// Received identity.
        found: Identity,
    },
    /// The announced capabilities were modified in transit.
    #[error("the other end has capabilities {declared:#06x}, but {came:#06x} were received")]
    Downgraded {
        /// Confirmed capabilities.
        declared: u16,
        /// Received capabilities.
        came: u16,
    },
    /// The other end has another session key.
    #[error("the other end's confirmation is wrong")]
    Confirmation,
}

/// Capabilities that both ends announced unencrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Announced {
    /// Capabilities of this end.
    pub ours: Flags,
    /// Capabilities of the other end, as received.
    pub theirs: Flags,
}

const fn mark(sender: Role) -> &'static [u8; 6] {
    match sender {
        Role::Central => b"AIRLAG",
        Role::Peripheral => b"airlag",
    }
}

/// An ephemeral key pair.
struct Ephemeral {
    secret: StaticSecret,
    public: [u8; 32],
}

impl Ephemeral {
    fn new(entropy: &mut impl Entropy) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        entropy.fill(&mut *bytes);
        let secret = StaticSecret::from(*bytes);
        let public = PublicKey::from(&secret).to_bytes();
        Self { secret, public }
    }

    /// The session key with the public key of the other end. `salt` is the key of the central followed by
    /// that of the peripheral.
    fn key(&self, theirs: [u8; 32], salt: &[u8; 64]) -> Result<Zeroizing<[u8; KEY]>, Refused> {
        let shared = self.secret.diffie_hellman(&PublicKey::from(theirs));
        if !shared.was_contributory() {
            return Err(Refused::WeakKey);
        }
        let mut key = Zeroizing::new([0; KEY]);
        let (mut between, derived) = Hkdf::<Sha256>::extract(Some(salt), shared.as_bytes());
        between.as_mut_slice().zeroize();
        derived.expand(INFO, &mut *key).map_err(|_| Refused::WeakKey)?;
        Ok(key)
    }
}

fn both(central: [u8; 32], peripheral: [u8; 32]) -> [u8; 64] {
    let mut both = [0; 64];
    both[..32].copy_from_slice(&central);
    both[32..].copy_from_slice(&peripheral);
    both
}

/// Step number and text of the confirmation of an end.
const fn step(sender: Role) -> (u8, &'static [u8; CONFIRMATION]) {
    match sender {
        Role::Central => (3, CENTRAL),
        Role::Peripheral => (4, PERIPHERAL),
    }
}

fn confirm(
    sender: Role,
    key: &[u8; KEY],
    ours: Flags,
    entropy: &mut impl Entropy,
) -> [u8; CONFIRM] {
    let (number, text) = step(sender);
    let mut out = [0; CONFIRM];
    out[0] = number;
    let (nonce, rest) = out[1..].split_at_mut(NONCE);
    entropy.fill(&mut nonce[..MARK.start]);
    nonce[MARK].copy_from_slice(mark(sender));
    nonce[MARK.end..].copy_from_slice(&ours.0.to_le_bytes());
    let nonce = <[u8; NONCE]>::try_from(&*nonce).unwrap_or_default();
    let (sealed, tag) = rest.split_at_mut(CONFIRMATION);
    sealed.copy_from_slice(text);
    let mut message = Gcm::new(key, &nonce, &[]);
    message.update(sealed);
    tag.copy_from_slice(&message.tag());
    out
}

fn confirmed(sender: Role, key: &[u8; KEY], theirs: Flags, message: &[u8]) -> Result<(), Refused> {
    let (number, text) = step(sender);
    let message: &[u8; CONFIRM] = message.try_into().map_err(|_| Refused::Step(number))?;
    if message[0] != number {
        return Err(Refused::Step(number));
    }
    let (nonce, rest) = message[1..].split_at(NONCE);
    let (sealed, tag) = rest.split_at(CONFIRMATION);
    let wrong = |_| Refused::Confirmation;
    let nonce: &[u8; NONCE] = nonce.try_into().map_err(wrong)?;
    let tag: &[u8; TAG] = tag.try_into().map_err(wrong)?;
    let mut opened: [u8; CONFIRMATION] = sealed.try_into().map_err(wrong)?;
    if !gcm::open(key, nonce, &[], &mut opened, tag) {
        return Err(Refused::Confirmation);
    }
    let equal: bool = opened.ct_eq(text).into();
    let declared = u16::from_le_bytes([nonce[MARK.end], nonce[MARK.end + 1]]);
    if equal && nonce[MARK] == *mark(sender) && declared != theirs.0 {
        return Err(Refused::Downgraded { declared, came: theirs.0 });
    }
    equal.then_some(()).ok_or(Refused::Confirmation)
}

/// State of the central until the second step.
pub struct Asking(Ephemeral);

/// State of the central until the fourth step.
pub struct Confirming {
    key: Zeroizing<[u8; KEY]>,
    announced: Announced,
    identity: Identity,
}

impl Asking {
    /// Starts the exchange. Returns the first step.
    #[must_use]
    pub fn begin(entropy: &mut impl Entropy) -> (Self, [u8; FIRST]) {
        let ephemeral = Ephemeral::new(entropy);
        let mut step = [1; FIRST];
        step[1..].copy_from_slice(&ephemeral.public);
        (Self(ephemeral), step)
    }

    /// Processes the second step. Returns the third. `known` is the required identity of the peripheral, if
    /// any.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the exchange fails.
    pub fn second(
        self,
        step: &[u8],
        known: Option<Identity>,
        announced: Announced,
        entropy: &mut impl Entropy,
    ) -> Result<(Confirming, [u8; CONFIRM]), Refused> {
        let step: &[u8; SECOND] = step.try_into().map_err(|_| Refused::Step(2))?;
        let (head, signature, identity) = (&step[1..33], &step[33..97], &step[97..]);
        let wrong = |_| Refused::Step(2);
        let theirs: [u8; 32] = head.try_into().map_err(wrong)?;
        let signature: &[u8; 64] = signature.try_into().map_err(wrong)?;
        let found = Identity(identity.try_into().map_err(wrong)?);
        if step[0] != 2 {
            return Err(Refused::Step(2));
        }
        let signed = both(self.0.public, theirs);
        VerifyingKey::from_bytes(&found.0)
            .and_then(|key| key.verify_strict(&signed, &Signature::from_bytes(signature)))
            .map_err(|_| Refused::Signature)?;
        match known {
            Some(known) if !bool::from(known.0.ct_eq(&found.0)) => {
                return Err(Refused::Identity { known, found });
            }
            _ => {}
        }
        let key = self.0.key(theirs, &signed)?;
        let third = confirm(Role::Central, &key, announced.ours, entropy);
        Ok((Confirming { key, announced, identity: found }, third))
    }
}

impl Confirming {
    /// Processes the fourth step. Returns the session and the identity of the peripheral.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the exchange fails.
    pub fn fourth(self, step: &[u8]) -> Result<(Session, Identity), Refused> {
        let Announced { ours, theirs } = self.announced;
        confirmed(Role::Peripheral, &self.key, theirs, step)?;
        let session = Session::new(*self.key, Role::Central).agreed(ours.common(theirs));
        Ok((session, self.identity))
    }
}

/// State of the peripheral until the third step.
pub struct Answering {
    key: Zeroizing<[u8; KEY]>,
}

impl Answering {
    /// Processes the first step. Returns the second. `seed` is the secret identity key of the peripheral.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the exchange fails.
    pub fn first(
        step: &[u8],
        seed: &[u8; 32],
        entropy: &mut impl Entropy,
    ) -> Result<(Self, [u8; SECOND]), Refused> {
        let step: &[u8; FIRST] = step.try_into().map_err(|_| Refused::Step(1))?;
        let theirs: [u8; 32] = step[1..].try_into().map_err(|_| Refused::Step(1))?;
        if step[0] != 1 {
            return Err(Refused::Step(1));
        }
        let ephemeral = Ephemeral::new(entropy);
        let signed = both(theirs, ephemeral.public);
        let key = ephemeral.key(theirs, &signed)?;
        let identity = SigningKey::from_bytes(seed);
        let mut out = [2; SECOND];
        out[1..33].copy_from_slice(&ephemeral.public);
        out[33..97].copy_from_slice(&identity.sign(&signed).to_bytes());
        out[97..].copy_from_slice(identity.verifying_key().as_bytes());
        Ok((Self { key }, out))
    }

    /// Processes the third step. Returns the fourth, and the session.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the exchange fails.
    pub fn third(
        self,
        step: &[u8],
        announced: Announced,
        entropy: &mut impl Entropy,
    ) -> Result<([u8; CONFIRM], Session), Refused> {
        let Announced { ours, theirs } = announced;
        confirmed(Role::Central, &self.key, theirs, step)?;
        let fourth = confirm(Role::Peripheral, &self.key, ours, entropy);
        let session = Session::new(*self.key, Role::Peripheral).agreed(ours.common(theirs));
        Ok((fourth, session))
    }
}

/// Fills `bytes` with the HKDF expansion of 32 random bytes for use number `nth`. At most 8,160 bytes are
/// filled.
pub fn expand(seed: &[u8; 32], nth: u32, bytes: &mut [u8]) {
    let most = bytes.len().min(255 * 32);
    let derived = Hkdf::<Sha256>::new(None, seed);
    // This is the largest permitted length, so the call cannot fail.
    let _ = derived.expand(&nth.to_le_bytes(), &mut bytes[..most]);
}

/// Public identity for a secret key.
#[must_use]
pub fn identity(seed: &[u8; 32]) -> Identity {
    Identity(SigningKey::from_bytes(seed).verifying_key().to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: [u8; 32] = [9; 32];
    const ANNOUNCED: Announced = Announced { ours: Flags(0x1234), theirs: Flags(0x1234) };

    /// Predictable bytes.
    fn counting(mut next: u8) -> impl Entropy {
        move |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = next;
                next = next.wrapping_mul(5).wrapping_add(7);
            }
        }
    }

    fn second(first: &[u8; FIRST]) -> (Answering, [u8; SECOND]) {
        Answering::first(first, &SEED, &mut counting(2)).expect("a right first step")
    }

    fn refused<T>(result: Result<T, Refused>) -> Option<Refused> {
        result.err()
    }

    #[test]
    fn both_ends_come_by_the_same_session() {
        let (asking, first) = Asking::begin(&mut counting(1));
        let (answering, second) = second(&first);
        let known = Some(identity(&SEED));
        let (confirming, third) = asking
            .second(&second, known, ANNOUNCED, &mut counting(3))
            .expect("a right second step");
        let (fourth, mut peripheral) =
            answering.third(&third, ANNOUNCED, &mut counting(4)).expect("a right third step");
        let (mut central, found) = confirming.fourth(&fourth).expect("a right fourth step");
        assert_eq!(found, identity(&SEED));
        let mut sealing = central.seal(7).expect("the first");
        let mut sealed = [0; 5 + crate::session::OVERHEAD];
        sealed[..4].copy_from_slice(&sealing.counter());
        sealed[4..9].copy_from_slice(b"hello");
        sealing.update(&mut sealed[4..9]);
        sealed[9..].copy_from_slice(&sealing.tag());
        assert_eq!(peripheral.open(7, &mut sealed), Ok(&mut b"hello"[..].to_vec()[..]));
    }

    #[test]
    fn secrets_of_an_exchange_are_wiped_when_they_are_dropped() {
        const fn wiped<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        let (asking, first) = Asking::begin(&mut counting(1));
        wiped(&asking.0.secret);
        wiped(&asking.0.secret.diffie_hellman(&PublicKey::from([9; 32])));
        let (answering, second) = second(&first);
        wiped(&answering.key);
        wiped(&SigningKey::from_bytes(&SEED));
        let (confirming, _) =
            asking.second(&second, None, ANNOUNCED, &mut counting(3)).expect("a right second step");
        wiped(&confirming.key);
        // The hash, and all state of HMAC and HKDF.
        wiped(&Sha256::default());
    }

    #[test]
    fn another_peripheral_than_before_is_refused() {
        let (asking, first) = Asking::begin(&mut counting(1));
        let (_, second) = second(&first);
        let known = Identity([1; 32]);
        let found = identity(&SEED);
        let cause = refused(asking.second(&second, Some(known), ANNOUNCED, &mut counting(3)));
        assert_eq!(cause, Some(Refused::Identity { known, found }));
    }

    #[test]
    fn any_changed_byte_of_a_step_ends_the_exchange() {
        let (_, first) = Asking::begin(&mut counting(1));
        let (_, right) = second(&first);
        for at in 0..SECOND {
            let mut wrong = right;
            wrong[at] ^= 1;
            let (asking, _) = Asking::begin(&mut counting(1));
            assert!(
                asking.second(&wrong, None, ANNOUNCED, &mut counting(3)).is_err(),
                "byte {at} of step 2"
            );
        }
        let (asking, _) = Asking::begin(&mut counting(1));
        let (_, third) =
            asking.second(&right, None, ANNOUNCED, &mut counting(3)).expect("a right second step");
        for at in 0..CONFIRM {
            let mut wrong = third;
            wrong[at] ^= 1;
            let (answering, _) = second(&first);
            assert!(
                answering.third(&wrong, ANNOUNCED, &mut counting(4)).is_err(),
                "byte {at} of step 3"
            );
            let (asking, _) = Asking::begin(&mut counting(1));
            let (confirming, _) = asking
                .second(&right, None, ANNOUNCED, &mut counting(3))
                .expect("a right second step");
            let (answering, _) = second(&first);
            let (mut fourth, _) =
                answering.third(&third, ANNOUNCED, &mut counting(4)).expect("a right third step");
            fourth[at] ^= 1;
            assert!(confirming.fourth(&fourth).is_err(), "byte {at} of step 4");
        }
    }

    #[test]
    fn the_other_ends_own_confirmation_is_none() {
        let (asking, first) = Asking::begin(&mut counting(1));
        let (_, second) = second(&first);
        let (confirming, mut third) =
            asking.second(&second, None, ANNOUNCED, &mut counting(3)).expect("a right second step");
        third[0] = 4;
        assert_eq!(refused(confirming.fourth(&third)), Some(Refused::Confirmation));
    }

    #[test]
    fn capabilities_sent_in_plain_text_are_authenticated() {
        let (declared, came) = (ANNOUNCED.ours.0, 0x1034);
        let changed = Announced { theirs: Flags(came), ..ANNOUNCED };
        let (asking, first) = Asking::begin(&mut counting(1));
        let (answering, step) = second(&first);
        let (confirming, third) =
            asking.second(&step, None, changed, &mut counting(3)).expect("a right second step");
        let cause = Some(Refused::Downgraded { declared, came });
        assert_eq!(refused(second(&first).0.third(&third, changed, &mut counting(4))), cause);
        let (fourth, _) = answering.third(&third, ANNOUNCED, &mut counting(4)).expect("unchanged");
        assert_eq!(refused(confirming.fourth(&fourth)), cause);
    }

    #[test]
    fn an_end_that_does_not_say_it_again_is_believed() {
        // Peers without extensions fill their nonces with random bytes.
        let key = [5; KEY];
        let nonce = [8; NONCE];
        let mut message = [3; CONFIRM];
        message[1..=NONCE].copy_from_slice(&nonce);
        let (sealed, tag) = message[1 + NONCE..].split_at_mut(CONFIRMATION);
        sealed.copy_from_slice(CENTRAL);
        let mut made = Gcm::new(&key, &nonce, &[]);
        made.update(sealed);
        tag.copy_from_slice(&made.tag());
        assert_eq!(confirmed(Role::Central, &key, Flags(1), &message), Ok(()));
    }

    #[test]
    fn a_key_that_makes_no_secret_is_refused() {
        let mut first = [1; FIRST];
        first[1..].fill(0);
        let cause = refused(Answering::first(&first, &SEED, &mut counting(2)));
        assert_eq!(cause, Some(Refused::WeakKey));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_refused_without_a_panic(bytes: std::vec::Vec<u8>) {
            let (asking, first) = Asking::begin(&mut counting(1));
            proptest::prop_assert!(asking.second(&bytes, None, ANNOUNCED, &mut counting(2)).is_err());
            let (answering, _) = second(&first);
            proptest::prop_assert!(answering.third(&bytes, ANNOUNCED, &mut counting(4)).is_err());
        }
    }
}
