//! Message buffers and the direct transmit queue, with their drop rules.
//!
//! The rules are those of OpenThread 1.4. A message occupies the buffers that it needs for as long
//! as it exists. A new message is dropped if, with this message, the number of frames queued
//! behind the message that is being sent would exceed a limit
//! (`OPENTHREAD_CONFIG_MAX_FRAMES_IN_DIRECT_TX_QUEUE`). A message that has waited longer than a
//! time limit is dropped when its turn comes, or when the queue is full. OpenThread exempts
//! messages that originate from the node itself from the time limit. If OpenThread drops a
//! forwarded frame, it also drops the remaining frames of the same datagram
//! (`MeshForwarder::UpdateEcnOrDrop`). Datagrams in reassembly occupy buffers of the same pool as
//! queued messages.

use std::collections::VecDeque;

use airlag_sim::{Duration, Instant};

use super::adaptation::HEADERS_LEN;

/// The pool of message buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Number of buffers: `OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS`.
    pub count: usize,
    /// Size of a pointer, octets, which determines the buffer size.
    pub word: usize,
}

/// Space reserved before the payload of a UDP message: headers of IPv6, hop-by-hop options and UDP,
/// and the MPL option (`Ip6::NewMessage`).
const RESERVED: usize = HEADERS_LEN + 2 + 6;

impl Pool {
    /// Size of a buffer, octets: `OPENTHREAD_CONFIG_MESSAGE_BUFFER_SIZE`.
    #[must_use]
    pub const fn buffer_len(&self) -> usize {
        32 * self.word
    }

    /// Size of `Message::Metadata` on a node that can be a router, octets: five pointers or
    /// averages, and 28 octets independent of the platform.
    const fn metadata_len(&self) -> usize {
        4 * self.word + 32
    }

    /// Number of buffers for a message with a UDP payload of `len` octets.
    #[must_use]
    pub const fn needed(&self, len: usize) -> usize {
        self.buffers(RESERVED + len)
    }

    /// Number of buffers for a message of `octets` in total.
    #[must_use]
    pub const fn buffers(&self, octets: usize) -> usize {
        let each = self.buffer_len() - self.word;
        let head = each - self.metadata_len();
        1 + octets.saturating_sub(head).div_ceil(each)
    }
}

/// Content of a queued message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Payload of the board's own datagram.
    Datagram(Vec<u8>),
    /// Payload of a forwarded frame, including its mesh header.
    Frame {
        /// Payload, octets.
        bytes: Vec<u8>,
        /// Identity of the fragment. `None` for a complete datagram.
        fragment: Option<Fragment>,
    },
}

/// A forwarded fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// RLOC16 of its originator, and the tag of its datagram.
    pub of: (u16, u16),
    /// Whether it is the first of its datagram.
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

/// A queued message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Content.
    pub content: Content,
    /// Arrival time.
    pub since: Instant,
}

/// Limits of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Buffers for queued messages and the one being sent.
    pub pool: Pool,
    /// Frames queued behind the message being sent.
    pub frames: u64,
    /// Longest wait of the board's own datagrams. `None` means no limit.
    pub wait: Option<Duration>,
    /// Longest wait of forwarded frames. `None` means no limit.
    pub forwarded: Option<Duration>,
}

/// Number of datagrams with dropped fragments that a node remembers
/// (`OPENTHREAD_CONFIG_DELAY_AWARE_QUEUE_MANAGEMENT_FRAG_TAG_ENTRY_LIST_SIZE`).
const REMEMBERED: usize = 16;

/// Reason why a message is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No message buffer is free: the call fails.
    NoBuffers,
    /// The direct transmit queue is full: the call succeeds, and the message is dropped.
    QueueFull,
}

/// Queued messages, and the one being sent.
#[derive(Debug)]
pub struct Queue {
    limits: Limits,
    waiting: VecDeque<Message>,
    /// Buffers in use, including those of the message being sent.
    used: usize,
    /// Buffers of the message being sent.
    sending: usize,
    /// Datagrams whose first fragment was dropped here.
    doomed: VecDeque<(u16, u16)>,
}

impl Queue {
    /// Creates an empty queue.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        let doomed = VecDeque::new();
        Self { limits, waiting: VecDeque::new(), used: 0, sending: 0, doomed }
    }

    /// Adds a message. Also returns the number of late messages that were dropped to make room.
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

    /// Reserves buffers for the reassembly of a datagram of `octets`; returns false if there are
    /// too few.
    pub const fn hold(&mut self, octets: usize) -> bool {
        let needed = self.limits.pool.buffers(octets);
        let free = self.used + needed <= self.limits.pool.count;
        if free {
            self.used += needed;
        }
        free
    }

    /// Releases the buffers of a datagram in reassembly.
    pub const fn release(&mut self, octets: usize) {
        self.used -= self.limits.pool.buffers(octets);
    }

    /// Number of messages behind the one being sent.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.waiting.len()
    }

    /// Takes the next message, and returns the number of late ones dropped before it.
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

    /// Releases the message being sent.
    pub const fn done(&mut self) {
        self.used -= self.sending;
        self.sending = 0;
    }

    fn frames(&self) -> u64 {
        self.waiting.iter().map(|message| message.content.frames()).sum()
    }

    /// Whether a message is dropped because it is late. All fragments of a datagram are treated
    /// like the first.
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

/// Number of frames for which a message counts in the queue: an estimate of OpenThread independent
/// of the headers (`MeshForwarder::IsDirectTxQueueOverMaxFrameThreshold`).
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
        // The message being sent keeps its buffers until it is complete.
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
        // The remaining fragment of the first datagram is in time but useless. That of the second
        // is not a first fragment.
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
        // 76 octets in the first buffer of 128, 124 in each further one.
        assert!((0..4).all(|_| queue.hold(1_072)));
        assert_eq!(queue.used, 4 * 10);
        assert!(!queue.hold(1_072));
        assert_eq!(queue.push(datagram(0), AT), (Ok(()), 0));
        queue.release(1_072);
        assert_eq!(queue.used, 3 * 10 + 2);
    }
}
