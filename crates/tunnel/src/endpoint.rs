//! One end of a tunnel: what it sends when, and what it makes of what it hears.
//!
//! Both ends listen until one has something to send. It takes the channel for a burst; the last frame
//! asks for an answer: a report, and part of the stream the other way. Some radios answer by themselves with
//! what was laid ready ([`Arq`] says how it is done). An end that has more to send than fits an answer says so in it, and has the
//! channel next.
//!
//! - [`config`]: what an end is set to.
//! - [`fate`]: what becomes of packets, and what is counted.
//! - `burst`: while it has the channel.
//! - `listen`: while the other end may have it.
//! - `session`: when a session begins, is renewed and ends.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::codel::Waiting;
use crate::fair::Fair;
use crate::handshake::Handshake;
use crate::receive::Receiver;
use crate::send::{LONGEST, Sender};
use crate::time::Instant;
use crate::wire::{self, Frame};

mod burst;
pub mod config;
pub mod fate;
mod listen;
mod session;

pub use config::{Arq, Config, Lifetime, Pace};
use fate::drop_waiting;
pub use fate::{Counts, Dropped, Drops, Fate, Reason, Refused};
pub use listen::Renew;

/// A session that is up.
struct Up {
    /// What both ends call it.
    number: u32,
    is_initiator: bool,
    began: Instant,
    sender: Sender,
    receiver: Receiver,
    /// Something was received that no report has described yet.
    owed: bool,
    /// The other end knows how much has come, so nothing more is taken.
    is_closed: bool,
    /// It is too old to send anything in it.
    is_over: bool,
}

/// One end of a tunnel.
pub struct Endpoint {
    config: Config,
    queue: Fair,
    /// Packets of the session before, which go first.
    carried: VecDeque<(u64, Vec<u8>)>,
    handshake: Handshake,
    up: Option<Up>,
    random: u64,
    next_id: u64,
    frames: Vec<Frame>,
    /// The stream's frame that is the last of the burst.
    asking: Option<u64>,
    /// The burst is of greetings.
    greeted: bool,
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
    /// The last frame of the burst says that nothing else is to be sent, and so did that of the peer.
    yields: bool,
    peer_yields: bool,
    /// Reports in a row that were not of this session.
    strange: u32,
    /// When the first of them came.
    strange_since: Instant,
    /// Since when it is tried to reach the other end.
    trying: Option<Instant>,
    /// When a frame of the stream came last.
    streamed: Instant,
    /// What the answer laid ready has in it.
    ready: Ready,
    received: VecDeque<Vec<u8>>,
    fates: VecDeque<Fate>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    number: Option<u64>,
    greeting: Option<Frame>,
    wants: bool,
}

impl Endpoint {
    /// An end without a session. `entropy` fills bytes with random numbers; on them rests all that a key protects,
    /// and waits after a collision follow from them.
    ///
    /// # Panics
    ///
    /// If the MTU is more than [`LONGEST`], or frames are shorter than [`wire::LEAST`] or longer than
    /// [`wire::MOST`].
    #[must_use]
    pub fn new(config: Config, mut entropy: impl FnMut(&mut [u8]) + 'static) -> Self {
        let Config { mtu, frame, .. } = config;
        assert!(mtu <= LONGEST, "an MTU of {mtu} is more than {LONGEST}");
        assert!((wire::LEAST..=wire::MOST).contains(&frame), "frames of {frame} bytes");
        let mut random = [0; 8];
        entropy(&mut random);
        let random = u64::from_le_bytes(random);
        let entropy = alloc::boxed::Box::new(entropy);
        Self {
            queue: Fair::new(config.queue, random),
            carried: VecDeque::new(),
            handshake: Handshake::new(config.protection.clone(), frame, entropy).with_mtu(mtu),
            up: None,
            random,
            next_id: 0,
            frames: Vec::new(),
            asking: None,
            greeted: false,
            untold: 0,
            age: 0,
            told: 0,
            failures: 0,
            not_before: Instant::default(),
            ask_at: Instant::default(),
            in_vain: 0,
            peer_wants: false,
            yields: false,
            peer_yields: false,
            strange: 0,
            strange_since: Instant::default(),
            trying: None,
            streamed: Instant::default(),
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

    /// Longest packet that the peer takes, bytes, as it said last; none if it has not been heard.
    #[must_use]
    pub const fn peer_mtu(&self) -> Option<u16> {
        self.handshake.peer_mtu()
    }

    /// Bytes of packets that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.queue.bytes()
    }

    /// True if a packet waits.
    fn has_packets(&self) -> bool {
        !self.queue.is_empty() || !self.carried.is_empty()
    }

    /// Greets the other end before there is anything to send.
    pub fn greet(&mut self) {
        self.handshake.want(Instant::default());
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
        self.renew(now);
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
        let greeting = self.handshake.due().map(|at| at.max(self.not_before));
        greeting.into_iter().chain(self.wake_for_packets()).min()
    }

    /// The same of the stream and reports.
    fn wake_for_packets(&self) -> Option<Instant> {
        let up = self.session()?;
        let sender = &up.sender;
        if up.owed
            || sender.is_due()
            || (sender.has_room() && (sender.is_cutting() || self.has_packets()))
        {
            Some(self.not_before)
        } else {
            sender.is_unconfirmed().then(|| self.not_before.max(self.ask_at))
        }
    }
}

/// A data frame of a sender.
fn data(sender: &Sender, number: u64) -> Frame {
    wire::data(sender.mark(number), sender.body(number))
}

/// A report of what `receiver` holds, with a data frame behind it.
fn report(receiver: &Receiver, wants: bool, behind: Option<(&Sender, u64)>) -> Frame {
    let behind = behind.map(|(sender, number)| (sender.mark(number), sender.body(number)));
    let holding = receiver.holding();
    let vouch = |vouched: &[u8]| receiver.vouch(vouched);
    let crate::receive::Holding { first, opened, run, .. } = holding;
    wire::report(first, opened, run, holding.bitmap(), wants, vouch, behind)
}
