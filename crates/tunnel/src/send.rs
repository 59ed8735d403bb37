//! The sending half of the block ARQ: packets → one stream → frames, each until the other end has it.
//!
//! Packets follow each other in the stream without gaps, each behind two bytes with its length, so small
//! ones share frames. A frame is sent again when a report does not tell of it that must have been made
//! after it was sent, or tells of another that was sent after it: a radio does not overtake itself.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::keys::Keys;
use crate::wire::{NUMBERS, Report, WINDOW};

/// Bytes of a packet's length in the stream.
pub const LENGTH: usize = 2;
/// Least bytes of the stream in a frame that is not the last one of a packet: the longest packet has to
/// fit the window.
pub const LEAST: usize = 20;
/// Longest packet, bytes: with its length and its seal, in frames of [`LEAST`], it fits the window.
pub const LONGEST: usize = (WINDOW - 2) * LEAST - LENGTH - crate::keys::TAG;

#[derive(Debug)]
struct UnderWay {
    /// Part of the stream, as it is in the frame.
    chunk: Vec<u8>,
    /// How many frames were sent when it was sent last.
    sent: Option<u64>,
    /// It has to be sent.
    due: bool,
    /// The other end has it, as far as it said; it may still change its mind.
    held: bool,
}

/// A packet that is not confirmed.
#[derive(Debug)]
struct Open {
    /// What it is known by.
    id: u64,
    /// As it was taken, for another session.
    packet: Vec<u8>,
    /// The frame that ends it.
    end: Option<u64>,
}

/// The sending half.
pub struct Sender {
    keys: Keys,
    /// Number of the first frame under way.
    first: u64,
    under_way: VecDeque<UnderWay>,
    /// The packet being cut, sealed, and how much of it is in frames.
    packet: Vec<u8>,
    cut: usize,
    /// Packets sealed so far.
    sealed: u64,
    /// Packets confirmed.
    confirmed: u64,
    /// Packets not confirmed.
    open: VecDeque<Open>,
    /// Frames sent so far, those sent again counted again.
    sent: u64,
    repeated: u64,
    /// How often all was repeated since the other end took something.
    in_vain: u32,
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heeded {
    /// It is about these frames.
    Taken,
    /// It was about these frames, and is not any more.
    Late,
    /// It is of an end that has opened other packets than there were.
    Doubtful,
    /// It is of another session, or damaged.
    Strange,
}

/// Times after which the ends do not agree any more where the packet begins that is not taken.
const ATTEMPTS: u32 = 4;

impl Sender {
    /// A sender that has sent nothing.
    #[must_use]
    pub const fn new(keys: Keys) -> Self {
        Self {
            keys,
            first: 0,
            under_way: VecDeque::new(),
            packet: Vec::new(),
            cut: 0,
            sealed: 0,
            confirmed: 0,
            open: VecDeque::new(),
            sent: 0,
            repeated: 0,
            in_vain: 0,
        }
    }

    /// Frames sent, and how many of them were repeats.
    #[must_use]
    pub const fn counts(&self) -> (u64, u64) {
        (self.sent, self.repeated)
    }

    /// The frame to send next, with up to `room` bytes of the stream: one that has to be sent again, or
    /// a new one of what `next` gives; none if there is nothing or no room in the window.
    pub fn next(
        &mut self,
        room: usize,
        next: impl FnMut() -> Option<(u64, Vec<u8>)>,
    ) -> Option<u64> {
        let due = |frame: &UnderWay| frame.due && frame.chunk.len() <= room;
        if let Some(at) = self.under_way.iter().position(due) {
            return Some(self.first + at as u64);
        }
        if room < LEAST || self.under_way.len() >= WINDOW {
            return None;
        }
        self.cut(room, next)
    }

    /// Cuts a new frame.
    fn cut(
        &mut self,
        room: usize,
        mut next: impl FnMut() -> Option<(u64, Vec<u8>)>,
    ) -> Option<u64> {
        let number = self.first + self.under_way.len() as u64;
        let mut chunk = Vec::with_capacity(room);
        while chunk.len() < room {
            if self.cut == self.packet.len() {
                let Some((id, packet)) = next() else { break };
                self.load(id, packet);
            }
            let taken = (room - chunk.len()).min(self.packet.len() - self.cut);
            chunk.extend_from_slice(&self.packet[self.cut..self.cut + taken]);
            self.cut += taken;
            if self.cut == self.packet.len()
                && let Some(open) = self.open.back_mut()
            {
                open.end = Some(number);
            }
        }
        if chunk.is_empty() {
            return None;
        }
        self.under_way.push_back(UnderWay { chunk, sent: None, due: true, held: false });
        Some(number)
    }

    fn load(&mut self, id: u64, mut packet: Vec<u8>) {
        let open = Open { id, packet: packet.clone(), end: None };
        self.keys.seal(self.sealed, &mut packet);
        self.sealed += 1;
        self.packet.clear();
        self.packet.extend_from_slice(&(packet.len() as u16).to_be_bytes());
        self.packet.extend_from_slice(&packet);
        self.cut = 0;
        self.open.push_back(open);
    }

