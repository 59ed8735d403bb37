//! One end of a tunnel: what it sends when, and what it makes of what it hears.
//!
//! Both ends listen until one has something to send. It takes the channel for a burst; the last frame
//! asks for an answer, which the other radio sends by itself with what was laid ready: a report, and part of
//! the stream the other way. An end that has more to send than fits an answer says so in it, and has the
//! channel next.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::time::Duration;

use crate::codel::Waiting;
use crate::fair::{self, Fair, Overload};
use crate::handshake::{Handshake, Session};
use crate::keys::{Keys, Protection};
use crate::receive::{Holding, Receiver};
use crate::send::{Heeded, LEAST, LONGEST, Sender};
use crate::time::Instant;
use crate::wire::{self, BODY, Frame, Kind, LEFT, Parsed, Report, room_behind_report};

/// What the radio takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A full frame on the air.
    pub frame: Duration,
    /// From the end of a burst until the answer to it has ended.
    pub answer: Duration,
    /// From the end of an answer until the other end's burst can be heard, at the latest.
    pub turn: Duration,
    /// Frames in a burst, at most.
    pub burst: usize,
}

/// What an end is set to.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether packets are encrypted.
    pub protection: Protection,
    /// Longest packet, bytes.
    pub mtu: usize,
    /// Packets that wait.
    pub queue: fair::Config,
    /// What the radio takes.
    pub pace: Pace,
    /// Drawn anew whenever an end begins: sessions, and waits after a collision, follow from it.
    pub random: u64,
}

/// Why a packet was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing to send.
    #[error("a packet has at least one byte")]
    Empty,
    /// Longer than the MTU.
    #[error("{len} bytes are more than the MTU of {mtu}")]
    TooLong {
        /// Bytes given.
        len: usize,
        /// Bytes that may be.
        mtu: usize,
    },
}

/// Why a packet that was taken is not sent, or not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It had waited too long.
    Late,
    /// Too much waited.
    Full,
    /// The other end began anew before it had confirmed it: it may have come, and is not sent again.
    Restart,
}

/// A packet that was taken and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// What [`Endpoint::offer`] called it.
    pub id: u64,
    /// Why.
    pub reason: Reason,
}

/// What happened to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The other end has it.
    Confirmed(u64),
    /// It was dropped.
    Dropped(Dropped),
}

/// What an end counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets taken.
    pub offered: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets handed on.
    pub received: u64,
    /// Bursts begun.
    pub bursts: u64,
    /// Bursts without an answer.
    pub unanswered: u64,
    /// Frames of sessions before this one.
    pub frames: u64,
    /// Those of them that were sent again.
    pub repeated: u64,
    /// Packets that were not what had been sealed.
    pub broken: u64,
    /// What was heard and is no frame of a tunnel.
    pub garbage: u64,
    /// Sessions begun.
    pub sessions: u64,
}

/// The two halves of a session.
struct Halves {
    sender: Sender,
    receiver: Receiver,
    /// Something was received that no report told of yet.
    owed: bool,
}

/// One end of a tunnel.
pub struct Endpoint {
    config: Config,
    queue: Fair,
    handshake: Handshake,
    up: Option<Halves>,
    random: u64,
    next_id: u64,
    frames: Vec<Frame>,
    /// The stream's frame that is the last of the burst.
    asking: Option<u64>,
    greeting_asks: bool,
    /// How many frames had been sent when the answer to this burst may have been laid ready, at the earliest.
    age: u64,
    /// Bursts in a row without an answer.
    failures: u32,
    /// Nothing is sent before.
    not_before: Instant,
    /// When what was sent is asked after, if nothing else is to be sent.
    ask_at: Instant,
    /// Questions in a row that changed nothing.
    in_vain: u32,
    peer_wants: bool,
    /// Reports in a row that were not about this session, as this end knows it.
    strange: u32,
    /// What the answer laid ready has in it.
    ready: Ready,
    received: VecDeque<Vec<u8>>,
    fates: VecDeque<Fate>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    number: Option<u64>,
    greeting: bool,
    wants: bool,
}

/// Whether a new answer is to be laid ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renew {
    /// The one that is there will do.
    No,
    /// At once, before the burst ends.
    Now,
    /// Once the radio has sent the one that is there, at this instant.
    Behind(Instant),
}

/// Fates that are kept for whoever asks; older ones are only counted.
const KEPT: usize = 4096;
/// With so many frames left of a burst the answer to it is laid ready: late enough to tell of most of it, and
/// early enough to be in place.
const RENEWED: u8 = 2;
/// Unanswered bursts in a row after which only short questions are sent.
const PATIENCE: u32 = 2;
/// Reports in a row that are not about this session, until the other end is greeted again. Some come by
/// chance: damaged ones, those of the session before.
const STRANGE: u32 = 8;
/// The longest wait after an unanswered burst, in waits after the first.
const BACKOFF: u32 = 5;

