//! A session: commands sealed with AES-128-GCM, with a counter for each direction.
//!
//! ```text
//!  counter 4, LE | ciphertext | tag 16            nonce = counter 4, LE | direction 1 | zeros 7
//! ```
//!
//! If both ends support it, the transaction is associated data; see [`Flags::BOUND`]. Otherwise anyone
//! between the two ends can deliver the response of one call to another.
//!
//! Commands are sealed in pieces while they are sent, so a response need not be in memory. They are opened
//! as a whole: no part is used before its tag is verified.

use core::fmt;

use zeroize::Zeroizing;

use crate::capability::Flags;
use crate::gcm::{self, Gcm, NONCE};

/// Length of a session key, bytes.
pub const KEY: usize = gcm::KEY;
/// Length of the counter before a sealed command, bytes.
pub const COUNTER: usize = 4;
/// Length of the tag after a sealed command, bytes.
pub const TAG: usize = gcm::TAG;
/// Number of bytes that sealing adds.
pub const OVERHEAD: usize = COUNTER + TAG;

/// End of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The end that makes calls.
    Central,
    /// The end that responds to calls.
    Peripheral,
}

impl Role {
    /// Direction byte in the nonce of a command that this end sends.
    const fn direction(self) -> u8 {
        match self {
            Self::Central => 0,
            Self::Peripheral => 1,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Central => Self::Peripheral,
            Self::Peripheral => Self::Central,
        }
    }
}

/// Reason why a command cannot be opened or sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The command is shorter than counter and tag.
    #[error("a sealed command has {OVERHEAD} B or more, not {0}")]
    Short(usize),
    /// The tag is wrong. The command has another key, was modified, or was not sealed.
    #[error("a command with an invalid tag")]
    Broken,
    /// The counter was used before.
    #[error("command {counter} is a replay, or arrived too late")]
    Replayed {
        /// Counter of the command.
        counter: u32,
    },
    /// All counters are used.
    #[error("the session has used all its counters; reconnect for a new session")]
    Exhausted,
}

/// One end of a session.
pub struct Session {
    key: Zeroizing<[u8; KEY]>,
    role: Role,
    /// Whether commands include their transaction as associated data.
    bound: bool,
    /// Counter of the next command to seal.
    sealed: u32,
    /// Smallest valid counter of the next command to open. `None` once all were used.
    opened: Option<u32>,
    /// Number of commands skipped before the last opened one.
    missed: u32,
}

impl fmt::Debug for Session {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, sealed, opened, .. } = self;
        write!(f, "Session({role:?}, sealed {sealed}, opened {opened:?})")
    }
}

fn nonce(counter: u32, sender: Role) -> [u8; NONCE] {
    let mut nonce = [0; NONCE];
    nonce[..COUNTER].copy_from_slice(&counter.to_le_bytes());
    nonce[COUNTER] = sender.direction();
    nonce
}

impl Session {
    /// Creates the end for `role`, before its first command.
    #[must_use]
    pub fn new(key: [u8; KEY], role: Role) -> Self {
        Self { key: Zeroizing::new(key), role, bound: false, sealed: 0, opened: Some(0), missed: 0 }
    }

    /// Applies the extensions on which both ends have agreed.
    #[must_use]
    pub const fn agreed(mut self, flags: Flags) -> Self {
        self.bound = flags.has(Flags::BOUND);
        self
    }

    /// Starts to seal the next command, which belongs to `transaction`.
    ///
    /// # Errors
    ///
    /// [`Refused::Exhausted`].
    pub fn seal(&mut self, transaction: u8) -> Result<Sealing, Refused> {
        // The protocol never uses the last counter.
        let counter = self.sealed;
        self.sealed = counter.checked_add(1).ok_or(Refused::Exhausted)?;
        let associated = &[transaction][..usize::from(self.bound)];
        let message = Gcm::new(&self.key, &nonce(counter, self.role), associated);
        Ok(Sealing { counter, message })
    }

    /// Opens a command of `transaction` in place. Returns it without counter and tag.
    ///
    /// # Errors
    ///
    /// [`Refused`]. The session remains valid.
    pub fn open<'a>(
        &mut self,
        transaction: u8,
        sealed: &'a mut [u8],
    ) -> Result<&'a mut [u8], Refused> {
        let length = sealed.len();
        if length < OVERHEAD {
            return Err(Refused::Short(length));
        }
        let (head, rest) = sealed.split_at_mut(COUNTER);
        let (text, tag) = rest.split_at_mut(length - OVERHEAD);
        let counter = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let nonce = nonce(counter, self.role.other());
        let tag = <&[u8; TAG]>::try_from(&*tag).map_err(|_| Refused::Short(length))?;
        let associated = &[transaction][..usize::from(self.bound)];
        if !gcm::open(&self.key, &nonce, associated, text, tag) {
            return Err(Refused::Broken);
        }
        // Counters ascend with possible gaps: a lost command is not a replay.
        match self.opened {
            Some(least) if counter >= least => {
                (self.opened, self.missed) = (counter.checked_add(1), counter - least);
            }
            _ => return Err(Refused::Replayed { counter }),
        }
        Ok(text)
    }

    /// Number of commands of the other end that are missing before the last opened one.
    #[must_use]
    pub const fn missed(&self) -> u32 {
        self.missed
    }

    /// Sets the counter to its value after this number of commands.
    #[cfg(test)]
    pub(crate) const fn sealed_so_far(&mut self, counter: u32) {
        self.sealed = counter;
    }
}

/// A command that is being sealed.
pub struct Sealing {
    counter: u32,
    message: Gcm,
}

