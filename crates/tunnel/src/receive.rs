//! Receiving half of the block ARQ: reassembles a stream from frames in any order, and delivers each packet
//! once.
//!
//! A frame is accepted if its mark, which hides the number of the frame, yields an expected number. One in
//! forty forged frames passes this check. If two frames with the same number have different contents, both
//! frames are kept ([`slot`]), and the authentication tag of the packet decides which frame is valid. If no
//! combination of the kept frames is authentic, all frames of the packet are discarded, and a report requests
//! them again. The sender therefore keeps a frame until all packets in the frame are authenticated. A forged
//! length field of a packet is detected when all frames of the packet have arrived and the packet is not
//! authentic. All frames of the packet are then sent again.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::keys::{Keys, PRIME, VOUCHER};
use crate::send::LENGTH;
use crate::wire::{BITMAP, Data, WINDOW};

mod slot;

use slot::{Choices, Slot};

/// The receiving half.
pub struct Receiver {
    keys: Keys,
    /// Length of the longest encrypted packet, bytes.
    longest: usize,
    /// Length of the shortest encrypted packet, bytes.
    shortest: usize,
    /// Number of the frame in which the next packet starts, and the number of its bytes that belong to the
    /// previous packet.
    first: u64,
    offset: usize,
    /// Received frames from `first` on.
    held: VecDeque<Slot>,
    /// Number of received frames without a gap from `first` on, and their contents.
    run: usize,
    stream: Vec<u8>,
    /// Number of received packets.
    opened: u64,
    /// Number of packets that failed authentication, in total and since the last valid one.
    broken: u64,
    in_vain: u32,
}

/// Number of failed authentications of a packet after which the two ends are considered to disagree about the
/// position of the packet in the stream. The cause of such a disagreement is a frame that was truncated
/// exactly at the end of an authentic packet. If the part that was cut off contained whole packets, the other
/// end detects the truncation by the number of received packets.
const ATTEMPTS: u32 = 16;

/// Position of a received frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The frame is in the window.
    Ahead,
    /// The frame is before the window, and so a repetition.
    Behind,
    /// The frame contains no data of this session.
    Nowhere,
}

/// Content of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Number of the frame in which the next packet starts.
    pub first: u64,
    /// Number of received packets.
    pub opened: u64,
    /// Number of received frames without a gap from `first` on.
    pub run: usize,
    bitmap: [u8; BITMAP],
    len: usize,
}

impl Holding {
    /// Bitmap of the received frames after the first missing one.
    #[must_use]
    pub fn bitmap(&self) -> &[u8] {
        &self.bitmap[..self.len]
    }
}

/// Outcome of an attempt to open the next packet.
enum Found {
    /// The packet, and its bytes in the stream.
    Packet(Vec<u8>, usize),
    /// Parts of it are missing.
    Incomplete,
    /// The received bytes are not a packet.
    Broken,
}

impl Receiver {
    /// Creates a receiver for packets of up to `mtu` bytes, to which encryption adds `overhead` bytes.
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

    /// Number of packets that failed authentication.
    #[must_use]
    pub const fn broken(&self) -> u64 {
        self.broken
    }

    /// Number of received packets.
    #[must_use]
    pub const fn opened(&self) -> u64 {
        self.opened
    }

