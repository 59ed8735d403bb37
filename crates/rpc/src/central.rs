//! The central: the end of a connection that makes calls.
//!
//! - [`Central`]: state machine between calls and containers.
//! - [`call`]: state of a call.
//! - [`greeting`]: negotiation before the first call.
//!
//! Calls are sent in the order in which the program makes them. As many calls are in flight at a time as the
//! peripheral accepts. Responses arrive in the same order as the calls. If the response to a later call
//! arrives first, the response to the earlier call is lost, and the earlier call fails immediately.

mod call;
#[cfg(test)]
mod exhausted;
mod greeting;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

pub use call::{Event, Failure, Kind as CallKind, Ticket};
pub use greeting::{Config, Peer};

use crate::assemble::{self, Assembler};
use crate::capability::Flags;
use crate::command::{Command, Direction, Head, Method};
use crate::container::{Container, Kind, MAX_CONTAINERS};
use crate::control::{Code, LONGEST, Message, Reason};
use crate::session::{self, COUNTER, Sealing, Session};
use crate::writer::{MAX_PAYLOAD, Whole, Writer};
use crate::{Entropy, Instant};

use call::Call;
use greeting::Greeting;

/// A command that is being sent.
struct Sending {
    writer: Writer,
    message: Whole<Vec<u8>>,
    ticket: Ticket,
}

/// The end of a connection that makes calls.
pub struct Central<E> {
    config: Config,
    entropy: E,
    greeting: Greeting,
    session: Option<Session>,
    peer: Option<Peer>,
    assembler: Assembler<Box<[u8]>>,
    messages: VecDeque<Message<LONGEST>>,
    /// Calls that are not sent yet.
    waiting: VecDeque<Call>,
    /// Calls that are sent at least in part, in order.
    flying: VecDeque<Call>,
    sending: Option<Sending>,
    events: VecDeque<Event>,
    /// Numbers of methods, learnt from responses of the peripheral.
    numbers: Vec<(String, u8)>,
    next_ticket: Ticket,
    next_transaction: u8,
    /// Time of the last transmission, or of the last progress of a response.
    heard: Instant,
    /// Number of packets without progress since the last progress.
    stale: usize,
    /// Reason why the connection cannot carry calls.
    broken: Option<Failure>,
}

/// Limit of consecutive packets without progress. Up to this limit, each of them restarts the timeout. It is
/// the largest number of packets that timed-out calls can leave in transit.
const STALE: usize = 16 * MAX_CONTAINERS;

impl<E> core::fmt::Debug for Central<E> {
    /// Omits the secrets.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut shown = f.debug_struct("Central");
        shown.field("peer", &self.peer).field("session", &self.session);
        shown.field("waiting", &self.waiting.len()).field("flying", &self.flying.len());
        shown.finish_non_exhaustive()
    }
}

/// A sealed command.
fn sealed(mut sealing: Sealing, head: &Head, message: &[u8]) -> Vec<u8> {
    let mut payload = [&sealing.counter(), head.bytes(), message].concat();
    sealing.update(&mut payload[COUNTER..]);
    payload.extend(sealing.tag());
    payload
}

impl<E: Entropy> Central<E> {
    /// Creates an end that starts the negotiation at once. `entropy` supplies random bytes for session keys.
    pub fn new(config: Config, entropy: E, now: Instant) -> Self {
        let mut messages = VecDeque::new();
        let greeting = Greeting::begin(&config, &mut messages, now);
        // The negotiation uses two transactions.
        Self {
            config,
            entropy,
            greeting,
            session: None,
            peer: None,
            assembler: Assembler::new(vec![0; MAX_PAYLOAD].into_boxed_slice()),
            messages,
            waiting: VecDeque::new(),
            flying: VecDeque::new(),
            sending: None,
            events: VecDeque::new(),
            numbers: Vec::new(),
            next_ticket: 0,
            next_transaction: 2,
            heard: now,
            stale: 0,
            broken: None,
        }
    }

    /// Properties of the peripheral. `None` before the negotiation.
    #[must_use]
    pub const fn peer(&self) -> Option<&Peer> {
        self.peer.as_ref()
    }

    /// Makes a call: a single request, a stream, or an upload of several items.
    pub fn ask(&mut self, kind: CallKind, method: &str, requests: Vec<Vec<u8>>) -> Ticket {
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        match self.broken.clone() {
            None => self.waiting.push_back(Call::new(ticket, kind, method, requests)),
            Some(failure) => self.events.push_back(Event::Failed { ticket, failure }),
        }
        ticket
    }