impl Endpoint {
    /// An end without a session.
    ///
    /// # Panics
    ///
    /// If the MTU is more than [`LONGEST`].
    #[must_use]
    pub fn new(config: Config) -> Self {
        assert!(config.mtu <= LONGEST, "an MTU of {} is more than {LONGEST}", config.mtu);
        let handshake = Handshake::new(config.protection.clone(), config.random);
        Self {
            queue: Fair::new(config.queue, config.random),
            handshake,
            up: None,
            random: config.random,
            next_id: 0,
            frames: Vec::new(),
            asking: None,
            greeting_asks: false,
            age: 0,
            failures: 0,
            not_before: Instant::default(),
            ask_at: Instant::default(),
            in_vain: 0,
            peer_wants: false,
            strange: 0,
            ready: Ready::default(),
            received: VecDeque::new(),
            fates: VecDeque::new(),
            counts: Counts::default(),
            config,
        }
    }

    /// What it is set to.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = self.counts;
        if let Some(up) = &self.up {
            let (frames, repeated) = up.sender.counts();
            counts.frames += frames;
            counts.repeated += repeated;
            counts.broken += up.receiver.broken();
        }
        counts
    }

    /// True while there is a session.
    #[must_use]
    pub const fn is_up(&self) -> bool {
        self.up.is_some()
    }

    /// Bytes of packets that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.queue.bytes()
    }

    /// Greets the other end before there is anything to send.
    pub const fn greet(&mut self) {
        self.handshake.greet();
    }

    /// Takes a packet to be sent, and says what it is called when its fate is told.
    pub fn offer(&mut self, packet: &[u8], now: Instant) -> Result<u64, Refused> {
        let (len, mtu) = (packet.len(), self.config.mtu);
        if len == 0 {
            return Err(Refused::Empty);
        }
        if len > mtu {
            return Err(Refused::TooLong { len, mtu });
        }
        let id = self.next_id;
        (self.next_id, self.counts.offered) = (id + 1, self.counts.offered + 1);
        let (fates, counts) = (&mut self.fates, &mut self.counts);
        let packet = Waiting { id, packet: packet.to_vec(), since: now };
        self.queue.push(packet, |gone, why| drop_waiting(fates, counts, &gone, why));
        Ok(id)
    }

    /// The next packet that came.
    pub fn packet(&mut self) -> Option<Vec<u8>> {
        self.received.pop_front()
    }

    /// The next thing that is known of a packet.
    pub fn fate(&mut self) -> Option<Fate> {
        self.fates.pop_front()
    }

    /// When [`Self::burst`] has something to send, unless something happens before; none if it has not.
    #[must_use]
    pub fn wake(&self) -> Option<Instant> {
        let Some(up) = &self.up else {
            let any = self.handshake.is_due() || !self.queue.is_empty();
            return any.then_some(self.not_before);
        };
        let sender = &up.sender;
        if self.handshake.is_due()
            || up.owed
            || sender.is_due()
            || (sender.has_room() && (sender.is_cutting() || !self.queue.is_empty()))
        {
            Some(self.not_before)
        } else {
            sender.is_unconfirmed().then(|| self.not_before.max(self.ask_at))
        }
    }

    /// The frames to send now, if any: all but the last without asking for an answer.
    pub fn burst(&mut self, now: Instant) -> Option<&[Frame]> {
        if self.wake().is_none_or(|at| now < at) {
            return None;
        }
        self.frames.clear();
        self.asking = None;
        // An answer that went out makes place for a new one.
        self.age = match &self.up {
            Some(up) if self.failures == 0 => up.sender.age(),
            _ => 0,
        };
        self.greeting_asks = self.up.is_none() || self.handshake.is_due();
        if self.greeting_asks {
            self.frames.push(self.handshake.frame());
        } else if self.failures >= PATIENCE {
            self.ask();
        } else {
            self.fill(now);
            if self.frames.is_empty() {
                self.ask();
            }
        }
        let count = self.frames.len();
        for (nth, frame) in self.frames.iter_mut().enumerate() {
            frame.set_left(count - 1 - nth);
        }
        self.counts.bursts += 1;
        Some(&self.frames)
    }

    /// A report alone, which asks for one.
    fn ask(&mut self) {
        if let Some(up) = &mut self.up {
            self.frames.push(report(&up.receiver, false, None));
            up.owed = false;
        }
    }

    /// What is to be sent, as much of it as a burst holds.
    fn fill(&mut self, now: Instant) {
        let Some(up) = &mut self.up else { return };
        let (queue, fates, counts) = (&mut self.queue, &mut self.fates, &mut self.counts);
        let mut pull = || {
            let packet = queue.take(now, |gone, why| drop_waiting(fates, counts, &gone, why))?;
            Some((packet.id, packet.packet))
        };
        if core::mem::take(&mut up.owed) {
            let room = room_behind_report(up.receiver.holding().bitmap().len());
            let number = up.sender.next(room, &mut pull);
            let behind = number.map(|number| (number, up.sender.body(number)));
            self.frames.push(report(&up.receiver, false, behind));
            number.into_iter().for_each(|number| up.sender.mark_sent(number));
            self.asking = number;
        }
        while self.frames.len() < self.config.pace.burst {
            let Some(number) = up.sender.next(BODY, &mut pull) else { break };
            self.frames.push(wire::data(number, up.sender.body(number)));
            up.sender.mark_sent(number);
            self.asking = Some(number);
        }
    }

    /// A burst is over. `answer` is what came back, empty if the other radio answered without anything
    /// laid ready; none if it did not answer.
    pub fn answered(&mut self, now: Instant, answer: Option<&[u8]>) {
        let Some(answer) = answer else {
            self.failures += 1;
            self.counts.unanswered += 1;
            self.not_before = now + self.backoff();
            return;
        };
        self.failures = 0;
        self.not_before = now;
        if self.greeting_asks {
            self.handshake.mark_sent();
        }
        if let (Some(up), Some(number)) = (&mut self.up, self.asking) {
            up.sender.mark_held(number);
        }
        let asked = self.frames.len() == 1 && self.asking.is_none();
        self.peer_wants = false;
        match Parsed::parse(answer) {
            Some(parsed) => {
                self.make_of(now, &parsed.kind, self.age);
                // Nobody asks for what came with an answer: it is told of at once.
                let with_data =
                    matches!(parsed.kind, Kind::Report(report) if report.data.is_some());
                self.up.iter_mut().for_each(|up| up.owed |= with_data);
            }
            None => self.counts.garbage += u64::from(!answer.is_empty()),
        }
        if self.peer_wants {
            self.not_before = now + self.config.pace.turn;
        }
        let missing = self.up.as_ref().is_some_and(|up| up.sender.is_missing());
        let no_good = self.up.is_none() || asked && missing;
        self.in_vain = if no_good { (self.in_vain + 1).min(32) } else { 0 };
        if self.up.is_none() && self.in_vain > 3 {
            self.not_before = now + self.config.pace.turn * self.in_vain;
        }
        // What the radio on the other side acknowledged is most probably there.
        let patience = if missing { self.in_vain } else { 32 };
        self.ask_at = now + self.config.pace.turn * patience;
    }

    /// How long to wait after a burst without an answer: hardly after the first, which was most probably
    /// lost, unless the other end may have begun; then at random, and longer each time, in case both send
    /// at once.
    fn backoff(&mut self) -> Duration {
        let Pace { frame, answer, turn, .. } = self.config.pace;
        let slot = frame + answer + turn;
        match self.failures {
            1 if self.peer_wants => turn + self.within(slot),
            1 => self.within(frame),
            more => {
                let slots = 1 << (more - 1).min(BACKOFF);
                self.within(slot * slots)
            }
        }
    }

    /// A duration below `most` (SplitMix64).
    fn within(&mut self, most: Duration) -> Duration {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let ns = (u128::from(mixed) * most.as_nanos()) >> 64;
        Duration::from_nanos(ns as u64)
    }

    /// A frame was heard.
    pub fn heard(&mut self, now: Instant, frame: &[u8]) -> Renew {
        let Some(Parsed { left, kind }) = Parsed::parse(frame) else {
            self.counts.garbage += 1;
            return Renew::No;
        };
        let pace = self.config.pace;
        if left > 0 {
            let rest = if left == LEFT { pace.burst as u32 } else { u32::from(left) };
            self.not_before = now + pace.frame * rest + pace.answer + pace.turn;
        }
        self.peer_wants = false;
        // A burst is made after all that this end has sent before.
        let age = self.up.as_ref().map_or(0, |up| up.sender.age());
        self.make_of(now, &kind, age);
        if left == 0 {
            let ready = core::mem::take(&mut self.ready);
            let turn = if ready.wants { Duration::ZERO } else { pace.turn };
            self.not_before = now + pace.answer + turn;
            if ready.greeting {
                self.handshake.mark_sent();
            }
            if let (Some(up), Some(number)) = (&mut self.up, ready.number) {
                up.sender.mark_sent(number);
                self.ask_at = now + (pace.answer + pace.turn) * 4 + pace.frame * pace.burst as u32;
            }
            self.failures = 0;
            return Renew::Behind(now + pace.answer);
        }
        if left == RENEWED { Renew::Now } else { Renew::No }
    }

    fn make_of(&mut self, now: Instant, kind: &Kind<'_>, age: u64) {
        match *kind {
            Kind::Greeting { greeting, vouched, voucher } => {
                if self.handshake.take(greeting, vouched, voucher) {
                    self.begin(now);
                }
            }
            Kind::Report(report) => {
                self.take_report(&report, age);
                report.data.iter().for_each(|data| self.take_data(data));
            }
            Kind::Data(data) => self.take_data(&data),
        }
    }

    fn take_report(&mut self, report: &Report<'_>, age: u64) {
        let Some(up) = &mut self.up else { return };
        let fates = &mut self.fates;
        match up.sender.take_report(report, age, |id| keep(fates, Fate::Confirmed(id))) {
            Heeded::Taken => (self.peer_wants, self.strange) = (report.wants, 0),
            Heeded::Late => {}
            Heeded::Strange => self.strange += 1,
        }
        // The ends are in two sessions, or do not agree where a packet begins.
        if self.strange >= STRANGE || up.sender.is_stuck() {
            self.strange = 0;
            self.handshake.begin_anew();
        }
    }

    fn take_data(&mut self, data: &wire::Data<'_>) {
        let Some(up) = &mut self.up else { return };
        up.receiver.take(data, |packet| {
            self.counts.received += 1;
            self.received.push_back(packet);
        });
        if up.receiver.is_stuck() {
            self.handshake.begin_anew();
        }
    }

    /// A new session is up.
    fn begin(&mut self, now: Instant) {
        let Some(Session { own, peer }) = self.handshake.session() else { return };
        self.counts = self.counts();
        self.counts.sessions += 1;
        let protection = &self.config.protection;
        let sender = Sender::new(Keys::new(protection, own, peer));
        let keys = Keys::new(protection, peer, own);
        let receiver = Receiver::new(keys, self.config.mtu, protection.overhead());
        let old = self.up.replace(Halves { sender, receiver, owed: false });
        for id in old.into_iter().flat_map(|old| old.sender.abandon()) {
            self.counts.dropped += 1;
            keep(&mut self.fates, Fate::Dropped(Dropped { id, reason: Reason::Restart }));
        }
        (self.asking, self.ready) = (None, Ready::default());
        (self.in_vain, self.strange, self.ask_at) = (0, 0, now);
    }

    /// The answer to be laid ready.
    pub fn answer(&mut self, now: Instant) -> Frame {
        self.ready = Ready::default();
        if self.up.is_none() || self.handshake.is_due() {
            self.ready.greeting = true;
            return self.handshake.frame();
        }
        let Some(up) = &mut self.up else { return self.handshake.frame() };
        let (queue, fates, counts) = (&mut self.queue, &mut self.fates, &mut self.counts);
        let room = room_behind_report(up.receiver.holding().bitmap().len());
        self.ready.number = up.sender.next(room, || {
            let packet = queue.take(now, |gone, why| drop_waiting(fates, counts, &gone, why))?;
            Some((packet.id, packet.packet))
        });
        let number = self.ready.number;
        self.ready.wants =
            !self.queue.is_empty() || up.sender.is_cutting() || up.sender.is_due_beside(number);
        let behind = number.map(|number| (number, up.sender.body(number)));
        report(&up.receiver, self.ready.wants, behind)
    }
}

fn report(receiver: &Receiver, wants: bool, behind: Option<(u64, &[u8])>) -> Frame {
    let holding = receiver.holding();
    let vouch = |vouched: &[u8]| receiver.vouch(vouched);
    let Holding { first, opened, run, .. } = holding;
    wire::report(first, opened, run, holding.bitmap(), wants, vouch, behind)
}

fn keep(fates: &mut VecDeque<Fate>, fate: Fate) {
    if fates.len() >= KEPT {
        fates.pop_front();
    }
    fates.push_back(fate);
}

fn drop_waiting(fates: &mut VecDeque<Fate>, counts: &mut Counts, gone: &Waiting, why: Overload) {
    counts.dropped += 1;
    let reason = match why {
        Overload::Late => Reason::Late,
        Overload::Full => Reason::Full,
    };
    keep(fates, Fate::Dropped(Dropped { id: gone.id, reason }));
}

const _: () = assert!(room_behind_report(0) >= LEAST);
