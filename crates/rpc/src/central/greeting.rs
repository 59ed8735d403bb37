//! Negotiation between the two ends before the first call.
//!
//! ```text
//!  central -> timeout?
//!          <- timeout
//!          -> capabilities (its own)
//!          <- capabilities
//!          <> four steps of the key exchange, if both encrypt
//! ```
//!
//! One request is sent at a time, because a half-duplex radio would miss the response to the first
//! request while it sends the second. Older peripherals may not support these requests.

use alloc::collections::VecDeque;

use super::call::Failure;
use crate::capability::{Capabilities, Flags};
use crate::control::{Code, LONGEST, LONGEST_PACKET, Message};
use crate::exchange::{Announced, Asking, Confirming};
use crate::peripheral::Encryption;
use crate::session::Session;
use crate::{Entropy, Identity, Instant};

/// Configuration of a central.
#[derive(Clone, Debug)]
pub struct Config {
    /// Packet length of the link, bytes. For Bluetooth LE the MTU minus 3.
    pub packet: usize,
    /// Whether commands are encrypted.
    pub encryption: Encryption,
    /// Required identity of the peripheral, if known.
    pub identity: Option<Identity>,
    /// Offered extensions: [`Flags::COMPACT`], [`Flags::REASONS`], [`Flags::BOUND`], calls in flight.
    pub flags: Flags,
    /// Timeout for a container, ns. `None` means the timeout of the peripheral.
    pub timeout_ns: Option<u64>,
}

impl Config {
    /// A configuration with all extensions over packets of `packet` bytes, and `calls` in flight.
    #[must_use]
    pub fn new(packet: usize, calls: u8) -> Self {
        let flags = Flags::COMPACT.and(Flags::REASONS).and(Flags::BOUND).with_calls(calls);
        let encryption = Encryption::Required;
        Self { packet, encryption, identity: None, flags, timeout_ns: None }
    }
}

/// Properties of the peripheral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Identity. `None` without encryption.
    pub identity: Option<Identity>,
    /// Longest payload of a request, bytes.
    pub max_request: u16,
    /// Longest payload of a response, bytes.
    pub max_response: u16,
    /// Timeout for a container that the peripheral recommends, ms.
    pub timeout_ms: u16,
    /// Common extensions of both ends.
    pub flags: Flags,
}

/// Timeout if the peripheral recommends none, ms.
const TIMEOUT_MS: u16 = 100;
/// Timeout for the response to a request of the negotiation, ns. A small processor may need a second to
/// create a key.
const PATIENCE_NS: u64 = 5_000_000_000;

enum Step {
    /// The timeout was requested.
    Timeout,
    /// Capabilities were sent and requested.
    Asked,
    Second(Asking),
    Fourth(Confirming),
    Over,
}

/// State of the negotiation.
pub(super) struct Greeting {
    step: Step,
    peer: Peer,
    /// Capabilities that both ends announced.
    announced: Announced,
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
        let announced = Announced { ours: flags, theirs: Flags::default() };
        Self { step: Step::Timeout, peer, announced, since: now }
    }

    /// Sends the capabilities of this end, and requests those of the peripheral.
    fn ask(&mut self, messages: &mut VecDeque<Message<LONGEST>>, now: Instant) {
        let ours = Capabilities { flags: self.announced.ours, ..Capabilities::default() };
        messages.push_back(Message::new(1, Code::Capabilities, &ours.bytes()));
        (self.step, self.since) = (Step::Asked, now);
    }

    /// Processes a message of the peripheral. Returns the result when the negotiation is complete.
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
                    let recommended = u16::from_le_bytes([low, high]);
                    // With a timeout of 0, no response would ever be in time.
                    self.peer.timeout_ms = if recommended == 0 { TIMEOUT_MS } else { recommended };
                }
                self.ask(messages, now);
                None
            }
            (Code::Capabilities, Step::Asked) => {
                let theirs = Capabilities::parse(payload).unwrap_or_default();
                // 0 means no limit.
                let limit = |most: u16| if most == 0 { u16::MAX } else { most };
                (self.peer.max_request, self.peer.max_response) =
                    (limit(theirs.max_request), limit(theirs.max_response));
                self.since = now;
                self.known(theirs.flags, config, entropy, messages)
            }
            (Code::KeyExchange, Step::Second(asking)) => {
                self.since = now;
                match asking.second(payload, config.identity, self.announced, entropy) {
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

    /// Processes the capabilities of the peripheral.
    fn known(
        &mut self,
        theirs: Flags,
        config: &Config,
        entropy: &mut impl Entropy,
        messages: &mut VecDeque<Message<LONGEST>>,
    ) -> Greeted {
        self.announced.theirs = theirs;
        self.peer.flags = self.announced.ours.common(theirs);
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
        // If a known peripheral no longer announces encryption, it may be an impostor, or its
        // capabilities were modified.
        let known = config.identity.is_some();
        if config.encryption == Encryption::Required
            || config.encryption == Encryption::Preferred && known
        {
            return Some(Err(Failure::InTheClear { known }));
        }
        Some(Ok((self.peer.clone(), None)))
    }

    /// Time of the timeout.
    pub(super) const fn due(&self) -> Option<Instant> {
        match self.step {
            Step::Over => None,
            _ => Some(self.since.after(PATIENCE_NS + 1)),
        }
    }

    /// Continues after a timeout.
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
            // A peripheral without capabilities accepts one call at a time, unencrypted.
            Step::Asked if config.encryption != Encryption::Required => {
                self.known(Flags::default(), config, entropy, messages)
            }
            _ => Some(Err(Failure::NoAnswer)),
        }
    }
}