    /// Returns the next event.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether there are unread events.
    #[must_use]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Number of calls in progress.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.waiting.len() + self.flying.len()
    }

    /// Cancels a call. Its response is discarded.
    pub fn cancel(&mut self, ticket: Ticket) {
        self.waiting.retain(|call| call.ticket != ticket);
        if let Some(call) = self.flying.iter_mut().find(|call| call.ticket == ticket) {
            call.wanted = false;
        }
    }

    /// Writes the next packet to the start of `into`, which has the size of a packet of the link. Returns its
    /// length, or `None` if there is nothing to send.
    pub fn outgoing(&mut self, into: &mut [u8], now: Instant) -> Option<usize> {
        let most = into.len().min(self.config.packet);
        let packet = &mut into[..most];
        let written = self.next(packet);
        if written.is_some() {
            self.heard = now;
        }
        written
    }

    fn next(&mut self, packet: &mut [u8]) -> Option<usize> {
        if let Some(message) = self.messages.pop_front() {
            return message.write(packet);
        }
        let calls = usize::from(self.peer.as_ref()?.flags.calls());
        loop {
            if let Some(mut sending) = self.sending.take() {
                // A message in memory has a known length.
                let length = sending.writer.next(&mut sending.message, packet).ok()?;
                self.sending = (!sending.writer.is_done()).then_some(sending);
                return Some(length);
            }
            // An upload continues until its end. Then the next call begins.
            if let Some(call) = self.flying.back_mut()
                && !call.is_sent()
            {
                let (ticket, transaction) = (call.ticket, call.transaction);
                match call.requests.pop_front() {
                    Some(request) => self.begin(ticket, request),
                    None => {
                        call.ended = true;
                        let code = Code::StreamEndToPeripheral;
                        return Message::<LONGEST>::new(transaction, code, &[]).write(packet);
                    }
                }
                continue;
            }
            if self.flying.len() >= calls {
                return None;
            }
            let mut call = self.waiting.pop_front()?;
            call.transaction = self.next_transaction;
            self.next_transaction = self.next_transaction.wrapping_add(1);
            // A call whose transaction number is used again was overtaken by all later calls, and is not
            // answered any more.
            let passed = self.flying.iter().find(|one| one.transaction == call.transaction);
            if let Some(passed) = passed.map(|passed| passed.ticket) {
                self.fail(passed, Failure::Lost);
            }
            self.flying.push_back(call);
        }
    }

    /// Starts sending a request of a call. The call fails if its request cannot be sent.
    fn begin(&mut self, ticket: Ticket, request: Vec<u8>) {
        let Some(call) = self.flying.iter().find(|call| call.ticket == ticket) else { return };
        let known = self.numbers.iter().find(|(name, _)| *name == call.method);
        let method =
            known.map_or(Method::Name(&call.method), |&(_, number)| Method::Number(number));
        let transaction = call.transaction;
        let head = Head::new(Direction::Request, method, request.len());
        let peer = self.peer.as_ref().map_or(0, |peer| usize::from(peer.max_request));
        let limit = peer.min(Writer::longest(self.config.packet));
        let total = |head: &Head| Writer::length(head, request.len(), self.session.is_some());
        let Some(head) = head.filter(|head| total(head) <= limit) else {
            return self.fail(ticket, Failure::TooLong { length: request.len(), limit });
        };
        // The whole request is in memory, so sealing it at once is fastest.
        let payload = match &mut self.session {
            Some(session) => {
                session.seal(transaction).map(|sealing| sealed(sealing, &head, &request))
            }
            None => Ok([head.bytes(), &request].concat()),
        };
        match payload {
            Ok(request) => {
                let writer = Writer::begin(transaction, Head::default(), request.len(), None);
                self.sending = Some(Sending { writer, message: Whole::new(request), ticket });
            }
            Err(cause) => self.fail(ticket, Failure::Session(cause)),
        }
    }

    /// Processes a received packet.
    pub fn received(&mut self, packet: &[u8], now: Instant) {
        let nearer = match Container::parse(packet) {
            Ok(Container { transaction, kind: Kind::Control(code), payload, .. }) => {
                self.message(transaction, code, payload, now)
            }
            Ok(container) => self.piece(&container, now),
            Err(_) => {
                self.dropped();
                false
            }
        };
        self.stale = if nearer { 0 } else { self.stale.saturating_add(1) };
        if self.stale <= STALE {
            self.heard = now;
        }
    }

    /// Reports dropped packets with a single event.
    fn dropped(&mut self) {
        if self.events.back() != Some(&Event::Dropped) {
            self.events.push_back(Event::Dropped);
        }
    }

    /// Processes a control message. Returns whether a call made progress.
    fn message(&mut self, transaction: u8, code: Code, payload: &[u8], now: Instant) -> bool {
        match code {
            Code::Timeout | Code::Capabilities | Code::KeyExchange => {
                let greeted = self.greeting.take(
                    (code, payload),
                    &self.config,
                    &mut self.entropy,
                    &mut self.messages,
                    now,
                );
                self.greeted(greeted);
                false
            }
            Code::Error => match (payload.first(), self.ticket_of(transaction)) {
                (Some(&byte), Some(ticket)) => {
                    self.fail(ticket, Failure::Peer(Reason::from_byte(byte)));
                    true
                }
                _ => false,
            },
            Code::StreamEndToCentral => match self.ticket_of(transaction) {
                Some(ticket) if self.kind_of(ticket) == Some(CallKind::Stream) => {
                    self.pass_over(ticket);
                    self.finish(ticket, |ticket| Event::End { ticket });
                    true
                }
                Some(ticket) => {
                    self.fail(ticket, Failure::NotAsked);
                    true
                }
                None => false,
            },
            Code::StreamEndToPeripheral | Code::Unknown(_) => false,
        }
    }

    fn greeted(&mut self, greeted: Option<Result<(Peer, Option<Session>), Failure>>) {
        match greeted {
            None => {}
            Some(Ok((peer, session))) => {
                (self.peer, self.session) = (Some(peer), session);
                self.events.push_back(Event::Ready);
            }
            Some(Err(failure)) => {
                self.events.push_back(Event::Broken(failure.clone()));
                self.broken = Some(failure.clone());
                self.fail_all(failure);
            }
        }
    }

    /// The call of a response with `transaction`. A peripheral without extensions may use any transaction,
    /// and accepts one call at a time.
    fn ticket_of(&self, transaction: u8) -> Option<Ticket> {
        let flags = self.peer.as_ref()?.flags;
        if flags.without(Flags::ENCRYPTION) == Flags::default() {
            return self.flying.front().map(|call| call.ticket);
        }
        let mut flying = self.flying.iter();
        flying.find(|call| call.transaction == transaction).map(|call| call.ticket)
    }

    fn kind_of(&self, ticket: Ticket) -> Option<CallKind> {
        self.flying.iter().find(|call| call.ticket == ticket).map(|call| call.kind)
    }

    /// Whether a call is sent completely. An earlier packet is not a response to it.
    fn is_sent(&self, ticket: Ticket) -> bool {
        let sending = self.sending.as_ref().is_some_and(|sending| sending.ticket == ticket);
        !sending && self.flying.iter().any(|call| call.ticket == ticket && call.is_sent())
    }

    /// Processes a container. Returns whether a call made progress.
    fn piece(&mut self, container: &Container<'_>, now: Instant) -> bool {
        let ticket = self.ticket_of(container.transaction).filter(|&one| self.is_sent(one));
        // A new first container means that the rest of the previous payload was lost.
        if let (Kind::First { .. }, Some(ticket), Some(other)) =
            (container.kind, ticket, self.assembler.under_way())
            && self.ticket_of(other) == Some(ticket)
        {
            self.assembler.reset();
            self.spoil(ticket, Failure::Unfinished);
            return true;
        }
        let (payload, ticket) = match (self.assembler.feed(container, now), ticket) {
            (Ok(Some(payload)), Some(ticket)) => (payload, ticket),
            (Err(cause), Some(ticket)) if cause != assemble::Refused::NoBeginning => {
                self.spoil(ticket, Failure::Pieces(cause));
                return true;
            }
            (Ok(None), Some(_)) => return true,
            _ => {
                self.dropped();
                return false;
            }
        };
        let Some(call) = self.flying.iter().find(|call| call.ticket == ticket) else {
            return false;
        };
        match Self::open(&mut self.session, (container.transaction, payload), call, &self.numbers) {
            Ok((number, message)) => self.answered(ticket, number, message),
            // A duplicate. The first copy was accepted.
            Err(Failure::Session(session::Refused::Replayed { .. })) => {
                self.dropped();
                return false;
            }
            Err(failure) => self.spoil(ticket, failure),
        }
        true
    }

    /// Opens a response to `call`. Returns its message, and the number of its method if there is one.
    fn open(
        session: &mut Option<Session>,
        (transaction, payload): (u8, &mut [u8]),
        call: &Call,
        numbers: &[(String, u8)],
    ) -> Result<(Option<u8>, Vec<u8>), Failure> {
        let mut missing = 0;
        let payload = match session {
            Some(session) => {
                let opened = session.open(transaction, payload).map_err(Failure::Session)?;
                missing = session.missed();
                opened
            }
            None => payload,
        };
        if call.begun && missing > 0 {
            return Err(Failure::Missing(missing));
        }
        let command = Command::parse(payload).map_err(Failure::Command)?;
        let (ours, number) = match command.method {
            Method::Name(name) => (name == call.method, None),
            // The mapping between names and numbers must be one-to-one.
            Method::Number(number) => {
                let mut known =
                    numbers.iter().filter(|(name, n)| *name == call.method || *n == number);
                (known.all(|(name, n)| *name == call.method && *n == number), Some(number))
            }
        };
        if !ours || command.direction != Direction::Response {
            return Err(Failure::NotAsked);
        }
        Ok((number, command.message.to_vec()))
    }

    fn answered(&mut self, ticket: Ticket, number: Option<u8>, message: Vec<u8>) {
        self.pass_over(ticket);
        let Some(call) = self.flying.iter_mut().find(|call| call.ticket == ticket) else { return };
        call.begun = true;
        if let Some(number) = number
            && !self.numbers.iter().any(|(name, _)| *name == call.method)
        {
            self.numbers.push((call.method.clone(), number));
        }
        if call.kind != CallKind::Stream {
            self.finish(ticket, |ticket| Event::Reply { ticket, message });
        } else if call.wanted {
            self.events.push_back(Event::Item { ticket, message });
        }
    }

    /// Fails a call with an invalid response. A stream is still received to its end, because the next
    /// response follows it.
    fn spoil(&mut self, ticket: Ticket, failure: Failure) {
        match self.flying.iter_mut().find(|call| call.ticket == ticket) {
            Some(call) if call.kind == CallKind::Stream => {
                if core::mem::replace(&mut call.wanted, false) {
                    self.events.push_back(Event::Failed { ticket, failure });
                }
            }
            _ => self.fail(ticket, failure),
        }
    }

    /// Fails the calls before the one that is answered, because their responses are lost.
    fn pass_over(&mut self, ticket: Ticket) {
        while self.flying.front().is_some_and(|call| call.ticket != ticket) {
            let lost = self.flying.front().map(|call| call.ticket);
            lost.into_iter().for_each(|lost| self.fail(lost, Failure::Lost));
        }
    }

    fn finish(&mut self, ticket: Ticket, event: impl FnOnce(Ticket) -> Event) {
        let at = self.flying.iter().position(|call| call.ticket == ticket);
        let Some(call) = at.and_then(|at| self.flying.remove(at)) else { return };
        self.sending.take_if(|sending| sending.ticket == ticket);
        if call.wanted {
            self.events.push_back(event(ticket));
        }
    }

    fn fail(&mut self, ticket: Ticket, failure: Failure) {
        self.finish(ticket, |ticket| Event::Failed { ticket, failure });
    }

    fn fail_all(&mut self, failure: Failure) {
        self.flying.append(&mut self.waiting);
        while let Some(ticket) = self.flying.front().map(|call| call.ticket) {
            self.fail(ticket, failure.clone());
        }
    }

    /// Fails calls after their timeout. Returns the time of the next check, if any call is waiting.
    pub fn tick(&mut self, now: Instant) -> Option<Instant> {
        if self.peer.is_none() {
            let greeted =
                self.greeting.tick(&self.config, &mut self.messages, &mut self.entropy, now);
            self.greeted(greeted);
            return self.greeting.due();
        }
        if self.flying.is_empty() {
            return None;
        }
        let patience = self.config.timeout_ns.unwrap_or_else(|| {
            self.peer.as_ref().map_or(0, |peer| u64::from(peer.timeout_ms) * 1_000_000)
        });
        if now.since(self.heard) > patience {
            self.assembler.reset();
            self.sending = None;
            while let Some(ticket) = self.flying.front().map(|call| call.ticket) {
                self.fail(ticket, Failure::TimedOut);
            }
            return None;
        }
        Some(self.heard.after(patience + 1))
    }
}
