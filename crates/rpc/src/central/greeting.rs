//! How the two ends come to know each other before the first call.
//!
//! ```text
//!  central -> timeout?
//!          <- timeout
//!          -> capabilities (its own)
//!          <- capabilities
//!          <> four steps of the key exchange, if both encrypt
//! ```
//!
//! One question goes out at a time: a radio that cannot listen while it sends would miss the answer to the
//! first over the second. Old peripherals may not know them.

use alloc::collections::VecDeque;

use super::call::Failure;
use crate::capability::{Capabilities, Flags};
use crate::control::{Code, LONGEST, LONGEST_PACKET, Message};
use crate::exchange::{Asking, Confirming, Told};
use crate::peripheral::Encryption;
use crate::session::Session;
use crate::{Entropy, Identity, Instant};

/// What a central is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes of a packet of the link: for Bluetooth LE the MTU less 3.
    pub packet: usize,
    /// Whether commands are encrypted.
    pub encryption: Encryption,
    /// The identity that the peripheral must have, if it is known.
    pub identity: Option<Identity>,
    /// What it can do beyond the protocol: [`Flags::COMPACT`], [`Flags::REASONS`], [`Flags::BOUND`], calls
    /// in flight.
    pub flags: Flags,
    /// How long it waits for a container, ns; none for what the peripheral says.
    pub timeout_ns: Option<u64>,
}

impl Config {
    /// Everything that it can do, over packets of `packet` bytes; with `calls` in flight.
    #[must_use]
    pub fn new(packet: usize, calls: u8) -> Self {
        let flags = Flags::COMPACT.and(Flags::REASONS).and(Flags::BOUND).with_calls(calls);
        let encryption = Encryption::Required;
        Self { packet, encryption, identity: None, flags, timeout_ns: None }
    }
}

/// Who the other end is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its identity; none if nothing is encrypted.
    pub identity: Option<Identity>,
    /// Longest payload of a request it takes.
    pub max_request: u16,
    /// Longest payload of a response it sends.
    pub max_response: u16,
    /// How long it says one should wait for a container.
    pub timeout_ms: u16,
    /// What both ends can do beyond the protocol.
    pub flags: Flags,
}

/// What a peripheral that does not say how long to wait is given.
const TIMEOUT_MS: u16 = 100;
/// How long the answer to a question may take; a key may take a small processor a second to make.
const PATIENCE_NS: u64 = 5_000_000_000;

enum Step {
    /// The timeout was asked for.
    Timeout,
    /// Capabilities were told and asked for.
    Asked,
    Second(Asking),
    Fourth(Confirming),
    Over,
}

/// How far it is.
pub(super) struct Greeting {
    step: Step,
    peer: Peer,
    /// What both ends said they can do.
    told: Told,
    since: Instant,
}

type Greeted = Option<Result<(Peer, Option<Session>), Failure>>;

impl Greeting {
    pub(super) fn begin(
        config: &Config,
        messages: &mut VecDeque<Message<LONGEST>>,
        now: Instant,
    ) -> Self {
        let flags = config.encryption.offered(config.flags, config.packet);
        messages.push_back(Message::new(0, Code::Timeout, &[]));
        let peer = Peer {
            identity: None,
            max_request: u16::MAX,
            max_response: u16::MAX,
            timeout_ms: TIMEOUT_MS,
            flags,
        };
        let told = Told { ours: flags, theirs: Flags::default() };
        Self { step: Step::Timeout, peer, told, since: now }
    }

    /// Says what this end can do, and asks for the same.
    fn ask(&mut self, messages: &mut VecDeque<Message<LONGEST>>, now: Instant) {
        let ours = Capabilities { flags: self.told.ours, ..Capabilities::default() };
        messages.push_back(Message::new(1, Code::Capabilities, &ours.bytes()));
        (self.step, self.since) = (Step::Asked, now);
    }

