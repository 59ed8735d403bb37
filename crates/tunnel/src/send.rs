//! Sending half of the block ARQ. Packets become a stream, and the stream becomes frames, each of which
//! is sent until the other end has received it.
//!
//! Packets form a stream without gaps, in which each packet is preceded by its length in two bytes. Small
//! packets therefore share frames. A frame that a report does not confirm is sent again in two cases: the
//! report was created after the frame was sent, or the report confirms a frame that was sent later. In the
//! second case, the missing confirmation is sufficient evidence of a loss, because a radio does not reorder
//! frames.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::keys::Keys;
use crate::wire::{NUMBERS, Report, WINDOW};

/// Length of the length field of a packet in the stream, bytes.
pub const LENGTH: usize = 2;
/// Smallest number of stream bytes in a frame other than the last one of a packet, so that the longest packet
/// fits into the window.
pub const LEAST: usize = 20;
/// Length of the longest packet, bytes. With its length field and tag, in frames of [`LEAST`], such a
/// packet fits into the window.
pub const LONGEST: usize = (WINDOW - 2) * LEAST - LENGTH - crate::keys::TAG;

#[derive(Debug)]
struct UnderWay {
    /// Stream bytes of the frame.
    chunk: Vec<u8>,
    /// Number of sent frames at its last transmission.
    sent: Option<u64>,
    /// Whether it must be sent.
    due: bool,
    /// Whether the other end has reported it as received, which may be revoked.
    held: bool,
}

/// An unconfirmed packet.
#[derive(Debug)]
struct Open {
    /// Identifier.
    id: u64,
    /// Original bytes, for another session.
    packet: Vec<u8>,
    /// Number of its last frame.
    end: Option<u64>,
}

/// Sending half.
pub struct Sender {
    keys: Keys,
    /// Number of the first unconfirmed frame.
    first: u64,
    under_way: VecDeque<UnderWay>,
    /// Encrypted packet that is being split into frames, and the number of its bytes that are
    /// already in frames.
    packet: Vec<u8>,
    cut: usize,
    /// Number of encrypted packets.
    sealed: u64,
    /// Number of confirmed packets.
    confirmed: u64,
    /// Unconfirmed packets.
    open: VecDeque<Open>,
    /// Number of sent frames, including repeats.
    sent: u64,
    repeated: u64,
    /// Number of complete retransmissions without progress.
    in_vain: u32,
}

/// Outcome of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heeded {
    /// The report was applied.
    Taken,
    /// The report is outdated.
    Late,
    /// The report contains an impossible number of packets.
    Doubtful,
    /// The report belongs to another session, or is damaged.
    Strange,
}

/// Number of attempts after which the ends are considered to disagree about the position of the
/// next packet.
const ATTEMPTS: u32 = 4;

impl Sender {
    /// Creates a sender.
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

    /// Number of sent frames, and of repeats among them.
    #[must_use]
    pub const fn counts(&self) -> (u64, u64) {
        (self.sent, self.repeated)
    }

    /// Returns the next frame, with up to `room` bytes of the stream: a repeat, or a new frame from the
    /// packets of `next`. `None` if there is nothing to send, or if the window has no room.
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

    /// Creates a new frame.
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

    /// Contents of an unconfirmed frame.
    #[must_use]
    pub fn body(&self, number: u64) -> &[u8] {
        self.at(number).map_or(&[], |frame| &frame.chunk)
    }

    /// Mark of an unconfirmed frame.
    #[must_use]
    pub fn mark(&self, number: u64) -> u16 {
        self.keys.mark(number, self.body(number))
    }

    /// Number of encrypted packets.
    #[must_use]
    pub const fn sealed(&self) -> u64 {
        self.sealed
    }

    /// Records the transmission of a frame.
    pub fn mark_sent(&mut self, number: u64) {
        let order = self.sent;
        if let Some(frame) = self.at_mut(number) {
            let again = frame.sent.replace(order).is_some();
            frame.due = false;
            self.sent += 1;
            self.repeated += u64::from(again);
        }
    }

    /// Records the reception of a frame that the radio of the other end confirmed.
    pub fn mark_held(&mut self, number: u64) {
        if let Some(frame) = self.at_mut(number) {
            (frame.held, frame.due) = (true, false);
        }
    }

    /// Records a frame that the link gave up, which must be sent again.
    pub fn mark_lost(&mut self, number: u64) {
        if let Some(frame) = self.at_mut(number) {
            frame.due = !frame.held;
        }
    }

    /// Whether the transfer can continue only in a new session.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.in_vain >= ATTEMPTS
    }

    /// Whether a frame must be sent.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.under_way.iter().any(|frame| frame.due)
    }

    /// Whether a packet has been split only partly into frames.
    #[must_use]
    pub const fn is_cutting(&self) -> bool {
        self.cut < self.packet.len()
    }

    /// Whether a frame other than `number` must be sent.
    #[must_use]
    pub fn is_due_beside(&self, number: Option<u64>) -> bool {
        let but = number.map(|number| (number - self.first) as usize);
        self.under_way.iter().enumerate().any(|(at, frame)| frame.due && Some(at) != but)
    }

    /// Whether a new frame fits into the window.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.under_way.len() < WINDOW
    }

    /// Whether the other end has not reported all sent frames.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.under_way.iter().any(|frame| frame.sent.is_some() && !frame.held)
    }

    /// Whether the other end has not accepted all sent frames.
    #[must_use]
    pub fn is_unconfirmed(&self) -> bool {
        self.under_way.iter().any(|frame| frame.sent.is_some())
    }

    /// Returns the number of sent frames, which [`Self::take_report`] uses as the age of a report.
    #[must_use]
    pub const fn age(&self) -> u64 {
        self.sent
    }

    /// Processes a report. At least `age` frames were sent before the report was created, and each of these
    /// frames had arrived or was lost at that time. The state changes only if the result is `Taken`.
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
            // This report was delayed, and is about frames that were confirmed since.
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
            // A frame that was never sent cannot have been received.
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
        // All frames were received but the last packet was not accepted, so one of the frames was forged.
        if age == self.sent && !self.is_cutting() && self.under_way.iter().all(|frame| frame.held) {
            self.under_way.iter_mut().for_each(|frame| frame.due = true);
            self.in_vain += u32::from(!self.under_way.is_empty());
        }
        Heeded::Taken
    }

    /// Whether an end that has accepted all frames before `first` can have received this number of packets:
    /// those that end there, and any of those that end in `first`.
    fn may_have_opened(&self, opened: u8, first: u64) -> bool {
        let ending = |is: fn(u64, u64) -> bool| {
            let ends = self.open.iter().filter_map(|open| open.end);
            ends.filter(|&end| is(end, first)).count()
        };
        let least = self.confirmed + ending(|end, first| end < first) as u64;
        usize::from(opened.wrapping_sub(least as u8)) <= ending(|end, first| end == first)
    }

    /// Ends the session. `opened` contains the lower bits of the number of packets that the other end has
    /// received. The identifiers of the received packets are passed to `arrived`. The packets that were not
    /// received are returned unencrypted, with their identifiers. If the number of received packets in
    /// `opened` is not possible, this function returns `None` and changes nothing.
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

    /// Ends the session. Returns the identifiers of unconfirmed packets.
    pub fn abandon(self) -> impl Iterator<Item = u64> {
        self.open.into_iter().map(|open| open.id)
    }
}
