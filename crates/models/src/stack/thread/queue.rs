//! Message buffers and the direct transmit queue: what waits, and what is refused or dropped.
//!
//! Rules are those of OpenThread 1.4. A message takes as many buffers of the pool as it needs, for as
//! long as it exists. One that would be more than so many frames behind the one being sent is dropped
//! (`OPENTHREAD_CONFIG_MAX_FRAMES_IN_DIRECT_TX_QUEUE`). A message that has waited too long is dropped
//! when its turn comes, or when the queue is full; OpenThread spares what its own node sends from that,
//! and of a frame that a node forwards drops what belongs to the same datagram besides
//! (`MeshForwarder::UpdateEcnOrDrop`). Datagrams that are being put together take buffers of the same
//! pool.

use std::collections::VecDeque;

use airlag_sim::{Duration, Instant};

use super::adaptation::HEADERS_LEN;

/// The pool of message buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many there are: `OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS`.
    pub count: usize,
    /// Octets of a pointer, on which the size of all of them depends.
    pub word: usize,
}

/// What a UDP message reserves in front of its payload: headers of IPv6, hop-by-hop options and UDP,
/// and the option of MPL (`Ip6::NewMessage`).
const RESERVED: usize = HEADERS_LEN + 2 + 6;

impl Pool {
    /// Octets of a buffer: `OPENTHREAD_CONFIG_MESSAGE_BUFFER_SIZE`.
    #[must_use]
    pub const fn buffer_len(&self) -> usize {
        32 * self.word
    }

    /// Octets of `Message::Metadata`, of a node that can be a router: five pointers or averages among
    /// 28 octets that are the same everywhere.
    const fn metadata_len(&self) -> usize {
        4 * self.word + 32
    }

    /// Buffers that a message with a UDP payload of `len` octets takes.
    #[must_use]
    pub const fn needed(&self, len: usize) -> usize {
        self.buffers(RESERVED + len)
    }

    /// Buffers that a message of `octets` in all takes.
    #[must_use]
    pub const fn buffers(&self, octets: usize) -> usize {
        let each = self.buffer_len() - self.word;
        let head = each - self.metadata_len();
        1 + octets.saturating_sub(head).div_ceil(each)
    }
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The payload of a datagram of the board's own.
    Datagram(Vec<u8>),
    /// The payload of a frame on its way through the board, mesh header and all.
    Frame {
        /// Its octets.
        bytes: Vec<u8>,
        /// Which fragment it is, if it is none of a whole datagram.
        fragment: Option<Fragment>,
    },
}

/// A fragment on its way through a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// RLOC16 of whoever made it, and the tag of its datagram.
    pub of: (u16, u16),
    /// It is the first of its datagram.
    pub first: bool,
}

impl Content {
    const fn buffers(&self, pool: &Pool) -> usize {
        match self {
            Self::Datagram(payload) => pool.needed(payload.len()),
            Self::Frame { bytes, .. } => pool.buffers(bytes.len()),
        }
    }

    const fn frames(&self) -> u64 {
        match self {
            Self::Datagram(payload) => estimated_frames(payload.len()),
            Self::Frame { .. } => 1,
        }
    }
}

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is.
    pub content: Content,
    /// When it came.
    pub since: Instant,
}

/// How much may wait, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Buffers for what waits and what is being sent.
    pub pool: Pool,
    /// Frames behind the message being sent.
    pub frames: u64,
    /// How long a datagram of the board's own may wait; for ever if none.
    pub wait: Option<Duration>,
    /// The same for a frame on its way through the board.
    pub forwarded: Option<Duration>,
}

/// Datagrams of which fragments are dropped that a node remembers
/// (`OPENTHREAD_CONFIG_DELAY_AWARE_QUEUE_MANAGEMENT_FRAG_TAG_ENTRY_LIST_SIZE`).
const REMEMBERED: usize = 16;

/// Why a message is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No message buffer is left: the call fails.
    NoBuffers,
    /// The direct transmit queue is full: the call succeeds, and the message is dropped.
    QueueFull,
}

