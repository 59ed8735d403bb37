//! One end of a tunnel: what it sends when, and what it makes of what it hears.
//!
//! Both ends listen until one has something to send. It takes the channel for a burst; the last frame
//! asks for an answer: a report, and part of the stream the other way. Some radios answer by themselves with
//! what was laid ready ([`Arq`] says how it is done). An end that has more to send than fits an answer says so in it, and has the
//! channel next.
//!
//! - [`config`]: what an end is set to.
//! - [`fate`]: what it tells of packets, and what it counts.
//! - `burst`: while it has the channel.
//! - `listen`: while the other end may have it.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::codel::Waiting;
use crate::fair::Fair;
use crate::handshake::{Handshake, Session};
use crate::keys::Keys;
use crate::receive::Receiver;
use crate::send::{LONGEST, Sender};
use crate::time::Instant;
use crate::wire::{self, Frame};

mod burst;
pub mod config;
pub mod fate;
mod listen;

pub use config::{Arq, Config, Pace};
pub use fate::{Counts, Dropped, Fate, Reason, Refused};
use fate::{drop_waiting, keep};
pub use listen::Renew;

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
    /// Frames confirmed by the link since an answer came.
    untold: usize,
    /// How many frames had been sent when the answer to this burst may have been laid ready, at the earliest.
    age: u64,
    /// How many had been sent when the last answer was made: a burst of the other end may be older than any
    /// sent since, where the two can cross.
    told: u64,
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

impl Endpoint {
    /// An end without a session.
    ///
    /// # Panics
    ///
    /// If the MTU is more than [`LONGEST`], or frames are shorter than [`wire::LEAST`] or longer than
    /// [`wire::MOST`].
    #[must_use]
    pub fn new(config: Config) -> Self {
        let Config { mtu, frame, .. } = config;
        assert!(mtu <= LONGEST, "an MTU of {mtu} is more than {LONGEST}");
        assert!((wire::LEAST..=wire::MOST).contains(&frame), "frames of {frame} bytes");
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
            untold: 0,
            age: 0,
            told: 0,
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
        counts.marked = self.queue.marked();
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

    /// What the radio takes, if that is only known while it is used. Packets of a flow may wait at least for
    /// the longest one (RFC 8289, section 4.4), and as long again four times: for it and what acknowledges it,
    /// each behind another one (section 4.3: about a round trip).
    pub fn set_pace(&mut self, pace: Pace) {
        self.config.pace = pace;
        let Config { mtu, frame, mut queue, .. } = self.config;
        let frames = mtu.div_ceil(wire::body(frame)) as u32;
        let packet = pace.frame * frames + pace.answer;
        queue.limits.target = queue.limits.target.max(packet);
        queue.limits.interval = queue.limits.interval.max(packet * 4);
        self.queue.set_limits(queue.limits);
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
        (self.age, self.told, self.untold) = (0, 0, 0);
        (self.in_vain, self.strange, self.ask_at) = (0, 0, now);
    }
}

/// A report of what `receiver` holds.
fn report(receiver: &Receiver, wants: bool, behind: Option<(u64, &[u8])>) -> Frame {
    let holding = receiver.holding();
    let vouch = |vouched: &[u8]| receiver.vouch(vouched);
    let crate::receive::Holding { first, opened, run, .. } = holding;
    wire::report(first, opened, run, holding.bitmap(), wants, vouch, behind)
}