    /// Takes a message of the other end; what came of it, once it is over.
    pub(super) fn take(
        &mut self,
        (code, payload): (Code, &[u8]),
        config: &Config,
        entropy: &mut impl Entropy,
        messages: &mut VecDeque<Message<LONGEST>>,
        now: Instant,
    ) -> Greeted {
        match (code, core::mem::replace(&mut self.step, Step::Over)) {
            (Code::Timeout, Step::Timeout) => {
                if let &[low, high] = payload {
                    let told = u16::from_le_bytes([low, high]);
                    // Whoever waits for no time at all gets no answer.
                    self.peer.timeout_ms = if told == 0 { TIMEOUT_MS } else { told };
                }
                self.ask(messages, now);
                None
            }
            (Code::Capabilities, Step::Asked) => {
                let theirs = Capabilities::parse(payload).unwrap_or_default();
                // Nothing is what an end says that has no limit.
                let told = |most: u16| if most == 0 { u16::MAX } else { most };
                (self.peer.max_request, self.peer.max_response) =
                    (told(theirs.max_request), told(theirs.max_response));
                self.since = now;
                self.known(theirs.flags, config, entropy, messages)
            }
            (Code::KeyExchange, Step::Second(asking)) => {
                self.since = now;
                match asking.second(payload, config.identity, self.told, entropy) {
                    Ok((confirming, third)) => {
                        messages.push_back(Message::new(0, Code::KeyExchange, &third));
                        self.step = Step::Fourth(confirming);
                        None
                    }
                    Err(cause) => Some(Err(Failure::Exchange(cause))),
                }
            }
            (Code::KeyExchange, Step::Fourth(confirming)) => {
                let ended = confirming.fourth(payload).map(|(session, identity)| {
                    self.peer.identity = Some(identity);
                    (self.peer.clone(), Some(session))
                });
                Some(ended.map_err(Failure::Exchange))
            }
            (_, step) => {
                self.step = step;
                None
            }
        }
    }

    /// What the other end can do is known.
    fn known(
        &mut self,
        theirs: Flags,
        config: &Config,
        entropy: &mut impl Entropy,
        messages: &mut VecDeque<Message<LONGEST>>,
    ) -> Greeted {
        self.told.theirs = theirs;
        self.peer.flags = self.told.ours.common(theirs);
        if self.peer.flags.has(Flags::ENCRYPTION) {
            let (asking, first) = Asking::begin(entropy);
            messages.push_back(Message::new(0, Code::KeyExchange, &first));
            self.step = Step::Second(asking);
            return None;
        }
        let packet = config.packet;
        if config.encryption == Encryption::Required && packet < LONGEST_PACKET {
            return Some(Err(Failure::ShortPackets { packet }));
        }
        // One that encrypted before, and now says it cannot, is another one, or somebody is between.
        let known = config.identity.is_some();
        if config.encryption == Encryption::Required
            || config.encryption == Encryption::Preferred && known
        {
            return Some(Err(Failure::InTheClear { known }));
        }
        Some(Ok((self.peer.clone(), None)))
    }

    /// When it has waited for long enough.
    pub(super) const fn due(&self) -> Option<Instant> {
        match self.step {
            Step::Over => None,
            _ => Some(self.since.after(PATIENCE_NS + 1)),
        }
    }

    /// Goes on without an answer that did not come.
    pub(super) fn tick(
        &mut self,
        config: &Config,
        messages: &mut VecDeque<Message<LONGEST>>,
        entropy: &mut impl Entropy,
        now: Instant,
    ) -> Greeted {
        if matches!(self.step, Step::Over) || now.since(self.since) <= PATIENCE_NS {
            return None;
        }
        match core::mem::replace(&mut self.step, Step::Over) {
            Step::Timeout => {
                self.ask(messages, now);
                None
            }
            // It knows nothing of capabilities: it takes one call at a time, in the clear.
            Step::Asked if config.encryption != Encryption::Required => {
                self.known(Flags::default(), config, entropy, messages)
            }
            _ => Some(Err(Failure::NoAnswer)),
        }
    }
}
