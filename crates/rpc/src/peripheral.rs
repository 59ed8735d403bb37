//! The peripheral: the end of a connection that responds to calls.
//!
//! As soon as a request is complete, the request is passed to the service. The response waits in a queue of
//! fixed length, and is encoded and encrypted while it is sent. Responses are sent in the order of the
//! requests. Each response contains the transaction number of its request. A central with several calls in
//! flight uses this number to assign the response to a call.
//!
//! - [`Peripheral`]: state machine.
//! - [`config`]: configuration of the end.
//! - [`refused`]: outcome of a container.

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
use crate::exchange::{Announced, Answering};
use crate::service::{Fault, Outcome, Reply, Service};
use crate::session::Session;
use crate::writer::Writer;
use crate::{Entropy, Instant};

pub use config::{Config, Encryption};
pub use refused::{Refused, Taken};

/// A response of the service that is being sent.
struct Answer<R> {
    transaction: u8,
    /// Index of the method in the list of the service.
    method: u8,
    stream: bool,
    reply: R,
}

/// An upload that is being received.
#[derive(Clone, Copy)]
struct Upload {
    transaction: u8,
    /// Index of the method in the list of the service.
    method: u8,
}

/// A call that is complete, or that was rejected with a message to the central. More packets of it may follow.
#[derive(Clone, Copy)]
struct GivenUp {
    transaction: u8,
    upload: Option<Upload>,
}

impl GivenUp {
    /// Whether the end of an upload belongs to the call. Only a central that supports reasons
    /// (`reports_reasons`) uses one transaction per call.
    fn has(&self, reports_reasons: bool, transaction: u8) -> bool {
        if reports_reasons { self.transaction == transaction } else { self.upload.is_some() }
    }

    /// Returns whether a command with `method` belongs to this call. If no part of the call was received
    /// before this command and the counters of the session show no gap (`nothing_missed`), the command does
    /// not belong to the call. In that case, the packets of this call came from another sender, which used
    /// the same transaction number.
    fn has_command(
        &self,
        reports_reasons: bool,
        transaction: u8,
        method: u8,
        nothing_missed: bool,
    ) -> bool {
        let of_method = self.upload.is_some_and(|upload| upload.method == method);
        let begun = self.upload.is_some() || !nothing_missed;
        self.has(reports_reasons, transaction) && if reports_reasons { begun } else { of_method }
    }
}

fn abandon(service: &mut impl Service, upload: Option<Upload>) {
    let name = upload.and_then(|upload| service.methods().get(usize::from(upload.method)));
    if let Some(name) = name {
        service.abandon(name);
    }
}

/// State of the key exchange.
enum Exchange {
    NotBegun,
    Answering(Answering),
}

/// Capacity of the queue of control messages, besides a step of the key exchange.
const MESSAGES: usize = 4;

/// The responding end: a service, a buffer for requests of up to `REQUEST` bytes, and a queue of
/// `CALLS` responses, the first of which is being sent.
pub struct Peripheral<S: Service, E, const REQUEST: usize, const CALLS: usize> {
    service: S,
    entropy: E,
    config: Config,
    /// Secret key of its identity.
    seed: Zeroizing<[u8; 32]>,
    /// Capabilities that both ends announced.
    announced: Announced,
    session: Option<Session>,
    exchange: Exchange,
    assembler: Assembler<[u8; REQUEST]>,
    messages: Deque<Message<SHORT>, MESSAGES>,
    step: Option<Message<LONGEST>>,
    /// Responses. The first one is being sent.
    answers: Deque<Answer<S::Reply>, CALLS>,
    /// State of the first response or of its current item.
    writer: Option<Writer>,
    upload: Option<Upload>,
    given_up: Option<GivenUp>,
}

impl<S: Service, E, const REQUEST: usize, const CALLS: usize> fmt::Debug
    for Peripheral<S, E, REQUEST, CALLS>
{
    /// Omits the secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, announced, session, answers, .. } = self;
        let mut shown = f.debug_struct("Peripheral");
        shown.field("config", config).field("announced", announced).field("session", session);
        shown.field("answers", &answers.len()).finish_non_exhaustive()
    }
}