    fn at(&self, number: u64) -> Option<&UnderWay> {
        self.under_way.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn at_mut(&mut self, number: u64) -> Option<&mut UnderWay> {
        self.under_way.get_mut(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// What is in a frame under way.
    #[must_use]
    pub fn body(&self, number: u64) -> &[u8] {
        self.at(number).map_or(&[], |frame| &frame.chunk)
    }

    /// What marks it as part of the stream.
    #[must_use]
    pub fn mark(&self, number: u64) -> u16 {
        self.keys.mark(number, self.body(number))
    }

    /// Packets sealed so far.
    #[must_use]
    pub const fn sealed(&self) -> u64 {
        self.sealed
    }

    /// A frame is on the air.
    pub fn mark_sent(&mut self, number: u64) {
        let order = self.sent;
        if let Some(frame) = self.at_mut(number) {
            let again = frame.sent.replace(order).is_some();
            frame.due = false;
            self.sent += 1;
            self.repeated += u64::from(again);
        }
    }

    /// The other end has a frame: its radio said so.
    pub fn mark_held(&mut self, number: u64) {
        if let Some(frame) = self.at_mut(number) {
            (frame.held, frame.due) = (true, false);
        }
    }

    /// The link gave a frame up: it has to be sent again.
    pub fn mark_lost(&mut self, number: u64) {
        if let Some(frame) = self.at_mut(number) {
            frame.due = !frame.held;
        }
    }

    /// True if only a new session helps.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.in_vain >= ATTEMPTS
    }

    /// True if a frame has to be sent.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.under_way.iter().any(|frame| frame.due)
    }

    /// True if part of a packet is not in a frame yet.
    #[must_use]
    pub const fn is_cutting(&self) -> bool {
        self.cut < self.packet.len()
    }

    /// True if a frame other than `number` has to be sent.
    #[must_use]
    pub fn is_due_beside(&self, number: Option<u64>) -> bool {
        let but = number.map(|number| (number - self.first) as usize);
        self.under_way.iter().enumerate().any(|(at, frame)| frame.due && Some(at) != but)
    }

    /// True if a new frame fits the window.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.under_way.len() < WINDOW
    }

    /// True if the other end has not said that it has all that was sent.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.under_way.iter().any(|frame| frame.sent.is_some() && !frame.held)
    }

    /// True if it has not taken all that was sent.
    #[must_use]
    pub fn is_unconfirmed(&self) -> bool {
        self.under_way.iter().any(|frame| frame.sent.is_some())
    }

    /// Frames sent so far: what [`Self::take_report`] takes as the age of a report.
    #[must_use]
    pub const fn age(&self) -> u64 {
        self.sent
    }

    /// Takes a report that was made when at least `age` frames had been sent and had come or not. Unless
    /// it is taken nothing is changed.
    pub fn take_report(
        &mut self,
        report: &Report<'_>,
        age: u64,
        mut arrived: impl FnMut(u64),
    ) -> Heeded {
        let ahead = (u64::from(report.first) + NUMBERS - self.first % NUMBERS) % NUMBERS;
        let first = self.first + ahead;
        let is_of = |first| self.keys.vouched(first, report.vouched, &report.voucher);
        if ahead > self.under_way.len() as u64 || !is_of(first) {
            // A report that was held up on the way, of frames that were confirmed since.
            let earlier = first.checked_sub(NUMBERS);
            return if earlier.is_some_and(is_of) { Heeded::Late } else { Heeded::Strange };
        }
        if !self.may_have_opened(report.opened, first) {
            return Heeded::Doubtful;
        }
        if ahead > 0 {
            self.in_vain = 0;
        }
        self.under_way.drain(..ahead as usize);
        self.first = first;
        while let Some(&Open { id, end, .. }) = self.open.front()
            && end.is_some_and(|end| end < first)
        {
            self.open.pop_front();
            self.confirmed += 1;
            arrived(id);
        }
        let run = usize::from(report.run);
        let holds = |at: usize| {
            at < run
                || at.checked_sub(run + 1).is_some_and(|bit| {
                    report.bitmap.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
                })
        };
        let mut latest = Some(age);
        for (at, frame) in self.under_way.iter_mut().enumerate() {
            // What was never sent cannot be there, whatever the other end has in its place.
            if holds(at) && frame.sent.is_some() {
                (frame.held, frame.due) = (true, false);
                latest = latest.max(frame.sent);
            }
        }
        for (at, frame) in self.under_way.iter_mut().enumerate() {
            if !holds(at) && frame.sent.is_some() && frame.sent < latest {
                (frame.held, frame.due) = (false, true);
            }
        }
        // All is there and the last packet is not taken: one of these frames is not what was sent.
        if age == self.sent && !self.is_cutting() && self.under_way.iter().all(|frame| frame.held) {
            self.under_way.iter_mut().for_each(|frame| frame.due = true);
            self.in_vain += u32::from(!self.under_way.is_empty());
        }
        Heeded::Taken
    }

    /// Whether an end that has taken all frames before `first` can have opened so many packets: those that
    /// end there, and of those that end in `first` the ones it likes.
    fn may_have_opened(&self, opened: u8, first: u64) -> bool {
        let ending = |is: fn(u64, u64) -> bool| {
            let ends = self.open.iter().filter_map(|open| open.end);
            ends.filter(|&end| is(end, first)).count()
        };
        let least = self.confirmed + ending(|end, first| end < first) as u64;
        usize::from(opened.wrapping_sub(least as u8)) <= ending(|end, first| end == first)
    }

    /// Ends the session. The other end has opened so many packets, of which these are the lower bits: those
    /// it has go to `arrived`, the others are returned as they were taken, each behind what it is known by. None
    /// if there were not so many; then nothing is changed.
    pub fn settle(
        &mut self,
        opened: u32,
        mut arrived: impl FnMut(u64),
    ) -> Option<VecDeque<(u64, Vec<u8>)>> {
        let more = opened.wrapping_sub(self.confirmed as u32) as usize;
        if more > self.open.len() {
            return None;
        }
        self.open.drain(..more).for_each(|open| arrived(open.id));
        Some(self.open.drain(..).map(|open| (open.id, open.packet)).collect())
    }

    /// Ends the session: what is not confirmed, as it is known.
    pub fn abandon(self) -> impl Iterator<Item = u64> {
        self.open.into_iter().map(|open| open.id)
    }
}