/// What waits, and what is being sent.
#[derive(Debug)]
pub struct Queue {
    limits: Limits,
    waiting: VecDeque<Message>,
    /// Buffers in use, those of the message being sent included.
    used: usize,
    /// Of these, those of the message being sent.
    sending: usize,
    /// Datagrams whose first fragment was dropped here.
    doomed: VecDeque<(u16, u16)>,
}

impl Queue {
    /// One that is empty.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        let doomed = VecDeque::new();
        Self { limits, waiting: VecDeque::new(), used: 0, sending: 0, doomed }
    }

    /// Adds a message; how many had waited too long and made room for it.
    pub fn push(&mut self, content: Content, now: Instant) -> (Result<(), Refused>, usize) {
        let (needed, frames) = (content.buffers(&self.limits.pool), content.frames());
        if self.used + needed > self.limits.pool.count {
            return (Err(Refused::NoBuffers), 0);
        }
        let mut late = 0;
        if self.frames() + frames > self.limits.frames {
            late = self.drop_late(now);
            if self.frames() + frames > self.limits.frames {
                return (Err(Refused::QueueFull), late);
            }
        }
        self.used += needed;
        self.waiting.push_back(Message { content, since: now });
        (Ok(()), late)
    }

    /// Takes buffers for a datagram of `octets` that is put together; false if there are too few.
    pub const fn hold(&mut self, octets: usize) -> bool {
        let needed = self.limits.pool.buffers(octets);
        let free = self.used + needed <= self.limits.pool.count;
        if free {
            self.used += needed;
        }
        free
    }

    /// Gives them back.
    pub const fn release(&mut self, octets: usize) {
        self.used -= self.limits.pool.buffers(octets);
    }

    /// Messages behind the one being sent.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.waiting.len()
    }

    /// Takes the message to be sent next, and how many before it had waited too long.
    pub fn next(&mut self, now: Instant) -> (Option<Message>, usize) {
        let mut late = 0;
        while let Some(message) = self.waiting.pop_front() {
            let buffers = message.content.buffers(&self.limits.pool);
            if self.is_late(&message, now) {
                self.used -= buffers;
                late += 1;
                continue;
            }
            self.sending = buffers;
            return (Some(message), late);
        }
        (None, late)
    }

    /// The message being sent is done with.
    pub const fn done(&mut self) {
        self.used -= self.sending;
        self.sending = 0;
    }

    fn frames(&self) -> u64 {
        self.waiting.iter().map(|message| message.content.frames()).sum()
    }

    /// Whether it is dropped. Fragments share the fate of the first of their datagram.
    fn is_late(&mut self, message: &Message, now: Instant) -> bool {
        let over =
            |wait: Option<Duration>| wait.is_some_and(|wait| now.since(message.since) >= wait);
        match message.content {
            Content::Datagram(_) => over(self.limits.wait),
            Content::Frame { fragment: None, .. } => over(self.limits.forwarded),
            Content::Frame { fragment: Some(fragment), .. } if fragment.first => {
                let late = over(self.limits.forwarded);
                if late {
                    if self.doomed.len() == REMEMBERED {
                        self.doomed.pop_front();
                    }
                    self.doomed.push_back(fragment.of);
                }
                late
            }
            Content::Frame { fragment: Some(fragment), .. } => self.doomed.contains(&fragment.of),
        }
    }

    fn drop_late(&mut self, now: Instant) -> usize {
        let all = std::mem::take(&mut self.waiting);
        let (late, kept): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|message| self.is_late(message, now));
        self.waiting = kept.into();
        let pool = &self.limits.pool;
        self.used -= late.iter().map(|message| message.content.buffers(pool)).sum::<usize>();
        late.len()
    }
}

