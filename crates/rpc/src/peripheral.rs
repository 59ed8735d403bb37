//! The answering end of a connection.
//!
//! Requests are handed to the service as soon as they are whole; what it answers with waits in a queue of
//! fixed length and is encoded and sealed as it is pulled. Answers leave in the order of their requests,
//! with their requests' transaction: a central with several calls in flight tells them apart by it.
//!
//! - [`Peripheral`]: the state machine.
//! - [`config`]: what it is told before it begins.
//! - [`refused`]: what became of a container.

mod config;
#[cfg(all(test, feature = "central"))]
mod exhausted;
mod refused;

use core::fmt;

use heapless::Deque;
use zeroize::Zeroizing;

use crate::assemble::Assembler;
use crate::capability::{Capabilities, Flags};
use crate::command::{Command, Direction, Head, Method};
use crate::container::{Container, Kind};
use crate::control::{Code, LONGEST, Message, Reason, SHORT};
use crate::exchange::{Answering, Told};
use crate::service::{Fault, Outcome, Reply, Service};
use crate::session::Session;
use crate::writer::Writer;
use crate::{Entropy, Instant};

pub use config::{Config, Encryption};
pub use refused::{Refused, Taken};

/// What the service answered, on its way out.
struct Answer<R> {
    transaction: u8,
    /// Place of the method in the list of the service.
    method: u8,
    stream: bool,
    reply: R,
}

/// An upload whose items come.
#[derive(Clone, Copy)]
struct Upload {
    transaction: u8,
    /// Place of the method in the list of the service.
    method: u8,
}

/// A call that is over, or of which the central was told that it will not be answered: more may come.
#[derive(Clone, Copy)]
struct GivenUp {
    transaction: u8,
    upload: Option<Upload>,
}

impl GivenUp {
    /// True of the end of an upload that belongs to the call. Only a central that `is_told` keeps to one
    /// transaction a call.
    fn has(&self, is_told: bool, transaction: u8) -> bool {
        if is_told { self.transaction == transaction } else { self.upload.is_some() }
    }

    /// True of a command of `method` that belongs to the call. Where `nothing_missed`, as the counters of the
    /// session say, no part of the call came before: somebody else has used its transaction.
    fn has_command(
        &self,
        is_told: bool,
        transaction: u8,
        method: u8,
        nothing_missed: bool,
    ) -> bool {
        let of_method = self.upload.is_some_and(|upload| upload.method == method);
        let begun = self.upload.is_some() || !nothing_missed;
        self.has(is_told, transaction) && if is_told { begun } else { of_method }
    }
}

fn abandon(service: &mut impl Service, upload: Option<Upload>) {
    let name = upload.and_then(|upload| service.methods().get(usize::from(upload.method)));
    if let Some(name) = name {
        service.abandon(name);
    }
}

/// How far the key exchange is.
enum Exchange {
    NotBegun,
    Answering(Answering),
}

/// Messages to the central that wait to be sent, besides a step of the key exchange.
const MESSAGES: usize = 4;

/// The answering end: a service, requests of up to `REQUEST` bytes, `CALLS` answers,
/// of which the first one is on its way.
pub struct Peripheral<S: Service, E, const REQUEST: usize, const CALLS: usize> {
    service: S,
    entropy: E,
    config: Config,
    /// Secret key of its identity.
    seed: Zeroizing<[u8; 32]>,
    /// What both ends said they can do.
    told: Told,
    session: Option<Session>,
    exchange: Exchange,
    assembler: Assembler<[u8; REQUEST]>,
    messages: Deque<Message<SHORT>, MESSAGES>,
    step: Option<Message<LONGEST>>,
    /// The first one is being sent.
    answers: Deque<Answer<S::Reply>, CALLS>,
    /// Where the first answer, or its present item, is.
    writer: Option<Writer>,
    upload: Option<Upload>,
    given_up: Option<GivenUp>,
}

