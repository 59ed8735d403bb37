//! Attackers without the key: they receive every frame, delay it, replay it, and send frames of
//! their own.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use airlag_tunnel::Instant;

use crate::world::{Attacker, Draws};

/// Kind of a frame, in its first two bits (`airlag_tunnel::wire`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Data,
    Report,
    Greeting,
}

pub fn sort(frame: &[u8]) -> Sort {
    match frame[0] >> 6 {
        0b10 => Sort::Report,
        0b11 => Sort::Greeting,
        _ => Sort::Data,
    }
}

/// Frames of a flood.
#[derive(Clone, Copy, Debug)]
pub enum Junk {
    /// Bytes drawn at random, as many as in a full frame.
    Random,
    /// Like `Random`, but always a data frame.
    Data,
    /// The last received data frame with one byte modified.
    Changed,
    /// A data frame from the last half second, unchanged.
    Repeated,
    /// A forged report.
    Report,
    /// Forged frames of a handshake.
    Greeting,
    /// Handshake frames that were received at any earlier time.
    OldGreeting,
}

/// All received frames, with their senders.
pub type Record = Rc<RefCell<Vec<(usize, Vec<u8>)>>>;

/// Sends junk at a given rate to both ends, and lets their own frames pass.
pub struct Flood {
    pub junk: Junk,
    pub each: Duration,
    pub record: Record,
    draws: Draws,
    sent: Option<Instant>,
}

impl Flood {
    pub fn new(junk: Junk, a_second: u32, seed: u64) -> Self {
        let each = Duration::from_secs(1) / a_second;
        Self { junk, each, record: Record::default(), draws: Draws(seed), sent: None }
    }

    fn random(&mut self, first: u8) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..32).map(|_| self.draws.bits() as u8).collect();
        bytes[0] = bytes[0] & 0x3F | first;
        bytes
    }

    /// A received frame, one of the last of its kind.
    fn heard(&mut self, wanted: Sort, last: usize) -> Option<Vec<u8>> {
        let record = self.record.borrow();
        let known = record.iter().rev().map(|(_, frame)| frame);
        let known: Vec<_> = known.filter(|frame| sort(frame) == wanted).take(last).collect();
        let nth = self.draws.below(known.len().max(1) as u64) as usize;
        known.get(nth).map(|frame| frame.to_vec())
    }

    fn junk(&mut self) -> Option<Vec<u8>> {
        match self.junk {
            Junk::Random => {
                let first = (self.draws.bits() as u8) & 0xC0;
                Some(self.random(first))
            }
            Junk::Data => {
                let first = (self.draws.bits() as u8) & 0x40;
                Some(self.random(first))
            }
            Junk::Changed => {
                let mut frame = self.heard(Sort::Data, 1)?;
                let at = self.draws.below(frame.len() as u64) as usize;
                // The upper bit of the first byte would make it a frame of another kind.
                frame[at] ^= (1 + self.draws.below(127)) as u8;
                Some(frame)
            }
            Junk::Repeated => self.heard(Sort::Data, 2_500),
            Junk::Report => Some(self.random(0x80)),
            Junk::Greeting => {
                let mut frame = self.random(0xC0);
                // The version is right.
                frame[0] = frame[0] & 0xF8 | 1;
                frame[1] &= 0x7F;
                Some(frame)
            }
            Junk::OldGreeting => self.heard(Sort::Greeting, usize::MAX),
        }
    }
}

impl Attacker for Flood {
    fn carry(&mut self, _: Instant, from: usize, frame: &[u8]) -> Vec<Vec<u8>> {
        let mut record = self.record.borrow_mut();
        record.push((from, frame.to_vec()));
        // Keeps all handshake frames, and the latest of the other frames.
        if record.len() > 40_000 {
            let old = record.drain(..20_000).collect::<Vec<_>>();
            let kept = old.into_iter().filter(|(_, frame)| sort(frame) == Sort::Greeting);
            let rest: Vec<_> = kept.chain(record.drain(..)).collect();
            record.extend(rest);
        }
        vec![frame.to_vec()]
    }

    fn send(&mut self, now: Instant) -> Vec<(usize, Vec<u8>)> {
        let mut at = *self.sent.get_or_insert(now);
        let mut sent = Vec::new();
        while at + self.each <= now {
            at = at + self.each;
            let to = self.draws.below(2) as usize;
            sent.extend(self.junk().map(|frame| (to, frame)));
        }
        self.sent = Some(at);
        sent
    }
}

/// A man in the middle: drops, duplicates, delays, modifies, reflects and replays all frames.
pub struct Middle {
    pub record: Record,
    pub passes: f64,
    draws: Draws,
    held: [Vec<Vec<u8>>; 2],
}

impl Middle {
    pub fn new(seed: u64, passes: f64) -> Self {
        Self { record: Record::default(), passes, draws: Draws(seed), held: Default::default() }
    }
}

impl Attacker for Middle {
    fn carry(&mut self, _: Instant, from: usize, frame: &[u8]) -> Vec<Vec<u8>> {
        let mut record = self.record.borrow_mut();
        record.push((from, frame.to_vec()));
        if record.len() > 20_000 {
            record.drain(..10_000);
        }
        let mut out = Vec::new();
        // A delayed frame, a replayed one of either end, and a modified one.
        if self.draws.chance(0.1) && !self.held[from].is_empty() {
            let nth = self.draws.below(self.held[from].len() as u64) as usize;
            out.push(self.held[from].swap_remove(nth));
        }
        if self.draws.chance(0.2) {
            let nth = self.draws.below(record.len() as u64) as usize;
            out.push(record[nth].1.clone());
        }
        if self.draws.chance(0.1) {
            let mut changed = frame.to_vec();
            let bit = self.draws.below(changed.len() as u64 * 8) as usize;
            changed[bit / 8] ^= 1 << (bit % 8);
            out.push(changed);
        }
        if self.draws.chance(self.passes) {
            out.push(frame.to_vec());
        } else if self.draws.chance(0.5) && self.held[from].len() < 200 {
            self.held[from].push(frame.to_vec());
        }
        out
    }

    fn send(&mut self, _: Instant) -> Vec<(usize, Vec<u8>)> {
        let record = self.record.borrow();
        if record.is_empty() || !self.draws.chance(0.3) {
            return Vec::new();
        }
        let nth = self.draws.below(record.len() as u64) as usize;
        vec![(self.draws.below(2) as usize, record[nth].1.clone())]
    }
}
