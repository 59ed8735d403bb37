//! The receiving half of the block ARQ: frames in any order → one stream → packets, each once.
//!
//! A packet is handed on when its seal is right, in its place. Where it is not, something that was not
//! sent has come between: all frames it was made of are forgotten, and a report asks for them again. So
//! the other end keeps a frame until the packets in it are taken. A length that was not sent shows when all
//! is there and the packet is not: then all of it is repeated, and what differs takes the place of what was
//! there.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::keys::{Keys, VOUCHER};
use crate::send::LENGTH;
use crate::wire::{BITMAP, Data, WINDOW, number_from};

/// The receiving half.
pub struct Receiver {
    keys: Keys,
    /// Longest packet with its seal, bytes.
    longest: usize,
    /// Shortest packet with its seal, bytes.
    shortest: usize,
    /// Number of the frame in which the next packet begins, and how much of it belongs to the one before.
    first: u64,
    offset: usize,
    /// Frames from that one on.
    held: VecDeque<Option<Vec<u8>>>,
    /// Frames from the first on without a gap, and what is in them.
    run: usize,
    stream: Vec<u8>,
    /// Packets taken so far.
    opened: u64,
    /// Packets that were not what had been sealed, and how many of them since the last one that was.
    broken: u64,
    in_vain: u32,
}

/// Attempts at a packet after which the ends do not agree any more where it begins: a frame was cut short
/// where the one before ends, whose seal was right all the same. If whole packets were behind that, the other
/// end sees it by how many were opened.
const ATTEMPTS: u32 = 16;

/// What a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// First frame not taken.
    pub first: u64,
    /// Packets taken.
    pub opened: u64,
    /// Frames held from that one on.
    pub run: usize,
    bitmap: [u8; BITMAP],
    len: usize,
}

impl Holding {
    /// Which frames behind the first one missing are held.
    #[must_use]
    pub fn bitmap(&self) -> &[u8] {
        &self.bitmap[..self.len]
    }
}

impl Receiver {
    /// A receiver of packets of up to `mtu` bytes, which a seal makes longer by `overhead`.
    #[must_use]
    pub const fn new(keys: Keys, mtu: usize, overhead: usize) -> Self {
        Self {
            keys,
            longest: mtu + overhead,
            shortest: overhead + 1,
            first: 0,
            offset: 0,
            held: VecDeque::new(),
            run: 0,
            stream: Vec::new(),
            opened: 0,
            broken: 0,
            in_vain: 0,
        }
    }

    /// Packets that were not what had been sealed, so far.
    #[must_use]
    pub const fn broken(&self) -> u64 {
        self.broken
    }

    /// True if only a new session helps.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.in_vain >= ATTEMPTS
    }

    /// Takes a frame; the packets that it completes go to `packet`.
    pub fn take(&mut self, data: &Data<'_>, mut packet: impl FnMut(Vec<u8>)) {
        let ahead = (number_from(self.first, data.number) - self.first) as usize;
        if ahead >= WINDOW {
            return;
        }
        if self.held.len() <= ahead {
            self.held.resize(ahead + 1, None);
        }
        match self.held[ahead].replace(data.body.to_vec()) {
            Some(before) if before == data.body => return,
            // One of the two was not sent; the other end repeats what it sent.
            Some(_) if ahead < self.run => {
                self.stream.clear();
                self.run = 0;
            }
            _ => {}
        }
        while let Some(Some(chunk)) = self.held.get(self.run) {
            let skipped = if self.run == 0 { self.offset.min(chunk.len()) } else { 0 };
            self.stream.extend_from_slice(&chunk[skipped..]);
            self.run += 1;
        }
        while let Some(whole) = self.next() {
            packet(whole);
        }
    }

    /// The next packet, if it is there and right.
    fn next(&mut self) -> Option<Vec<u8>> {
        let (&length, rest) = self.stream.split_first_chunk::<LENGTH>()?;
        let length = usize::from(u16::from_be_bytes(length));
        if !(self.shortest..=self.longest).contains(&length) {
            self.forget();
            return None;
        }
        let mut packet = rest.get(..length)?.to_vec();
        if !self.keys.open(self.opened, &mut packet) {
            self.forget();
            return None;
        }
        (self.opened, self.in_vain) = (self.opened + 1, 0);
        self.advance(LENGTH + length);
        Some(packet)
    }

    /// Goes on behind `bytes` of the stream.
    fn advance(&mut self, bytes: usize) {
        self.stream.drain(..bytes);
        self.offset += bytes;
        while let Some(Some(chunk)) = self.held.front()
            && self.offset >= chunk.len()
        {
            self.offset -= chunk.len();
            self.held.pop_front();
            (self.first, self.run) = (self.first + 1, self.run - 1);
        }
    }

    /// Forgets the frames the next packet is made of.
    fn forget(&mut self) {
        (self.broken, self.in_vain) = (self.broken + 1, self.in_vain + 1);
        self.stream.clear();
        self.held.iter_mut().take(self.run).for_each(|place| *place = None);
        self.run = 0;
    }

    /// What to report.
    #[must_use]
    pub fn holding(&self) -> Holding {
        let (mut bitmap, mut len) = ([0; BITMAP], 0);
        for (bit, place) in self.held.iter().skip(self.run + 1).enumerate() {
            if place.is_some() {
                bitmap[bit / 8] |= 1 << (bit % 8);
                len = bit / 8 + 1;
            }
        }
        Holding { first: self.first, opened: self.opened, run: self.run, bitmap, len }
    }

    /// What vouches for it.
    #[must_use]
    pub fn vouch(&self, vouched: &[u8]) -> [u8; VOUCHER] {
        self.keys.vouch(self.first, vouched)
    }
}