impl Sealing {
    /// Counter, to be sent before the ciphertext.
    #[must_use]
    pub const fn counter(&self) -> [u8; COUNTER] {
        self.counter.to_le_bytes()
    }

    /// Seals the next bytes in place.
    pub fn update(&mut self, bytes: &mut [u8]) {
        self.message.update(bytes);
    }

    /// Tag, to be sent after the ciphertext.
    #[must_use]
    pub fn tag(&mut self) -> [u8; TAG] {
        self.message.tag()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    const BLOCK: usize = 16;
    const SECRET: [u8; KEY] = *b"sixteen bytes...";

    fn ends() -> (Session, Session) {
        (Session::new(SECRET, Role::Central), Session::new(SECRET, Role::Peripheral))
    }

    fn sealed(session: &mut Session, text: &[u8]) -> Vec<u8> {
        let mut sealing = session.seal(7).expect("counters are left");
        let mut out = sealing.counter().to_vec();
        let mut text = text.to_vec();
        sealing.update(&mut text);
        out.extend(text);
        out.extend(sealing.tag());
        out
    }

    #[test]
    fn a_seal_is_that_of_the_first_case_of_the_specification() {
        // McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test cases 1 and 2: an
        // all-zero key and nonce, which are those of a central's first command.
        let mut session = Session::new([0; KEY], Role::Central);
        let empty = sealed(&mut session, b"");
        let tag = [
            0x58, 0xe2, 0xfc, 0xce, 0xfa, 0x7e, 0x30, 0x61, 0x36, 0x7f, 0x1d, 0x57, 0xa4, 0xe7,
            0x45, 0x5a,
        ];
        assert_eq!(empty[COUNTER..], tag);
        let mut session = Session::new([0; KEY], Role::Central);
        let block = sealed(&mut session, &[0; BLOCK]);
        let text = [
            0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92, 0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2,
            0xfe, 0x78,
        ];
        assert_eq!(block[COUNTER..COUNTER + BLOCK], text);
    }

    #[test]
    fn only_the_other_end_opens_what_one_end_seals() {
        let (mut central, mut peripheral) = ends();
        let mut first = sealed(&mut central, b"first");
        assert_eq!(central.open(7, &mut first.clone()), Err(Refused::Broken), "its own direction");
        let mut other = Session::new([7; KEY], Role::Peripheral);
        assert_eq!(other.open(7, &mut first.clone()), Err(Refused::Broken), "another key");
        assert_eq!(peripheral.open(7, &mut first), Ok(&mut b"first"[..].to_vec()[..]));
    }

    #[test]
    fn between_ends_that_know_it_a_command_is_sealed_for_its_transaction() {
        let (central, peripheral) = ends();
        let [mut central, mut peripheral] =
            [central, peripheral].map(|end| end.agreed(Flags::BOUND));
        let mut command = sealed(&mut central, b"x");
        assert_eq!(peripheral.open(8, &mut command.clone()), Err(Refused::Broken));
        assert_eq!(ends().1.open(7, &mut command.clone()), Err(Refused::Broken));
        assert!(peripheral.open(7, &mut command).is_ok());
    }

    #[test]
    fn a_command_is_opened_once_and_in_order() {
        let (mut central, mut peripheral) = ends();
        let commands: Vec<Vec<u8>> = (0..3).map(|_| sealed(&mut central, b"x")).collect();
        assert!(peripheral.open(7, &mut commands[1].clone()).is_ok(), "one may be missing");
        for counter in [1, 0] {
            let again = peripheral.open(7, &mut commands[counter].clone()).map(|_| ());
            assert_eq!(again, Err(Refused::Replayed { counter: counter as u32 }));
        }
        assert_eq!(peripheral.missed(), 1);
        assert!(peripheral.open(7, &mut commands[2].clone()).is_ok());
    }

    #[test]
    fn a_forged_counter_does_not_spoil_those_that_follow() {
        let (mut central, mut peripheral) = ends();
        let mut command = sealed(&mut central, b"x");
        let mut forged = command.clone();
        forged[3] = 0xFF;
        assert_eq!(peripheral.open(7, &mut forged), Err(Refused::Broken));
        assert!(peripheral.open(7, &mut command).is_ok());
    }

    #[test]
    fn the_last_counter_is_never_used() {
        let (mut central, mut peripheral) = ends();
        central.sealed_so_far(u32::MAX - 1);
        let mut last = sealed(&mut central, b"last");
        assert!(peripheral.open(7, &mut last).is_ok());
        assert_eq!(central.seal(7).map(|_| ()), Err(Refused::Exhausted));
        assert_eq!(central.seal(7).map(|_| ()), Err(Refused::Exhausted));
    }

    #[test]
    fn the_key_is_wiped_when_it_is_dropped() {
        const fn wiped<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        wiped(&ends().0.key);
    }

    #[test]
    fn the_key_is_not_printed() {
        let shown = std::format!("{:?}", ends().0);
        assert_eq!(shown, "Session(Central, sealed 0, opened Some(0))");
    }

    proptest! {
        #[test]
        fn any_changed_bit_breaks_a_seal(text: Vec<u8>, at: usize, bit in 0..8_u32) {
            let (mut central, mut peripheral) = ends();
            let mut wrong = sealed(&mut central, &text);
            let at = at % wrong.len();
            wrong[at] ^= 1 << bit;
            prop_assert_eq!(peripheral.open(7, &mut wrong), Err(Refused::Broken));
        }

        #[test]
        fn any_bytes_are_refused_without_a_panic(mut bytes: Vec<u8>) {
            prop_assert!(ends().0.open(7, &mut bytes).is_err());
        }
    }
}