impl<S: Service, E, const REQUEST: usize, const CALLS: usize> fmt::Debug
    for Peripheral<S, E, REQUEST, CALLS>
{
    /// Without its secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, told, session, answers, .. } = self;
        let mut shown = f.debug_struct("Peripheral");
        shown.field("config", config).field("told", told).field("session", session);
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
            told: Told::default(),
            session: None,
            exchange: Exchange::NotBegun,
            assembler: Assembler::new([0; REQUEST]),
            messages: Deque::new(),
            step: None,
            answers: Deque::new(),
            writer: None,
            upload: None,
            given_up: None,
        }
    }

    /// What it serves.
    pub const fn service(&self) -> &S {
        &self.service
    }

    /// The connection is gone: the next one begins from the start.
    pub fn reset(&mut self) {
        (self.told, self.session, self.exchange) = (Told::default(), None, Exchange::NotBegun);
        (self.step, self.writer, self.given_up) = (None, None, None);
        abandon(&mut self.service, self.upload.take());
        self.messages.clear();
        self.answers.clear();
        self.assembler.reset();
    }

    /// What both ends can do beyond the protocol.
    #[must_use]
    pub fn agreed(&self) -> Flags {
        self.told.ours.common(self.told.theirs)
    }

    /// True once commands are encrypted.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        self.session.is_some()
    }

    /// True if there is something to send.
    #[must_use]
    pub fn has_outgoing(&self) -> bool {
        self.step.is_some() || !self.messages.is_empty() || !self.answers.is_empty()
    }

    /// Takes a packet that came.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the packet is dropped, and what it belonged to. The central is told, if it knows of
    /// such errors; the next call is not affected.
    // The frames of receiving and sending, of keys and of calls lie on a small stack one after the other.
    #[inline(never)]
    pub fn received(&mut self, packet: &[u8], now: Instant) -> Result<Taken, Refused> {
        if let Some(transaction) = self.assembler.expire(now, self.config.patience_ns) {
            self.give_up(transaction, Reason::Incomplete);
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
            self.give_up(transaction, reason);
        }
        taken
    }

    /// True if the central is told why a call is not answered, and knows calls by their transaction. To the
    /// protocol's own, every payload is a transaction.
    fn is_told(&self) -> bool {
        self.agreed().has(Flags::REASONS)
    }

    /// A call is not answered: more of it may be on its way, and is not acted on.
    fn give_up(&mut self, transaction: u8, reason: Reason) {
        let is_told = self.is_told();
        let upload = self.upload.take_if(|one| !is_told || one.transaction == transaction);
        abandon(&mut self.service, upload);
        let already = self.given_up.is_some_and(|call| call.transaction == transaction);
        // What does not open says nothing of the call whose transaction it bears: that may yet come.
        let known = is_told && reason != Reason::NotSealed;
        if upload.is_some() || known && !already {
            self.given_up = Some(GivenUp { transaction, upload });
        }
        self.tell(transaction, reason);
    }

    /// Tells the central why there is no answer, if it knows of such reasons.
    fn tell(&mut self, transaction: u8, reason: Reason) {
        if reason.is_known_to_all() || self.is_told() {
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
                // Anybody can send this: what was agreed on before a session holds for all of it.
                if self.session.is_none() {
                    let theirs = Capabilities::parse(payload).unwrap_or_default().flags;
                    self.told = Told { ours: flags, theirs };
                }
                let (max_request, max_response) =
                    (u16::try_from(REQUEST).unwrap_or(u16::MAX), self.config.max_response);
                let ours = Capabilities { max_request, max_response, flags };
                self.say(Message::new(transaction, code, &ours.bytes()));
            }
            Code::KeyExchange => self.exchange(transaction, payload)?,
            Code::StreamEndToPeripheral => return self.end(transaction),
            Code::StreamEndToCentral | Code::Error | Code::Unknown(_) => {}
        }
        Ok(Taken::Message)
    }

    #[inline(never)]
    fn exchange(&mut self, transaction: u8, payload: &[u8]) -> Result<(), Refused> {
        let Config { encryption, flags, packet, .. } = self.config;
        // A session is not exchanged for another: whoever could begin one anew would choose it.
        if self.session.is_some() || !encryption.offered(flags, packet).has(Flags::ENCRYPTION) {
            return Err(Refused::NotDue);
        }
        let say = |payload: &[u8]| Some(Message::new(transaction, Code::KeyExchange, payload));
        match core::mem::replace(&mut self.exchange, Exchange::NotBegun) {
            // Before there is a session, a central may begin anew.
            Exchange::Answering(answering) if payload.first() != Some(&1) => {
                let (step, session) = answering.third(payload, self.told, &mut self.entropy)?;
                (self.session, self.step) = (Some(session), say(&step));
            }
            _ => {
                let (answering, step) = Answering::first(payload, &self.seed, &mut self.entropy)?;
                (self.exchange, self.step) = (Exchange::Answering(answering), say(&step));
            }
        }
        Ok(())
    }

    /// The central has sent the last item of an upload.
    #[inline(never)]
    fn end(&mut self, transaction: u8) -> Result<Taken, Refused> {
        let is_told = self.is_told();
        if self.given_up.is_some_and(|call| call.has(is_told, transaction)) {
            self.given_up = None;
            return Err(Refused::GivenUp);
        }
        if self.answers.is_full() {
            return Err(Refused::Full);
        }
        let ended = self.upload.take_if(|one| !is_told || one.transaction == transaction);
        let method = ended.ok_or(Refused::NoUpload)?.method;
        let name = self.name(method).ok_or(Fault::UnknownMethod)?;
        let reply = self.service.end(name)?;
        if is_told {
            // An item behind the end of its upload does not begin another.
            self.given_up = Some(GivenUp { transaction, upload: ended });
        }
        self.answer(Answer { transaction, method, stream: false, reply })?;
        Ok(Taken::Call { method: name, request: 0 })
    }

    #[inline(never)]
    fn piece(&mut self, container: &Container<'_>, now: Instant) -> Result<Taken, Refused> {
        let transaction = container.transaction;
        // One that begins where another was not finished: the other one's rest is lost.
        if let (Kind::First { .. }, Some(other)) = (container.kind, self.assembler.under_way()) {
            if other == transaction && self.session.is_some() {
                // The counters will tell whether it was a part of this call.
                let of_call = self.given_up.filter(|call| call.transaction == transaction);
                self.given_up = of_call.or(Some(GivenUp { transaction, upload: None }));
            } else {
                self.give_up(other, Reason::Incomplete);
            }
        }
        let is_told = self.is_told();
        // Calls come one after the other: nothing more comes of one before another.
        self.given_up.take_if(|call| is_told && call.transaction != transaction);
        let Some(payload) = self.assembler.feed(container, now)? else { return Ok(Taken::Piece) };
        let mut missing = 0;
        let payload = match &mut self.session {
            Some(session) => {
                let opened = session.open(transaction, payload)?;
                missing = session.missed();
                opened
            }
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
        let whole = self.session.is_some() && missing == 0;
        let over = |call: GivenUp| call.has_command(is_told, transaction, number, whole);
        if self.given_up.is_some_and(over) {
            // Of what follows nothing is missing.
            let upload = Some(Upload { transaction, method: number });
            self.given_up = Some(GivenUp { transaction, upload });
            return Err(Refused::GivenUp);
        }
        self.given_up.take_if(|_| is_told);
        // A central that sends something else has given up what it did not end.
        let other = self.upload.take_if(|one| is_told && one.transaction != transaction);
        abandon(&mut self.service, other);
        if self.upload.is_some() && missing > 0 {
            return Err(Refused::Missing(missing));
        }
        if self.answers.is_full() {
            return Err(Refused::Full);
        }
        let request = message.len();
        let outcome = self.service.call(name, message)?;
        let (stream, reply) = match outcome {
            Outcome::Reply(reply) => (false, reply),
            Outcome::Stream(reply) => (true, reply),
            Outcome::Taken => {
                let upload = Upload { transaction, method: number };
                let other = self.upload.replace(upload).filter(|one| one.method != number);
                abandon(&mut self.service, other);
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
    #[inline(never)]
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
            if self.writer.is_none() {
                self.answers.front()?;
                if let Err(end) = self.begin() {
                    self.over(end);
                    continue;
                }
            }
            let (writer, answer) = (self.writer.as_mut()?, self.answers.front_mut()?);
            let Ok(length) = writer.next(&mut answer.reply, packet) else {
                self.over(Some(Reason::Malformed));
                continue;
            };
            if writer.is_done() {
                // A call that is answered makes room for another at once.
                let over = !answer.stream;
                self.writer = None;
                if over {
                    self.over(None);
                }
            }
            return Some(length);
        }
    }

    /// The first answer is over; the central is told why, or that a stream is at its end.
    #[inline(never)]
    fn over(&mut self, reason: Option<Reason>) {
        self.writer = None;
        let Some(Answer { transaction, stream, .. }) = self.answers.pop_front() else { return };
        match reason {
            Some(reason) => self.tell(transaction, reason),
            None if stream => self.say(Message::new(transaction, Code::StreamEndToCentral, &[])),
            None => {}
        }
    }

    /// Begins the next item of the first answer. Where there is none, the answer is over, and maybe for a
    /// reason.
    #[inline(never)]
    fn begin(&mut self) -> Result<(), Option<Reason>> {
        let agreed = self.agreed();
        let answer = self.answers.front_mut().ok_or(None)?;
        if !answer.reply.next() {
            return Err(None);
        }
        let length = answer.reply.len();
        let method = match self.service.methods().get(usize::from(answer.method)) {
            Some(name) if !agreed.has(Flags::COMPACT) => Method::Name(name),
            _ => Method::Number(answer.method),
        };
        let too_large = Some(Reason::ResponseTooLarge);
        let head = Head::new(Direction::Response, method, length).ok_or(too_large)?;
        let total = Writer::length(&head, length, self.session.is_some());
        let most = usize::from(self.config.max_response).min(Writer::longest(self.config.packet));
        if total > most {
            return Err(too_large);
        }
        let sealing = self.session.as_mut().map(|session| session.seal(answer.transaction));
        let sealing = sealing.transpose().map_err(|_| Some(Reason::NotSealed))?;
        self.writer = Some(Writer::begin(answer.transaction, head, length, sealing));
        Ok(())
    }
}
