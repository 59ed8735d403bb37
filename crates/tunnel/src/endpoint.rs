//! Protocol state of one end of a tunnel.
//!
//! The two ends of a tunnel listen until one of them has data to send. The end with data occupies the
//! channel for a burst of frames. The last frame of the burst requests a response. The response consists of
//! a report of the received frames, and data in the other direction. Some radios send a prepared response
//! automatically ([`Arq`] describes the variants). If the responding end has more data than fits into the
//! response, the response indicates this, and the responding end occupies the channel next.
//!
//! - [`config`]: configuration of an end.
//! - [`outcome`]: outcomes of packets, and counters.
//! - `burst`: behaviour of an end while it occupies the channel.
//! - `listen`: behaviour of an end while the other end may occupy the channel.
//! - `session`: start, renewal and end of a session.

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
mod listen;
pub mod outcome;
mod session;

pub use config::{Arq, Config, Lifetime, Pace};
pub use listen::Renew;
use outcome::drop_waiting;
pub use outcome::{Counts, Dropped, Drops, PacketOutcome, Reason, Refused};

/// State of an established session.
struct Up {
    /// Number of the session at both ends.
    number: u32,
    is_initiator: bool,
    began: Instant,
    sender: Sender,
    receiver: Receiver,
    /// Whether data was received that no report has covered yet.
    owed: bool,
    /// Whether a confirmation states the final state of reception, so that no more packets are accepted.
    is_closed: bool,
    /// Whether it is too old to send packets.
    is_over: bool,
}

/// One end of a tunnel.
pub struct Endpoint {
    config: Config,
    queue: Fair,
    /// Packets of the previous session, which are sent first.
    carried: VecDeque<(u64, Vec<u8>)>,
    handshake: Handshake,
    up: Option<Up>,
    random: u64,
    next_id: u64,
    frames: Vec<Frame>,
    /// Number of the stream frame at the end of the burst.
    asking: Option<u64>,
    /// Whether the burst consists of greetings.
    greeted: bool,
    /// Number of frames that the link confirmed since the last response.
    unanswered: usize,
    /// Lower bound of the number of sent frames at the time when the response to this burst was
    /// prepared.
    age: u64,
    /// Number of sent frames at the last response. If bursts can cross, a burst of the other end may be
    /// older than the frames sent since.
    answered_age: u64,
    /// Number of consecutive bursts without a response.
    failures: u32,
    /// Earliest time of the next transmission.
    not_before: Instant,
    /// Time of the next request for a report, without other transmissions.
    ask_at: Instant,
    /// Number of consecutive requests after which the report had not changed.
    in_vain: u32,
    peer_wants: bool,
    /// Whether the last frames of both ends indicate that there is nothing else to send.
    yields: bool,
    peer_yields: bool,
    /// Number of consecutive reports that belong to another session.
    strange: u32,
    /// Time of the first of these reports.
    strange_since: Instant,
    /// Time at which the attempts to reach the other end started.
    trying: Option<Instant>,
    /// Time of the last received stream frame.
    streamed: Instant,
    /// Content of the prepared response.
    ready: Ready,
    received: VecDeque<Vec<u8>>,
    outcomes: VecDeque<PacketOutcome>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    number: Option<u64>,
    greeting: Option<Frame>,
    wants: bool,
}

impl Endpoint {
    /// Creates an end without a session. `entropy` fills bytes with random numbers. The security of a key
    /// depends on these numbers, which also determine the backoff after a collision.
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
            unanswered: 0,
            age: 0,
            answered_age: 0,
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
            outcomes: VecDeque::new(),
            counts: Counts::default(),
            config,
        }
    }

    /// Configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Counters.
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

    /// Whether there is a session.
    #[must_use]
    pub const fn is_up(&self) -> bool {
        self.up.is_some()
    }

    /// Sets the timing of the radio, if the timing is measured during operation. The CoDel target is at
    /// least the duration of the longest packet, including the response (RFC 8289, section 4.4). The
    /// CoDel interval is at least four times this duration (section 4.3: about a round trip), because a
    /// packet and its acknowledgement each take up to this duration, and each of them may also wait for
    /// another packet.
    pub fn set_pace(&mut self, pace: Pace) {
        self.config.pace = pace;
        let Config { mtu, frame, mut queue, .. } = self.config;
        let frames = mtu.div_ceil(wire::body(frame)) as u32;
        let packet = pace.frame * frames + pace.answer;
        queue.limits.target = queue.limits.target.max(packet);
        queue.limits.interval = queue.limits.interval.max(packet * 4);
        self.queue.set_limits(queue.limits);
    }

    /// MTU of the peer, bytes. `None` if it is not known.
    #[must_use]
    pub const fn peer_mtu(&self) -> Option<u16> {
        self.handshake.peer_mtu()
    }

    /// Queued bytes.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.queue.bytes()
    }

    /// Whether a packet is queued.
    fn has_packets(&self) -> bool {
        !self.queue.is_empty() || !self.carried.is_empty()
    }

    /// Starts the handshake before there are packets to send.
    pub fn greet(&mut self) {
        self.handshake.want(Instant::default());
    }

    /// Queues a packet. Returns the identifier under which its outcome is reported.
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
        let (outcomes, counts) = (&mut self.outcomes, &mut self.counts);
        let packet = Waiting { id, packet: packet.to_vec(), since: now };
        self.queue.push(packet, |gone, why| drop_waiting(outcomes, counts, &gone, why));
        self.renew(now);
        Ok(id)
    }

    /// Returns the next received packet.
    pub fn packet(&mut self) -> Option<Vec<u8>> {
        self.received.pop_front()
    }

    /// Returns the next known outcome of a packet.
    pub fn outcome(&mut self) -> Option<PacketOutcome> {
        self.outcomes.pop_front()
    }

    /// Returns the time at which [`Self::burst`] has frames to send if no further event occurs. `None` if
    /// there is nothing to send.
    #[must_use]
    pub fn wake(&self) -> Option<Instant> {
        let greeting = self.handshake.due().map(|at| at.max(self.not_before));
        greeting.into_iter().chain(self.wake_for_packets()).min()
    }

    /// [`Self::wake`] for the stream and reports, without the handshake.
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

/// A report of the state of `receiver`, optionally followed by a data frame.
fn report(receiver: &Receiver, wants: bool, behind: Option<(&Sender, u64)>) -> Frame {
    let behind = behind.map(|(sender, number)| (sender.mark(number), sender.body(number)));
    let holding = receiver.holding();
    let vouch = |vouched: &[u8]| receiver.vouch(vouched);
    let crate::receive::Holding { first, opened, run, .. } = holding;
    wire::report(first, opened, run, holding.bitmap(), wants, vouch, behind)
}