    /// Whether the transfer can continue only in a new session.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.in_vain >= ATTEMPTS
    }

    /// Possible numbers of a frame: at most one for each round that contains numbers of the window
    /// or of the frames just before it.
    fn numbers(&self, data: &Data<'_>) -> impl Iterator<Item = u64> {
        let window = WINDOW as u64;
        let (least, most) = (self.first.saturating_sub(window), self.first + window);
        let rounds = least / PRIME..=(most - 1) / PRIME;
        let number = |round| self.keys.number_of(round, data.mark, data.body);
        rounds.filter_map(number).filter(move |number| (least..most).contains(number))
    }

    /// Processes a frame. Packets that it completes go to `packet`.
    pub fn take(&mut self, data: &Data<'_>, mut packet: impl FnMut(Vec<u8>)) -> Place {
        let (mut place, mut numbers) = (Place::Nowhere, [None; 2]);
        for (number, found) in numbers.iter_mut().zip(self.numbers(data)) {
            *number = Some(found);
        }
        // At the border of two rounds, the number may belong to either.
        for number in numbers.into_iter().flatten() {
            if let Some(ahead) = number.checked_sub(self.first) {
                place = Place::Ahead;
                self.put(ahead as usize, data.body);
            } else if place == Place::Nowhere {
                place = Place::Behind;
            }
        }
        while let Some(whole) = self.next() {
            packet(whole);
        }
        place
    }

    fn put(&mut self, ahead: usize, body: &[u8]) {
        if self.held.len() <= ahead {
            self.held.resize_with(ahead + 1, Slot::default);
        }
        if !self.held[ahead].push(body) {
            return;
        }
        while let Some(chunk) = self.held.get(self.run).and_then(Slot::first) {
            let skipped = if self.run == 0 { self.offset.min(chunk.len()) } else { 0 };
            self.stream.extend_from_slice(&chunk[skipped..]);
            self.run += 1;
        }
    }

    /// The next packet, if it is complete and authentic.
    fn next(&mut self) -> Option<Vec<u8>> {
        if self.run == 0 {
            return None;
        }
        let mut found = self.find(&self.stream);
        let mut choices = Choices::of(self.held.iter().take(self.run));
        while !matches!(found, Found::Packet(..)) && choices.next() {
            let other = choices.stream(self.held.iter().take(self.run), self.offset);
            match (self.find(&other), &found) {
                (Found::Packet(packet, len), _) => {
                    self.stream = other;
                    found = Found::Packet(packet, len);
                }
                (Found::Incomplete, Found::Broken) => found = Found::Incomplete,
                _ => {}
            }
        }
        match found {
            Found::Packet(packet, len) => {
                (self.opened, self.in_vain) = (self.opened + 1, 0);
                self.advance(len, &choices);
                Some(packet)
            }
            Found::Incomplete => None,
            Found::Broken => {
                self.forget();
                None
            }
        }
    }

    /// The packet at the start of a stream.
    fn find(&self, stream: &[u8]) -> Found {
        let Some((&length, rest)) = stream.split_first_chunk::<LENGTH>() else {
            return Found::Incomplete;
        };
        let length = usize::from(u16::from_be_bytes(length));
        if !(self.shortest..=self.longest).contains(&length) {
            return Found::Broken;
        }
        let Some(sealed) = rest.get(..length) else { return Found::Incomplete };
        let mut packet = sealed.to_vec();
        if self.keys.open(self.opened, &mut packet) {
            Found::Packet(packet, LENGTH + length)
        } else {
            Found::Broken
        }
    }

    /// Advances by `bytes` of the stream, which consists of `choices`.
    fn advance(&mut self, bytes: usize, choices: &Choices) {
        self.stream.drain(..bytes);
        self.offset += bytes;
        let mut gone = 0;
        while let Some(chunk) = self.held.front().and_then(|slot| slot.get(choices.at(gone)))
            && self.offset >= chunk.len()
        {
            self.offset -= chunk.len();
            self.held.pop_front();
            (self.first, self.run) = (self.first + 1, self.run - 1);
            gone += 1;
        }
        if let Some(slot) = self.held.front_mut().filter(|_| self.offset > 0) {
            slot.settle(choices.at(gone), self.offset);
        }
        // The contents of the following frames may have been chosen differently.
        if !choices.is_plain() {
            self.stream.clear();
            for (nth, slot) in self.held.iter().take(self.run).enumerate() {
                let chunk = slot.first().unwrap_or(&[]);
                let skipped = if nth == 0 { self.offset.min(chunk.len()) } else { 0 };
                self.stream.extend_from_slice(&chunk[skipped..]);
            }
        }
    }

    /// Discards the frames of the next packet.
    fn forget(&mut self) {
        (self.broken, self.in_vain) = (self.broken + 1, self.in_vain + 1);
        self.stream.clear();
        self.held.iter_mut().take(self.run).for_each(Slot::clear);
        self.run = 0;
    }

    /// Content of the next report.
    #[must_use]
    pub fn holding(&self) -> Holding {
        let (mut bitmap, mut len) = ([0; BITMAP], 0);
        for (bit, slot) in self.held.iter().skip(self.run + 1).enumerate() {
            if slot.first().is_some() {
                bitmap[bit / 8] |= 1 << (bit % 8);
                len = bit / 8 + 1;
            }
        }
        Holding { first: self.first, opened: self.opened, run: self.run, bitmap, len }
    }

    /// Authentication tag of a report.
    #[must_use]
    pub fn vouch(&self, vouched: &[u8]) -> [u8; VOUCHER] {
        self.keys.vouch(self.first, vouched)
    }
}
