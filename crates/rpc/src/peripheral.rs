//! The answering end of a connection.
//!
//! Requests are handed to the service as soon as they are whole; what it answers with waits in a queue of
//! fixed length and is encoded and sealed as it is pulled. Answers leave in the order of their requests,
//! with their requests' transaction: a central with several calls in flight tells them apart by it.

use core::fmt;

use heapless::Deque;
use zeroize::Zeroizing;

use crate::assemble::{self, Assembler};
use crate::capability::{Capabilities, Flags};
use crate::command::{self, Command, Direction, Head, Method};
use crate::container::{self, Container, Kind};
use crate::control::{Code, LONGEST, LONGEST_PACKET, Message, Reason, SHORT};
use crate::exchange::{self, Answering};
use crate::service::{Fault, Outcome, Reply, Service};
use crate::session::{self, Session};
use crate::writer::Writer;
use crate::{Entropy, Instant};

/// Whether commands are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Never: no key is exchanged.
    Off,
    /// If the other end wants it too.
    Preferred,
    /// Always: commands in the clear are refused.
    Required,
}

impl Encryption {
    /// What an end offers that can do `flags` otherwise, over packets of `packet` bytes.
    pub(crate) fn offered(self, flags: Flags, packet: usize) -> Flags {
        match self {
            Self::Preferred | Self::Required if packet >= LONGEST_PACKET => {
                flags.and(Flags::ENCRYPTION)
            }
            _ => flags.without(Flags::ENCRYPTION),
        }
    }
}

/// What a peripheral is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes of a packet of the link: for Bluetooth LE the MTU less 3.
    pub packet: usize,
    /// How long a central should wait for a container, ms.
    pub timeout_ms: u16,
    /// Longest payload it answers with.
    pub max_response: u16,
    /// Whether commands are encrypted.
    pub encryption: Encryption,
    /// What it can do beyond the protocol: [`Flags::COMPACT`], [`Flags::REASONS`], calls in flight.
    pub flags: Flags,
    /// How long the next container of a request may take before the request is given up, ns.
    pub patience_ns: u64,
}

impl Config {
    /// Everything that it can do, over packets of `packet` bytes; with `calls` in flight.
    #[must_use]
    pub fn new(packet: usize, calls: u8) -> Self {
        Self {
            packet,
            timeout_ms: 100,
            max_response: u16::MAX,
            encryption: Encryption::Required,
            flags: Flags::COMPACT.and(Flags::REASONS).with_calls(calls),
            patience_ns: 1_000_000_000,
        }
    }
}

/// What became of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// More of its request is to come.
    Piece,
    /// It was a message to this end.
    Message,
    /// The service was called.
    Call {
        /// Which method.
        method: &'static str,
        /// Bytes of the request's message.
        request: usize,
    },
}

