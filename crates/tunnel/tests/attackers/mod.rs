//! What somebody without the key can do on the channel: hear every frame, hold it back, repeat it, and send
//! frames of his own.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use airlag_tunnel::Instant;

use crate::world::{Attacker, Draws};

/// What a frame is, by the first two bits (`airlag_tunnel::wire`).
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

/// What is sent in a flood.
#[derive(Clone, Copy, Debug)]
pub enum Junk {
    /// Bytes drawn at random, as many as in a full frame.
    Random,
    /// The same, but always a data frame.
    Data,
    /// A data frame that was heard last, with another mark or another content.
    Changed,
    /// A data frame that was heard up to half a second before, as it was.
    Repeated,
    /// A report made up.
    Report,
    /// Greetings made up.
    Greeting,
    /// Greetings that were heard at any time before.
    OldGreeting,
}

/// Everything that was heard, with who sent it.
pub type Record = Rc<RefCell<Vec<(usize, Vec<u8>)>>>;

/// Sends junk at a rate, to both ends, and lets pass what these say.
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

    /// A frame that was heard, among the last so many of its sort.
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
                // The upper bit of the first byte would make it another sort.
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
        // Greetings are kept, and of the rest what may matter.
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

/// In the middle: drops, doubles, holds back, changes, turns round and repeats whatever was said.
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
        // One that was held back, one that was heard before, whoever said it, and one that is changed.
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