/// Frames a message counts for in the queue: a guess of OpenThread's, whatever the headers are
/// (`MeshForwarder::IsDirectTxQueueOverMaxFrameThreshold`).
const fn estimated_frames(len: usize) -> u64 {
    const FIRST: usize = 127;
    const NEXT: usize = 96;
    1 + ((HEADERS_LEN + len).saturating_sub(FIRST) / NEXT) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: Pool = Pool { count: 44, word: 4 };
    const AT: Instant = Instant::START;

    fn queue(wait: Option<Duration>) -> Queue {
        Queue::new(Limits {
            pool: Pool { count: 1_000, ..BOARD },
            frames: 100,
            wait,
            forwarded: None,
        })
    }

    fn datagram(of: u8) -> Content {
        Content::Datagram(vec![of; 79])
    }

    #[test]
    fn forty_four_buffers_hold_twenty_two_full_frames() {
        let mut queue =
            Queue::new(Limits { pool: BOARD, frames: 100, wait: None, forwarded: None });
        for _ in 0..22 {
            assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        }
        assert_eq!(queue.push(datagram(0), AT), (Err(Refused::NoBuffers), 0));
        // The one being sent keeps its buffers until it is done.
        assert!(queue.next(AT).0.is_some());
        assert_eq!(queue.push(datagram(0), AT), (Err(Refused::NoBuffers), 0));
        queue.done();
        assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
    }

    #[test]
    fn the_one_hundred_and_first_frame_behind_another_is_dropped() {
        let mut queue = queue(None);
        assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        assert!(queue.next(AT).0.is_some());
        for _ in 0..100 {
            assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        }
        assert_eq!(queue.push(datagram(0), AT), (Err(Refused::QueueFull), 0));
    }

    #[test]
    fn what_has_waited_too_long_is_dropped_when_its_turn_comes_or_room_is_wanted() {
        let mut queue = queue(Some(Duration::from_ms(1_000)));
        let late = AT + Duration::from_ms(1_000);
        for _ in 0..3 {
            assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        }
        for _ in 0..97 {
            assert_eq!(queue.push(datagram(1), late), (Ok(()), 0));
        }
        assert_eq!(queue.push(datagram(1), late), (Ok(()), 3));
        assert_eq!(queue.next(late).0.map(|message| message.content), Some(datagram(1)));
        assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        let (next, gone) = queue.next(late + Duration::from_ms(1_000));
        assert_eq!((next, gone), (None, 98));
        queue.done();
        assert_eq!(queue.used, 0);
    }

    #[test]
    fn of_a_datagram_on_its_way_through_all_fragments_are_dropped_with_the_first() {
        let forwarded = Some(Duration::from_ms(500));
        let pool = Pool { count: 1_000, ..BOARD };
        let mut queue = Queue::new(Limits { pool, frames: 100, wait: None, forwarded });
        let late = AT + Duration::from_ms(500);
        let frame = |tag, first| {
            let fragment = Some(Fragment { of: (0x0400, tag), first });
            Content::Frame { bytes: vec![tag as u8; 100], fragment }
        };
        // The rest of the first came in time, and is of no use; that of the second is no first one.
        for (content, at) in [
            (frame(1, true), AT),
            (frame(1, false), late),
            (frame(2, false), AT),
            (datagram(0), AT),
        ] {
            assert_eq!(queue.push(content, at), (Ok(()), 0));
        }
        let (next, gone) = queue.next(late);
        assert_eq!((next.map(|message| message.content), gone), (Some(frame(2, false)), 2));
        assert_eq!(queue.next(late).0.map(|message| message.content), Some(datagram(0)));
    }

    #[test]
    fn what_is_put_together_takes_buffers_of_the_same_pool() {
        let mut queue =
            Queue::new(Limits { pool: BOARD, frames: 100, wait: None, forwarded: None });
        // 76 octets in the first of 128, 124 in each further one.
        assert!((0..4).all(|_| queue.hold(1_072)));
        assert_eq!(queue.used, 4 * 10);
        assert!(!queue.hold(1_072));
        assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        queue.release(1_072);
        assert_eq!(queue.used, 3 * 10 + 2);
    }
}