/// Why a container, or what it completed, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// No container.
    #[error(transparent)]
    Container(#[from] container::Malformed),
    /// Not the piece that was expected.
    #[error(transparent)]
    Piece(#[from] assemble::Refused),
    /// It could not be opened, or is in the clear although it must not be.
    #[error(transparent)]
    Session(#[from] session::Refused),
    /// Commands have to be encrypted, and there is no session yet.
    #[error("a command in the clear before there is a session")]
    Clear,
    /// No command.
    #[error(transparent)]
    Command(#[from] command::Malformed),
    /// A response, which only this end sends.
    #[error("a response from a central")]
    Response,
    /// The key exchange failed.
    #[error(transparent)]
    Exchange(#[from] exchange::Refused),
    /// A step of a key exchange where none is due.
    #[error("a step of a key exchange that is not due")]
    NotDue,
    /// The service refused.
    #[error(transparent)]
    Service(#[from] Fault),
    /// As many answers wait as there is room for.
    #[error("too many calls at once")]
    Full,
    /// The end of an upload that nobody began.
    #[error("the end of an upload that was not begun")]
    NoUpload,
}

impl Refused {
    /// What the central is told of it.
    const fn reason(self) -> Option<Reason> {
        Some(match self {
            Self::Piece(assemble::Refused::TooLong { .. }) => Reason::RequestTooLarge,
            Self::Piece(assemble::Refused::NoBeginning) => return None,
            Self::Piece(_) => Reason::Incomplete,
            Self::Session(_) | Self::Clear => Reason::NotSealed,
            Self::Command(_) | Self::Response | Self::NoUpload => Reason::Malformed,
            Self::Service(Fault::UnknownMethod) => Reason::UnknownMethod,
            Self::Service(Fault::Malformed) => Reason::Malformed,
            Self::Service(Fault::OutOfRange) => Reason::OutOfRange,
            Self::Service(Fault::TooLarge) => Reason::ResponseTooLarge,
            Self::Service(Fault::Busy) | Self::Full => Reason::Busy,
            Self::Container(_) | Self::Exchange(_) | Self::NotDue => return None,
        })
    }
}

/// What the service answered, on its way out.
struct Answer<R> {
    transaction: u8,
    /// Place of the method in the list of the service.
    method: u8,
    stream: bool,
    reply: R,
}

/// How far the key exchange is.
enum Exchange {
    NotBegun,
    Answering(Answering),
}

/// Messages to the central that wait to be sent, besides a step of the key exchange.
const MESSAGES: usize = 4;

/// The answering end: a service, requests of up to `REQUEST` bytes, `CALLS` answers that wait.
pub struct Peripheral<S: Service, E, const REQUEST: usize, const CALLS: usize> {
    service: S,
    entropy: E,
    config: Config,
    /// Secret key of its identity.
    seed: Zeroizing<[u8; 32]>,
    agreed: Flags,
    session: Option<Session>,
    exchange: Exchange,
    assembler: Assembler<[u8; REQUEST]>,
    messages: Deque<Message<SHORT>, MESSAGES>,
    step: Option<Message<LONGEST>>,
    answers: Deque<Answer<S::Reply>, CALLS>,
    current: Option<(Answer<S::Reply>, Option<Writer>)>,
    /// The method whose items come.
    upload: Option<u8>,
}

impl<S: Service, E, const REQUEST: usize, const CALLS: usize> fmt::Debug
    for Peripheral<S, E, REQUEST, CALLS>
{
    /// Without its secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, agreed, session, answers, .. } = self;
        let mut shown = f.debug_struct("Peripheral");
        shown.field("config", config).field("agreed", agreed).field("session", session);
        shown.field("answers", &answers.len()).finish_non_exhaustive()
    }
}

impl<S: Service, E: Entropy, const REQUEST: usize, const CALLS: usize>
    Peripheral<S, E, REQUEST, CALLS>
{
    /// An end that serves `service`. `seed` is the secret key of its identity; `entropy` is what keys of
    /// sessions are made of.
    pub fn new(service: S, seed: [u8; 32], entropy: E, config: Config) -> Self {
        Self {
            service,
            entropy,
            config,
            seed: Zeroizing::new(seed),
            agreed: Flags::default(),
            session: None,
            exchange: Exchange::NotBegun,
            assembler: Assembler::new([0; REQUEST]),
            messages: Deque::new(),
            step: None,
            answers: Deque::new(),
            current: None,
            upload: None,
        }
    }

    /// What it serves.
    pub const fn service(&self) -> &S {
        &self.service
    }

    /// The connection is gone: the next one begins from the start.
    pub fn reset(&mut self) {
        (self.agreed, self.session, self.exchange) = (Flags::default(), None, Exchange::NotBegun);
        (self.step, self.current, self.upload) = (None, None, None);
        self.messages.clear();
        self.answers.clear();
        self.assembler.reset();
    }

    /// What both ends can do beyond the protocol.
    #[must_use]
    pub const fn agreed(&self) -> Flags {
        self.agreed
    }

    /// True once commands are encrypted.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        self.session.is_some()
    }

    /// True if there is something to send.
    #[must_use]
    pub fn has_outgoing(&self) -> bool {
        self.step.is_some()
            || !self.messages.is_empty()
            || !self.answers.is_empty()
            || self.current.is_some()
    }

    /// Takes a packet that came.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the packet is dropped, and what it belonged to. The central is told, if it knows of
    /// such errors; the next call is not affected.
    pub fn received(&mut self, packet: &[u8], now: Instant) -> Result<Taken, Refused> {
        if let Some(transaction) = self.assembler.expire(now, self.config.patience_ns) {
            self.tell(transaction, Reason::Incomplete);
        }
        let container = Container::parse(packet)?;
        let transaction = container.transaction;
        let taken = match container.kind {
            Kind::Control(code) => self.message(transaction, code, container.payload),
            Kind::First { .. } | Kind::Next => self.piece(&container, now),
        };
        if let Err(reason) = taken.map_err(Refused::reason)
            && let Some(reason) = reason
        {
            self.tell(transaction, reason);
        }
        taken
    }

    /// Tells the central why there is no answer, if it knows of such reasons.
    fn tell(&mut self, transaction: u8, reason: Reason) {
        if reason.is_known_to_all() || self.agreed.has(Flags::REASONS) {
            self.say(Message::new(transaction, Code::Error, &[reason.byte()]));
        }
    }

    /// Puts a message into the queue; one that finds no room is dropped, as if it had been lost.
    fn say(&mut self, message: Message<SHORT>) {
        let _dropped = self.messages.push_back(message);
    }

    fn message(&mut self, transaction: u8, code: Code, payload: &[u8]) -> Result<Taken, Refused> {
        match code {
            Code::Timeout => {
                let timeout = self.config.timeout_ms.to_le_bytes();
                self.say(Message::new(transaction, code, &timeout));
            }
            Code::Capabilities => {
                let Config { encryption, flags, packet, .. } = self.config;
                let offered = encryption.offered(flags, packet);
                let calls = offered.calls().min(u8::try_from(CALLS).unwrap_or(u8::MAX));
                let flags = offered.with_calls(calls);
                let theirs = Capabilities::parse(payload).unwrap_or_default();
                self.agreed = flags.common(theirs.flags);
                let (max_request, max_response) =
                    (u16::try_from(REQUEST).unwrap_or(u16::MAX), self.config.max_response);
                let ours = Capabilities { max_request, max_response, flags };
                self.say(Message::new(transaction, code, &ours.bytes()));
            }
            Code::KeyExchange => self.exchange(transaction, payload)?,
            Code::StreamEndToPeripheral => {
                let method = self.upload.take().ok_or(Refused::NoUpload)?;
                let name = self.name(method).ok_or(Fault::UnknownMethod)?;
                let reply = self.service.end(name)?;
                self.answer(Answer { transaction, method, stream: false, reply })?;
                return Ok(Taken::Call { method: name, request: 0 });
            }
            Code::StreamEndToCentral | Code::Error | Code::Unknown(_) => {}
        }
        Ok(Taken::Message)
    }

    fn exchange(&mut self, transaction: u8, payload: &[u8]) -> Result<(), Refused> {
        // A session is not exchanged for another: whoever could begin one anew would choose it.
        if self.session.is_some() || self.config.encryption == Encryption::Off {
            return Err(Refused::NotDue);
        }
        let say = |payload: &[u8]| Some(Message::new(transaction, Code::KeyExchange, payload));
        match core::mem::replace(&mut self.exchange, Exchange::NotBegun) {
            Exchange::NotBegun => {
                let (answering, step) = Answering::first(payload, &self.seed, &mut self.entropy)?;
                (self.exchange, self.step) = (Exchange::Answering(answering), say(&step));
            }
            Exchange::Answering(answering) => {
                let (step, session) = answering.third(payload, &mut self.entropy)?;
                (self.session, self.step) = (Some(session), say(&step));
            }
        }
        Ok(())
    }

    fn piece(&mut self, container: &Container<'_>, now: Instant) -> Result<Taken, Refused> {
        let transaction = container.transaction;
        // One that begins where another was not finished: the other one's rest is lost.
        if let (Kind::First { .. }, Some(other)) = (container.kind, self.assembler.under_way()) {
            self.tell(other, Reason::Incomplete);
        }
        let Some(payload) = self.assembler.feed(container, now)? else { return Ok(Taken::Piece) };
        let payload = match &mut self.session {
            Some(session) => session.open(payload)?,
            None if self.config.encryption == Encryption::Required => return Err(Refused::Clear),
            None => payload,
        };
        let Command { direction, method, message } = Command::parse(payload)?;
        if direction == Direction::Response {
            return Err(Refused::Response);
        }
        let methods = self.service.methods();
        let name = method.name(methods).ok_or(Fault::UnknownMethod)?;
        let number = methods.iter().position(|&one| one == name);
        let number =
            number.and_then(|number| u8::try_from(number).ok()).ok_or(Fault::UnknownMethod)?;
        if self.answers.is_full() {
            return Err(Refused::Full);
        }
        let request = message.len();
        let outcome = self.service.call(name, message)?;
        let (stream, reply) = match outcome {
            Outcome::Reply(reply) => (false, reply),
            Outcome::Stream(reply) => (true, reply),
            Outcome::Taken => {
                self.upload = Some(number);
                return Ok(Taken::Call { method: name, request });
            }
        };
        self.answer(Answer { transaction, method: number, stream, reply })?;
        Ok(Taken::Call { method: name, request })
    }

    fn answer(&mut self, answer: Answer<S::Reply>) -> Result<(), Refused> {
        self.answers.push_back(answer).map_err(|_| Refused::Full)
    }

    fn name(&self, method: u8) -> Option<&'static str> {
        self.service.methods().get(usize::from(method)).copied()
    }

    /// Writes the next packet to send to the beginning of `into`, which holds a packet of the link; its
    /// length, or none while there is nothing to send.
    pub fn outgoing(&mut self, into: &mut [u8]) -> Option<usize> {
        let most = into.len().min(self.config.packet);
        let packet = &mut into[..most];
        loop {
            if let Some(message) = self.messages.pop_front() {
                return message.write(packet);
            }
            if let Some(step) = self.step.take() {
                return step.write(packet);
            }
            let (mut answer, writer) = match self.current.take() {
                Some(current) => current,
                None => (self.answers.pop_front()?, None),
            };
            let writer = match writer {
                Some(writer) => Ok(Some(writer)),
                None => self.begin(&mut answer),
            };
            let mut writer = match writer {
                Ok(Some(writer)) => writer,
                Ok(None) => {
                    if answer.stream {
                        self.say(Message::new(answer.transaction, Code::StreamEndToCentral, &[]));
                    }
                    continue;
                }
                Err(reason) => {
                    self.tell(answer.transaction, reason);
                    continue;
                }
            };
            let Ok(length) = writer.next(&mut answer.reply, packet) else {
                self.tell(answer.transaction, Reason::Malformed);
                continue;
            };
            let rest = (!writer.is_done()).then_some(writer);
            self.current = Some((answer, rest));
            return Some(length);
        }
    }

    /// Begins the next item of an answer; none after its last.
    fn begin(&mut self, answer: &mut Answer<S::Reply>) -> Result<Option<Writer>, Reason> {
        if !answer.reply.next() {
            return Ok(None);
        }
        let length = answer.reply.len();
        let method = match self.name(answer.method) {
            Some(name) if !self.agreed.has(Flags::COMPACT) => Method::Name(name),
            _ => Method::Number(answer.method),
        };
        let too_large = Reason::ResponseTooLarge;
        let head = Head::new(Direction::Response, method, length).ok_or(too_large)?;
        let total = Writer::length(&head, length, self.session.is_some());
        let most = usize::from(self.config.max_response).min(Writer::longest(self.config.packet));
        if total > most {
            return Err(too_large);
        }
        let sealing = self.session.as_mut().map(Session::seal).transpose();
        let sealing = sealing.map_err(|_| Reason::NotSealed)?;
        Ok(Some(Writer::begin(answer.transaction, head, length, sealing)))
    }
}