impl<S: Service, E: Entropy, const REQUEST: usize, const CALLS: usize>
    Peripheral<S, E, REQUEST, CALLS>
{
    /// Creates an end that serves `service`. `seed` is the secret key of its identity. `entropy` provides
    /// random bytes for session keys.
    pub fn new(service: S, seed: [u8; 32], entropy: E, config: Config) -> Self {
        Self {
            service,
            entropy,
            config,
            seed: Zeroizing::new(seed),
            announced: Announced::default(),
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

    /// Returns the service.
    pub const fn service(&self) -> &S {
        &self.service
    }

    /// Resets the state after a disconnection.
    pub fn reset(&mut self) {
        (self.announced, self.session, self.exchange) =
            (Announced::default(), None, Exchange::NotBegun);
        (self.step, self.writer, self.given_up) = (None, None, None);
        abandon(&mut self.service, self.upload.take());
        self.messages.clear();
        self.answers.clear();
        self.assembler.reset();
    }

    /// Common extensions of both ends.
    #[must_use]
    pub fn agreed(&self) -> Flags {
        self.announced.ours.common(self.announced.theirs)
    }

    /// Whether commands are encrypted.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        self.session.is_some()
    }

    /// Whether a packet is ready to be sent.
    #[must_use]
    pub fn has_outgoing(&self) -> bool {
        self.step.is_some() || !self.messages.is_empty() || !self.answers.is_empty()
    }

    /// Processes a received packet.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the packet is rejected together with its call. If the central supports reasons, it
    /// receives the reason. The next call is not affected.
    // Not inlined, so that the stack frames of receiving, sending, keys and calls are not used at the same
    // time.
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

    /// Whether the central supports reasons and identifies calls by their transaction. Without extensions,
    /// every payload has its own transaction.
    fn reports_reasons(&self) -> bool {
        self.agreed().has(Flags::REASONS)
    }

    /// Rejects a call. Further packets of it are ignored.
    fn give_up(&mut self, transaction: u8, reason: Reason) {
        let reports_reasons = self.reports_reasons();
        let upload = self.upload.take_if(|one| !reports_reasons || one.transaction == transaction);
        abandon(&mut self.service, upload);
        let already = self.given_up.is_some_and(|call| call.transaction == transaction);
        // A command that cannot be opened may be forged, so the call with its transaction stays
        // valid.
        let known = reports_reasons && reason != Reason::NotSealed;
        if upload.is_some() || known && !already {
            self.given_up = Some(GivenUp { transaction, upload });
        }
        self.report(transaction, reason);
    }

    /// Sends the reason for a missing response to the central, if the central supports it.
    fn report(&mut self, transaction: u8, reason: Reason) {
        if reason.is_known_to_all() || self.reports_reasons() {
            self.say(Message::new(transaction, Code::Error, &[reason.byte()]));
        }
    }

    /// Queues a control message. If the queue is full, the message is dropped, as if it were lost.
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
                // The message is not authenticated, so within a session it does not change what was
                // negotiated.
                if self.session.is_none() {
                    let theirs = Capabilities::parse(payload).unwrap_or_default().flags;
                    self.announced = Announced { ours: flags, theirs };
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
        // An existing session is not replaced, because an attacker could then choose the new one.
        if self.session.is_some() || !encryption.offered(flags, packet).has(Flags::ENCRYPTION) {
            return Err(Refused::NotDue);
        }
        let say = |payload: &[u8]| Some(Message::new(transaction, Code::KeyExchange, payload));
        match core::mem::replace(&mut self.exchange, Exchange::NotBegun) {
            // A central may start over before there is a session.
            Exchange::Answering(answering) if payload.first() != Some(&1) => {
                let (step, session) =
                    answering.third(payload, self.announced, &mut self.entropy)?;
                (self.session, self.step) = (Some(session), say(&step));
            }
            _ => {
                let (answering, step) = Answering::first(payload, &self.seed, &mut self.entropy)?;
                (self.exchange, self.step) = (Exchange::Answering(answering), say(&step));
            }
        }
        Ok(())
    }

    /// Processes the end of an upload.
    #[inline(never)]
    fn end(&mut self, transaction: u8) -> Result<Taken, Refused> {
        let reports_reasons = self.reports_reasons();
        if self.given_up.is_some_and(|call| call.has(reports_reasons, transaction)) {
            self.given_up = None;
            return Err(Refused::GivenUp);
        }
        if self.answers.is_full() {
            return Err(Refused::Full);
        }
        let ended = self.upload.take_if(|one| !reports_reasons || one.transaction == transaction);
        let method = ended.ok_or(Refused::NoUpload)?.method;
        let name = self.name(method).ok_or(Fault::UnknownMethod)?;
        let reply = self.service.end(name)?;
        if reports_reasons {
            // An item after the end of its upload does not start another one.
            self.given_up = Some(GivenUp { transaction, upload: ended });
        }
        self.answer(Answer { transaction, method, stream: false, reply })?;
        Ok(Taken::Call { method: name, request: 0 })
    }

    #[inline(never)]
    fn piece(&mut self, container: &Container<'_>, now: Instant) -> Result<Taken, Refused> {
        let transaction = container.transaction;
        // A new first container means that the rest of the previous payload was lost.
        if let (Kind::First { .. }, Some(other)) = (container.kind, self.assembler.under_way()) {
            if other == transaction && self.session.is_some() {
                // The counters show whether the command was a part of this call.
                let of_call = self.given_up.filter(|call| call.transaction == transaction);
                self.given_up = of_call.or(Some(GivenUp { transaction, upload: None }));
            } else {
                self.give_up(other, Reason::Incomplete);
            }
        }
        let reports_reasons = self.reports_reasons();
        // Calls are sequential, so no more packets of earlier calls can arrive.
        self.given_up.take_if(|call| reports_reasons && call.transaction != transaction);
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
        let over = |call: GivenUp| call.has_command(reports_reasons, transaction, number, whole);
        if self.given_up.is_some_and(over) {
            // No items are missing so far.
            let upload = Some(Upload { transaction, method: number });
            self.given_up = Some(GivenUp { transaction, upload });
            return Err(Refused::GivenUp);
        }
        self.given_up.take_if(|_| reports_reasons);
        // A central that sends another request has abandoned an unfinished upload.
        let other = self.upload.take_if(|one| reports_reasons && one.transaction != transaction);
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

    /// Writes the next packet to the start of `into`, which has the size of a packet of the link. Returns its
    /// length, or `None` if there is nothing to send.
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
                // The response is complete and leaves the queue immediately.
                let over = !answer.stream;
                self.writer = None;
                if over {
                    self.over(None);
                }
            }
            return Some(length);
        }
    }

    /// Removes the first response. Sends the reason, or the end of a stream, to the central.
    #[inline(never)]
    fn over(&mut self, reason: Option<Reason>) {
        self.writer = None;
        let Some(Answer { transaction, stream, .. }) = self.answers.pop_front() else { return };
        match reason {
            Some(reason) => self.report(transaction, reason),
            None if stream => self.say(Message::new(transaction, Code::StreamEndToCentral, &[])),
            None => {}
        }
    }

    /// Starts the next item of the first response. Returns an error with an optional reason if there is
    /// none.
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
