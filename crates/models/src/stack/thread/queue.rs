//! Message buffers and the direct transmit queue: what waits, and what is refused or dropped.
//!
//! Rules are those of OpenThread 1.4. A message takes as many buffers of the pool as it needs, for as
//! long as it exists. One that would be more than so many frames behind the one being sent is dropped
//! (`OPENTHREAD_CONFIG_MAX_FRAMES_IN_DIRECT_TX_QUEUE`). A message that has waited too long is dropped
//! when its turn comes, or when the queue is full; OpenThread spares what its own node sends from that.

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
        let each = self.buffer_len() - self.word;
        let head = each - self.metadata_len();
        1 + (RESERVED + len).saturating_sub(head).div_ceil(each)
    }
}

/// A datagram that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its payload.
    pub payload: Vec<u8>,
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
    /// How long a message may wait; for ever if none.
    pub wait: Option<Duration>,
}

/// Why a datagram is not taken.
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
}

impl Queue {
    /// One that is empty.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { limits, waiting: VecDeque::new(), used: 0, sending: 0 }
    }

    /// Adds a datagram; how many had waited too long and made room for it.
    pub fn push(&mut self, payload: &[u8], now: Instant) -> (Result<(), Refused>, usize) {
        let needed = self.limits.pool.needed(payload.len());
        if self.used + needed > self.limits.pool.count {
            return (Err(Refused::NoBuffers), 0);
        }
        let mut late = 0;
        if self.frames() + estimated_frames(payload.len()) > self.limits.frames {
            late = self.drop_late(now);
            if self.frames() + estimated_frames(payload.len()) > self.limits.frames {
                return (Err(Refused::QueueFull), late);
            }
        }
        self.used += needed;
        self.waiting.push_back(Message { payload: payload.to_vec(), since: now });
        (Ok(()), late)
    }

    /// Takes the message to be sent next, and how many before it had waited too long.
    pub fn next(&mut self, now: Instant) -> (Option<Message>, usize) {
        let mut late = 0;
        while let Some(message) = self.waiting.pop_front() {
            if self.is_late(&message, now) {
                self.used -= self.limits.pool.needed(message.payload.len());
                late += 1;
                continue;
            }
            self.sending = self.limits.pool.needed(message.payload.len());
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
        self.waiting.iter().map(|message| estimated_frames(message.payload.len())).sum()
    }

    fn is_late(&self, message: &Message, now: Instant) -> bool {
        self.limits.wait.is_some_and(|wait| now.since(message.since) >= wait)
    }

    fn drop_late(&mut self, now: Instant) -> usize {
        let all = std::mem::take(&mut self.waiting);
        let (late, kept): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|message| self.is_late(message, now));
        self.waiting = kept.into();
        self.used -= late
            .iter()
            .map(|message| self.limits.pool.needed(message.payload.len()))
            .sum::<usize>();
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
        Queue::new(Limits { pool: Pool { count: 1_000, ..BOARD }, frames: 100, wait })
    }

    #[test]
    fn forty_four_buffers_hold_twenty_two_full_frames() {
        let mut queue = Queue::new(Limits { pool: BOARD, frames: 100, wait: None });
        for _ in 0..22 {
            assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
        }
        assert_eq!(queue.push(&[0; 79], AT), (Err(Refused::NoBuffers), 0));
        // The one being sent keeps its buffers until it is done.
        assert!(queue.next(AT).0.is_some());
        assert_eq!(queue.push(&[0; 79], AT), (Err(Refused::NoBuffers), 0));
        queue.done();
        assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
    }

    #[test]
    fn the_one_hundred_and_first_frame_behind_another_is_dropped() {
        let mut queue = queue(None);
        assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
        assert!(queue.next(AT).0.is_some());
        for _ in 0..100 {
            assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
        }
        assert_eq!(queue.push(&[0; 79], AT), (Err(Refused::QueueFull), 0));
    }

    #[test]
    fn what_has_waited_too_long_is_dropped_when_its_turn_comes_or_room_is_wanted() {
        let mut queue = queue(Some(Duration::from_ms(1_000)));
        let late = AT + Duration::from_ms(1_000);
        for _ in 0..3 {
            assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
        }
        for _ in 0..97 {
            assert_eq!(queue.push(&[1; 79], late), (Ok(()), 0));
        }
        assert_eq!(queue.push(&[1; 79], late), (Ok(()), 3));
        assert_eq!(queue.next(late).0.map(|message| message.payload[0]), Some(1));
        assert_eq!(queue.push(&[0; 79], AT), (Ok(()), 0));
        let (next, gone) = queue.next(late + Duration::from_ms(1_000));
        assert_eq!((next, gone), (None, 98));
        queue.done();
        assert_eq!(queue.used, 0);
    }
}
